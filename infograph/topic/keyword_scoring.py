"""Scores keywords: which terms stand for a topic, and how much.

    score = count × header × type × globality

    header      best heading a compound stands in: H1 1.5, H2 1.25, deeper 1.1; no heading, or no compound: 1
    type        compound 1.5, otherwise 1
    globality   in fewer than 10% of topics 2.0, in fewer than 25% 1.5, otherwise 1.0
    kept        when globality ≥ 1.5, or count ≥ 10 and in fewer than half of the topics

A term that only one topic has counts as under 10% however few topics there are: with fewer than eleven, one topic
alone would be 10% of them, and a small tree would have no keywords.

    chunks ─chunk_terms▶ ChunkTerms… ─topic_terms▶ TopicTerms ─score_table▶ KeywordRow… ─ChunkKeywords▶ Keyword…
                                          └────▶ document frequency ────┘
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from infograph.model import Keyword, KeywordRow
from infograph.topic.candidate_terms import ChunkTerms, looks_like_code

HEADING_WEIGHTS = {1: 1.5, 2: 1.25}
"""Weight of a compound by the level of the best heading it stands in."""
DEEPER_HEADING_WEIGHT = 1.1
"""Weight of a compound whose best heading is deeper than those in `HEADING_WEIGHTS`."""
COMPOUND_WEIGHT = 1.5
"""Weight of a compound; a single word and an identifier weigh 1."""
RARE_WEIGHT, UNCOMMON_WEIGHT, COMMON_WEIGHT = 2.0, 1.5, 1.0
"""Globality of a term in fewer than 10% of the topics, in fewer than 25%, and of any other term."""
FREQUENT_COUNT = 10
"""Count from which a term that is in fewer than half of the topics is kept whatever its globality."""

_LONGEST_TERM = 60
"""Characters: more than any name a person would type."""
_NOISE = re.compile(
    r"\D*(?:\d+[^\W\d_]+){3}|(?=[a-f]*\d+[a-f]+\d)[0-9a-f]{6,}\Z|(?=.*(.)\1{3})|(?:true|false|none|null|nil|self|this)\Z",
    re.IGNORECASE,
)
"""Terms that are never keywords: encoded data (digits and letters take turns), hashes and colours, a character four
times in a row, values that every language has."""


@dataclass(frozen=True, slots=True)
class TopicTerms:
    """The candidate terms of one topic with their counts. Their union over topics gives document frequency."""

    words: Mapping[str, int]
    """Counts of words of three letters or more, where the script has letters."""
    compounds: Mapping[str, int]
    """Counts of compounds that occur twice or stand in a heading."""
    codes: Mapping[str, int]
    """Counts of identifiers. A term that occurs as code and as a word is listed under the more frequent, with the
    sum."""
    levels: Mapping[str, int]
    """Best heading level of each compound that stands in a heading."""

    def __iter__(self) -> Iterator[str]:
        """Yields every term once."""
        yield from self.words
        yield from self.compounds
        yield from self.codes


def topic_terms(chunks: Iterable[ChunkTerms]) -> TopicTerms:
    """Counts the terms of a topic's chunks and of its documents' front matter, in any order.

    Single words of one or two Latin letters are left out.
    """
    words: Counter[str] = Counter()
    compounds: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    levels: dict[str, int] = {}
    for terms in chunks:
        words.update(terms.words.split("\n"))
        compounds.update(terms.compounds.split("\n"))
        codes.update(terms.codes.split("\n"))
        for term, level in terms.headed:
            levels[term] = min(level, levels.get(term, level))
    for counts in (words, compounds, codes):
        del counts[""]  # splitting an empty string gives one; a Counter ignores a missing key
    for word in [word for word in words if len(word) < 3 and word.isascii()]:
        del words[word]  # here, where each word occurs once, and not in every chunk
    _join_spellings(words, codes)
    _join_plurals(words)
    _join_plurals(compounds, levels)
    candidates = {term: count for term, count in compounds.items() if count > 1 or term in levels}
    for term in _fragments(candidates, levels):
        del candidates[term]
    return TopicTerms(dict(words), candidates, dict(codes), levels)


def _join_spellings(words: Counter[str], codes: Counter[str]) -> None:
    """Merges spellings of one term, such as `PSReadLine` as code and psreadline as a word, into the more frequent one.

    A plain capitalised name (`Path`) is not the word in lower case.
    """
    for code in sorted(codes):
        word = code if code in words else code.lower()
        if word in words and (word == code or looks_like_code(code)):
            if words[word] > codes[code]:
                words[word] += codes.pop(code)
            else:
                codes[code] += words.pop(word)


def _join_plurals(counts: Counter[str], levels: dict[str, int] | None = None) -> None:
    """Merges a plural into its singular where both occur: `containers` into `container`.

    levels: best heading level of each term, kept along
    """
    for plural in sorted(term for term in counts if term.endswith("s")):
        singular = singular_of(plural)
        if singular in counts:
            counts[singular] += counts.pop(plural)
            if levels is not None and plural in levels:
                level = levels.pop(plural)
                levels[singular] = min(level, levels.get(singular, level))


def singular_of(term: str) -> str:
    """The singular that an English plural may belong to; the term itself where it looks like none.

    Only a table that has both forms joins them, so that a name (`kubernetes`, `https`) stays as it is.
    """
    if len(term) < _SHORTEST_PLURAL or not term.endswith("s") or term.endswith(("ss", "us", "is")):
        return term
    if term.endswith("ies"):
        return f"{term[:-3]}y"
    return term[:-2] if term.endswith(("ches", "shes", "xes", "sses", "zes")) else term[:-1]


def plurals_of(term: str) -> tuple[str, ...]:
    """The plurals whose singular may be a term."""
    plurals = (f"{term}s", f"{term}es", f"{term[:-1]}ies")
    return tuple(plural for plural in plurals if singular_of(plural) == term)


_SHORTEST_PLURAL = 5
"""Letters from which on a word may be a plural: below are `gas`, `css`, `aws`."""
_MOSTLY = 0.8
"""Share of a pair's occurrences within one longer compound from which on the pair is a part of that and no term."""


def _fragments(compounds: Mapping[str, int], levels: Mapping[str, int]) -> set[str]:
    """Returns the pairs that occur mostly as a part of one longer compound, which stands for them.

    `path operation` is a term of its own, `operation function` is not when it is nearly always `path operation
    function`.
    """
    found = set()
    for term, count in compounds.items():
        first, _, rest = term.partition(" ")
        second, _, third = rest.partition(" ")
        if third:
            for part in (f"{first} {second}", f"{second} {third}"):
                if part in compounds and _MOSTLY * compounds[part] <= count and levels.get(part) == levels.get(term):
                    found.add(part)
    return found


def document_frequency(topics: Iterable[Iterable[str]]) -> Counter[str]:
    """Counts in how many topics each term occurs. Add and subtract such counters as topics come and go."""
    frequency: Counter[str] = Counter()
    for terms in topics:
        frequency.update(terms)
    return frequency


def globality(frequency: int, topics: int) -> float:
    """Returns the global multiplier of a term that `frequency` of `topics` topics have."""
    if frequency <= 1 or frequency * 10 < topics:
        return RARE_WEIGHT
    return UNCOMMON_WEIGHT if frequency * 4 < topics else COMMON_WEIGHT


def rank_changes(
    before: Mapping[str, int], topics_before: int, after: Mapping[str, int], topics_after: int
) -> dict[str, bool]:
    """Returns the terms whose multiplier or admission differs between two states of the tree, and whether it rises.

    A topic that has none of them, and did not change itself, keeps its table; and so does one that has only such as do
    not rise and are not in its table: they stay below those that are.
    """
    if topics_before == topics_after:
        terms: Iterable[str] = (term for term in before.keys() | after.keys() if before.get(term) != after.get(term))
    else:
        terms = before.keys() | after.keys()
    ranks = (
        (term, _rank(before.get(term, 0), topics_before), _rank(after.get(term, 0), topics_after)) for term in terms
    )
    return {term: new[0] > old[0] or new[1] > old[1] for term, old, new in ranks if old != new}


def _rank(frequency: int, topics: int) -> tuple[float, bool]:
    return globality(frequency, topics), frequency * 2 < topics


def score_table(
    terms: TopicTerms,
    frequency: Mapping[str, int],
    topics: int,
    pinned: Iterable[KeywordRow],
    limit: int,
) -> tuple[KeywordRow, ...]:
    """Returns the topic's authority table: highest score first, ties by term.

    It has at most `limit` rows besides the pinned ones. Pinned rows keep their score whatever the formula gives,
    and remain when the text lacks the term; their other columns follow the text where it has the term.
    """
    kept = {row.term: row for row in pinned}
    scored: defaultdict[float, list[tuple[list[str], str, int, float, float]]] = defaultdict(list)
    for kind, counts in (("word", terms.words), ("compound", terms.compounds), ("code", terms.codes)):
        weight = COMPOUND_WEIGHT if kind == "compound" else 1.0
        levels = terms.levels if kind == "compound" else {}
        # Most terms occur once or twice, in one topic: equal ones share a score, computed once.
        alike: defaultdict[tuple[int, int, int], list[str]] = defaultdict(list)
        for term, count in counts.items():
            alike[count, levels.get(term, 0), frequency.get(term, 1)].append(term)
        for (count, level, in_topics), group in alike.items():
            header, reach = heading_weight(level), globality(in_topics, topics)
            if reach >= UNCOMMON_WEIGHT or (count >= FREQUENT_COUNT and in_topics * 2 < topics):
                score = round(count * header * weight * reach, 6)
                scored[score].append((group, kind, count, header, reach))
        for term in kept.keys() & counts.keys():
            header, reach = heading_weight(levels.get(term, 0)), globality(frequency.get(term, 1), topics)
            kept[term] = KeywordRow(term, kind, counts[term], header, reach, kept[term].score, pinned=True)
    rows = islice((row for row in _ranked(scored) if row.term not in kept), limit)
    return tuple(sorted([*rows, *kept.values()], key=by_score))


def _ranked(scored: Mapping[float, list[tuple[list[str], str, int, float, float]]]) -> Iterator[KeywordRow]:
    """Yields rows of scored terms, highest score first, ties by term; sorts only as far as rows are consumed."""
    for score in sorted(scored, reverse=True):
        alike = [
            (term, kind, count, header, reach) for terms, kind, count, header, reach in scored[score] for term in terms
        ]
        for term, kind, count, header, reach in sorted(alike):
            if len(term) <= _LONGEST_TERM and not _NOISE.match(term):
                yield KeywordRow(term, kind, count, header, reach, score)


def heading_weight(level: int) -> float:
    """Returns the weight of a compound by its best heading level; 0 stands for no heading."""
    return 1.0 if level == 0 else HEADING_WEIGHTS.get(level, DEEPER_HEADING_WEIGHT)


def by_score(row: KeywordRow) -> tuple[float, str]:
    return -row.score, row.term


def ranked(table: Iterable[KeywordRow]) -> list[tuple[str, float]]:
    """Returns the terms of an authority table with their scores, highest first; terms pinned at 0 are left out."""
    return [(row.term, row.score) for row in sorted(table, key=by_score) if row.score > 0]


def topic_keywords(terms: Sequence[tuple[str, float]], limit: int) -> tuple[Keyword, ...]:
    """Returns the first of a table's ranked terms as keywords of the topic."""
    return tuple(Keyword(term, score) for term, score in terms[:limit])
