"""The words that a site writes its terms as: terms are stems, which no reader would know, nor type.

A term may be written in several ways (`cache`, `caches`, `caching`). Which of them a site has, and which most often,
stands with the term in the dictionary: as what is to be put in place of its end.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import takewhile

from infograph.search.format.terms import RUN

MOST_FORMS = 8
"""Of a term, the most frequent ones."""
LETTERS = 64
"""Of the words of a site, that a slip of the pen may have lost: two alphabets."""


def pair(term: str, form: str) -> str:
    """As pages and builds hold them, with the ending of the form. Pairs sort by term: no term has a space or what comes
    before it."""
    return f"{term} {_ending(term, form)}"


def written(pairs: Iterable[str], times: Iterable[int]) -> dict[str, str]:
    """Of each term what to put in place of its end for each of its forms, the most frequent first, with a space between
    them: how many characters to take away, unless none, and what comes then."""
    found: dict[str, list[tuple[int, str]]] = {}
    for text, count in zip(pairs, times, strict=True):
        term, _, ending = text.partition(" ")
        found.setdefault(term, []).append((-count, ending))
    return {term: _joined(term, endings) for term, endings in found.items()}


def _joined(term: str, endings: list[tuple[int, str]]) -> str:
    """The shorter of two as frequent forms first."""
    if len(endings) > 1:
        forms = [(count, _form(term, ending), ending) for count, ending in endings]
        forms.sort(key=lambda one: (one[0], len(one[1]), one[1]))
        endings = [(count, ending) for count, _, ending in forms[:MOST_FORMS]]
    return " ".join(ending for _, ending in endings)


def decode_forms(term: str, endings: str) -> list[str]:
    return [_form(term, ending) for ending in endings.split(" ")]


def _form(term: str, ending: str) -> str:
    away = "".join(takewhile("0123456789".__contains__, ending[:2]))
    return term[: max(0, len(term) - int(away or 0))] + ending[len(away) :]


def _ending(term: str, form: str) -> str:
    kept = len(term)
    while not form.startswith(term[:kept]):
        kept -= 1
    return f"{len(term) - kept or ''}{form[kept:]}"


def letters(texts: Iterable[str]) -> str:
    """The letters and marks of texts in scripts with spaces, the most frequent ones, by code point."""
    counts = Counter("".join(texts))
    found = [sign for sign in counts if unicodedata.category(sign)[0] in "LM" and not RUN.match(sign)]
    return "".join(sorted(sorted(found, key=lambda sign: (-counts[sign], sign))[:LETTERS]))
