"""Units put together to pieces, in order, as many as fit: what a strategy does with text that is not its own."""

from __future__ import annotations

from collections.abc import Iterable

from infograph.chunking.page import Page, Piece
from infograph.chunking.pieces.units import Unit, units
from infograph.chunking.tokens import TokenCounter
from infograph.model import Block


def filled(page: Page, maximum: int, counter: TokenCounter) -> list[Piece]:
    """Pieces that tile the page: its blocks up to the limit in tokens; its lines, where it was not parsed."""
    return packed(units(page, counted_blocks(page, counter), maximum, counter), maximum, sections(page))


def counted_blocks(page: Page, counter: TokenCounter) -> list[tuple[Block, int]]:
    """The page's blocks with their tokens. A body that is not Markdown is one block."""
    blocks = page.blocks or ((whole(page),) if page.body else ())
    return list(zip(blocks, counter.count(page.texts(blocks)), strict=True))


def whole(page: Page) -> Block:
    """The lines of a body as a single block, which is cut between lines where it is too large."""
    return Block("other", 0, len(page.starts) - 1)


def sections(page: Page) -> frozenset[int]:
    """Offsets at which headings begin."""
    return frozenset(page.starts[heading.start] for heading in page.headings)


def packed(parts: Iterable[Unit], maximum: int, borders: frozenset[int] = frozenset()) -> list[Piece]:
    """Each piece takes the units that follow until the next one would pass the limit, or begins at a border when a
    third of the limit is reached."""
    pieces: list[Piece] = []
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


def joined(held: list[Unit]) -> Piece:
    """One piece of neighbouring units."""
    first, last = held[0], held[-1]
    tokens = sum(part.tokens for part in held) if all(part.whole_lines for part in held) else None
    return Piece(first.start, last.end, first.continues, first.before, last.after, tokens)
