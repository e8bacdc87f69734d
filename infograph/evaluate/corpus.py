"""The corpus: texts that are matched with a question, and the units that are returned for them.

The passages of a chunk are matched if it has more than one, else the chunk itself. The chunk is returned once,
regardless of how many of its passages match; if it has a parent, the parent is returned instead.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from infograph.evaluate.questions import Question, Span
from infograph.model import Chunk


@dataclass(frozen=True, slots=True)
class RetrievalUnit:
    """What is returned for a question: a chunk, or a parent with all of its chunks."""

    span: Span
    """Place of the unit in its document."""
    text: str
    """Text of the span."""
    tokens: int
    """Number of tokens of the text."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents as one strategy has cut them: matched texts and returned units."""

    texts: tuple[str, ...]
    """Texts that are matched: passages or chunks with their context, as they are embedded."""
    unit_of: tuple[int, ...]
    """The position of the unit that is returned, for each text."""
    units: tuple[RetrievalUnit, ...]
    """Units of retrieval, sorted by document and place."""

    def overlapping(self, spans: Iterable[Span]) -> set[int]:
        """Positions of the units that share a character with one of the spans."""
        return {
            position
            for span in spans
            for position in range(*self._bounds(span))
            if self.units[position].span.overlap(span)
        }

    def _bounds(self, span: Span) -> tuple[int, int]:
        """The range of units that begin in the span's document before the span ends."""
        first = bisect_left(self.units, (span.file, 0), key=lambda unit: (unit.span.file, 0))
        last = bisect_right(self.units, (span.file, span.end - 1), key=lambda unit: (unit.span.file, unit.span.start))
        return first, last


@dataclass(frozen=True, slots=True)
class Cut:
    """One document as one strategy has cut it."""

    offset: int
    """Number of characters before the first chunk."""
    chunks: Sequence[Chunk]
    """Chunks in the order of the document."""
    passages: Sequence[Sequence[str]] = ()
    """Passages of each chunk; empty: chunks are matched as a whole."""

    @property
    def matched(self) -> Sequence[Sequence[str]]:
        """The texts that are matched, for each chunk."""
        return self.passages or [(chunk.embed_text,) for chunk in self.chunks]


def corpus_of(documents: Iterable[Cut], *, parents: bool = True, pages: bool = False) -> Corpus:
    """The corpus of several documents.

    parents: return the nearest parent of a chunk instead of the chunk, where it has one
    pages:   return the whole document of a chunk instead
    """
    texts: list[str] = []
    keys: list[tuple[str, int, int]] = []
    """The document and the half-open range of characters that is returned, for each text."""
    units: dict[tuple[str, int, int], RetrievalUnit] = {}
    for cut in documents:
        starts = [cut.offset]
        for chunk in cut.chunks:
            starts.append(starts[-1] + len(chunk.text))
        for chunk, own in zip(cut.chunks, cut.matched, strict=True):
            first, last = chunk.parents[0] if parents and chunk.parents else (chunk.index, chunk.index + 1)
            if pages:
                first, last = 0, len(cut.chunks)
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
    """Positions of the units that hold a part of the answer and are not hidden."""
    return corpus.overlapping(question.gold) - hidden(corpus, question)


def hidden(corpus: Corpus, question: Question) -> set[int]:
    """Positions of the units that contain the question itself, which are never returned."""
    return corpus.overlapping([question.origin]) if question.origin else set()
