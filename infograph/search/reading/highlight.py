"""Finds the words of a query in a text, to highlight them. `infograph/web/highlight.js` finds the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from infograph.search.format.terms import HUMP, RUN, Language, compound_pattern, cut

TextRange = tuple[int, int]

_JOINT = re.compile(r"[._'’:-]+")
"""The characters between the words of a compound."""


def spans(query: str, text: str, language: Language) -> list[TextRange]:
    """Returns the spans of a text that give a term of the query, in order, none of which touch.

    A compound counts as a whole, or else by those of its parts that the query has.
    """
    wanted = {term for terms in cut(query, language) for term in (terms.whole, *terms.parts)} - {""}
    found: list[TextRange] = []
    if not wanted:
        return found

    def is_wanted(word: str) -> bool:
        return any(terms.whole in wanted for terms in cut(word, language))

    start = 0
    for run in RUN.finditer(text):
        found += _spaced(text, start, run.start(), is_wanted)
        start = run.end()
        places = range(run.start(), start)
        found += ((at, end) for at in places for end in (at + 1, at + 2) if end <= start and text[at:end] in wanted)
    found += _spaced(text, start, len(text), is_wanted)
    return _joined(found)


def _spaced(text: str, start: int, end: int, is_wanted: Callable[[str], bool]) -> Iterator[TextRange]:
    """Yields the spans of a stretch in a script with spaces."""
    for compound in compound_pattern().finditer(text, start, end):
        if is_wanted(compound[0]):
            yield compound.span()
            continue
        at = compound.start()
        for word in _JOINT.split(compound[0]):
            at = text.index(word, at)
            for piece in HUMP.split(word):
                if is_wanted(piece):
                    yield at, at + len(piece)
                at += len(piece)


def _joined(found: list[TextRange]) -> list[TextRange]:
    """Joins spans that touch."""
    joined: list[TextRange] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
