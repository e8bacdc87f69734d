"""Cuts a document into atoms, the spans between which a strategy that knows sentences may cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.sentences import sentence_ends
from infograph.chunking.pieces.units import Unit, join_glued, units
from infograph.chunking.tokens import TokenCounter
from infograph.model import Block


def document_atoms(layout: DocumentLayout, limit: int, counter: TokenCounter) -> list[Unit]:
    """Returns sentences of paragraphs, and other blocks as `units` cuts them; everything longer than the limit in
    tokens is cut, and a heading is joined with what stands below it."""
    return list(join_glued(_atoms(layout, limit, counter), limit))


def _atoms(layout: DocumentLayout, limit: int, counter: TokenCounter) -> Iterator[Unit]:
    for are_paragraphs, run in groupby(layout.blocks, key=lambda block: block.kind == "paragraph"):
        blocks = list(run)
        if are_paragraphs:
            yield from _sentences(layout, blocks, limit, counter)
        else:
            yield from units(layout, zip(blocks, counter.count(layout.texts(blocks)), strict=True), limit, counter)


def _sentences(
    layout: DocumentLayout, paragraphs: Iterable[Block], limit: int, counter: TokenCounter
) -> Iterator[Unit]:
    body, starts = layout.body, layout.starts
    ends = [sentence_ends(body, starts[block.start], starts[block.end]) for block in paragraphs]
    places = [starts[block.start] for block in paragraphs]
    spans = [span for start, found in zip(places, ends, strict=True) for span in pairwise((start, *found))]
    tokens = iter(counter.count([body[begin:end] for begin, end in spans]))
    for block, start, found in zip(paragraphs, places, ends, strict=True):
        counts = [next(tokens) for _ in found]
        if max(counts) > limit:
            yield from units(layout, [(block, sum(counts))], limit, counter)
            continue
        for (begin, end), count in zip(pairwise((start, *found)), counts, strict=True):
            yield Unit(begin, end, count, whole_lines=False, continues=begin > start)
