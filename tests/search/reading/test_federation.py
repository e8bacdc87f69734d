"""Several bundles as one: the answers of one bundle of all pages, and which sites are read for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from infograph.search.format.federation import site_of
from infograph.search.format.results import Remarks
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.reading.federation import AT_ONCE, number_in, site_key, together
from infograph.search.reading.query import Query
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.text.language import stemmer

QUERIES = ("cache deploy", "JsonSerializerContext", "server of the client", "chunkk vectr", "use state", "alphabet", "")


@pytest.fixture(scope="module")
def make(make_page: Callable[..., Any], language: Language) -> Callable[..., dict[str, bytes]]:
    """A bundle of some pages: names, and words that they have beside others."""
    return lambda *names, extra="": dict(
        bundle([make_page(name, extra=extra) for name in names], language, load_space()).files
    )


@pytest.fixture(scope="module")
def sites(make: Callable[..., dict[str, bytes]]) -> dict[str, dict[str, bytes]]:
    names = {"one": ["a.md", "b.md", "c.md"], "two": ["d.md"], "three": ["e.md", "f.md"]}
    return {id: make(*own, extra=f"alphabet {id}words") for id, own in names.items()}


def shown(hits: Any) -> list[tuple[str, int, float]]:
    return [(hit.page, hit.index, round(hit.score, 9)) for hit in hits]


def test_scores_are_those_of_one_bundle_of_all_pages(
    federated: Any, make_page: Callable[..., Any], language: Language
) -> None:
    names = {"one": ["a.md", "b.md", "c.md"], "two": ["d.md"], "three": ["e.md", "f.md"]}
    pages = {f"{id}/{name}": make_page(f"{id}/{name}", extra=id) for id, own in names.items() for name in own}
    space = load_space()
    whole = dict(bundle(pages.values(), language, space).files)
    reader = Reader(whole.__getitem__, stemmer)
    # The same pages, of which a site knows the end of the path: so only their paths differ, which give no term.
    parts = {
        id: dict(bundle([make_page(f"{id}/{name}", extra=id) for name in own], language, space).files)
        for id, own in names.items()
    }
    ours = federated(parts)
    for query in (*QUERIES, "one two", "three"):
        found, remarks = ours.search(query, limit=18, collapsed=True)
        wanted = reader.search(query, 18)
        own = [(page.partition("/")[2], index, score) for page, index, score in shown(found.hits)]
        assert sorted(own) == sorted(shown(wanted)), query
        assert [score for *_, score in own] == [score for *_, score in shown(wanted)]
        assert (remarks.corrected, round(remarks.confidence, 9)) == (reader.corrected, round(reader.confidence, 9))
        assert not remarks.missing


def test_only_sites_that_have_a_word_are_read(federated: Any, sites: dict[str, dict[str, bytes]]) -> None:
    ours = federated(sites)
    found, remarks = ours.search("twowords")
    assert {hit.site for hit in found.hits} == {"two"}
    assert {place.partition("/")[0] for place in ours.asked} == {"", "two"}
    assert (remarks.sites, found.hits[0].page, found.hits[0].href) == ([1], "two/d.md", found.hits[0].href)
    assert found.hits[0].href.startswith("two/_chunks/d-")
    ours.search("nothing unheardof")
    assert {place.partition("/")[0] for place in ours.asked} == {"", "two"}


def test_a_path_begins_with_the_site_that_is_read(federated: Any, sites: dict[str, dict[str, bytes]]) -> None:
    ours = federated(sites)
    found, _ = ours.search("alphabet", path="three/e.md", passes=lambda _, hit: hit.page == "three/e.md")
    assert {hit.page for hit in found.hits} == {"three/e.md"}
    assert {place.partition("/")[0] for place in ours.asked} == {"", "three"}


def test_a_site_that_is_down_is_named_and_the_others_answer(federated: Any, sites: dict[str, Any]) -> None:
    ours = federated(sites, down={"one"})
    found, remarks = ours.search("alphabet")
    assert {hit.site for hit in found.hits} == {"two", "three"}
    assert remarks.missing == {"one/_search/manifest.json": "one: does not answer"}
    assert found.total_relation == "gte"
    ours.down.clear()
    found, remarks = ours.search("alphabet", limit=30)
    assert {hit.site for hit in found.hits} == {"one", "two", "three"}
    assert not remarks.missing


def test_a_shard_that_is_gone_is_named_with_its_site(federated: Any, sites: dict[str, Any]) -> None:
    ours = federated(dict(sites))
    ours.sites["two"] = {name: data for name, data in sites["two"].items() if not name.startswith("d-")}
    found, remarks = ours.search("twowords")
    assert found.hits == ()
    assert {name.partition("-")[0] for name in remarks.missing} == {"two/_search/d"}


def test_a_site_that_was_published_anew_is_noted(federated: Any, sites: dict[str, Any], make: Any) -> None:
    ours = federated(dict(sites))
    ours.sites["two"] = make("d.md", "new.md", extra="alphabet twowords fresh")
    found, remarks = ours.search("twowords")
    assert {hit.page for hit in found.hits} == {"two/d.md", "two/new.md"}
    assert remarks.notes == [
        "two was published after the federation was made: words that are new in it are not found there"
    ]


def test_a_site_of_another_language_is_left_out_and_named(federated: Any, sites: dict[str, Any]) -> None:
    ours = federated(dict(sites))
    manifest = (
        sites["two"]["manifest.json"]
        .replace(b'"language": "en"', b'"language": "de"')
        .replace(b'"language":"en"', b'"language":"de"')
    )
    ours.sites["two"] = sites["two"] | {"manifest.json": manifest}
    _, remarks = ours.search("alphabet")
    assert remarks.missing == {"two/_search/manifest.json": "its language is de, and that of the federation en"}


@pytest.mark.parametrize("count", [30, pytest.param(1000, marks=pytest.mark.slow)])
def test_of_many_sites_the_promising_ones_are_read(federated: Any, make: Any, count: int) -> None:
    """All have the words; the chunks that one cannot be without stand in some."""
    plain = make(*(f"{number}.md" for number in range(20)), extra="alphabet")
    strong = make(*(f"{number}.md" for number in range(60)), extra="alphabet " * 30)
    ours = federated({f"s{number}": strong if number % (count // 3) == 7 else plain for number in range(count)})
    found, remarks = ours.search("alphabet", limit=10, collapsed=True)
    assert len(remarks.sites) == AT_ONCE
    assert {hit.site for hit in found.hits} <= {f"s{number}" for number in range(7, count, count // 3)}
    assert found.total_relation == "gte"
    every, _ = ours.search("alphabet", limit=10, collapsed=True, passes=lambda *_: True)
    assert shown(every.hits) == shown(found.hits)


def test_of_a_common_word_the_strongest_chunks_of_all_sites_count(federated: Any, make: Any) -> None:
    """As in one bundle of all of them, which keeps as many: not those of each site."""
    weak = make(*(f"{number}.md" for number in range(150)), extra="alphabet")
    strong = make(*(f"{number}.md" for number in range(150)), extra="alphabet " * 9)
    ours = federated({"weak": weak, "strong": strong})
    assert ours.manifest.most_postings == 600
    entries = ours.answer(ours.searcher.ranker.entries_of(Query("alphabet"), Remarks()))
    (entry,) = entries.values()
    assert (entry.df, len(entry.postings)) == (900, 600)
    assert sum(site_of(slot)[0] == 1 for slot, _, _ in entry.postings) == 450


def test_several_are_asked_at_the_same_time() -> None:
    def asking(*rounds: list[str]) -> Any:
        got = []
        for names in rounds:
            got.append((yield names))
        return [had[name] for names, had in zip(rounds, got, strict=True) for name in names]

    asked = together([asking(["a"], ["b"]), asking(), asking(["a", "c"])])
    assert next(asked) == ["a", "c"]
    assert asked.send({"a": 1, "c": 3}) == ["b"]
    with pytest.raises(StopIteration) as done:
        asked.send({"b": 2})
    assert done.value.value == [[1, 2], [], [1, 3]]


def test_names_of_sites_are_no_names_of_files() -> None:
    assert number_in(site_key(12)) == 12
    assert number_in("p-0123456789abcdef.z") is None
