"""Where a page comes apart when a unit of it has to be smaller: at its strongest structure first.

A stretch of parts that is larger than allowed is cut before its highest headings, else between blocks, else inside a
block. Neighbours from such a cut go together as long as they fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.units import Unit

_BLOCK = 7
"""Strength of a cut before a block, after those before headings: 1 to 6, their levels."""
_INSIDE = 8
"""Of one between a list's items, a table's rows, a fence's lines, a paragraph's sentences."""


class RecursiveSplitter:
    """Parts of a page, how many tokens they have and how strong the cut before each is."""

    def __init__(self, layout: DocumentLayout, parts: Sequence[Unit]) -> None:
        headings = {layout.starts[heading.start]: heading.level for heading in layout.headings}
        self.strengths = [headings.get(part.start, _INSIDE if part.continues else _BLOCK) for part in parts]
        self.totals = [0, *accumulate(part.tokens for part in parts)]

    def split(self, begin: int, end: int, limit: int) -> list[int]:
        """The parts of `begin` to `end` at which units of at most `limit` tokens begin; a single part may have more.

        A call within a call has only weaker cuts left, of eight.
        """
        if end - begin == 1 or self.totals[end] - self.totals[begin] <= limit:
            return [begin]
        strongest = min(self.strengths[begin + 1 : end])
        places = [place for place in range(begin + 1, end) if self.strengths[place] == strongest]
        starts: list[int] = []
        joinable = False
        for first, last in pairwise((begin, *places, end)):
            if joinable and self.totals[last] - self.totals[starts[-1]] <= limit:
                continue
            inner = self.split(first, last, limit)
            starts += inner
            joinable = len(inner) == 1 or strongest >= _BLOCK  # the rest of a section is not joined with the next one
        return starts
