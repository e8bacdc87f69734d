"""A table that is too large to be held, cut into the chunks that `chunk_document` would give.

A chunk says how many there are, so its text is gone through twice: first the cuts are found, then the slices read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from infograph.chunking.chunks import make_chunks
from infograph.chunking.context import ChunkContext, add_context
from infograph.chunking.interface import ChunkPiece, DocumentLayout, Strategy, StrategyTools
from infograph.chunking.routing import Choice, Router, chosen
from infograph.chunking.strategies.tabular import Tabular
from infograph.errors import Notice
from infograph.model import Chunk, Document

WINDOW = 512
"""Chunks that are made at a time."""

_NOTHING = ChunkContext()


class StreamedText(Protocol):
    """A file's text without its byte order mark, read as often as it is asked for."""

    path: str
    prefix: str
    """The byte order mark, if there is one."""
    length: int
    """In characters."""

    def lines(self) -> Iterator[str]:
        """With their ends."""
        ...

    def slices(self, lengths: Iterable[int]) -> Iterator[str]:
        """Of so many characters, one after the other."""
        ...


@dataclass(frozen=True, slots=True)
class StreamedTable:
    """What a `ChunkedDocument` is of a file that is held."""

    windows: Iterator[tuple[Chunk, ...]]
    """The chunks in order, some at a time: each time the next part of the file is read."""
    notices: tuple[Notice, ...]


def is_streamable(path: str, strategy: Strategy | Router) -> bool:
    """Whether a file is a table that is cut as one. Other strategies want to see all of a document."""
    return path.lower().endswith(Tabular.extensions) and isinstance(_choice(path, strategy).strategy, Tabular)


def stream_table(
    text: StreamedText, strategy: Strategy | Router, tools: StrategyTools, extras: ChunkContext = _NOTHING
) -> StreamedTable:
    """Cut a table that `is_streamable`."""
    choice = _choice(text.path, strategy)
    assert isinstance(choice.strategy, Tabular)
    cutting = choice.strategy.cut(text.path, text.lines(), text.length, tools.counter)
    return StreamedTable(_windows(text, cutting.pieces, choice, tools, extras), cutting.notices)


def _choice(path: str, strategy: Strategy | Router) -> Choice:
    return chosen(strategy, DocumentLayout(Document(path, "", "", ""), ()))


def _windows(
    text: StreamedText, pieces: list[ChunkPiece], choice: Choice, tools: StrategyTools, extras: ChunkContext
) -> Iterator[tuple[Chunk, ...]]:
    """The pieces as chunks: some neighbours as though they were a page, and then moved to where they stand. Pieces are
    let go when they are chunks."""
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
        yield add_context(layout, window, chunks, extras, tools.counter, choice.facts)
        line += len(layout.starts) - 2 + layout.body.endswith(("\n", "\r"))  # a last line without its end goes on
        offset = chunks[-1].bytes[1]
        first += len(chunks)
