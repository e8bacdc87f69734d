"""Runs markdown-it-py's block parser fast and safely for deep nesting. The rules are the library's own.

What differs from `MarkdownIt("commonmark").enable("table")` with the core rules `normalize` and `block`:

- Only rules that can match are called. The library tries all eleven on each block and, as terminators, on each
  further line of a paragraph; here the line's first character chooses among them. Same rules, same order, so the
  same blocks (the tests compare both parsers).
- Only tokens that say where blocks begin are kept, with their number bounded while parsing.
- At the nesting limit the library skips to the end of the document without a word. Here the one container that
  is too deep becomes a leaf and is counted, and what follows it is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import StateBlock

from infograph.source.limits import SourceLimits

OPENS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "fence",
    "code_block": "code",
    "table_open": "table",
    "tr_open": "row",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "rule",
}
"""Maps the library's token types to kinds of block."""

CLOSES = frozenset({"table_close", "bullet_list_close", "ordered_list_close", "list_item_close", "blockquote_close"})
"""Token types that end blocks with children."""

_Rule = Callable[[StateBlock, int, int, bool], bool]

_FIRST = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*+-0123456789",
    "reference": "[",
    "html_block": "<",
    "heading": "#",
}
"""Maps a rule to the characters that its blocks can begin with; for rules not listed, any character can."""

_CHAINS = ("", "paragraph", "reference", "blockquote", "list")
"""The library's rule chains: the empty name for all blocks, the others for what ends such a block."""

_SETEXT = re.compile(r"^[ \t>]*(?:=+|-+)[ \t]*$", re.MULTILINE)
"""The underline of a setext heading. Without one in the text, the rule that reads every paragraph for it is left out,
as is the rule for link reference definitions where the text has no `]:`."""

_WIDE_LEVEL = 20
_WIDE_WORK = 100_000
"""Beyond this level, a container with more lines times levels than this is not taken apart either: quotes read all
their lines again on every level (32 KB of them took 12 s)."""


class TooManyBlocks(Exception):
    """The document has more blocks than its limit allows."""


@dataclass(slots=True)
class Mark:
    """The part of a markdown-it-py token that says where a block begins, or that one with children ends."""

    type: str
    tag: str
    level: int
    map: list[int] | None = None
    """First line and line after the last, 0-based; None on an end."""
    content: str = ""
    """Markdown of the heading; set on the `inline` mark after a heading's."""
    info: str = ""
    # Assigned by the library's rules and not read here.
    markup: str = ""
    attrs: object = None
    children: object = None
    hidden: bool = False


class Parser:
    """Parses CommonMark with GFM tables into marks of blocks. Not thread-safe."""

    def __init__(self, limits: SourceLimits) -> None:
        self._markdown = MarkdownIt("commonmark", {"maxNesting": limits.nesting}).enable("table")
        self._block = _BlockParser(self._markdown.block, limits)
        self._markdown.block = self._block

    def parse(self, text: str) -> tuple[list[Mark], list[int]]:
        """Returns the marks, and the first lines of containers that are too deep to be taken apart.

        `text` has only `\\n` as line ends and no NUL. Raises TooManyBlocks.
        """
        self._block.choose_rules(text)
        state = _State(text, self._markdown, self._block.limits)
        self._block.tokenize(state, state.line, state.lineMax)
        return state.marks, state.too_deep


class _State(StateBlock):
    """The library's parsing state, which collects marks in place of tokens."""

    def __init__(self, text: str, markdown: MarkdownIt, limits: SourceLimits) -> None:
        self.marks: list[Mark] = []
        self.too_deep: list[int] = []
        self._left = limits.blocks
        self._unused = Mark("", "", 0)
        super().__init__(text, markdown, {}, self.marks)  # type: ignore[arg-type]  # marks pass for tokens

    def push(self, ttype: str, tag: str, nesting: int) -> Any:
        if nesting < 0:
            self.level -= 1
            if ttype in CLOSES:
                self.marks.append(Mark(ttype, tag, self.level))
            return self._unused
        level = self.level
        if nesting > 0:
            self.level += 1
        if ttype in OPENS:
            self._left -= 1
            if self._left < 0:
                raise TooManyBlocks
        elif ttype != "inline" or not self.marks or self.marks[-1].type != "heading_open":
            return self._unused
        mark = Mark(ttype, tag, level)
        self.marks.append(mark)
        return mark


class _BlockParser(ParserBlock):
    """The library's block parser, which turns a container at the nesting limit into a leaf."""

    def __init__(self, original: ParserBlock, limits: SourceLimits) -> None:
        self.limits = limits
        # With and without the rules for setext headings and for references, which read on below the first line.
        self._rules: dict[tuple[bool, bool], _Rules] = {}
        for setext, reference in product((True, False), repeat=2):
            chosen = {"lheading": setext, "reference": reference}
            original.ruler.disable([name for name, on in chosen.items() if not on])
            self._rules[setext, reference] = _Rules(original)
            original.ruler.enable(list(chosen))
        self.ruler: Any = self._rules[True, True]

    def choose_rules(self, text: str) -> None:
        """Leaves out rules that cannot match anywhere in the text."""
        self.ruler = self._rules[_SETEXT.search(text) is not None, "]:" in text]

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:
        assert isinstance(state, _State)
        level = state.level
        if level < self.limits.nesting and (level < _WIDE_LEVEL or level * (endLine - startLine) < _WIDE_WORK):
            super().tokenize(state, startLine, endLine)
            return
        # The container ends where a line is indented less than its content. Below zero are a quote's lazy lines.
        line = startLine + 1
        while line < endLine and (state.isEmpty(line) or not 0 <= state.sCount[line] < state.blkIndent):
            line += 1
        state.line = line
        state.too_deep.append(startLine)


class _Rules:
    """Stands in for markdown-it-py's `Ruler`: each chain is one rule, which calls those that can match."""

    def __init__(self, original: ParserBlock) -> None:
        self._active = original.ruler.get_active_rules()
        names = {rule.fn: rule.name for rule in original.ruler.__rules__}
        self._chains = {
            chain: [_dispatcher([(names[rule], rule) for rule in original.ruler.getRules(chain)])] for chain in _CHAINS
        }

    def getRules(self, chain: str = "") -> list[_Rule]:
        return self._chains[chain]

    def get_active_rules(self) -> list[str]:
        return self._active


def _dispatcher(named: list[tuple[str, _Rule]]) -> _Rule:
    """Makes one rule that tries those of `named` that can match, in their order."""
    # A table comes first among the rules and shows in its second line: one that begins with a bar, dash or colon.
    table = next((rule for name, rule in named if name == "table"), None)
    rest = [(name, rule) for name, rule in named if name != "table"]
    others = tuple(rule for name, rule in rest if name not in _FIRST)
    by_first = {
        first: tuple(rule for name, rule in rest if first in _FIRST.get(name, first))
        for first in "".join(_FIRST.values())
    }

    def dispatch(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        src = state.src
        if table is not None and line + 2 <= end:
            at = state.bMarks[line + 1] + state.tShift[line + 1]
            if src[at : at + 1] in ("|", "-", ":") and table(state, line, end, silent):
                return True
        at = state.bMarks[line] + state.tShift[line]
        for rule in by_first.get(src[at : at + 1], others):  # noqa: SIM110 (a generator would cost more than it says)
            if rule(state, line, end, silent):
                return True
        return False

    return dispatch
