"""The forms of terms: the words that a site writes them as. Terms are stems, which a reader neither knows nor types.

A term may be written in several ways (`cache`, `caches`, `caching`). The dictionary lists
the forms that a site has with each term, the most frequent first, by their endings: what replaces the end of the term.
"""

from __future__ import annotations

import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import groupby, islice
from operator import itemgetter

from infograph.search.format.terms import RUN

UNCHANGED = "0"
"""Ending of a word that is its own stem, where none would stand for no form: nothing is taken away."""
MOST_FORMS = 8
"""Most forms of a term that are kept, the most frequent first."""
_NATIVE = f"utf-32-{sys.byteorder[0]}e"
"""One number a code point, as numpy reads them."""
_DIGITS = frozenset("0123456789")
LETTERS = 64
"""Letters of a site's words that a typing slip may have lost: two alphabets."""

_AT_ONCE = 1 << 16
"""Texts whose letters are counted together."""


def pair(term: str, form: str) -> str:
    """Joins a term and the ending of one of its forms, as pages and builds hold them. Pairs sort by term: no term has a
    space or a character below it."""
    return f"{term} {_ending(term, form)}"


def written(pairs: Iterable[str], times: Iterable[int]) -> dict[str, str]:
    """Returns the endings of each term's forms, the most frequent first, separated by spaces.

    An ending is the number of characters that it takes away, unless none, and the characters that it adds.

    pairs: `pair` of each form, sorted; times: its occurrences
    """
    rows = ((*text.partition(" "), count) for text, count in zip(pairs, times, strict=True))
    found = {}
    for term, own in groupby(rows, itemgetter(0)):
        endings = [(-count, ending) for _, _, ending, count in own]
        found[term] = (
            endings[0][1]
            if len(endings) == 1  # as of most
            else _joined([(count, _form(term, ending), ending) for count, ending in endings])
        )
    return found


def word_forms(words: Iterable[str], stem: Callable[[str], str]) -> dict[str, str]:
    """Returns the endings of words by their stem, all words as frequent as each other: what `scripts/train_search.py`
    packages of a language's words."""
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(stem(word), []).append(word)
    endings = {term: _joined([(0, form, _ending(term, form)) for form in own]) for term, own in found.items()}
    return {term: own or UNCHANGED for term, own in endings.items()}


def _joined(forms: list[tuple[int, str, str]]) -> str:
    """Joins the endings of a term; of two forms as frequent as each other, the shorter comes first.

    forms: of the term, each with its negative frequency before it and its ending behind it
    """
    forms.sort(key=lambda one: (one[0], len(one[1]), one[1]))
    return " ".join([ending for _, _, ending in forms[:MOST_FORMS]])


def decode_forms(term: str, endings: str) -> list[str]:
    """Returns the forms of a term from its endings."""
    return [_form(term, ending) for ending in endings.split(" ")]


def _form(term: str, ending: str) -> str:
    if ending[:1] not in _DIGITS:  # as most
        return term + ending
    away = ending[: 1 + (ending[1:2] in _DIGITS)]
    return term[: max(0, len(term) - int(away))] + ending[len(away) :]


def _ending(term: str, form: str) -> str:
    if form.startswith(term):  # as most
        return form[len(term) :]
    kept = len(term)
    while not form.startswith(term[:kept]):
        kept -= 1
    return f"{len(term) - kept or ''}{form[kept:]}"


def letters(texts: Iterable[str]) -> str:
    """Returns the most frequent letters and marks of texts in scripts with spaces, by code point."""
    import numpy as np

    counts: Counter[str] = Counter()
    left = iter(texts)
    while some := tuple(islice(left, _AT_ONCE)):
        signs = np.bincount(np.frombuffer("".join(some).encode(_NATIVE), np.uint32))
        there = np.flatnonzero(signs)
        counts.update(dict(zip(map(chr, there.tolist()), signs[there].tolist(), strict=True)))
    found = [sign for sign in counts if unicodedata.category(sign)[0] in "LM" and not RUN.match(sign)]
    return "".join(sorted(sorted(found, key=lambda sign: (-counts[sign], sign))[:LETTERS]))
