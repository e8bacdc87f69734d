"""Splits a document recursively at its strongest structure.

A range larger than the limit is cut before its highest headings, else between blocks, else inside a block.
Neighbours from such a cut are joined as long as they fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.units import Unit

_BLOCK = 7
"""Strength of a cut before a block. Cuts before headings are stronger: 1 to 6, their levels."""
_INSIDE = 8
"""Strength of a cut between a list's items, a table's rows, a fence's lines or a paragraph's sentences."""


class RecursiveSplitter:
    """The units of a document with their token counts and the strength of the cut before each."""

    def __init__(self, layout: DocumentLayout, parts: Sequence[Unit]) -> None:
        headings = {layout.starts[heading.start]: heading.level for heading in layout.headings}
        self.strengths = [headings.get(part.start, _INSIDE if part.continues else _BLOCK) for part in parts]
        self.totals = [0, *accumulate(part.tokens for part in parts)]

    def split(self, begin: int, end: int, limit: int) -> list[int]:
        """Returns the units from `begin` to `end` that start a part of at most `limit` tokens; a single unit may
        have more.

        The recursion is at most eight deep: each level has only weaker cuts left.
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
