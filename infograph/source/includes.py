"""Counts includes that a site generator resolves and infograph does not, to warn that their text is not indexed."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from infograph.errors import Notice
from infograph.model import Block, Document
from infograph.text.lines import line_ends, lone_returns_fed


@dataclass(frozen=True, slots=True)
class _Syntax:
    name: str
    trigger: re.Pattern[str]
    """Pages without a match, nearly all, are not searched further. It begins with a literal, so the test is cheap."""
    pattern: re.Pattern[str]
    in_code: bool = True
    """Whether the generator resolves this include inside of code too."""


_TAG = re.compile(r"\{%")

# What stands before the end of a tag or shortcode. No blank line and no further beginning, so that one which is only
# mentioned does not reach the end of the next.
_BLANK = r"[ \t]*+\r?\n"
_IN_TAG = rf"(?:[^\n{{%]++|%(?!\}})|\{{(?!%)|\n(?!{_BLANK})){{0,200}}"
_IN_SHORTCODE = rf"(?:[^\n{{>%]++|[>%](?!\}}\}})|\{{(?!\{{[<%])|\n(?!{_BLANK})){{0,200}}"

_SYNTAXES = (
    _Syntax(
        "MkDocs snippet",
        re.compile("8<-"),
        # A block names a file a line; `;` before a marker shows it.
        re.compile(
            r"^[ \t]*+-++8<-++\r?\n(?P<files>(?:[^\n]{0,500}\n){0,200}?)[ \t]*+-++8<-++\r?$"
            r"|(?<![;-])-++8<-++[ \t]++(?:\"[^\"\n]{1,500}\"|'[^'\n]{1,500}')",
            re.MULTILINE,
        ),
    ),
    _Syntax(
        "Markdown include", re.compile(r"\{[*!]"), re.compile(r"\{\*[ \t]++[^{}\n]+\*\}|\{![ \t]*[^\s!{}][^{}\n]*!\}")
    ),
    _Syntax(
        "mdBook include",
        re.compile(r"\{\{#"),
        re.compile(r"\{\{#(?:rustdoc_include|include|playground)[ \t][^{}\n]*\}\}"),
    ),
    # A name follows, unlike in `{{</* … */>}}`, which shows a shortcode, and `{{< /name >}}`, which closes one.
    _Syntax("Hugo shortcode", re.compile(r"\{\{[<%]"), re.compile(rf"\{{\{{[<%]\s*+(?=\w){_IN_SHORTCODE}[>%]\}}\}}")),
    # `{{%` begins a shortcode.
    _Syntax(
        "Jekyll include",
        _TAG,
        re.compile(rf"(?<!\{{)\{{%-?\s*+include(?:_relative|_cached)?\s++(?![\"']){_IN_TAG}%\}}"),
    ),
    _Syntax(
        "MkDocs include",
        _TAG,
        re.compile(rf"(?<!\{{)\{{%-?\s*+include(?:-markdown\s|\s++(?=[\"'])){_IN_TAG}%\}}"),
    ),
    _Syntax(
        "DocFX include",
        re.compile(r"\[!(?:INCLUDE|include|CODE|code)"),
        re.compile(
            r"\[!(?:include|code)(?:-[\w-]+)?[ \t]*\[[^\]\n]{0,500}\][ \t]*\([^)\n]{1,500}\)[ \t]*\]", re.IGNORECASE
        ),
    ),
    _Syntax(
        "MyST include",
        re.compile(r"include\}"),
        re.compile(r"^[ \t]*[`:~]{3,}\{(?:literal)?include\}[ \t]+\S+", re.MULTILINE),
    ),
    # The statement ends after the file, unlike a sentence. What is in braces may be on lines of its own.
    _Syntax(
        "MDX import",
        re.compile(r"port(?<=import|export)"),
        re.compile(
            r"^(?:(?:import|export)\b(?:[^\n;]*?|[^\n;{]*+\{[^{};\"'`]{0,1000}\}\s*+)\bfrom[ \t]*|import[ \t]*)"
            r"[\"'][^\"'\n]+[\"'](?=[ \t]*+(?:;|\r?$|//|/\*|with\b|assert\b))",
            re.MULTILINE,
        ),
        in_code=False,
    ),
)
_TRIGGERS = tuple({syntax.trigger: None for syntax in _SYNTAXES})
_FILE = re.compile(r"^[ \t]*+[^\s;]\S*+[ \t]*+\r?$", re.MULTILINE)
"""A line in a block of snippets that names a file: not blank, no comment, and no prose between cut marks."""


def unresolved_includes(document: Document, blocks: tuple[Block, ...]) -> tuple[Notice, ...]:
    """Returns at most one notice, which counts the includes by syntax and shows the first of each."""
    found = {trigger for trigger in _TRIGGERS if trigger.search(document.body)}
    if not found:
        return ()
    body = lone_returns_fed(document.body)
    total = 0
    named = []
    for syntax in _SYNTAXES:
        if syntax.trigger not in found:
            continue
        matches = list(syntax.pattern.finditer(body))
        if matches and not syntax.in_code:
            matches = list(_outside_of_code(body, blocks, matches))
        counts = list(map(_count, matches))
        if count := sum(counts):
            total += count
            first = next(match for match, of_match in zip(matches, counts, strict=True) if of_match)
            example = " ".join(first[0].split())[:80]
            named.append(f"{count} {syntax.name}{'s' if count > 1 else ''} (`{example}`)")
    if not named:
        return ()
    message = f"not resolved, so the text they stand for is not indexed: {', '.join(named)}"
    return (Notice(document.path, "unresolved-include", message, total),)


def _count(match: re.Match[str]) -> int:
    """The number of includes in a match: a block counts once for each file that it names."""
    return len(_FILE.findall(match["files"])) if match.lastgroup == "files" else 1


def _outside_of_code(body: str, blocks: tuple[Block, ...], matches: list[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Yields the matches that do not begin in a block of code."""
    code = deque(_code(blocks))
    line = at = 0
    for match in matches:  # in order, so that each line is counted once
        start = match.start()
        # A `\r\n` never lies across `start`, which is the beginning of a line.
        line += line_ends(body, at, start)
        at = start
        while code and code[0][1] <= line:
            code.popleft()
        if not (code and code[0][0] <= line):
            yield match


def _code(blocks: tuple[Block, ...]) -> Iterator[tuple[int, int]]:
    """Yields the line ranges of fences and indented code in order, nested ones included."""
    for block in blocks:
        if block.kind in ("fence", "code"):
            yield block.start, block.end
        yield from _code(block.children)
