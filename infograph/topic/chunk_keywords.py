"""Keywords of a chunk: the terms of its topic's authority table that occur in the chunk."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

from infograph.model import Keyword, KeywordRow, whole_score
from infograph.topic.candidate_terms import ChunkTerms, chunk_terms, looks_like_code
from infograph.topic.keyword_scoring import by_score, plurals_of


def chunk_keywords(terms: Iterable[tuple[str, float]]) -> list[Keyword]:
    """Returns a table's ranked terms as keywords of a chunk: their scores are whole numbers, at least 1."""
    return [Keyword(term, float(max(1, whole_score(score)))) for term, score in terms]


class ChunkKeywords:
    """Finds the terms of one authority table in the chunks of its topic."""

    def __init__(self, table: Iterable[KeywordRow], language: str, limit: int) -> None:
        """Takes the topic's authority table; a chunk gets at most `limit` keywords."""
        rows = [row for row in table if row.score > 0]
        self._limit = limit
        rows.sort(key=by_score)
        self._rank = {row.term: rank for rank, row in enumerate(rows)}
        self._keywords = chunk_keywords((row.term, row.score) for row in rows)
        # Spellings that `topic_terms` joins: `PSReadLine` in the table is psreadline in prose, and the reverse.
        spelled = {row.term.lower(): row.term for row in rows if row.type == "code" and looks_like_code(row.term)}
        self._twins: dict[int, int] = {}
        """Maps the place of a term to that of the identifier it is a spelling of, where both are in the table."""
        for word, term in spelled.items():
            place = self._rank.setdefault(word, self._rank[term])
            if place != self._rank[term]:
                self._twins[place] = self._rank[term]
        for term in [row.term for row in rows if row.type != "code"]:
            for plural in plurals_of(term):
                self._rank.setdefault(plural, self._rank[term])
        # A hand-made or front matter keyword may be a term the extractor would not produce (four words, a stop
        # word, capitals), or not where it stands (two words in a listing): it is looked for in the text itself.
        extracted = _as_extracted(rows, language)
        self._in_text = {
            row.term: re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, row.term.split())) + r"(?!\w)", re.IGNORECASE)
            for row in rows
            if row.term.split() and (row.term not in extracted or (row.pinned and not row.count))
        }
        self._pinned = {row.term: self._rank[row.term] for row in rows if row.pinned}
        self._seen: set[int] = set()
        """Places of the terms that were found in some chunk."""

    @property
    def needs_text(self) -> bool:
        """Whether `places` searches the text; otherwise the terms suffice."""
        return bool(self._in_text)

    def find(self, terms: ChunkTerms, text: str = "") -> tuple[Keyword, ...]:
        """Returns the table's terms in a chunk, highest score first, ties by term."""
        return tuple(self._keywords[place] for place in self.places(terms, text))

    def places(self, terms: ChunkTerms, text: str = "") -> list[int]:
        """Returns the table's terms in a chunk as places among the ranked terms."""
        codes = terms.codes
        present = chain(*(lines.split("\n") for lines in (terms.words, terms.compounds, codes, codes.lower())))
        places = set(map(self._rank.get, present))
        found = {place for place in places if place is not None}
        found.update(self._twins[place] for place in self._twins.keys() & found)
        found.update(self._rank[term] for term, pattern in self._in_text.items() if pattern.search(text))
        self._seen |= found
        return sorted(found)[: self._limit]

    def unmatched(self) -> tuple[str, ...]:
        """Returns the terms set by hand that none of the chunks so far has, sorted."""
        return tuple(sorted(term for term, place in self._pinned.items() if place not in self._seen))


def _as_extracted(rows: Iterable[KeywordRow], language: str) -> set[str]:
    """Returns the terms that the extractor finds in a text of the rows' terms, each in a paragraph of its own."""
    text = "\n\n".join(f"`{row.term}`" if row.type == "code" else row.term for row in rows)
    return chunk_terms(text, language).distinct()
