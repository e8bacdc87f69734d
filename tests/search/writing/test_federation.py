from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.search.format.federation import bound, read_federation
from infograph.search.format.fusion_model import Fusion
from infograph.search.format.results import Remarks
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.reading.bundle_shards import BundleShards
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import opened
from infograph.search.reading.words import known_of
from infograph.search.writing.bundle import bundle
from infograph.search.writing.federation import SiteTerms, federation

WORDS = st.text(st.characters(codec="utf-8", exclude_characters=" "), min_size=1, max_size=8)
ROWS = st.dictionaries(WORDS, st.tuples(st.integers(1, 10**6), st.floats(0.1, 3.4)), max_size=20)


@pytest.fixture(scope="module")
def two(make_page: Callable[..., Any], language: Language, federated: Any) -> Any:
    space = load_space()
    sites = {
        "one": dict(bundle([make_page("one.md", extra="alphabet caches")], language, space).files),
        "two": dict(bundle([make_page("two.md", extra="alphabet zebra")], language, space).files),
    }
    return federated(sites)


def entries(two: Any, terms: set[str]) -> dict[str, Any]:
    shards = two.searcher.shards
    found: dict[str, Any] = two.answer(super(type(shards), shards).entries(terms, Remarks()))
    return found


def test_a_term_has_the_chunks_of_all_sites_and_the_sites_that_have_it(two: Any) -> None:
    found = entries(two, {"alphabet", "zebra", "nothing"})
    assert {term: entry.df for term, entry in found.items()} == {"alphabet": 6, "zebra": 3}
    assert [number for number, _, _ in found["alphabet"].postings] == [0, 1]
    assert [number for number, _, _ in found["zebra"].postings] == [1]


def test_it_is_a_function_of_its_sites(two: Any) -> None:
    again = type(two)(two.sites)
    assert again.made == two.made
    turned = type(two)(dict(reversed(two.sites.items())))
    assert (turned.made.terms, turned.manifest.bundle.chunks) == (two.made.terms, two.manifest.bundle.chunks)


def test_numbers_are_those_of_all_chunks(two: Any) -> None:
    said = two.manifest.bundle
    own = [json.loads(files["manifest.json"]) for files in two.sites.values()]
    length = sum(site["chunks"] * site["bm25"]["average_length"] for site in own) / said.chunks
    assert said.chunks == sum(site["chunks"] for site in own)
    assert said.bm25.average_length == pytest.approx(length, abs=0.001)


@settings(max_examples=20)
@given(sites=st.lists(ROWS, min_size=1, max_size=4))
def test_every_term_of_every_site_is_found_again(two: Any, sites: list[dict[str, tuple[int, float]]]) -> None:
    own = two.terms("one")
    made = federation([with_rows(own, f"s{number}", rows) for number, rows in enumerate(sites)])
    manifest = read_federation(made.manifest)
    shards = BundleShards(manifest.bundle)
    every = {term for rows in sites for term in rows}

    def read(names: Sequence[str]) -> dict[str, Any]:
        return {name: opened(name, made.shards[name], 1 << 24) for name in names}

    found = Dialogue(shards.entries(every, Remarks())).run(read)
    assert found.keys() == every
    for term, entry in found.items():
        having = [number for number, rows in enumerate(sites) if term in rows]
        assert entry.df == sum(sites[number][term][0] for number in having)
        assert [number for number, _, _ in entry.postings] == having
        for number, _, step in entry.postings:
            assert bound(step, manifest.bundle.bm25.most) >= sites[number][term][1] * (1 - 1e-9)


def with_rows(own: SiteTerms, id: str, rows: dict[str, tuple[int, float]]) -> SiteTerms:
    order = sorted(rows)
    return replace(
        own,
        site=replace(own.site, id=id, href=f"{id}/"),
        terms=tuple(order),
        frequencies=tuple(rows[term][0] for term in order),
        gains=tuple(rows[term][1] for term in order),
        forms={},
        common={},
    )


def test_a_federation_of_nothing_is_refused() -> None:
    with pytest.raises(FormatError, match="0 sites"):
        federation([])


def test_where_models_differ_no_query_is_ordered_by_its_vector(two: Any) -> None:
    first, second = two.terms("one"), two.terms("two")
    assert json.loads(federation([first, second]).manifest)["vectors"]["model"]
    vectors = replace(second.manifest.vectors, model="other@1")
    other = replace(second, manifest=replace(second.manifest, vectors=vectors))
    assert "model" not in json.loads(federation([first, other]).manifest)["vectors"]
    fused = replace(second, manifest=replace(second.manifest, fusion=Fusion(kind="rrf")))
    assert "model" not in json.loads(federation([first, fused]).manifest)["vectors"]


def test_a_word_is_written_as_where_it_is_frequent(two: Any) -> None:
    first, second = two.terms("one"), two.terms("two")
    rare = replace(with_rows(first, "a", {"cach": (1, 1.0)}), forms={"cach": "ing e"})
    often = replace(with_rows(second, "b", {"cach": (9, 1.0)}), forms={"cach": "e"})
    made = federation([rare, often])
    manifest = read_federation(made.manifest).bundle
    listed = opened(manifest.dictionary.directory, made.shards[manifest.dictionary.directory], 1 << 24)
    rows = [row for _, name in listed for row in known_of(name, opened(name, made.shards[name], 1 << 24), Remarks())]
    assert [(row.chunks, row.forms) for row in rows] == [(10, ["cache", "caching"])]
