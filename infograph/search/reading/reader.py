"""Answers from the files of `_search/`, wherever they are: the plain reader, which fetches one file after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from infograph.errors import InfographError
from infograph.search.format.bundle_manifest import language_of, read_manifest
from infograph.search.format.layout import MANIFEST
from infograph.search.format.posting_shards import TermEntry
from infograph.search.format.results import Hit, Remarks
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.asking import Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, FileContent, opened
from infograph.search.reading.query import Query
from infograph.search.reading.slips import correct
from infograph.search.reading.words import complete

if TYPE_CHECKING:
    from infograph.search.reading.graph_walk import GraphWalk

Fetch = Callable[[str], bytes]
"""Returns the bytes of a file by its name within `_search/`."""

SHARDS_REMEMBERED = 256
"""Files whose contents a reader keeps."""

T = TypeVar("T")


class Reader:
    """Search over one bundle.

    fetch:   returns a file's bytes; for a shard that cannot be read it raises OSError or InfographError, and the
             answer lacks that shard only
    stemmer: returns the stemmer of a language (ISO 639-1); raises ConfigError where there is none

    walk:    how its searches walk along the graph, whose files `fetch` then returns, too

    Raises FormatError for a malformed manifest, or one of another format.
    """

    def __init__(
        self, fetch: Fetch, stemmer: Callable[[str], Callable[[str], str]], walk: GraphWalk | None = None
    ) -> None:
        self._fetch = fetch
        self._walk = walk
        self.manifest = read_manifest(fetch(MANIFEST))
        self._searcher = Searcher(self.manifest, language_of(self.manifest, stemmer))
        self._remarks = Remarks()
        self._shard = lru_cache(SHARDS_REMEMBERED)(self._load)
        self.files: set[str] = set()
        """Names of the files that the last answer was looked for in, besides the manifest."""

    @property
    def missing(self) -> dict[str, str]:
        """Shards that could not be read for the last answer, and why: it lacks what they hold."""
        return self._remarks.missing

    @property
    def corrected(self) -> dict[str, str]:
        """Words of the last query that the site does not have, each with the one that was searched for instead."""
        return self._remarks.corrected

    @property
    def confidence(self) -> float:
        """How sure the last ranking is of its first chunk, 0 to 1."""
        return self._remarks.confidence

    @property
    def notes(self) -> list[str]:
        """Other notes on the last answer."""
        return self._remarks.notes

    def search(
        self,
        query: str,
        limit: int = 10,
        *,
        diversity: float = 0.0,
        vector: Sequence[float] | None = None,
        exact: bool = False,
        links: bool = True,
        prompts: bool = False,
    ) -> list[Hit]:
        """Returns the best chunks, near-duplicates collapsed; fewer where fewer have a term of the query."""
        how = Query(query, limit, collapsed=True, diversity=diversity, vector=vector, exact=exact)
        return self._hits(replace(how, links=links, prompts=prompts))

    def pages(
        self,
        query: str,
        limit: int = 10,
        *,
        diversity: float = 0.0,
        vector: Sequence[float] | None = None,
        links: bool = True,
        prompts: bool = False,
    ) -> list[Hit]:
        """Returns the best chunk of each of the best pages."""
        how = Query(query, limit, one_per_page=True, collapsed=True, diversity=diversity, vector=vector)
        return self._hits(replace(how, links=links, prompts=prompts))

    def _hits(self, query: Query) -> list[Hit]:
        query = replace(query, walk=self._walk)
        return list(self._answer(lambda remarks: self._searcher.search(query, remarks)).hits)

    def rank(
        self, query: str, vector: Sequence[float] | None = None, *, exact: bool = False, links: bool = False
    ) -> list[tuple[ChunkPlace, float]]:
        """Returns every chunk that has a term of the query, best first; with `links`, those too that links bring in.
        See `Searcher.ranking`."""
        asked = Query(query, vector=vector, exact=exact, links=links, walk=self._walk)

        def ranking(remarks: Remarks) -> Asking[list[tuple[ChunkPlace, float]]]:
            found, *_ = yield from self._searcher.ranking(asked, remarks)
            return found

        return self._answer(ranking)

    def parts(self, query: str, vector: Sequence[float]) -> list[tuple[ChunkPlace, float, float]]:
        """Returns the chunks that a fusion puts in order with both of their scores. See `Ranker.parts`."""
        return self._answer(lambda remarks: self._searcher.ranker.parts(Query(query, vector=vector), remarks))

    def entries(self, query: str, *, exact: bool = False) -> dict[str, TermEntry]:
        """Returns the postings of the query's terms."""
        return self._answer(lambda remarks: self._searcher.ranker.entries(query, remarks, exact))

    def complete(self, prefix: str, limit: int = 10) -> list[tuple[str, int]]:
        """Returns words of the site that begin with `prefix`, those in the most chunks first, each with the number of
        chunks."""
        language = self._searcher.language
        return self._answer(lambda remarks: complete(self.manifest, language, prefix, limit, remarks))

    def correct(self, word: str, limit: int = 5) -> list[tuple[str, int]]:
        """Returns words of the site that are one edit away, each with its number of chunks, see `slips.py`."""
        language = self._searcher.language
        return self._answer(lambda remarks: correct(self.manifest, language, word, limit, remarks))

    def _answer(self, ask: Callable[[Remarks], Asking[T]]) -> T:
        self._remarks, self.files = Remarks(), set()
        return Dialogue(ask(self._remarks)).run(lambda names: {name: self._contents(name) for name in names})

    def _contents(self, name: str) -> FileContent | InfographError:
        self.files.add(name)
        try:
            return self._shard(name)
        except InfographError as error:
            return error
        except OSError as error:
            return InfographError(name, f"cannot be read: {error}")

    def _load(self, name: str) -> FileContent:
        return opened(name, self._fetch(name), self._searcher.shards.largest)
