"""Keyword authority: which terms stand for a topic, and how much.

    score = count × header × type × globality

    header      best heading a compound stands in: H1 1.5, H2 1.25, deeper 1.1; no heading, or no compound: 1
    type        compound 1.5, otherwise 1
    globality   in fewer than 10% of topics 2.0, in fewer than 25% 1.5, otherwise 1.0
    kept        when globality ≥ 1.5, or count ≥ 10 and in fewer than half of the topics

A term that only one topic has counts as under 10% however few topics there are: with fewer than eleven, one
topic alone would be 10% of them, and a small tree would have no keywords.

    chunks ─chunk_terms▶ ChunkTerms… ─topic_terms▶ TopicTerms ─score_table▶ KeywordRow… ─ChunkKeywords▶ Keyword…
                                          └────▶ document frequency ────┘
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from infograph.model import Keyword, KeywordRow, whole_score
from infograph.topic.candidate_terms import ChunkTerms, chunk_terms, looks_like_code

COMPOUND = 1.5
RARE, UNCOMMON, COMMON = 2.0, 1.5, 1.0

# Longer than any name a person would type; hashes, colours, encoded data, in which digits and letters take turns;
# and values that every language has.
_LONGEST = 60
_NOISE = re.compile(
    r"\D*(?:\d+[^\W\d_]+){3}|(?=[a-f]*\d+[a-f]+\d)[0-9a-f]{6,}\Z|(?=.*(.)\1{3})|(?:true|false|none|null|nil|self|this)\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TopicTerms:
    """The candidate terms of one topic with their counts. Their union over topics gives document frequency."""

    words: Mapping[str, int]
    """Of three letters or more, where the script has letters."""
    compounds: Mapping[str, int]
    """Those that occur twice or stand in a heading."""
    codes: Mapping[str, int]
    """What occurs both as code and as a word is where it occurs more often, with the sum of its counts."""
    levels: Mapping[str, int]
    """Best heading level of the compounds that stand in one."""

    def __iter__(self) -> Iterator[str]:
        """Every term once."""
        yield from self.words
        yield from self.compounds
        yield from self.codes


def topic_terms(chunks: Iterable[ChunkTerms]) -> TopicTerms:
    """Count the terms of a topic's chunks and of its documents' front matter, in any order.

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
        del counts[""]  # what splitting nothing gives; a Counter does not mind when it is not there
    for word in [word for word in words if len(word) < 3 and word.isascii()]:
        del words[word]  # Here, where each word is met once, and not in every chunk.
    _join_spellings(words, codes)
    candidates = {term: count for term, count in compounds.items() if count > 1 or term in levels}
    for term in _fragments(candidates, levels):
        del candidates[term]
    return TopicTerms(dict(words), candidates, dict(codes), levels)


def _join_spellings(words: Counter[str], codes: Counter[str]) -> None:
    """`async` and async, `PSReadLine` and PSReadLine are one term: the more frequent spelling takes all.

    A plain capitalised name (`Path`) is not the word in lower case.
    """
    for code in sorted(codes):
        word = code if code in words else code.lower()
        if word in words and (word == code or looks_like_code(code)):
            if words[word] > codes[code]:
                words[word] += codes.pop(code)
            else:
                codes[code] += words.pop(word)


def _fragments(compounds: Mapping[str, int], levels: Mapping[str, int]) -> set[str]:
    """Pairs that occur only as a part of one longer compound: `path operation` is a term of its own, `operation
    function` is not when it is always `path operation function`."""
    found = set()
    for term, count in compounds.items():
        first, _, rest = term.partition(" ")
        second, _, third = rest.partition(" ")
        if third:
            for part in (f"{first} {second}", f"{second} {third}"):
                if compounds.get(part) == count and levels.get(part) == levels.get(term):
                    found.add(part)
    return found


def document_frequency(topics: Iterable[Iterable[str]]) -> Counter[str]:
    """In how many topics each term occurs. Add and subtract such counters as topics come and go."""
    frequency: Counter[str] = Counter()
    for terms in topics:
        frequency.update(terms)
    return frequency


def globality(frequency: int, topics: int) -> float:
    """Global multiplier of a term that `frequency` of `topics` topics have."""
    if frequency <= 1 or frequency * 10 < topics:
        return RARE
    return UNCOMMON if frequency * 4 < topics else COMMON


def rank_changes(
    before: Mapping[str, int], topics_before: int, after: Mapping[str, int], topics_after: int
) -> set[str]:
    """Terms whose multiplier or admission differs between two states of the tree.

    A topic that has none of them, and did not change itself, keeps its table.
    """
    if topics_before == topics_after:
        terms: Iterable[str] = (term for term in before.keys() | after.keys() if before.get(term) != after.get(term))
    else:
        terms = before.keys() | after.keys()
    return {
        term for term in terms if _rank(before.get(term, 0), topics_before) != _rank(after.get(term, 0), topics_after)
    }


def _rank(frequency: int, topics: int) -> tuple[float, bool]:
    return globality(frequency, topics), frequency * 2 < topics


def score_table(
    terms: TopicTerms,
    frequency: Mapping[str, int],
    topics: int,
    pinned: Iterable[KeywordRow],
    limit: int,
) -> tuple[KeywordRow, ...]:
    """The topic's authority table: highest score first, ties by term.

    At most `limit` rows besides the pinned ones. Those keep their score whatever the formula says, and their
    place when the text does not have the term (any more); their other columns follow the text where it does.
    """
    kept = {row.term: row for row in pinned}
    scored: defaultdict[float, list[tuple[list[str], str, int, float, float]]] = defaultdict(list)
    for kind, counts in (("word", terms.words), ("compound", terms.compounds), ("code", terms.codes)):
        weight = COMPOUND if kind == "compound" else 1.0
        levels = terms.levels if kind == "compound" else {}
        # Most terms occur once or twice, in one topic: those that are alike have one score, worked out once.
        alike: defaultdict[tuple[int, int, int], list[str]] = defaultdict(list)
        for term, count in counts.items():
            alike[count, levels.get(term, 0), frequency.get(term, 1)].append(term)
        for (count, level, in_topics), group in alike.items():
            header, reach = _header(level), globality(in_topics, topics)
            if reach >= UNCOMMON or (count >= 10 and in_topics * 2 < topics):
                score = round(count * header * weight * reach, 6)
                scored[score].append((group, kind, count, header, reach))
        for term in kept.keys() & counts.keys():
            header, reach = _header(levels.get(term, 0)), globality(frequency.get(term, 1), topics)
            kept[term] = KeywordRow(term, kind, counts[term], header, reach, kept[term].score, pinned=True)
    rows = islice((row for row in _ranked(scored) if row.term not in kept), limit)
    return tuple(sorted([*rows, *kept.values()], key=_order))


def _ranked(scored: Mapping[float, list[tuple[list[str], str, int, float, float]]]) -> Iterator[KeywordRow]:
    """The rows of scored terms, highest score first, ties by term: sorted only as far as somebody takes them."""
    for score in sorted(scored, reverse=True):
        alike = [
            (term, kind, count, header, reach) for terms, kind, count, header, reach in scored[score] for term in terms
        ]
        for term, kind, count, header, reach in sorted(alike):
            if len(term) <= _LONGEST and not _NOISE.match(term):
                yield KeywordRow(term, kind, count, header, reach, score)


def _header(level: int) -> float:
    """Multiplier of the best heading level; 0 is none."""
    return 1.0 if level == 0 else {1: 1.5, 2: 1.25}.get(level, 1.1)


def _order(row: KeywordRow) -> tuple[float, str]:
    return -row.score, row.term


def ranked(table: Iterable[KeywordRow]) -> list[tuple[str, float]]:
    """Terms of an authority table with their scores, the highest first; one pinned at 0 is nobody's keyword."""
    return [(row.term, row.score) for row in sorted(table, key=_order) if row.score > 0]


def topic_keywords(terms: Sequence[tuple[str, float]], limit: int) -> tuple[Keyword, ...]:
    """The first of a table's ranked terms as keywords of the topic."""
    return tuple(Keyword(term, score) for term, score in terms[:limit])


def chunk_keywords(terms: Iterable[tuple[str, float]]) -> list[Keyword]:
    """A table's ranked terms as keywords of a chunk: scores are whole numbers, at least 1."""
    return [Keyword(term, float(max(1, whole_score(score)))) for term, score in terms]


class ChunkKeywords:
    """Finds the terms of one authority table in the chunks of its topic."""

    def __init__(self, table: Iterable[KeywordRow], language: str, limit: int) -> None:
        """`limit`: keywords a chunk may have at most."""
        rows = [row for row in table if row.score > 0]
        self._limit = limit
        rows.sort(key=_order)
        self._rank = {row.term: rank for rank, row in enumerate(rows)}
        self._keywords = chunk_keywords((row.term, row.score) for row in rows)
        # Spellings that `topic_terms` joins: `PSReadLine` in the table is psreadline in prose, and the reverse.
        spelled = {row.term.lower(): row.term for row in rows if row.type == "code" and looks_like_code(row.term)}
        self._twins: dict[int, int] = {}
        """Place of a term to that of the identifier that it is a spelling of, where both are in the table."""
        for word, term in spelled.items():
            place = self._rank.setdefault(word, self._rank[term])
            if place != self._rank[term]:
                self._twins[place] = self._rank[term]
        # A hand-made or front matter keyword may be a term the extractor would not produce (four words, a stop
        # word, capitals): it is looked for in the text itself.
        extracted = _as_extracted(rows, language)
        self._in_text = {
            row.term: re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, row.term.split())) + r"(?!\w)", re.IGNORECASE)
            for row in rows
            if row.term.split() and row.term not in extracted
        }

    @property
    def needs_text(self) -> bool:
        """Whether `places` looks into the text; otherwise the terms are enough."""
        return bool(self._in_text)

    def find(self, terms: ChunkTerms, text: str = "") -> tuple[Keyword, ...]:
        """The table's terms in a chunk, highest score first, ties by term."""
        return tuple(self._keywords[place] for place in self.places(terms, text))

    def places(self, terms: ChunkTerms, text: str = "") -> list[int]:
        """The same as places among the table's ranked terms."""
        codes = terms.codes
        present = chain(*(lines.split("\n") for lines in (terms.words, terms.compounds, codes, codes.lower())))
        places = set(map(self._rank.get, present))
        found = {place for place in places if place is not None}
        found.update(self._twins[place] for place in self._twins.keys() & found)
        found.update(self._rank[term] for term, pattern in self._in_text.items() if pattern.search(text))
        return sorted(found)[: self._limit]


def _as_extracted(rows: Iterable[KeywordRow], language: str) -> set[str]:
    """The terms that the extractor gives for a text of the rows' terms, each in a paragraph of its own."""
    text = "\n\n".join(f"`{row.term}`" if row.type == "code" else row.term for row in rows)
    return chunk_terms(text, language).distinct()
