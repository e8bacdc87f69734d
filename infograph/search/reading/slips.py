"""Typing slips: for a word that the site does not have, the words it has that are one edit away.

An edit is a letter more, less or other, or two neighbours swapped. A word that is one edit away is a candidate if the
site writes it (`forms.py`). A form whose second half is that of the word is looked up by the beginning of its stem,
the others by its end in the dictionary of terms written backwards; so a word takes a few of its files, however many
there are.

The best candidate is in the most chunks, divided by its place among the forms of its term. But a letter left out or a
swap counts LIKELY times, since such a slip of a word of n letters is one of n, and a wrong letter or one too many is
one of 25 n (Bayes' rule, all kinds being equally frequent). A word that differs in nothing but marks, in however many,
comes before all others. A stop word counts as if it were in all chunks: where it is the best, the word is left. So is a
common word of the language that the site does not have, as the dictionary says, in part by stems: `cons` is no slip of
`conn`, nor `synchronously` of `asynchronously`, and names of products are words too, most of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from infograph.search.format.bundle_manifest import BundleManifest
from infograph.search.format.forms import LETTERS
from infograph.search.format.results import Remarks
from infograph.search.format.terms import Language, Terms, bounded, cut
from infograph.search.reading.fetching import Asking, ask_for
from infograph.search.reading.words import APART, DictionaryRow, WordCount, bare, files_of, known_of

LIKELY = 25
"""Weight of a letter left out, or of a swap, beside that of the other edits."""
MARKED = 1 << 40
"""Weight of a word that differs in marks only: more than any number of chunks."""
SHORTEST = 4
"""Letters of the shortest word that counts as a slip: a shorter one is seldom one, and next to everything."""
LONGEST = 32
"""Letters of the longest word that counts as a slip: a longer one has thousands of edits to stem."""
MOST_CORRECTED = 8
"""Most words of a query that are corrected."""

_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"\w+")


class Near(NamedTuple):
    """A word of the site that may replace a typing slip."""

    weight: float
    form: str
    """The word as the site writes it."""
    term: str
    """The stem of the form."""
    chunks: int
    """Number of chunks that have the term; 0 for a stop word, and for the word itself."""


def correct(
    manifest: BundleManifest, language: Language, word: str, limit: int, remarks: Remarks
) -> Asking[list[WordCount]]:
    """Returns words of the site that a word may be a slip of, the likeliest first, each with its number of chunks.

    word: as a query would have it; of several words, the last one counts
    """
    plain = replace(language, stem=str, stop_words=frozenset())
    words = [terms.whole for terms in cut(bounded(word), plain) if len(terms.whole) > 1][-1:]
    word = "".join(words)
    found = yield from _near(manifest, language, words, remarks)
    return [(near.form, near.chunks) for near in found.get(word, ()) if near.chunks][: max(0, limit)]


def is_known(terms: Terms, known: Set[str]) -> bool:
    """Whether the site has a word of a query: as a whole, or all of its parts."""
    return terms.whole in known or known >= set(terms.parts or [terms.whole])


def corrected(
    manifest: BundleManifest, language: Language, query: str, asked: Sequence[Terms], known: Set[str], remarks: Remarks
) -> Asking[list[Terms]]:
    """Returns the terms of a query with the best candidate in place of each unknown word that has one: of a compound as
    a whole, or else of its parts. The remarks list these words.

    query: the text; asked: its terms; known: terms that the site has
    """
    written: dict[str, list[str]] = {}
    for terms in cut(query, replace(language, stem=str)):
        for word in (terms.whole, *terms.parts):
            if SHORTEST <= len(word) <= LONGEST and not _DIGIT.search(word):
                written.setdefault(language.stem(word), []).append(word)
    unknown = {terms for terms in asked if not is_known(terms, known)}
    words = [
        word
        for terms in asked
        if terms in unknown
        for term in (terms.whole, *terms.parts)
        if term not in known
        for word in written.get(term, ())
    ]
    found = yield from _near(manifest, language, list(dict.fromkeys(words))[:MOST_CORRECTED], remarks)

    def mended(term: str) -> str:
        """Returns the term of the best candidate for the first word of this stem whose best is a word of the site;
        empty where there is none."""
        for word in written.get(term, ()):
            near = next(iter(found.get(word, ())), None)
            if near is not None and near.chunks:
                remarks.corrected[word] = near.form
                return near.term
        return ""

    def replaced(terms: Terms) -> Terms:
        whole = mended(terms.whole)
        return Terms(whole) if whole else replace(terms, parts=tuple(mended(part) or part for part in terms.parts))

    return [replaced(terms) if terms in unknown else terms for terms in asked]


def as_meant(query: str, corrected: Mapping[str, str]) -> str:
    """Returns a query with its slips replaced by the words that were searched for."""
    return _WORD.sub(lambda found: corrected.get(found[0].lower(), found[0]), query)


def _near(
    manifest: BundleManifest, language: Language, words: Sequence[str], remarks: Remarks
) -> Asking[dict[str, list[Near]]]:
    """Returns the candidates of each word, the best first. They include stop words, which count as if they were in
    every chunk, and the word itself where it is a word of the language or the site has its stem."""
    dictionary = manifest.dictionary
    if not words or not dictionary.backwards:
        return {}
    shards = yield from ask_for([dictionary.directory, dictionary.backwards], remarks)
    forwards, backwards = (
        files_of(name, shards.get(name, []), remarks) for name in (dictionary.directory, dictionary.backwards)
    )
    edits = {word: list(_edited(word, dictionary.letters[:LETTERS])) for word in words}
    late = {language.stem(edit.form) for word in words for edit in edits[word] if edit.begins_alike}
    late |= set(map(language.stem, words))
    early = {language.stem(edit.form)[::-1] for word in words for edit in edits[word] if edit.ends_alike}
    first, second = _files(forwards, late), _files(backwards, early)
    shards = yield from ask_for([*first, *second], remarks)
    rows = [row for name in first for row in known_of(name, shards.get(name, []), remarks)]
    for name in second:
        rows += [row._replace(term=row.term[::-1]) for row in known_of(name, shards.get(name, []), remarks)]
    known = [(form, bare(form), place, row) for row in set(rows) for place, form in enumerate(row.forms)]
    return {
        word: _candidates(word, {edit.form: edit.times for edit in edits[word]}, known, manifest.chunks, language)
        for word in words
    }


def _candidates(
    word: str,
    edits: Mapping[str, int],
    known: Iterable[tuple[str, str, int, DictionaryRow]],
    chunks: int,
    language: Language,
) -> list[Near]:
    """Returns the candidates of a word, the best first.

    edits: weight of each edit of the word
    known: forms of the dictionary: form, the same without marks, its place among the forms of its row, the row
    """
    own, unmarked = language.stem(word), bare(word)
    found = [Near(edits[form] * chunks, form, form, 0) for form in language.stop_words & edits.keys()]
    for form, plain, place, row in known:
        times = MARKED if plain == unmarked else edits.get(form, 0)
        if row.term == own if row.chunks or not row.endings else form == word:
            found.append(Near(LIKELY * chunks + 1, word, own, 0))
        elif times and row.chunks and form not in language.stop_words:
            found.append(Near(times * row.chunks / (1 + place), form, row.term, row.chunks))
    best: dict[str, Near] = {}
    for near in sorted(found, key=lambda near: (-near.weight, near.term, near.form)):
        best.setdefault(near.term, near)
    return list(best.values())


class Edit(NamedTuple):
    """One edit of a word."""

    form: str
    """The word after the edit; one letter for two that stand for it is an edit, too."""
    times: int
    """Weight of the edit: factor on the number of chunks that have the word."""
    begins_alike: bool
    """Whether the dictionary has the form near the word."""
    ends_alike: bool
    """Whether the dictionary of terms written backwards has the form near the word."""


def _edited(word: str, letters: str) -> Iterator[Edit]:
    """Yields every edit of a word, each form once."""
    seen = {word}
    unmarked = bare(word)
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        forms = [(head + tail[1:2] + tail[:1] + tail[2:], LIKELY)]
        forms += [(head + letter + tail, LIKELY) for letter in letters]
        if tail:
            forms.append((head + tail[1:], 1))
            forms += [(head + letter + tail[1:], 1) for letter in letters]
            forms += [(head + letter + tail[2:], LIKELY) for letter in letters if tail[:2] == APART.get(letter)]
            if len(APART.get(tail[0], "")) == 2:
                forms.append((head + APART[tail[0]] + tail[1:], LIKELY))
        late = at >= len(word) // 2
        for form, times in forms:
            if form not in seen:
                seen.add(form)
                marks = bare(form) == unmarked  # there may be more of them that are missing
                yield Edit(form, times, late or (marks and at > 0), not late or (marks and at < len(word) - 1))


def _files(directory: Sequence[tuple[str, str]], terms: Iterable[str]) -> list[str]:
    """Returns the files of a directory that would contain some terms."""
    begins = [begin for begin, _ in directory]
    places = {bisect_right(begins, term) - 1 for term in terms}
    return [directory[place][1] for place in sorted(places) if place >= 0]
