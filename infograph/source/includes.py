"""Text that a site generator would pull in and infograph does not: counted, so that nobody believes it is indexed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from infograph.model import Block, Document, Notice


@dataclass(frozen=True, slots=True)
class _Syntax:
    name: str
    triggers: tuple[str, ...]
    """A page without any of these is not searched: nearly all pages, and finding that out costs next to nothing."""
    pattern: re.Pattern[str]
    in_code: bool = True
    """Generators resolve most includes inside of code, too."""


_SYNTAXES = (
    _Syntax("MkDocs snippet", ("8<-",), re.compile(r"-+8<-+[ \t]+[\"'][^\"'\n]+[\"']")),
    _Syntax("Markdown include", ("{*", "{!"), re.compile(r"\{\*[ \t]+[^{}\n]+\*\}|\{![ \t]*[^\s!{}][^{}\n]*!\}")),
    _Syntax("mdBook include", ("{{#",), re.compile(r"\{\{#(?:rustdoc_include|include|playground)[ \t][^{}\n]*\}\}")),
    # `{{</* … */>}}` shows a shortcode, `{{< /name >}}` closes one.
    _Syntax("Hugo shortcode", ("{{<", "{{%"), re.compile(r"\{\{[<%](?!/\*|[ \t]*/)[^\n]*?[>%]\}\}")),
    _Syntax("Jekyll include", ("{%",), re.compile(r"\{%-?[ \t]*include(?:_relative)?[ \t][^\n]*?%\}")),
    _Syntax(
        "DocFX include",
        ("[!INCLUDE", "[!include", "[!code", "[!CODE"),
        re.compile(r"\[!(?:include|code)(?:-[\w-]+)?[ \t]*\[[^\]\n]*\][ \t]*\([^)\n]+\)[ \t]*\]", re.IGNORECASE),
    ),
    _Syntax(
        "MyST include",
        ("include}",),
        re.compile(r"^[ \t]*[`:~]{3,}\{(?:literal)?include\}[ \t]+\S+", re.MULTILINE),
    ),
    _Syntax(
        "MDX import",
        ("import", "export"),
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
        if not any(trigger in body for trigger in syntax.triggers):
            continue
        matches = list(syntax.pattern.finditer(body))
        if matches and not syntax.in_code:
            code = list(_code(blocks))
            matches = [match for match in matches if not _inside(code, _line(body, match.start()))]
        if matches:
            total += len(matches)
            example = " ".join(matches[0][0].split())[:80]
            named.append(f"{len(matches)} {syntax.name}{'s' if len(matches) > 1 else ''} (`{example}`)")
    if not named:
        return ()
    message = f"not resolved, so the text they stand for is not indexed: {', '.join(named)}"
    return (Notice(document.path, "unresolved-include", message, total),)


def _code(blocks: tuple[Block, ...]) -> Iterator[tuple[int, int]]:
    """Line ranges of fences and indented code, nested ones included."""
    for block in blocks:
        if block.kind in ("fence", "code"):
            yield block.start, block.end
        yield from _code(block.children)


def _inside(ranges: list[tuple[int, int]], line: int) -> bool:
    return any(start <= line < end for start, end in ranges)


def _line(body: str, offset: int) -> int:
    """0-based line of a character; a lone `\\r` ends a line as well."""
    head = body[:offset]
    return head.count("\n") + head.count("\r") - head.count("\r\n")
