"""Units of retrieval: what is matched with a question, and what is returned for it.

A chunk's passages are matched, where it is larger than one, else the chunk itself; the chunk is returned, once, however
many of its passages match. Where it has a parent, that is returned in its place.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from infograph.evaluate.questions import Question, Span
from infograph.model import Chunk


@dataclass(frozen=True, slots=True)
class RetrievalUnit:
    """What is returned for a question: a chunk, or its parent."""

    span: Span
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a strategy made of the documents."""

    texts: tuple[str, ...]
    """What is matched: passages or chunks with their context, as they are embedded."""
    unit_of: tuple[int, ...]
    """For each text the position of the unit that is returned for it."""
    units: tuple[RetrievalUnit, ...]
    """By document, then by place."""

    def overlapping(self, spans: Iterable[Span]) -> set[int]:
        """Positions of the units that share a character with one of the spans."""
        return {
            position
            for span in spans
            for position in range(*self._bounds(span))
            if self.units[position].span.overlap(span)
        }

    def _bounds(self, span: Span) -> tuple[int, int]:
        """Of the units that begin in the span's document before the span ends."""
        first = bisect_left(self.units, (span.file, 0), key=lambda unit: (unit.span.file, 0))
        last = bisect_right(self.units, (span.file, span.end - 1), key=lambda unit: (unit.span.file, unit.span.start))
        return first, last


@dataclass(frozen=True, slots=True)
class Cut:
    """One document as a strategy has cut it."""

    offset: int
    """Characters before the first chunk."""
    chunks: Sequence[Chunk]
    passages: Sequence[Sequence[str]] = ()
    """For each chunk the texts it is matched by; none: each by its own."""

    @property
    def matched(self) -> Sequence[Sequence[str]]:
        """For each chunk the texts it is matched by."""
        return self.passages or [(chunk.embed_text,) for chunk in self.chunks]


def corpus_of(documents: Iterable[Cut], *, parents: bool = True) -> Corpus:
    """The corpus that chunks make.

    parents: return a chunk's nearest parent, where it has one, instead of the chunk
    """
    texts: list[str] = []
    keys: list[tuple[str, int, int]] = []
    """For each text the document and the half-open range of its characters that is returned."""
    units: dict[tuple[str, int, int], RetrievalUnit] = {}
    for cut in documents:
        starts = [cut.offset]
        for chunk in cut.chunks:
            starts.append(starts[-1] + len(chunk.text))
        for chunk, own in zip(cut.chunks, cut.matched, strict=True):
            first, last = chunk.parents[0] if parents and chunk.parents else (chunk.index, chunk.index + 1)
            key = (chunk.document, starts[first], starts[last])
            if key not in units:
                members = cut.chunks[first:last]
                text = "".join(member.text for member in members)
                units[key] = RetrievalUnit(Span(*key), text, sum(member.tokens for member in members))
            texts += own
            keys += [key] * len(own)
    order = sorted(units)
    position = {key: number for number, key in enumerate(order)}
    return Corpus(tuple(texts), tuple(position[key] for key in keys), tuple(units[key] for key in order))


def relevant(corpus: Corpus, question: Question) -> set[int]:
    """Positions of the units that hold a part of the answer and may be returned."""
    return corpus.overlapping(question.gold) - hidden(corpus, question)


def hidden(corpus: Corpus, question: Question) -> set[int]:
    """Positions of the units that the question itself stands in."""
    return corpus.overlapping([question.origin]) if question.origin else set()
