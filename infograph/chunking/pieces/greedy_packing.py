"""Packs units into pieces greedily, in order: the cutting of text that a strategy has no rules of its own for."""

from __future__ import annotations

from collections.abc import Iterable

from infograph.chunking.interface import ChunkPiece, DocumentLayout
from infograph.chunking.pieces.units import Unit, units
from infograph.chunking.tokens import TokenCounter
from infograph.model import Block


def filled(layout: DocumentLayout, maximum: int, counter: TokenCounter) -> list[ChunkPiece]:
    """Returns pieces that tile the document: its blocks up to the limit in tokens, or its lines where it is not
    Markdown."""
    return packed(units(layout, counted_blocks(layout, counter), maximum, counter), maximum, sections(layout))


def counted_blocks(layout: DocumentLayout, counter: TokenCounter) -> list[tuple[Block, int]]:
    """Returns the document's blocks with their token counts. A body that is not Markdown is one block."""
    blocks = layout.blocks or ((whole(layout),) if layout.body else ())
    return list(zip(blocks, counter.count(layout.texts(blocks)), strict=True))


def whole(layout: DocumentLayout) -> Block:
    """Returns the body as a single block, which is cut between lines where it is too large."""
    return Block("other", 0, len(layout.starts) - 1)


def sections(layout: DocumentLayout) -> frozenset[int]:
    """Returns the offsets at which headings begin."""
    return frozenset(layout.starts[heading.start] for heading in layout.headings)


def packed(parts: Iterable[Unit], maximum: int, borders: frozenset[int] = frozenset()) -> list[ChunkPiece]:
    """Returns pieces of consecutive units.

    A piece ends before the unit that would exceed the limit, or at a border once it has a third of the limit.
    """
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
    """Returns one piece of consecutive units."""
    first, last = held[0], held[-1]
    tokens = sum(part.tokens for part in held) if all(part.whole_lines for part in held) else None
    return ChunkPiece(first.start, last.end, first.continues, first.before, last.after, tokens)
