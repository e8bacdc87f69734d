"""Text that a site generator would pull in and infograph does not: counted, so that nobody believes it is indexed."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from infograph.lines import line_ends
from infograph.model import Block, Document
from infograph.notice import Notice


@dataclass(frozen=True, slots=True)
class _Syntax:
    name: str
    trigger: re.Pattern[str]
    """A page without it is not searched: nearly all pages. Begins with a literal, so that finding out costs little."""
    pattern: re.Pattern[str]
    in_code: bool = True
    """Generators resolve most includes inside of code, too."""


_SYNTAXES = (
    _Syntax("MkDocs snippet", re.compile("8<-"), re.compile(r"-{1,8}8<-{1,8}[ \t]+[\"'][^\"'\n]+[\"']")),
    _Syntax(
        "Markdown include", re.compile(r"\{[*!]"), re.compile(r"\{\*[ \t]+[^{}\n]+\*\}|\{![ \t]*[^\s!{}][^{}\n]*!\}")
    ),
    _Syntax(
        "mdBook include",
        re.compile(r"\{\{#"),
        re.compile(r"\{\{#(?:rustdoc_include|include|playground)[ \t][^{}\n]*\}\}"),
    ),
    # `{{</* … */>}}` shows a shortcode, `{{< /name >}}` closes one.
    _Syntax("Hugo shortcode", re.compile(r"\{\{[<%]"), re.compile(r"\{\{[<%](?!/\*|[ \t]*/)[^\n]{0,500}?[>%]\}\}")),
    _Syntax("Jekyll include", re.compile(r"\{%"), re.compile(r"\{%-?[ \t]*include(?:_relative)?[ \t][^\n]{0,500}?%\}")),
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
    _Syntax(
        "MDX import",
        re.compile(r"port(?<=import|export)"),
        re.compile(r"^(?:(?:import|export)\b[^\n;]*?\bfrom[ \t]*|import[ \t]*)[\"'][^\"'\n]+[\"']", re.MULTILINE),
        in_code=False,
    ),
)


def unresolved_includes(document: Document, blocks: tuple[Block, ...]) -> tuple[Notice, ...]:
    """At most one notice, which counts the includes by syntax and shows the first of each."""
    body = document.body
    total = 0
    named = []
    for syntax in _SYNTAXES:
        if not syntax.trigger.search(body):
            continue
        matches = list(syntax.pattern.finditer(body))
        if matches and not syntax.in_code:
            matches = list(_outside_of_code(body, blocks, matches))
        if matches:
            total += len(matches)
            example = " ".join(matches[0][0].split())[:80]
            named.append(f"{len(matches)} {syntax.name}{'s' if len(matches) > 1 else ''} (`{example}`)")
    if not named:
        return ()
    message = f"not resolved, so the text they stand for is not indexed: {', '.join(named)}"
    return (Notice(document.path, "unresolved-include", message, total),)


def _outside_of_code(body: str, blocks: tuple[Block, ...], matches: list[re.Match[str]]) -> Iterator[re.Match[str]]:
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
    """Line ranges of fences and indented code, nested ones included, in order."""
    for block in blocks:
        if block.kind in ("fence", "code"):
            yield block.start, block.end
        yield from _code(block.children)
