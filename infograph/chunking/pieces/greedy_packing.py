"""Units put together to pieces, in order, as many as fit: what a strategy does with text that is not its own."""

from __future__ import annotations

from collections.abc import Iterable

from infograph.chunking.interface import ChunkPiece, DocumentLayout
from infograph.chunking.pieces.units import Unit, units
from infograph.chunking.tokens import TokenCounter
from infograph.model import Block


def filled(layout: DocumentLayout, maximum: int, counter: TokenCounter) -> list[ChunkPiece]:
    """Pieces that tile the page: its blocks up to the limit in tokens; its lines, where it was not parsed."""
    return packed(units(layout, counted_blocks(layout, counter), maximum, counter), maximum, sections(layout))


def counted_blocks(layout: DocumentLayout, counter: TokenCounter) -> list[tuple[Block, int]]:
    """The page's blocks with their tokens. A body that is not Markdown is one block."""
    blocks = layout.blocks or ((whole(layout),) if layout.body else ())
    return list(zip(blocks, counter.count(layout.texts(blocks)), strict=True))


def whole(layout: DocumentLayout) -> Block:
    """The lines of a body as a single block, which is cut between lines where it is too large."""
    return Block("other", 0, len(layout.starts) - 1)


def sections(layout: DocumentLayout) -> frozenset[int]:
    """Offsets at which headings begin."""
    return frozenset(layout.starts[heading.start] for heading in layout.headings)


def packed(parts: Iterable[Unit], maximum: int, borders: frozenset[int] = frozenset()) -> list[ChunkPiece]:
    """Each piece takes the units that follow until the next one would pass the limit, or begins at a border when a
    third of the limit is reached."""
    pieces: list[ChunkPiece] = []
    held: list[Unit] = []
    tokens = 0
    for part in parts:
        if held and (tokens + part.tokens > maximum or (part.start in borders and 3 * tokens >= maximum)):
            pieces.append(joined(held))
            held, tokens = [], 0
        held.append(part)
        tokens += part.tokens
    if held:
        pieces.append(joined(held))
    return pieces


def joined(held: list[Unit]) -> ChunkPiece:
    """One piece of neighbouring units."""
    first, last = held[0], held[-1]
    tokens = sum(part.tokens for part in held) if all(part.whole_lines for part in held) else None
    return ChunkPiece(first.start, last.end, first.continues, first.before, last.after, tokens)
