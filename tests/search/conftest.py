"""A small tree, indexed: text of few words, vectors by a fixed rule."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from infograph.client.federation import site_manifest
from infograph.commands.federate.site_terms import rows_in
from infograph.errors import InfographError
from infograph.search.format.bundle_manifest import language_of
from infograph.search.format.federation import FederatedSite, read_federation
from infograph.search.format.results import Remarks
from infograph.search.format.terms import Language
from infograph.search.reading.asking import RankedHits
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.federation import FederatedSearcher, number_in
from infograph.search.reading.fetching import Asking, opened
from infograph.search.reading.query import Query
from infograph.search.reading.words import known_of
from infograph.search.writing.federation import SiteTerms, federation
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page, snippet_of
from infograph.text.language import stemmer, stop_words

WORDS = [
    "cache",
    "model",
    "vector",
    "remove",
    "delete",
    "server",
    "client",
    "deploy",
    "token",
    "chunk",
    "index",
    "page",
    "build",
    "watch",
    "search",
    "JsonSerializerContext",
    "use_state",
    "Get-ChildItem",
    "東京タワー",
    "naïve",
    "prefix",
    "shard",
    "manifest",
    "posting",
    "browser",
]

MakePage = Callable[..., PageIndex]


@pytest.fixture(scope="session")
def language() -> Language:
    return Language("en", stemmer("en"), frozenset(word.replace("'", "") for word in stop_words("en")))


def numbers(text: str, size: int) -> list[int]:
    """Bytes that depend on the text alone."""
    return list(hashlib.shake_256(text.encode()).digest(size))


@pytest.fixture(scope="session")
def federated() -> type[Federated]:
    """Makes some bundles one: see `Federated`."""
    return Federated


@pytest.fixture(scope="session")
def make_page(language: Language) -> MakePage:
    def make(path: str, chunks: int = 3, extra: str = "") -> PageIndex:
        texts = [
            " ".join(WORDS[n % len(WORDS)] for n in numbers(f"{path} {index}", 40)) + f" {extra}"
            for index in range(chunks)
        ]
        shown = tuple(
            SearchChunk(
                title=f"Section {index}",
                section_path=("Guide", f"Section {index}"),
                anchor=f"section-{index}",
                href=f"_chunks/{path.removesuffix('.md')}-{index}.md",
                tokens=len(text.split()),
                sha256=hashlib.sha256(text.encode()).hexdigest(),
                text=text,
                snippet=snippet_of(text),
            )
            for index, text in enumerate(texts)
        )
        vectors = np.array([numbers(text, 256) for text in texts], np.uint8).reshape(-1, 256).view(np.int8)
        vectors = np.maximum(vectors, -127)
        return index_page(SearchPage(path, path.title(), f"{path.removesuffix('.md')}/", shown), vectors, language)

    return make


@dataclass
class Federated:
    """Some bundles as one, in memory, and what was read of them."""

    sites: dict[str, dict[str, bytes]]
    """Files of each site's bundle, by its id."""
    down: set[str] = field(default_factory=set)
    """Sites that do not answer."""
    asked: list[str] = field(default_factory=list)
    known: dict[str, SiteTerms] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.made = federation([self.terms(id) for id in self.sites])
        self.manifest = read_federation(self.made.manifest)
        self.searcher = FederatedSearcher(self.manifest, language_of(self.manifest.bundle, stemmer))

    def terms(self, id: str) -> SiteTerms:
        """What a federation has to know of a site; of those that have the same files, read once."""
        files = self.sites[id]
        same = next((other for other in self.known if self.sites[other] is files), None)
        if same is None:
            self.known[id] = site_terms(id, files)
            return self.known[id]
        return replace(self.known[same], site=replace(self.known[same].site, id=id, href=f"{id}/"))

    def answer(self, asking: Asking[Any]) -> Any:
        return Dialogue(asking).run(lambda names: {name: self._read(name) for name in names})

    def search(self, text: str, **how: Any) -> tuple[RankedHits, Remarks]:
        remarks = Remarks()
        return self.answer(self.searcher.search(Query(text, **how), remarks)), remarks

    def _read(self, name: str) -> Any:
        number = number_in(name)
        owner = self.searcher.shards.owners.get(name) if number is None else number
        id = None if owner is None else self.manifest.sites[owner].id
        self.asked.append(f"{id or ''}/{'manifest' if number is not None else name}")
        if id in self.down:
            return InfographError(str(id), "does not answer")
        if number is not None:
            return site_manifest(self.sites[str(id)]["manifest.json"])
        files = self.made.shards if id is None else self.sites[id]
        return opened(name, files[name], 1 << 24) if name in files else InfographError(name, "is not there")


def site_terms(id: str, files: dict[str, bytes]) -> SiteTerms:
    """What a federation has to know of a bundle."""
    said = site_manifest(files["manifest.json"])
    table, rows, forms, common = said.manifest.bm25.saturation(), [], {}, {}
    for name, data in files.items():
        if name.startswith("p-"):
            rows += rows_in(opened(name, data, 1 << 24), table, name)
        if name.startswith("w-"):
            for row in known_of(name, opened(name, data, 1 << 24), Remarks()):
                (forms if row.chunks else common)[row.term] = row.endings
    terms, frequencies, gains = zip(*sorted(rows), strict=True) if rows else ((), (), ())
    forms = {term: endings for term, endings in forms.items() if endings and term in terms}
    site = FederatedSite(id, f"{id}/", said.manifest.chunks, said.build)
    return SiteTerms(site, said.manifest, terms, frequencies, gains, forms, common)
