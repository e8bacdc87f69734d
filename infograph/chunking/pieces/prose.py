"""The sentences of a document's paragraphs, including those in lists and quotes, and extractive summaries of them."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.sentences import sentence_ends
from infograph.model import Block
from infograph.text.inline import TAG, shorten

_TERM = re.compile(r"[^\W\d_]{2,}")
_MARKER = re.compile(r"\A[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?")
"""Matches the markers before a paragraph in a list item or a quote."""
_TARGET = re.compile(r"!?\[([^\[\]]*)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]\n]*\])")
_EMPHASIS = re.compile(r"(?<![\w\\])([*_]{1,3})(?=\S)([^*_]+)(?<=\S)\1(?!\w)")

LONGEST_SUMMARY = 300
"""Characters of the longest summary; a longer sentence is shortened between words."""
_FEWEST_TERMS = 4
"""Number of terms from which a sentence is meaningful by itself."""


class Prose:
    """A document's sentences in order, and their weights in it."""

    def __init__(self, layout: DocumentLayout) -> None:
        self.layout = layout
        self._paragraphs = [(layout.starts[b.start], layout.starts[b.end]) for b in _paragraphs(layout.blocks)]

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """The sentences in order, as half-open ranges of the body."""
        return [span for paragraph in self._paragraphs for span in self._of(paragraph)]

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.sentences]

    def _of(self, paragraph: tuple[int, int]) -> Iterator[tuple[int, int]]:
        return pairwise((paragraph[0], *sentence_ends(self.layout.body, *paragraph)))

    def near(self, offset: int) -> tuple[Iterator[tuple[int, int]], Iterator[tuple[int, int]]]:
        """Returns the sentences around an offset: backwards from the last that begins at or before it, and forwards
        from the next.

        Both iterators cover the paragraph at the offset and its two neighbours.
        """
        at = bisect_right(self._paragraphs, offset, key=lambda paragraph: paragraph[0])
        around = self._paragraphs[max(0, at - 2) : at + 1]
        first = bisect_left(self._starts, around[0][0]) if around else 0
        end = bisect_left(self._starts, around[-1][1]) if around else 0
        here = bisect_right(self._starts, offset, first, end)
        sentences = self.sentences
        return (sentences[n] for n in range(here - 1, first - 1, -1)), (sentences[n] for n in range(here, end))

    def within(self, start: int, end: int) -> list[tuple[int, int]]:
        """Returns the sentences that begin in a range of the body."""
        return self.sentences[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def before(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yields the sentences that end a range, last one first, up to text that is no prose."""
        for first, last in reversed(self.within(start, end)):
            if last > end or self.layout.body[last:end].strip():
                return
            yield first, last
            end = first

    def summary(self, start: int, end: int) -> str:
        """Returns the most central sentence of a range as plain text; empty where there is no prose.

        Centroid-based extraction (Radev et al. 2004): the cosine between a sentence's terms and those of the range,
        weighted by how few of the document's sentences have a term. The first of equal sentences wins.
        """
        terms = [(span, Counter(self._terms[span])) for span in self.within(start, end)]
        candidates = [pair for pair in terms if len(pair[1]) >= _FEWEST_TERMS] or [pair for pair in terms if pair[1]]
        centroid: Counter[str] = Counter()
        for _, counts in terms:
            centroid.update(counts)
        best, highest = None, 0.0
        for span, counts in candidates:
            weights = {term: count * self._rarity[term] for term, count in counts.items()}
            dot = sum(weight * centroid[term] * self._rarity[term] for term, weight in weights.items())
            score = round(dot / math.sqrt(sum(weight * weight for weight in weights.values())), 9)
            if score > highest:
                best, highest = span, score
        return "" if best is None else shorten(plain(self.layout.body[best[0] : best[1]]), LONGEST_SUMMARY)

    @cached_property
    def _terms(self) -> dict[tuple[int, int], list[str]]:
        body = self.layout.body
        return {span: _TERM.findall(plain(body[span[0] : span[1]]).lower()) for span in self.sentences}

    @cached_property
    def _rarity(self) -> dict[str, float]:
        """Inverse sentence frequency of each term."""
        frequency = Counter(term for terms in self._terms.values() for term in set(terms))
        return {term: math.log(1 + len(self.sentences) / count) for term, count in frequency.items()}


def plain(text: str) -> str:
    """Returns inline Markdown as plain words on one line."""
    text = TAG.sub(" ", _TARGET.sub(r"\1", _TARGET.sub(r"\1", _MARKER.sub("", text))))
    return " ".join(_EMPHASIS.sub(r"\2", text).replace("`", "").split())


def _paragraphs(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind == "paragraph":
            yield block
        elif block.kind != "table":
            yield from _paragraphs(block.children)
