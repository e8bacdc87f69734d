"""Searches that follow links: what they read, what their hits say, and what becomes of files that are missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from infograph.search.format.bundle_manifest import language_of, read_manifest
from infograph.search.format.encoding import deflate
from infograph.search.format.layout import content_name, joined_names, split_names
from infograph.search.format.results import Remarks, Via
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.ranking.linking import Lead
from infograph.search.reading.asking import RankedHits, Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, opened
from infograph.search.reading.links import explained
from infograph.search.reading.query import Query
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page
from infograph.text.language import stemmer

TEXTS = {
    "song.md": ("Hello Love", ["A ballad of 1974.", "The single was sung by Hank Snow, a ballad."]),
    "hank.md": ("Hank Snow", ["He moved in 1949.", "He was born in Nova Scotia."]),
    "more.md": ("More Songs", ["A ballad on trains.", "Another ballad."]),
    "third.md": ("Third Song", ["A ballad on rain."]),
    "label.md": ("Record Label", ["It published Hello Love and others."]),
    "other.md": ("Other Page", ["Nothing of it."]),
}
QUESTION = "ballad single"


def made(texts: dict[str, tuple[str, list[str]]], language: Language) -> dict[str, bytes]:
    def page(path: str, title: str, parts: list[str]) -> PageIndex:
        shown = tuple(SearchChunk("", (), "", f"{path}-{n}", 5, "0" * 64, t, t) for n, t in enumerate(parts))
        none = np.zeros((len(parts), load_space().dimension), np.int8)
        return index_page(SearchPage(path, title, path.removesuffix(".md"), shown), none, language)

    return dict(bundle([page(path, *rest) for path, rest in texts.items()], language, load_space()).files)


@pytest.fixture(scope="module")
def files(language: Language) -> dict[str, bytes]:
    return made(TEXTS, language)


class Site:
    """A bundle that counts what is read of it."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.read: list[str] = []
        manifest = read_manifest(files["manifest.json"])
        self.searcher = Searcher(manifest, language_of(manifest, stemmer))

    def search(self, **how: Any) -> tuple[RankedHits, Remarks]:
        remarks, self.read = Remarks(), []

        def contents(names: Sequence[str]) -> dict[str, Any]:
            self.read += names
            return {name: opened(name, self.files[name], self.searcher.shards.largest) for name in names}

        return Dialogue(self.searcher.search(Query(QUESTION, **how), remarks)).run(contents), remarks


@pytest.fixture
def site(files: dict[str, bytes]) -> Site:
    return Site(files)


def test_a_page_without_the_words_is_found_by_way_of_one_that_has_them(site: Site) -> None:
    found, remarks = site.search()
    hits = {hit.page: hit for hit in found.hits}
    assert not remarks.missing
    assert (hits["song.md"].hops, hits["song.md"].via) == (0, None)
    assert hits["hank.md"].hops == 1
    assert hits["hank.md"].via == Via("song.md", "Hello Love", "song", 1, "title", back=False)
    assert hits["label.md"].via == Via("song.md", "Hello Love", "song", 1, "title", back=True)
    assert "other.md" not in hits
    assert found.total == len(found.hits) == len(found.chunks)
    pages = [hit.page for hit in found.hits]
    assert pages.index("hank.md") >= 3


def test_without_links_nothing_else_is_read_or_found(site: Site) -> None:
    found, _ = site.search(links=False)
    assert {hit.page for hit in found.hits} == {"song.md", "more.md", "third.md"}
    assert not [name for name in site.read if name.startswith("l-")]
    site.search()
    assert len([name for name in site.read if name.startswith("l-")]) == 1


def test_a_site_without_links_has_no_file_of_them_and_reads_none(language: Language) -> None:
    alone = {path: ("", texts) for path, (_, texts) in TEXTS.items()}
    files = made(alone, language)
    assert "links" not in json.loads(files["manifest.json"])
    assert not [name for name in files if name.startswith("l-")]
    site = Site(files)
    found, _ = site.search()
    read = site.read
    assert site.search(links=False)[0].hits == found.hits
    assert site.read == read


@pytest.mark.parametrize("how", [{"one_per_page": True}, {"collapsed": True}, {"diversity": 0.2}])
def test_links_with_other_options(site: Site, how: dict[str, Any]) -> None:
    found, _ = site.search(**how)
    assert {hit.page: hit.hops for hit in found.hits}["hank.md"] == 1


def test_stretches_of_a_ranking_with_links_are_its_parts(site: Site) -> None:
    every, _ = site.search(limit=99)
    parts = [site.search(limit=2, offset=start)[0] for start in range(0, 8, 2)]
    assert tuple(hit for part in parts for hit in part.hits) == every.hits[:8]


def test_a_filter_sees_pages_that_links_bring(site: Site) -> None:
    found, _ = site.search(passes=lambda _, hit: hit.page == "hank.md")
    assert [(hit.page, hit.hops) for hit in found.hits] == [("hank.md", 1)]


def test_without_the_shard_the_rest_is_found(files: dict[str, bytes]) -> None:
    def unread(name: str) -> Any:
        from infograph.errors import InfographError

        return InfographError(name, "gone")

    site = Site(files)
    remarks = Remarks()
    asking = site.searcher.search(Query(QUESTION), remarks)
    found = Dialogue(asking).run(
        lambda names: {
            n: unread(n) if n[0] == "l" else opened(n, files[n], site.searcher.shards.largest) for n in names
        }
    )
    assert {hit.page for hit in found.hits} == {"song.md", "more.md", "third.md"}
    assert [name[0] for name in remarks.missing] == ["l"]
    assert found.total_relation == "gte"


Change = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    "change",
    [
        lambda shard: [],
        lambda shard: {slot: [[1]] for slot in shard},
        lambda shard: {slot: [[0, 1, 2, 99], []] for slot in shard},
        lambda shard: {slot: [[0, -(2**30), 2, 0], []] for slot in shard},
    ],
)
def test_a_malformed_shard_is_noted(files: dict[str, bytes], change: Change) -> None:
    manifest = json.loads(files["manifest.json"])
    (name,) = split_names(manifest["links"]["shards"]["names"])
    shard = opened(name, files[name], 1 << 20)
    packed = deflate(json.dumps(change(shard)).encode())
    own = content_name("l", packed)
    manifest["links"]["shards"]["names"] = joined_names([own])
    site = Site({**files, own: packed, "manifest.json": json.dumps(manifest).encode()})
    found, remarks = site.search()
    assert "malformed" in remarks.missing[own]
    assert {hit.page for hit in found.hits} == {"song.md", "more.md", "third.md"}


def test_a_link_to_a_page_that_is_not_there_brings_nothing(files: dict[str, bytes]) -> None:
    manifest = json.loads(files["manifest.json"])
    (name,) = split_names(manifest["links"]["shards"]["names"])
    shard = {slot: [[1, 99_999, 0, 0], []] for slot in opened(name, files[name], 1 << 20)}
    packed = deflate(json.dumps(shard).encode())
    own = content_name("l", packed)
    manifest["links"]["shards"]["names"] = joined_names([own])
    site = Site({**files, own: packed, "manifest.json": json.dumps(manifest).encode()})
    found, _ = site.search()
    assert {hit.page for hit in found.hits} == {"song.md", "more.md", "third.md"}


def test_a_hit_whose_leader_cannot_be_read_says_that_a_link_led_to_it(site: Site) -> None:
    hit = site.search()[0].hits[0]
    lead = Lead((9, 0), 0, False)

    def nothing(chunks: Any, remarks: Remarks) -> Asking[list[Any]]:
        yield []
        return []

    asking = explained([hit], {(hit.page, hit.index): (1, 0)}, {(1, 0): lead}, nothing, Remarks())
    (found,) = Dialogue(asking).run(lambda names: {})
    assert (found.hops, found.via) == (1, None)
