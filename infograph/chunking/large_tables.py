"""Cuts a table that is too large for memory into the same chunks that `chunk_document` returns for it.

Each chunk states the number of chunks, so the text is read twice: first to find the cuts, then to read the slices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from infograph.chunking.chunks import make_chunks
from infograph.chunking.context import ChunkContext, add_context
from infograph.chunking.interface import ChunkPiece, DocumentLayout, Strategy, StrategyTools
from infograph.chunking.routing import Choice, Router, choose_strategy
from infograph.chunking.strategies.tabular import Tabular
from infograph.errors import Notice
from infograph.model import Chunk, Document

WINDOW = 512
"""Number of chunks made at a time: a multiple of `PACKED`, so that a window ends where a pack does."""

_NOTHING = ChunkContext()


class StreamedText(Protocol):
    """The text of a file without its byte order mark, which can be read several times."""

    path: str
    prefix: str
    """The byte order mark; empty where there is none."""
    length: int
    """Length of the text in characters."""

    def lines(self) -> Iterator[str]:
        """Yields the lines of the text, with their ends."""
        ...

    def slices(self, lengths: Iterable[int]) -> Iterator[str]:
        """Yields consecutive slices of the given lengths in characters."""
        ...


@dataclass(frozen=True, slots=True)
class StreamedTable:
    """The chunks of one table, read on demand, and warnings for the user."""

    windows: Iterator[tuple[Chunk, ...]]
    """The chunks in order, up to `WINDOW` at a time; each step reads the next part of the file."""
    notices: tuple[Notice, ...]


def is_streamable(path: str, strategy: Strategy | Router) -> bool:
    """Whether `stream_table` can cut a file: a table that the tabular strategy cuts. Other strategies need all of a
    document in memory."""
    return path.lower().endswith(Tabular.extensions) and isinstance(_choice(path, strategy).strategy, Tabular)


def stream_table(
    text: StreamedText, strategy: Strategy | Router, tools: StrategyTools, context: ChunkContext = _NOTHING
) -> StreamedTable:
    """Cuts a table for which `is_streamable` is true."""
    choice = _choice(text.path, strategy)
    assert isinstance(choice.strategy, Tabular)
    cutting = choice.strategy.cut(text.path, text.lines(), text.length, tools.counter)
    return StreamedTable(_windows(text, cutting.pieces, choice, tools, context), cutting.notices)


def _choice(path: str, strategy: Strategy | Router) -> Choice:
    return choose_strategy(strategy, DocumentLayout(Document(path, "", "", ""), ()))


def _windows(
    text: StreamedText, pieces: list[ChunkPiece], choice: Choice, tools: StrategyTools, context: ChunkContext
) -> Iterator[tuple[Chunk, ...]]:
    """Yields the chunks of the pieces, up to `WINDOW` at a time; consumes the list of pieces.

    Each window of pieces is made into chunks as a document of its own, whose offsets are then moved to the table's.
    """
    count, first, line, offset = len(pieces), 0, 0, len(text.prefix.encode())
    bounds = [piece.start for piece in pieces[::WINDOW]] + [text.length]
    pieces.reverse()
    for start, body in zip(bounds, text.slices(end - start for start, end in pairwise(bounds)), strict=False):
        window = pieces[: -WINDOW - 1 : -1]
        del pieces[-WINDOW:]
        layout = DocumentLayout(Document(text.path, "", "", body), ())
        window = [piece._replace(start=piece.start - start, end=piece.end - start) for piece in window]
        chunks = tuple(
            replace(
                chunk,
                index=first + chunk.index,
                count=count,
                lines=(line + chunk.lines[0], line + chunk.lines[1]),
                bytes=(offset + chunk.bytes[0], offset + chunk.bytes[1]),
            )
            for chunk in make_chunks(layout, window, choice.strategy.chunk_type, tools.counter)
        )
        yield add_context(layout, window, chunks, context, tools.counter, choice.facts)
        # A last line without its end continues in the next window.
        line += len(layout.starts) - 2 + layout.body.endswith(("\n", "\r"))
        offset = chunks[-1].bytes[1]
        first += len(chunks)
