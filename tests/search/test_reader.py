from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.search import Language, PageIndex, Reader, SearchOptions, bundle, load_table
from infograph.search.reader import one_edit
from infograph.topic.language import stemmer

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def files(make_page: Callable[..., PageIndex], language: Language) -> Files:
    pages = [make_page(f"page-{number}.md") for number in range(12)]
    return dict(bundle(pages, language, load_table(), SearchOptions(posting_bytes=3000, document_bytes=500)).files)


def test_a_missing_shard_costs_what_it_holds_and_is_named(files: Files) -> None:
    whole = Reader(files.__getitem__, stemmer)
    wanted = whole.search("cache deploy")

    def fetch(name: str) -> bytes:
        if name == lost:
            raise FileNotFoundError(name)
        return files[name]

    for lost in [name for name in files if name.startswith(("p-", "d-"))]:
        reader = Reader(fetch, stemmer)
        hits = reader.search("cache deploy")
        assert reader.missing.keys() <= {lost}
        assert bool(reader.missing) or hits == wanted


def test_a_broken_shard_is_a_missing_one(files: Files) -> None:
    reader = Reader(lambda name: files[name] if name.endswith(".json") else files[name][:-3], stemmer)
    assert reader.search("cache") == []
    assert reader.missing


@pytest.mark.parametrize(
    "manifest", [b"", b"<html>", b"{}", b'{"format": 99}', b'{"format": 1}', b" " * (1 << 22) + b"{}"]
)
def test_another_manifest_is_refused(manifest: bytes) -> None:
    with pytest.raises(FormatError, match=r"manifest\.json"):
        Reader(lambda _: manifest, stemmer)


@given(st.text(max_size=200))
def test_any_query_has_an_answer(files: Files, query: str) -> None:
    reader = Reader(files.__getitem__, stemmer)
    assert isinstance(reader.search(query, 3), list)
    assert not reader.missing


def test_another_builds_shard_is_refused(files: Files) -> None:
    names = sorted(name for name in files if name.startswith("p-"))
    swapped = files | dict(zip(names, (files[name] for name in reversed(names)), strict=True))
    reader = Reader(swapped.__getitem__, stemmer)
    assert reader.search("cache") == []
    assert all("not the file" in reason for reason in reader.missing.values())


def test_names_that_lead_elsewhere_are_not_fetched(files: Files) -> None:
    manifest = json.loads(files["manifest.json"])
    manifest["postings"] = {"bits": 0, "names": ["../../../etc/passwd"]}
    asked = []

    def fetch(name: str) -> bytes:
        asked.append(name)
        return json.dumps(manifest).encode()

    assert Reader(fetch, stemmer).search("cache") == []
    assert asked == ["manifest.json"]


def test_a_long_query_has_an_answer(files: Files) -> None:
    assert Reader(files.__getitem__, stemmer).search("cache " * 20_000, 1)


def test_parts_stand_in_for_a_whole_that_no_page_has(files: Files) -> None:
    reader = Reader(files.__getitem__, stemmer)
    assert list(reader.entries("JsonSerializerContext")) == ["jsonserializercontext"]
    assert set(reader.entries("CacheServer")) == {"cach", "server"}


def test_words_are_completed_and_corrected(files: Files) -> None:
    reader = Reader(files.__getitem__, stemmer)
    assert [term for term, _ in reader.complete("ser")] == ["server", "serial"]
    assert [term for term, _ in reader.correct("serer")] == ["server"]
    assert [term for term, _ in reader.correct("mdoel")] == ["model"]
    assert reader.complete("zzz") == reader.correct("zzzz") == []


@pytest.mark.parametrize(
    ("a", "b", "one"),
    [
        ("abc", "abc", False),
        ("abc", "ab", True),
        ("abc", "abcd", True),
        ("abc", "axc", True),
        ("abc", "acb", True),
        ("abc", "cba", False),
        ("", "a", True),
        ("abcd", "ab", False),
        ("abcd", "badc", False),
    ],
)
def test_one_edit(a: str, b: str, one: bool) -> None:
    assert one_edit(a, b) is one_edit(b, a) is one


def test_the_manifest_is_json_that_says_its_format(files: Files) -> None:
    assert json.loads(files["manifest.json"])["format"] == 1
