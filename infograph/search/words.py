"""The words of a site, from the dictionary of its bundle: completion, stems for want of a stemmer."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence

from infograph.search.asking import Asking, Contents, ask_for
from infograph.search.manifest import Manifest
from infograph.search.results import Remarks
from infograph.search.terms import Terms

Row = tuple[str, int]
"""A term, and the number of chunks that have it."""

SHORTEST_STEM = 0.6
"""Share of a word that stays through all inflection."""

_DIGIT = re.compile(r"\d")


def complete(manifest: Manifest, prefix: str, limit: int, remarks: Remarks) -> Asking[list[Row]]:
    """Terms of the site that begin with a text, in the most chunks first; and the one that the text itself is a form
    of, for terms are stems."""
    word = prefix.lower()
    rows = set((yield from _between(manifest, word, word, remarks)) if word else ())
    bare = _bare(word)
    if not rows and bare != word:  # stemmers of many languages take marks away
        rows = set((yield from _between(manifest, bare, bare, remarks)))
    stem = yield from _stem(manifest, word, remarks)
    return _most_first(rows | {stem} if stem else rows, limit)


def stems(manifest: Manifest, asked: Sequence[Terms], remarks: Remarks) -> Asking[list[Terms]]:
    """The terms of a query in a language without its stemmer: each word as the longest term of the site that it
    begins with."""
    remarks.notes.append(f'no stemmer for "{manifest.language}" is at hand: words are matched by their beginnings')
    known: dict[str, str] = {}
    for word in dict.fromkeys(word for terms in asked for word in (terms.whole, *terms.parts)):
        known[word] = word
        if not _DIGIT.search(word) and (found := (yield from _stem(manifest, word, remarks))):
            known[word] = found[0]
    return [Terms(known[terms.whole], tuple(known[part] for part in terms.parts)) for terms in asked]


def _bare(word: str) -> str:
    """Without marks and without the German ligature, as many stemmers leave a word."""
    apart = unicodedata.normalize("NFD", word)
    return "".join(sign for sign in apart if unicodedata.category(sign)[0] != "M").replace("ß", "ss")


def _stem(manifest: Manifest, word: str, remarks: Remarks) -> Asking[Row | None]:
    """The longest term of the site that a word begins with."""
    if len(word) < 3:
        return None
    shortest = word[: max(3, math.ceil(len(word) * SHORTEST_STEM))]
    rows = yield from _between(manifest, shortest, word, remarks)
    return max((row for row in rows if word.startswith(row[0])), key=lambda row: len(row[0]), default=None)


def _between(manifest: Manifest, first: str, last: str, remarks: Remarks) -> Asking[list[Row]]:
    """Rows that begin with `first`, in the files from there up to what begins with `last`."""
    name = manifest.dictionary.directory
    shards = yield from ask_for([name], remarks)
    files = rows_of(name, shards.get(name, []), str, remarks)
    names = []
    for place, (begin, file) in enumerate(files):
        after = files[place + 1][0] if place + 1 < len(files) else None
        if begin[: len(last)] <= last and (after is None or after[: len(first)] >= first):
            names.append(file)
    shards = yield from ask_for(names, remarks)
    rows = [row for name in names for row in rows_of(name, shards.get(name, []), int, remarks)]
    return [(term, chunks) for term, chunks in rows if term.startswith(first)]


def rows_of(name: str, contents: Contents, kind: type, remarks: Remarks) -> list[tuple[str, Contents]]:
    """Pairs of a text and a value of a kind."""
    try:
        pairs = [(text, value) for text, value in contents]
    except (TypeError, ValueError):
        pairs = [(None, None)]
    if not all(isinstance(text, str) and isinstance(value, kind) for text, value in pairs):
        remarks.missing[name] = "not rows of a dictionary"
        return []
    return pairs


def _most_first(rows: Iterable[Row], limit: int) -> list[Row]:
    return sorted(rows, key=lambda row: (-row[1], row[0]))[: max(0, limit)]
