"""Answers from the files of `_search/`, wherever they lie."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from infograph.errors import FormatError, InfographError
from infograph.search.bundle import FORMAT, MANIFEST
from infograph.search.encoding import content_name, hash32, inflate, top_bits
from infograph.search.impact import saturation
from infograph.search.posting_shards import Entry, find_entries
from infograph.search.results import Hit
from infograph.search.scoring import Chunk, chosen_terms, ranked, scores, with_neighbours
from infograph.search.shards import DIRECTORY
from infograph.search.terms import Language, cut

Fetch = Callable[[str], bytes]
"""A file's name within `_search/` to its bytes."""

LARGEST_MANIFEST = 1 << 22
SHARDS_REMEMBERED = 256

_NAME = re.compile(r"[a-z]-[0-9a-f]{16}\.z")


class Reader:
    """Search over one bundle.

    fetch:   gives a file's bytes. What it raises as OSError or InfographError for a shard costs that shard only
    stemmer: language (ISO 639-1) to its stemmer

    Raises FormatError for a manifest that is none, or of another format.
    """

    def __init__(self, fetch: Fetch, stemmer: Callable[[str], Callable[[str], str]]) -> None:
        self._fetch = fetch
        data = fetch(MANIFEST)
        if len(data) > LARGEST_MANIFEST:
            raise FormatError(MANIFEST, f"{len(data)} bytes, more than {LARGEST_MANIFEST}", "Build the site again")
        try:
            self.manifest: dict[str, Any] = json.loads(data)
        except ValueError as error:
            raise FormatError(MANIFEST, f"not JSON: {error}", "Build the site again") from None
        if self.manifest.get("format") != FORMAT:
            reason = f"its format is {self.manifest.get('format')!r}, and this reader knows {FORMAT}"
            raise FormatError(MANIFEST, reason, "Update infograph, or build the site again")
        try:
            bm25, name, words = self.manifest["bm25"], self.manifest["language"], self.manifest["stop_words"]
            self._tf = saturation(max(1.0, bm25["average_length"]), bm25["k1"], bm25["b"]).tolist()
            self.language = Language(name, stemmer(name), frozenset(words.split()))
        except (KeyError, TypeError, AttributeError) as error:
            raise FormatError(MANIFEST, f"a field is missing or of another kind: {error}", "Build it again") from None
        self.missing: dict[str, str] = {}
        """Shards that could not be read, and why: answers are without what they hold."""
        self._shard = lru_cache(SHARDS_REMEMBERED)(self._load)

    def search(self, query: str, limit: int = 10) -> list[Hit]:
        """The best chunks; fewer where fewer have a term of the query."""
        return self._hits(self.rank(query)[:limit])

    def pages(self, query: str, limit: int = 10) -> list[Hit]:
        """The best chunk of each of the best pages."""
        best: dict[int, tuple[Chunk, float]] = {}
        for chunk, score in self.rank(query):
            best.setdefault(chunk[0], (chunk, score))
            if len(best) == limit:
                break
        return self._hits(best.values())

    def rank(self, query: str) -> list[tuple[Chunk, float]]:
        """Every chunk that has a term of the query or is near one, best first."""
        entries = self.entries(query)
        dense = self.manifest["dense"]
        own = scores(entries, self._tf, self.manifest["chunks"], dense["alpha"], dense["unit"])
        return ranked(with_neighbours(own, self.manifest["neighbour"]))

    def entries(self, query: str) -> dict[str, Entry]:
        """The postings of the query's terms."""
        asked = list(cut(query, self.language))
        found = self._lookup({terms.whole for terms in asked if terms.whole})
        parts = set(chosen_terms(asked, found)) - found.keys()
        found |= self._lookup(parts)
        return {term: found[term] for term in chosen_terms(asked, found) if term in found}

    def complete(self, prefix: str, limit: int = 10) -> list[tuple[str, int]]:
        """Terms of the site that begin with `prefix`, in the most chunks first, each with its number of chunks."""
        rows = self._dictionary(prefix)
        found = [(term, df) for term, df in rows if term.startswith(prefix)]
        return sorted(found, key=lambda row: (-row[1], row[0]))[:limit]

    def correct(self, word: str, limit: int = 5) -> list[tuple[str, int]]:
        """Terms one edit away: a letter more, less or other, or two neighbours swapped.

        The first letter has to be right, and so does the second, unless it is one too many or swapped with the
        third: which bounds the shards that are read to those of two beginnings.
        """
        beginnings = sorted({word[:2], word[:1] + word[2:3]})
        found = {row for beginning in beginnings for row in self._dictionary(beginning) if one_edit(word, row[0])}
        return sorted(found, key=lambda row: (-row[1], row[0]))[:limit]

    def _lookup(self, terms: set[str]) -> dict[str, Entry]:
        shards: dict[str, set[str]] = {}
        for term in sorted(terms):
            shards.setdefault(self._name(self.manifest["postings"], term), set()).add(term)
        found: dict[str, Entry] = {}
        for name, wanted in shards.items():
            data = self._available(name)
            if data is not None:
                found |= find_entries(data, wanted, name)
        return found

    def _hits(self, best: Iterable[tuple[Chunk, float]]) -> list[Hit]:
        found = (self._hit(chunk, score) for chunk, score in best)
        return [hit for hit in found if hit is not None]

    def _hit(self, chunk: Chunk, score: float) -> Hit | None:
        slot, index = chunk
        size = self.manifest["block"]
        key = f"{slot}.{index // size}"
        name = self._name(self.manifest["documents"], key)
        data = self._available(name)
        if data is None:
            return None
        page, page_title, page_url, rows = json.loads(data)[key]
        title, section_path, anchor, snippet, tokens, href, sha256 = rows[index % size]
        return Hit(
            page, page_title, page_url, index, title, tuple(section_path), anchor, snippet, tokens, href, sha256, score
        )

    def _dictionary(self, prefix: str) -> list[tuple[str, int]]:
        directory = self.manifest["dictionary"]["directory"]
        rows = json.loads(self._available(directory) or b"[]")
        found: list[tuple[str, int]] = []
        for place, (first, name) in enumerate(rows):
            after = rows[place + 1][0] if place + 1 < len(rows) else None
            if first[: len(prefix)] <= prefix and (after is None or after[: len(prefix)] >= prefix):
                terms = json.loads(self._available(name) or b"[]")
                found += [(term, df) for term, df in terms if term.startswith(prefix)]
        return found

    def _name(self, shards: dict[str, Any], key: str) -> str:
        number = top_bits(hash32(key), shards["bits"])
        if "names" in shards:
            return str(shards["names"][number])
        names = self._available(shards["directories"][number // DIRECTORY])
        return "" if names is None else str(json.loads(names)[number % DIRECTORY])

    def _available(self, name: str) -> bytes | None:
        """A file inflated; None for a shard that is empty, or cannot be had, which `missing` then says."""
        if not name:
            return None
        try:
            return self._shard(name)
        except (OSError, InfographError) as error:
            self.missing[name] = str(error)
            return None

    def _load(self, name: str) -> bytes:
        """A shard, which has to be the one whose digest its name is: not another build's, not half of it."""
        if not _NAME.fullmatch(name):
            raise FormatError(MANIFEST, f"{name[:80]!r} is no name of a shard", "Build the site again")
        data = self._fetch(name)
        if content_name(name[0], data) != name:
            raise FormatError(name, "not the file that its name says", "Fetch it again, or build the site again")
        return inflate(data, self.manifest["largest_shard"], name)


def one_edit(a: str, b: str) -> bool:
    """Whether two different words are one insertion, deletion, replacement or swap of neighbours apart."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    a, b = a[start:], b[start:]
    return a[1:] == b[1:] or a == b[1:] or a[1:] == b or (a[2:] == b[2:] and a[1::-1] == b[:2] and len(a) > 1)
