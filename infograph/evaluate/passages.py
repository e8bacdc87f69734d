"""Chunks as units of retrieval: what is matched with a question, and what is returned for it.

These are the same, unless a chunk has parents: then the chunk is matched and its nearest parent is returned, once,
however many of its children match.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from infograph.evaluate.questions import Question, Span
from infograph.model import Chunk


@dataclass(frozen=True, slots=True)
class Passage:
    """What is returned for a question."""

    span: Span
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a strategy made of the documents."""

    texts: tuple[str, ...]
    """What is matched: the chunks with their context, as they are embedded."""
    passage_of: tuple[int, ...]
    """For each text the position of the passage that is returned for it."""
    passages: tuple[Passage, ...]
    """By document, then by place."""

    def overlapping(self, spans: Iterable[Span]) -> set[int]:
        """Positions of the passages that share a character with one of the spans."""
        return {
            position
            for span in spans
            for position in range(*self._bounds(span))
            if self.passages[position].span.overlap(span)
        }

    def _bounds(self, span: Span) -> tuple[int, int]:
        """Of the passages that begin in the span's document before the span ends."""
        first = bisect_left(self.passages, (span.file, 0), key=lambda p: (p.span.file, 0))
        last = bisect_right(self.passages, (span.file, span.end - 1), key=lambda p: (p.span.file, p.span.start))
        return first, last


def corpus_of(documents: Iterable[tuple[int, Sequence[Chunk]]], *, parents: bool = True) -> Corpus:
    """The corpus that chunks make.

    documents: for each one the characters before its first chunk, and its chunks
    parents:   return a chunk's nearest parent, where it has one, instead of the chunk
    """
    texts: list[str] = []
    units: list[tuple[str, int, int]] = []
    """For each text the document and the half-open range of its characters that is returned."""
    passages: dict[tuple[str, int, int], Passage] = {}
    for offset, chunks in documents:
        starts = [offset]
        for chunk in chunks:
            starts.append(starts[-1] + len(chunk.text))
        for chunk in chunks:
            first, last = chunk.parents[0] if parents and chunk.parents else (chunk.index, chunk.index + 1)
            unit = (chunk.document, starts[first], starts[last])
            if unit not in passages:
                members = chunks[first:last]
                text = "".join(member.text for member in members)
                passages[unit] = Passage(Span(*unit), text, sum(member.tokens for member in members))
            texts.append(chunk.embed_text)
            units.append(unit)
    order = sorted(passages)
    position = {unit: number for number, unit in enumerate(order)}
    return Corpus(tuple(texts), tuple(position[unit] for unit in units), tuple(passages[unit] for unit in order))


def relevant(corpus: Corpus, question: Question) -> set[int]:
    """Positions of the passages that hold a part of the answer and may be returned."""
    return corpus.overlapping(question.gold) - hidden(corpus, question)


def hidden(corpus: Corpus, question: Question) -> set[int]:
    """Positions of the passages that the question itself stands in."""
    return corpus.overlapping([question.origin]) if question.origin else set()
