"""Slips of the pen: for a word that the site does not have, the words it has that are one edit away.

An edit is a letter more, less or other, or two neighbours swapped. Every form that one edit makes of the word is
stemmed, and those whose stem is in the dictionary are candidates: as terms are stems, to compare the word with terms
would miss what inflection hides. A form whose second half is that of the word is looked up by its beginning, the others
by their end in the dictionary of terms written backwards; so a word takes a few of its files, however many there are.

Best is the candidate in the most chunks. But a letter left out or a swap counts LIKELY times, since such a slip of a
word of n letters is one of n, and a wrong letter or one too many is one of 25 n (Bayes' rule, all kinds being equally
frequent); and all is multiplied by the square of the stem's share of the form: the more of a form is ending, the less
likely is it that there is such a form.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from infograph.search.asking import Asking, ask_for, bounded
from infograph.search.manifest import Manifest
from infograph.search.results import Remarks
from infograph.search.shards import LETTERS
from infograph.search.terms import Language, Terms, cut
from infograph.search.words import Row, rows_of

LIKELY = 25
SHORTEST = 4
"""Letters of a word that is taken for a slip: a shorter one is seldom one, and next to everything."""
LONGEST = 32
"""Letters of a word that is taken for a slip: of a longer one there are thousands of forms to stem."""
MOST_CORRECTED = 8
"""Words of a query."""

_DIGIT = re.compile(r"\d")


class Near(NamedTuple):
    """A candidate."""

    weight: float
    form: str
    """One edit away from the word."""
    term: str
    """Its stem."""
    chunks: int
    """That have the term; 0 for a stop word."""


def correct(manifest: Manifest, language: Language, word: str, limit: int, remarks: Remarks) -> Asking[list[Row]]:
    """Terms of the site that a word may be a slip of, the likeliest first, each with its number of chunks. The word is
    written as that of a query would be; of several, the last one."""
    plain = replace(language, stem=str, stop_words=frozenset())
    words = [terms.whole for terms in cut(bounded(word), plain) if len(terms.whole) > 1][-1:]
    word = "".join(words)
    found = yield from _near(manifest, language, words, remarks)
    return [(near.term, near.chunks) for near in found.get(word, ()) if near.chunks][: max(0, limit)]


def corrected(
    manifest: Manifest, language: Language, query: str, asked: Sequence[Terms], known: Set[str], remarks: Remarks
) -> Asking[list[Terms]]:
    """The terms of a query, with the best candidate in place of each word that is not known and has one: of a
    compound as a whole, or else of its parts. The remarks say which."""
    written = {
        language.stem(word): word
        for terms in cut(query, replace(language, stem=str))
        for word in (terms.whole, *terms.parts)
        if SHORTEST <= len(word) <= LONGEST and not _DIGIT.search(word)
    }
    unknown = {terms for terms in asked if terms.whole not in known and not known >= set(terms.parts or [terms.whole])}
    words = [
        written[term]
        for terms in asked
        if terms in unknown
        for term in (terms.whole, *terms.parts)
        if term in written and term not in known
    ]
    found = yield from _near(manifest, language, list(dict.fromkeys(words))[:MOST_CORRECTED], remarks)

    def mended(term: str) -> str:
        """The best candidate, or nothing where that is a stop word."""
        word = written.get(term, "")
        near = next(iter(found.get(word, ())), None)
        if near is None or not near.chunks:
            return ""
        remarks.corrected[word] = near.form
        return near.term

    def replaced(terms: Terms) -> Terms:
        whole = mended(terms.whole)
        return Terms(whole) if whole else Terms(terms.whole, tuple(mended(part) or part for part in terms.parts))

    return [replaced(terms) if terms in unknown else terms for terms in asked]


def _near(
    manifest: Manifest, language: Language, words: Sequence[str], remarks: Remarks
) -> Asking[dict[str, list[Near]]]:
    """The candidates of each word, best first. Stop words are among them: taken to be in every chunk, if likely."""
    dictionary = manifest.dictionary
    if not words or not dictionary.backwards:
        return {}
    shards = yield from ask_for([dictionary.directory, dictionary.backwards], remarks)
    forwards, backwards = (
        rows_of(name, shards.get(name, []), str, remarks) for name in (dictionary.directory, dictionary.backwards)
    )
    forms = {word: list(_edited(word, dictionary.letters[:LETTERS])) for word in words}
    stems = {form: language.stem(form) for word in words for form, _, _ in forms[word]}
    late = {stems[form] for word in words for form, at, _ in forms[word] if at >= len(word) // 2}
    early = {stems[form] for word in words for form, at, _ in forms[word] if at < len(word) // 2}
    first, second = _files(forwards, late), _files(backwards, (term[::-1] for term in early))
    shards = yield from ask_for([*first, *second], remarks)
    chunks = {term: count for name in first for term, count in rows_of(name, shards.get(name, []), int, remarks)}
    for name in second:
        chunks |= {term[::-1]: count for term, count in rows_of(name, shards.get(name, []), int, remarks)}

    found = {}
    for word in words:
        best: dict[str, Near] = {}
        own = language.stem(word)
        for form, _, likely in forms[word]:
            term = stems[form]
            common = form in language.stop_words
            count = 0 if common else chunks.get(term, 0)
            weight = (LIKELY if likely else not common) * (manifest.chunks if common else count)
            near = Near(weight * len(term) ** 2 / len(form) ** 2, form, term, count)
            if near.weight > 0 and term != own and (term not in best or near.weight > best[term].weight):
                best[term] = near
        found[word] = sorted(best.values(), key=lambda near: (-near.weight, near.term))
    return found


def _edited(word: str, letters: str) -> Iterator[tuple[str, int, bool]]:
    """What one edit makes of a word, where it begins, and whether the edit mends a likely slip."""
    seen = {word}

    def new(form: str) -> bool:
        added = form not in seen
        seen.add(form)
        return added

    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        forms = [(head + tail[1:2] + tail[:1] + tail[2:], True)]
        forms += [(head + letter + tail, True) for letter in letters]
        if tail:
            forms.append((head + tail[1:], False))
            forms += [(head + letter + tail[1:], False) for letter in letters]
        yield from ((form, at, likely) for form, likely in forms if new(form))


def _files(directory: Sequence[tuple[str, str]], terms: Iterable[str]) -> list[str]:
    """The files that terms are in, if any file has them."""
    begins = [begin for begin, _ in directory]
    places = {bisect_right(begins, term) - 1 for term in terms}
    return [directory[place][1] for place in sorted(places) if place >= 0]
