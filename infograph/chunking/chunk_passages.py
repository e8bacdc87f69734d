"""Passages: the parts of a chunk that a question is matched with, each small enough to be about one thing.

A match returns the whole chunk, with the score of its best passage ("MaxP": Dai and Callan, 2019).

Passages are cut where the smallest units of the hierarchical strategy are: before headings, else between blocks,
else between items, rows, lines or sentences. A passage is embedded like a chunk in its place: with the breadcrumb
of its section, a cut table's header, a cut fence's opener.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from infograph.chunking.chunks import make_chunks
from infograph.chunking.context import ChunkContext, add_context
from infograph.chunking.interface import ChunkPiece, DocumentLayout, StrategyTools
from infograph.chunking.pieces.greedy_packing import counted_blocks, joined
from infograph.chunking.pieces.recursive_splitter import RecursiveSplitter
from infograph.chunking.pieces.units import Unit, units
from infograph.chunking.tokens import TokenCounter


def passage_texts(
    layout: DocumentLayout, pieces: Sequence[ChunkPiece], limit: int, context: ChunkContext, tools: StrategyTools
) -> tuple[tuple[str, ...], ...]:
    """Returns for each piece the embedded texts of its passages, each with the context that a chunk gets.

    limit: most tokens of a passage
    """
    found = passages(layout, pieces, limit, tools.counter)
    every = [passage for own in found for passage in own]
    embedded_context = replace(context, metadata=(), entities=None)
    made = add_context(layout, every, make_chunks(layout, every, "", None), embedded_context, tools.counter, {})
    texts = iter([chunk.embed_text for chunk in made])
    return tuple([tuple(islice(texts, len(own))) for own in found])


def passages(
    layout: DocumentLayout, pieces: Sequence[ChunkPiece], limit: int, counter: TokenCounter
) -> list[list[ChunkPiece]]:
    """Returns for each piece its passages, which tile it.

    A passage has at most `limit` tokens, unless a heading and its first block have more. A piece within the limit
    is its only passage, and so is a piece whose embedded text is not its slice.
    """
    parts = list(_cut_at(units(layout, counted_blocks(layout, counter), limit, counter), pieces, layout.body, counter))
    splitter = RecursiveSplitter(layout, parts)
    starts = [part.start for part in parts]
    found = []
    first = 0
    for piece in pieces:
        last = bisect_left(starts, piece.end)
        cuts = (*splitter.split(first, last, limit), last)
        first = last
        if piece.embed is not None or len(cuts) == 2:
            found.append([piece])
            continue
        inner = [joined(parts[begin:end])._replace(path=piece.path) for begin, end in pairwise(cuts)]
        inner[0] = inner[0]._replace(continues=piece.continues, before=piece.before)
        inner[-1] = inner[-1]._replace(after=piece.after)
        found.append(inner)
    return found


def _cut_at(parts: Iterable[Unit], pieces: Sequence[ChunkPiece], body: str, counter: TokenCounter) -> Iterator[Unit]:
    """Yields the units, each cut at the ends of pieces inside it."""
    ends = [piece.end for piece in pieces]
    for part in parts:
        inside = ends[bisect_left(ends, part.start + 1) : bisect_left(ends, part.end)]
        if not inside:
            yield part
            continue
        spans = list(pairwise((part.start, *inside, part.end)))
        counts = counter.count([body[start:end] for start, end in spans])
        for (start, end), tokens in zip(spans, counts, strict=True):
            within = part.continues or start > part.start
            yield replace(part, start=start, end=end, tokens=tokens, whole_lines=False, continues=within)
