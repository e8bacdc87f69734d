"""Cuts a document into units, the smallest spans that a strategy moves: whole blocks, or parts of blocks larger
than a chunk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.graphemes import grapheme_end
from infograph.chunking.pieces.sentences import sentence_ends
from infograph.chunking.tokens import TokenCounter
from infograph.model import Block
from infograph.text.wordpiece import unknown_tokens

_WORD = re.compile(r"\S+\s*|\s+")
_FENCE = re.compile(r"(?P<marker>`{3,}|~{3,})[^\r\n]*")
"""Matches a fence's opening line from its marker on, without indentation, list markers and quote markers."""


LONGEST_REPEAT = 4_000
"""Most characters of a table's header or a fence's opener that is repeated: it is embedded with every chunk."""


@dataclass(slots=True)
class Unit:
    """A span of the body that is not cut further. Mutable for speed: a long fence has a million of them."""

    start: int
    end: int
    tokens: int
    glued: bool = False
    """Whether the unit must not end a chunk: a heading, a fence's opener, a table's header."""
    leads: bool = False
    """Whether the unit should not end a chunk: a paragraph that ends in a colon, before what it leads to."""
    whole_lines: bool = True
    """Whether the unit begins and ends at line ends, so that its token count adds up with others."""
    continues: bool = False
    """Whether the unit begins inside a block that had to be cut."""
    before: str = ""
    """Text that a chunk which begins with this unit repeats for embedding."""
    after: str = ""
    """Text that a chunk which ends with this unit adds for embedding."""


def units(layout: DocumentLayout, blocks: Iterable[tuple[Block, int]], limit: int, counter: TokenCounter) -> list[Unit]:
    """Returns units of at most `limit` tokens for blocks and their token counts.

    Lists are split into items. Any other block stays whole unless it exceeds the limit: then quotes and items are
    split into their blocks, tables into rows, everything else into lines, and a line that is too long by itself at
    ends of sentences, at spaces, or anywhere. Glued units are joined with the next unit: a heading and the block
    below it are one unit, which may exceed the limit by the heading. A paragraph that leads to a list, a listing or a
    table is joined with its beginning where both fit.
    """
    cutter = _Cutter(layout, limit, counter)
    return list(join_glued(_marked(layout, list(blocks), cutter), limit))


def leads_in(layout: DocumentLayout, block: Block, following: Block | None) -> bool:
    """Whether a block is a paragraph that ends in a colon and leads to the list, listing or table below it."""
    if block.kind != "paragraph" or following is None or following.kind not in _LED_TO:
        return False
    return layout.text(block).rstrip().rstrip("*_`").endswith((":", "：", ":</p>"))


_LED_TO = frozenset({"list", "fence", "code", "table", "quote", "html"})


def _marked(layout: DocumentLayout, blocks: Sequence[tuple[Block, int]], cutter: _Cutter) -> Iterator[Unit]:
    """Yields the units of blocks, those that lead to the next block marked."""
    for at, (block, tokens) in enumerate(blocks, 1):
        below = blocks[at][0] if at < len(blocks) else None
        leads = leads_in(layout, block, below)
        for unit in cutter.block(block, tokens):
            unit.leads = leads
            yield unit


def join_glued(parts: Iterable[Unit], limit: int) -> Iterator[Unit]:
    """Joins each glued unit with the next one, unless it exceeds the limit already, as thousands of headings in a
    row do; and each that leads to the next one, where both fit."""
    return joined(
        parts,
        lambda held, part: (held.glued and held.tokens <= limit) or (held.leads and held.tokens + part.tokens <= limit),
    )


def joined(parts: Iterable[Unit], belongs: Callable[[Unit, Unit], bool]) -> Iterator[Unit]:
    """Joins each unit with the one before it where `belongs(before, unit)`. Modifies the units."""
    held: Unit | None = None
    for part in parts:
        if held is not None and belongs(held, part):
            held.end, held.glued, held.leads, held.after = part.end, part.glued, part.leads, part.after
            held.tokens += part.tokens
            held.whole_lines &= part.whole_lines
            continue
        if held is not None:
            yield held
        held = part
    if held is not None:
        yield held


class _Cutter:
    def __init__(self, layout: DocumentLayout, limit: int, counter: TokenCounter) -> None:
        self.layout = layout
        self.limit = limit
        self.counter = counter

    def block(self, block: Block, tokens: int) -> Iterator[Unit]:
        starts = self.layout.starts
        if block.kind == "list" or (tokens > self.limit and block.kind in ("quote", "item") and block.children):
            yield from self.children(block)
        elif tokens <= self.limit:
            yield Unit(starts[block.start], starts[block.end], tokens, glued=block.kind == "heading")
        elif block.kind == "table":
            yield from self.table(block)
        elif block.kind == "fence":
            yield from self.fence(block)
        else:
            yield from _continued(self.lines(block.start, block.end))

    def children(self, block: Block) -> Iterator[Unit]:
        counts = self.counter.count(self.layout.texts(block.children))
        return _continued(
            unit for child, tokens in zip(block.children, counts, strict=True) for unit in self.block(child, tokens)
        )

    def table(self, table: Block) -> Iterator[Unit]:
        header, *rows = table.children
        header_text = _whole_lines(self.layout.text(header))
        parts = list(self.lines(header.start, header.end))
        if len(parts) > 2 or len(header_text) > LONGEST_REPEAT:
            header_text = ""
        for part in parts:
            part.glued = header_text != ""
        for row in rows:
            for part in self.lines(row.start, row.end):
                part.before = header_text
                parts.append(part)
        return _continued(parts)

    def fence(self, fence: Block) -> Iterator[Unit]:
        """Yields the fence's lines, the first two and the last two joined, since an opener or closer alone is
        meaningless."""
        opener = _FENCE.search(self.layout.text(fence))
        assert opener is not None
        before, after = f"{opener[0]}\n", f"{opener['marker']}\n"
        if len(before) > LONGEST_REPEAT:
            before = after
        parts = list(self.lines(fence.start, fence.end))
        for part in parts:
            part.before, part.after = before, after
        parts[0].before = parts[-1].after = ""
        for part in parts[:1] + parts[-2:-1]:
            part.glued = True
        return _continued(parts)

    def lines(self, first: int, end: int) -> Iterator[Unit]:
        """Yields lines as units; blank lines belong to the line before them, leading ones to the first line."""
        starts, body = self.layout.starts, self.layout.body
        inner = [starts[line] for line in range(first, end) if body[starts[line] : starts[line + 1]].strip()]
        spans = list(pairwise((starts[first], *inner[1:], starts[end])))
        counts = self.counter.count([body[start:stop] for start, stop in spans])
        for (start, stop), tokens in zip(spans, counts, strict=True):
            if tokens <= self.limit:
                yield Unit(start, stop, tokens)
            else:
                yield from self.long_line(start, stop, (sentence_ends, _word_ends))

    def long_line(self, start: int, end: int, finders: tuple[Callable[[str], list[int]], ...]) -> Iterator[Unit]:
        """Yields parts of a line: cut by the first finder, parts that are still too long by the next, finally in
        halves."""
        text = self.layout.body[start:end]
        ends = finders[0](text) if finders else _halves(text)
        parts = [text[begin:stop] for begin, stop in pairwise((0, *ends))]
        counts = self.counter.count(parts) if finders else _counts_of_parts(parts, self.counter)
        room = self.limit // 4  # small parts are packed well, also below a heading
        held = Unit(start, start, 0, whole_lines=False)
        for stop, tokens in zip(ends, counts, strict=True):
            if held.tokens + tokens <= room:
                held = Unit(held.start, start + stop, held.tokens + tokens, whole_lines=False)
                continue
            if held.end > held.start:
                yield held
            if tokens > (self.limit if finders else room) and start + stop - held.end > 1:
                yield from self.long_line(held.end, start + stop, finders[1:])
                held = Unit(start + stop, start + stop, 0, whole_lines=False)
            else:
                held = Unit(held.end, start + stop, tokens, whole_lines=False)
        if held.end > held.start:
            yield held


def _counts_of_parts(parts: Sequence[str], counter: TokenCounter) -> list[int]:
    """Returns token counts for the parts of one word, at least those that a join of the parts may have: two known
    words may form an unknown one."""
    least = [unknown_tokens(len(part.strip())) for part in parts]
    return list(map(max, counter.count(parts), least))


def _word_ends(text: str) -> list[int]:
    return [word.end() for word in _WORD.finditer(text)]


def _halves(text: str) -> list[int]:
    middle = grapheme_end(text, len(text) // 2)
    return [middle if middle < len(text) else len(text) // 2, len(text)]


def _continued(parts: Iterable[Unit]) -> Iterator[Unit]:
    """Marks all units but the first as beginning inside their block."""
    for number, part in enumerate(parts):
        part.continues = part.continues or number > 0
        yield part


def _whole_lines(text: str) -> str:
    """Returns a text with one line end, without blank lines around it."""
    return text.strip("\r\n") + "\n"
