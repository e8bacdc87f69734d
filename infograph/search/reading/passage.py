"""Finds the part of a chunk that answers a query best, to show it. `infograph/web/passage.js` finds the same."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from infograph.search.format.shown_text import shown_lines
from infograph.search.format.terms import Language, cut
from infograph.search.reading.highlight import TextRange, spans

PASSAGE = 200
"""Most characters of a passage."""
SOURCE = 10_000
"""Most characters of a chunk that are looked at."""

_SENTENCE = re.compile(r"(?<=[.!?:][ \n])|(?<=[。！？])|(?<=\n)(?![a-z])")
"""Places where a sentence begins, or a line that does not go on with one."""


def passage(query: str, text: str, language: Language) -> str:
    """Returns the part of a chunk's Markdown that has most of the different words of a query, as a reader sees it and
    on one line, with `…` where something is left out; the beginning where no other part has more of them."""
    shown = "\n".join(filter(None, shown_lines(text[:SOURCE])))
    found = spans(query, shown, language)
    start, end = 0, PASSAGE
    if best := _best(shown, found, language):
        start = _start(shown, best)
        end = start + PASSAGE
    if end < len(shown):
        last = max(shown.rfind(sign, start, end + 1) for sign in " \n")
        end = last if last - start > PASSAGE // 2 else end
    part = " ".join(shown[start:end].split())
    return f"{'… ' if start else ''}{part}{' …' if end < len(shown) else ''}"


def _best(shown: str, found: list[TextRange], language: Language) -> TextRange | None:
    """Returns where the words of the best stretch begin and end: that with most different ones, of these with most,
    of these the first. None for the beginning, if it has as many different ones."""
    terms = [frozenset(word.whole for word in cut(shown[start:end], language)) for start, end in found]

    def different(first: int, after: int) -> int:
        return len(frozenset().union(*terms[first:after]))

    best, most = None, (different(0, bisect_right(found, PASSAGE, key=lambda span: span[1])), len(found))
    for first, (start, _) in enumerate(found):
        after = bisect_right(found, start + PASSAGE, first, key=lambda span: span[1])
        if (own := (different(first, after), after - first)) > most:
            best, most = (start, found[after - 1][1]), own
    return best


def _start(shown: str, best: TextRange) -> int:
    """Returns where a passage begins that has a stretch of words: at the sentence or line of the first of them where
    there is room for it, else at a word before it. The end of the text is used to the full. A stretch that is better
    than the beginning ends beyond it, and is no longer than a passage."""
    first, last = best
    least = last - PASSAGE
    wanted = max(least, min(first, len(shown) - PASSAGE))
    begins = [0, *(match.start() for match in _SENTENCE.finditer(shown))]
    if wanted < first:
        place = begins[min(bisect_left(begins, wanted), len(begins) - 1)]
    else:
        place = begins[bisect_right(begins, first) - 1]
    if least <= place <= first:
        return place
    before = shown[first - (first - least) // 3 : first]
    return first - len(before.partition(" ")[2])
