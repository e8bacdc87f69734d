from __future__ import annotations

import inspect
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.search.format.encoding import deflate
from infograph.search.format.layout import content_name, joined_names
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import LONGEST_RUN, Language, bounded
from infograph.search.reading.rankings import MOST_WORDS
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import PageIndex
from infograph.text.language import stemmer

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def files(make_page: Callable[..., PageIndex], language: Language) -> Files:
    pages = [make_page(f"page-{number}.md") for number in range(12)]
    return dict(bundle(pages, language, load_space(), SearchOptions(posting_bytes=3000, document_bytes=500)).files)


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


def test_it_says_which_files_an_answer_was_looked_for_in(files: Files) -> None:
    """Also when it remembers them."""
    read: list[str] = []

    def fetch(name: str) -> bytes:
        read.append(name)
        return files[name]

    reader = Reader(fetch, stemmer)
    reader.search("cache deploy")
    first = reader.files
    assert first == set(read) - {"manifest.json"} != set()
    read.clear()
    reader.search("cache deploy")
    assert (reader.files, read) == (first, [])
    reader.search("unheard-of")
    assert reader.files != first


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
    manifest["postings"] = {"bits": 0, "names": "../../../etc/passw"}
    asked = []

    def fetch(name: str) -> bytes:
        asked.append(name)
        return json.dumps(manifest).encode()

    with pytest.raises(FormatError, match="do not belong together"):
        Reader(fetch, stemmer)
    assert asked == ["manifest.json"]


def test_a_long_query_has_an_answer(files: Files) -> None:
    assert Reader(files.__getitem__, stemmer).search("cache " * 20_000, 1)


def test_only_so_many_words_of_a_query_are_looked_up(files: Files) -> None:
    reader = Reader(files.__getitem__, stemmer)
    words = [f"word{number}" for number in range(MOST_WORDS)]
    assert "cach" not in reader.entries(" ".join([*words, "cache"]))
    assert reader.notes == [f"only the first {MOST_WORDS} words of the query were looked up"]
    assert "cach" in reader.entries(" ".join([*words[1:], *words[1:], "cache"]))
    assert reader.notes == []


@pytest.mark.parametrize("run", [0, 1, LONGEST_RUN, LONGEST_RUN + 1, 100_000])
def test_a_run_of_marks_costs_no_more_than_its_length(run: int) -> None:
    text = f"{'x' * LONGEST_RUN} e{chr(0x301) * run} cafe{chr(0x301)}"
    assert bounded(text) == f"{'x' * LONGEST_RUN} e{chr(0x301) * min(run, LONGEST_RUN)} cafe{chr(0x301)}"


BM25 = {"k1": 1.2, "b": 0.75, "average_length": 3, "counts": [24] * 8, "lengths": [1] * 32, "fields": [0] * 4}


@pytest.mark.parametrize(
    "change",
    [
        {"postings": {"bits": 3, "names": joined_names([""])}},
        {"documents": {"bits": 40, "names": joined_names([""])}},
        {"documents": {"bits": 7, "directories": [""]}},
        {"block": 0},
        {"chunks": -1},
        {"chunks": "3"},
        {"neighbour": None},
        {"bm25": BM25 | {"counts": [1], "lengths": [1]}},
        {
            "bm25": {
                "k1": 1e308,
                "b": 0.75,
                "average_length": 3,
                "counts": [24] * 8,
                "lengths": [1] * 32,
                "fields": [0] * 4,
            }
        },
        {"bm25": {"k1": 1.2, "b": 0.75, "average_length": 3, "counts": [1] * 8, "lengths": [1] * 32, "fields": [0]}},
        {"neighbour": 1e400},
        {"stop_words": ["a"]},
    ],
)
def test_a_manifest_that_contradicts_itself_is_refused(files: Files, change: dict[str, object]) -> None:
    manifest = json.loads(files["manifest.json"]) | change
    data = json.dumps(manifest).replace("Infinity", "1e400").encode()
    with pytest.raises(FormatError, match=r"manifest\.json"):
        Reader(lambda _: data, stemmer)


@given(st.data())
def test_whatever_a_shard_holds_costs_that_shard(files: Files, data: st.DataObject) -> None:
    """Its digest is right, its contents are not."""
    manifest = json.loads(files["manifest.json"])
    values = st.recursive(
        st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=8,
    )
    postings, document = deflate(data.draw(st.binary(max_size=60))), deflate(json.dumps(data.draw(values)).encode())
    key = json.dumps({f"{slot}.0": data.draw(values) for slot in range(3)})
    made = {content_name("p", postings): postings, content_name("d", document): document}
    keyed = deflate(key.encode())
    manifest["dictionary"]["directory"] = content_name("n", document)
    made |= {content_name("n", document): document, content_name("d", keyed): keyed}
    which = data.draw(st.sampled_from(["postings", "documents", "both"]))
    if which != "documents":
        manifest["postings"] = {"bits": 0, "names": joined_names([content_name("p", postings)])}
    if which != "postings":
        name = data.draw(st.sampled_from([content_name("d", document), content_name("d", keyed)]))
        manifest["documents"] = {"bits": 0, "names": joined_names([name])}
    reader = Reader((files | made | {"manifest.json": json.dumps(manifest).encode()}).__getitem__, stemmer)
    assert isinstance(reader.search("cache deploy"), list)
    reader.complete("c")
    reader.correct("cahce")


@pytest.mark.parametrize("table", ["postings", "vector_shards"])
@pytest.mark.parametrize("contents", [{}, {"a": 1}, [], [1, 2, 3, 4, 5, 6], ["a"], "text", 5])
def test_a_table_of_bytes_that_leads_to_json_costs_what_it_holds(files: Files, table: str, contents: object) -> None:
    data = deflate(json.dumps(contents).encode())
    name = content_name("w", data)
    manifest = json.loads(files["manifest.json"]) | {table: {"bits": 0, "names": joined_names([name])}}
    reader = Reader((files | {"manifest.json": json.dumps(manifest).encode(), name: data}).__getitem__, stemmer)
    assert bool(reader.search("cache deploy", diversity=0.5)) is (table != "postings")
    assert reader.missing.keys() == {name}


@pytest.mark.parametrize(
    "simhash", ["0x" + "a" * 14, " " * 15 + "1", "\uff11" * 16, "+" + "1" * 15, "A" * 16, "a" * 15]
)
def test_a_hash_of_other_digits_costs_its_row(files: Files, simhash: str) -> None:
    whole = Reader(files.__getitem__, stemmer)
    (best,) = whole.search("cache deploy", 1)
    row = [best.title, list(best.section_path), best.anchor, best.snippet, best.tokens, best.href, best.sha256]
    documents = {f"{slot}.0": ["a.md", "A", "a/", [row] * 3, simhash] for slot in range(2000)}
    data = deflate(json.dumps(documents).encode())
    name = content_name("d", data)
    manifest = json.loads(files["manifest.json"]) | {"documents": {"bits": 0, "names": joined_names([name])}}
    reader = Reader((files | {"manifest.json": json.dumps(manifest).encode(), name: data}).__getitem__, stemmer)
    assert reader.search("cache deploy") == []
    assert reader.missing.keys() == {name}


def test_a_compound_is_searched_for_as_a_whole_and_by_its_parts(files: Files) -> None:
    reader = Reader(files.__getitem__, stemmer)
    assert list(reader.entries("JsonSerializerContext")) == ["jsonserializercontext", "json", "serial", "context"]
    assert set(reader.entries("CacheServer")) == {"cach", "server"}


def test_words_are_completed_and_corrected(files: Files) -> None:
    reader = Reader(files.__getitem__, stemmer)
    assert [word for word, _ in reader.complete("ser")] == ["server", "serializer"]
    assert reader.complete("cach")[0][0] == reader.complete("caching")[0][0] == "cache"
    assert [term for term, _ in reader.correct("serer")] == ["server"]
    assert [term for term, _ in reader.correct("mdoel")] == ["model"]
    assert reader.complete("zzz") == reader.correct("zzzz") == []


def test_the_manifest_is_json_that_says_its_format(files: Files) -> None:
    assert json.loads(files["manifest.json"])["format"] == 1


@pytest.mark.parametrize(
    ("place", "value"),
    [(0, 5), (1, "Guide"), (1, [5]), (2, None), (3, []), (4, -1), (4, 1.5), (5, 0), (6, None), (7, "one more")],
)
def test_a_row_of_other_values_costs_its_chunk(files: Files, place: int, value: object) -> None:
    (best,) = Reader(files.__getitem__, stemmer).search("cache deploy", 1)
    row = [best.title, list(best.section_path), best.anchor, best.snippet, 0, best.href, best.sha256]
    broken = [*row[:place], value, *row[place + 1 :]]
    found = []
    for rows in (row, broken):
        documents = {f"{slot}.0": ["a.md", "A", "a/", [rows] * 3, "0" * 48] for slot in range(2000)}
        data = deflate(json.dumps(documents).encode())
        name = content_name("d", data)
        manifest = json.loads(files["manifest.json"]) | {"documents": {"bits": 0, "names": joined_names([name])}}
        reader = Reader((files | {"manifest.json": json.dumps(manifest).encode(), name: data}).__getitem__, stemmer)
        found.append((bool(reader.search("cache deploy")), bool(reader.missing)))
    assert found == [(True, False), (False, True)]


def test_a_file_is_fetched_once(files: Files) -> None:
    fetched: list[str] = []

    def fetch(name: str) -> bytes:
        fetched.append(name)
        return files[name]

    reader = Reader(fetch, stemmer)
    first = reader.search("cache deploy")
    assert reader.search("cache deploy") == first
    assert len(fetched) == len(set(fetched)) > 2
    assert reader._shard.cache_parameters()["maxsize"] == 256


def test_what_a_reader_is_asked_for_by_default(files: Files) -> None:
    reader = Reader(files.__getitem__, stemmer)
    assert reader.search("cache") == reader.search("cache", 10, diversity=0.0, vector=None, exact=False)
    assert len(reader.search("cache")) == 10 < len(reader.search("cache", 11)) == 11
    assert reader.pages("cache") == reader.pages("cache", 10, diversity=0.0)
    assert len(reader.pages("cache", 100)) > 10
    assert reader.complete("c") == reader.complete("c", 10)
    every = reader.correct("cachr", 100)
    assert reader.correct("cachr") == every[:5]
    assert reader.entries("cahce") != reader.entries("cahce", exact=True)
    assert reader.rank("cahce") != reader.rank("cahce", exact=True)


def test_an_error_of_reading_is_named(files: Files) -> None:
    def fetch(name: str) -> bytes:
        if name.endswith(".json"):
            return files[name]
        raise PermissionError("not for you")

    reader = Reader(fetch, stemmer)
    assert reader.search("cache") == []
    assert all("cannot be read: not for you" in reason for reason in reader.missing.values())
    with pytest.raises(PermissionError):
        Reader(lambda name: fetch(name + "x"), stemmer)


def test_what_a_reader_gives_without_being_told() -> None:
    def defaults(method: Callable[..., object]) -> dict[str, object]:
        own = inspect.signature(method).parameters.items()
        return {name: found.default for name, found in own if found.default is not inspect.Parameter.empty}

    hits = {"limit": 10, "diversity": 0.0, "vector": None, "links": True, "prompts": False}
    assert defaults(Reader.search) == hits | {"exact": False}
    assert defaults(Reader.pages) == hits
    assert defaults(Reader.rank) == {"vector": None, "exact": False, "links": False}
    assert (defaults(Reader.complete), defaults(Reader.correct)) == ({"limit": 10}, {"limit": 5})
