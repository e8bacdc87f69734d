"""The words that a site writes its terms as: terms are stems, which no reader would know, nor type.

A term may be written in several ways (`cache`, `caches`, `caching`). Which of them a site has, and which most often,
stands with the term in the dictionary: as what is to be put in place of its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

MOST_FORMS = 8
"""Of a term, the most frequent ones."""

_ENDING = re.compile(r"([0-9]{0,2})(.*)", re.DOTALL)


def pair(term: str, form: str) -> str:
    """As pages and builds hold them: pairs sort by term, since no term has a space or what comes before it."""
    return f"{term} {form}"


def written(pairs: Iterable[str], times: Iterable[int]) -> dict[str, list[str]]:
    """The forms of each term, the most frequent first."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    for text, count in zip(pairs, times, strict=True):
        term, _, form = text.partition(" ")
        found.setdefault(term, []).append((-count, len(form), form))
    return {term: [form for _, _, form in sorted(forms)[:MOST_FORMS]] for term, forms in found.items()}


def encode_forms(term: str, forms: Sequence[str]) -> str:
    """What to put in place of the term's end for each, with a space between them: how many characters to take away,
    unless none, and what comes then."""
    return " ".join(_ending(term, form) for form in forms)


def decode_forms(term: str, endings: str) -> list[str]:
    if not endings:
        return [term]
    found = []
    for ending in endings.split(" "):
        away, rest = _ENDING.fullmatch(ending).groups()  # type: ignore[union-attr]
        found.append(term[: max(0, len(term) - int(away or 0))] + rest)
    return found


def _ending(term: str, form: str) -> str:
    kept = len(term)
    while not form.startswith(term[:kept]):
        kept -= 1
    return f"{len(term) - kept or ''}{form[kept:]}"
