"""The headings of a page as runs of text, from which the ids in a rendered page are made (see `anchors`).

`Block.text` is what a reader sees of a heading. The generators make ids of more and of less than that: of attributes
at the end, of an image's description, of addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from infograph.model import Block
from infograph.text.lines import LINE_END

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_CONTAINERS = re.compile(r"(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))*[ \t]*")
_INDENT = re.compile(r"[ \t]*")
_QUOTES = re.compile(r"(?:[ \t]*>)*[ \t]*")
_HASHES = re.compile(r"(#{1,6})(?:[ \t]|$)")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*")
_FOOTNOTE = re.compile(r"\[\^([^\[\]\s]{1,200})\](:?)")
_COMMENT = re.compile(r"\{/\*([^*{}]*)\*/\}$")
_CODE = re.compile(r"(?<!`)(`+)(?!`)[^`]+\1")
_DEFINITION = re.compile(r"^ {0,3}\[([^\]^\r\n][^\]\r\n]{0,998})\]:[ \t]*\S", re.MULTILINE)
_MARKED_UP = re.compile(r"[`*_\[<\\&!~\n]")
"""Characters of markup: a heading without any of them is its own text."""

_MOST = 2_000
"""Most characters of a heading that are parsed: unclosed emphasis takes time in the square of its length."""


class HeadingPiece(NamedTuple):
    """A run of a heading's text, of one kind of markup."""

    kind: str
    """Kind of the run: `text`, `code`, `alt` (of an image), `url` (that is a link without a text), `html`, `break`,
    `note` (the label of a footnote), `comment` (MDX's, at the end)."""
    text: str
    place: int = 0
    """Number of the run inside emphasis, a link or an image, from 1; 0 outside."""


class Heading(NamedTuple):
    """One heading of a page."""

    line: int
    """The heading's first line in the body, 0-based."""
    level: int
    nested: bool
    """Whether the heading is inside a list or a quote."""
    pieces: list[HeadingPiece]

    def text(self, *kinds: str) -> str:
        """Returns the text of text, code and the kinds named; a line's end is a line feed."""
        wanted = ("text", "code", "break", *kinds)
        return "".join(piece.text for piece in self.pieces if piece.kind in wanted)


class RenderedPage:
    """The lines of a page as a generator renders it, and the notes and links that its headings may refer to."""

    def __init__(self, body: str, blocks: Sequence[Block]) -> None:
        self.lines = LINE_END.split(body)
        self.blocks = blocks
        self._refers = "[^" in body
        self.notes = {match[1] for match in _FOOTNOTE.finditer(body) if match[2]} if self._refers else set()
        self.references: dict[str, dict[str, str]] = {}
        if "]:" in body:
            labels = (" ".join(match[1].split()).upper() for match in _DEFINITION.finditer(body))
            self.references = {label: {"href": "#", "title": ""} for label in labels}

    def headings(self, blocks: Sequence[Block], nested: bool) -> Iterator[Heading]:
        """Yields the headings among blocks, and inside them."""
        for block in blocks:
            if block.kind == "heading":
                line, source = self._source(block, _CONTAINERS if nested else _INDENT)
                yield Heading(line, block.level, nested, self._pieces(source[:_MOST]))
            elif block.children:
                yield from self.headings(block.children, nested=True)

    def _source(self, block: Block, containers: re.Pattern[str]) -> tuple[int, str]:
        """Returns the first line of a heading, and its Markdown without the marks that make it one."""
        lines = range(block.start, block.end)  # a page's first block begins with the blank lines before it
        start = next((line for line in lines if _strip(self.lines[line], containers)), block.start)
        first = _strip(self.lines[start], containers)
        hashes = _HASHES.match(first)
        if hashes and len(hashes[1]) == block.level:
            text = first[hashes.end() :].rstrip(" \t")
            content = text.rstrip("#")
            return start, (content if not content or content[-1] in " \t" else text).strip(" \t")
        content_lines = [first]
        for line in self.lines[start + 1 : block.end]:
            following = _strip(line, _QUOTES)
            if _UNDERLINE.fullmatch(following):
                break
            content_lines.append(following)
        return start, "\n".join(content_lines)

    def _pieces(self, source: str) -> list[HeadingPiece]:
        """Parses a heading's Markdown."""
        if comment := _COMMENT.search(source):
            return [*self._pieces(source[: comment.start()]), HeadingPiece("comment", comment[1])]
        if not _MARKED_UP.search(source):
            return [HeadingPiece("text", source)]
        held: list[str] = []
        source = source.replace("\ue000", "").replace("\ue001", "")  # they stand for footnotes below

        def note(match: re.Match[str]) -> str:
            if match[1] not in self.notes:
                return match[0]
            held.append(match[1])
            return f"\ue000{len(held) - 1}\ue001"

        (token,) = _inline().parseInline(_FOOTNOTE.sub(note, source), {"references": self.references})
        pieces = list(_flat(token.children or []))
        return list(_with_notes(pieces, held)) if held else pieces

    @cached_property
    def note_lines(self) -> list[int]:
        """Line of each reference to a footnote, ascending; one that leads to no note counts, as it does for MyST."""
        found = []
        for block in _leaves(self.blocks if self._refers else ()):
            if block.kind not in ("fence", "code", "html"):
                for number in range(block.start, block.end):
                    notes = _FOOTNOTE.finditer(_CODE.sub("", self.lines[number]))
                    found += [number for note in notes if not note[2]]
        return found


def _strip(line: str, containers: re.Pattern[str]) -> str:
    match = containers.match(line)
    return (line[match.end() :] if match else line).rstrip(" \t")


def _leaves(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.children:
            yield from _leaves(block.children)
        else:
            yield block


@lru_cache(maxsize=1)
def _inline() -> MarkdownIt:
    from markdown_it import MarkdownIt  # not before a heading needs it

    return MarkdownIt("commonmark").enable("strikethrough")


def _flat(tokens: Sequence[Any]) -> Iterator[HeadingPiece]:
    depth = place = 0
    url = False
    for token in tokens:
        if token.nesting == 1:
            depth, place = depth + 1, place if depth else 0
            url = token.info == "auto"
        elif token.nesting == -1:
            depth, url = depth - 1, False
        elif token.type == "image":
            place = place if depth else 0
            for piece in _flat(token.children or []):
                place += 1
                yield HeadingPiece("alt", piece.text, place)
        elif token.content or token.type != "text":
            place = place + 1 if depth else 0
            kind = "url" if url else _KINDS.get(token.type, "text")
            yield HeadingPiece(kind, "\n" if kind == "break" else token.content, place)


_KINDS = {"code_inline": "code", "html_inline": "html", "softbreak": "break", "hardbreak": "break"}


def _with_notes(pieces: Sequence[HeadingPiece], held: Sequence[str]) -> Iterator[HeadingPiece]:
    """Replaces the placeholders of footnotes by their labels."""
    for piece in pieces:
        for number, part in enumerate(re.split("\ue000(\\d+)\ue001", piece.text)):
            if number % 2:
                label = held[int(part)]
                text = piece.kind == "text"
                yield piece._replace(kind="note" if text else piece.kind, text=label if text else f"[^{label}]")
            elif part:
                yield piece._replace(text=part)
