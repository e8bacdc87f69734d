"""The words of a site, from the dictionary of its bundle: completion, and stems where there is no stemmer."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

from infograph.search.format.bundle_manifest import BundleManifest
from infograph.search.format.forms import decode_forms
from infograph.search.format.results import Remarks
from infograph.search.format.terms import LONGEST_TERM, Language, Terms, cut
from infograph.search.reading.fetching import Asking, FileContent, ask_for

WordCount = tuple[str, int]
"""A word as the site writes it, and the number of chunks that have its term."""

SHORTEST_STEM = 0.6
"""Share of a word's letters that every inflection keeps."""

APART = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ı": "i"}
"""Letters that do not decompose into another letter and marks, and what people type instead of them."""

_APART = str.maketrans(APART)
_DIGIT = re.compile(r"\d")


class DictionaryRow(NamedTuple):
    """A row of the dictionary."""

    term: str
    chunks: int
    """Number of chunks that have the term; 0 for words of the language that the site does not have: the forms, or
    all with this stem where no endings are said."""
    endings: str = ""
    """Endings of the term's forms, see `forms.written`."""

    @property
    def forms(self) -> list[str]:
        """Words that the site writes the term as, the most frequent first."""
        return decode_forms(self.term, self.endings)


def complete(
    manifest: BundleManifest, language: Language, prefix: str, limit: int, remarks: Remarks
) -> Asking[list[WordCount]]:
    """Returns words of the site that begin with a text, those in the most chunks first, and the one that the text
    itself is a form of. Terms are stems: stemmers of many languages remove marks, and some write another script."""
    word = prefix.lower().encode(errors="replace").decode()  # half of a surrogate pair is in no term
    if len(word) > LONGEST_TERM:
        return []
    found: dict[str, DictionaryRow] = {}
    stem_of = next((terms.whole for terms in cut(word, language)), "")
    for begin in dict.fromkeys((word, bare(word), stem_of)):
        if begin and not found:
            found = {row.term: row for row in (yield from _between(manifest, begin, begin, remarks))}
    stem = yield from _stem(manifest, word, remarks)
    rows = sorted((found | {stem.term: stem} if stem else found).values(), key=lambda row: (-row.chunks, row.term))
    return [(_beginning(row.forms, word), row.chunks) for row in rows[: max(0, limit)]]


def _beginning(forms: Sequence[str], word: str) -> str:
    """Returns the first form that begins with the word; the first of all where none does."""
    return next((form for form in forms if form.startswith(word)), forms[0])


def stems(manifest: BundleManifest, asked: Sequence[Terms], remarks: Remarks) -> Asking[list[Terms]]:
    """Returns the terms of a query without the language's stemmer: each word as the longest term of the site that it
    begins with."""
    remarks.notes.append(f'no stemmer for "{manifest.language}" is at hand: words are matched by their beginnings')
    known: dict[str, str] = {}
    for word in dict.fromkeys(word for terms in asked for word in (terms.whole, *terms.parts)):
        known[word] = word
        if not _DIGIT.search(word) and (found := (yield from _stem(manifest, word, remarks))):
            known[word] = found.term
    return [Terms(known[terms.whole], tuple(known[part] for part in terms.parts), terms.identifier) for terms in asked]


def bare(word: str) -> str:
    """Removes marks and replaces the letters of `APART`, as the stemmers of many languages do."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFD", word)
    return "".join(sign for sign in apart if unicodedata.category(sign)[0] != "M").translate(_APART)


def _stem(manifest: BundleManifest, word: str, remarks: Remarks) -> Asking[DictionaryRow | None]:
    """Returns the row of the longest term of the site that a word begins with, or else the word without its marks."""
    for whole in dict.fromkeys((word, bare(word))):
        if len(whole) >= 3:
            shortest = whole[: max(3, math.ceil(len(whole) * SHORTEST_STEM))]
            rows = yield from _between(manifest, shortest, whole, remarks)
            begun = [row for row in rows if whole.startswith(row.term)]
            if begun:
                return max(begun, key=lambda row: len(row.term))
    return None


def _between(manifest: BundleManifest, first: str, last: str, remarks: Remarks) -> Asking[list[DictionaryRow]]:
    """Returns rows whose terms begin with `first`, from the files up to the one of terms that begin with `last`."""
    name = manifest.dictionary.directory
    shards = yield from ask_for([name], remarks)
    files = files_of(name, shards.get(name, []), remarks)
    names = []
    for place, (begin, file) in enumerate(files):
        after = files[place + 1][0] if place + 1 < len(files) else None
        if begin[: len(last)] <= last and (after is None or after[: len(first)] >= first):
            names.append(file)
    shards = yield from ask_for(names, remarks)
    rows = [row for name in names for row in known_of(name, shards.get(name, []), remarks)]
    return [row for row in rows if row.chunks and row.term.startswith(first)]


def files_of(name: str, contents: FileContent, remarks: Remarks) -> list[tuple[str, str]]:
    """Returns the files of a dictionary, each after its first term."""
    return [(begin, file) for begin, file, *_ in _rows(name, contents, (str, str), remarks)]


def known_of(name: str, contents: FileContent, remarks: Remarks) -> list[DictionaryRow]:
    """Returns the rows of a dictionary file."""
    return [DictionaryRow(*row[:3]) for row in _rows(name, contents, (str, int, str), remarks)]


def _rows(name: str, contents: FileContent, kinds: Sequence[type], remarks: Remarks) -> list[list[Any]]:
    """Returns rows whose values have such kinds, at least two in each; none, and a remark, where some do not."""
    sound = isinstance(contents, list) and all(
        isinstance(row, list) and len(row) >= 2 and all(map(isinstance, row, kinds)) for row in contents
    )
    if not sound:
        remarks.missing[name] = "not rows of a dictionary"
    return contents if sound else []
