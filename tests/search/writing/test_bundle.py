"""The bundle as files. `Second` reads them by the format description alone: it imports nothing that wrote them."""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from infograph.search.format.encoding import front_decoded
from infograph.search.format.forms import decode_forms
from infograph.search.format.fusion_model import (
    FEATURES,
    FUSION_FORMAT,
    LEAF,
    TREES,
    FusionFile,
    RegressionTree,
    TreeSum,
    read_tree_sum,
)
from infograph.search.format.layout import name_at, split_names
from infograph.search.format.rerank_policy import RERANK_FORMAT, RerankFile, RerankPolicy, Threshold
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language, cut
from infograph.search.writing.bundle import Bundle, bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import BLOCK, PageIndex
from infograph.text.language import stemmer

SMALL = SearchOptions(posting_bytes=2000, document_bytes=800, vector_bytes=3000)


class Second:
    """A reader of its own, slow and plain."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self.manifest: dict[str, Any] = json.loads(files["manifest.json"])

    @staticmethod
    def hash(text: str) -> int:
        value = 2166136261
        for byte in text.encode():
            value = (value ^ byte) * 16777619 % 2**32
        value = (value ^ (value >> 16)) * 2246822507 % 2**32
        value = (value ^ (value >> 13)) * 3266489909 % 2**32
        return value ^ (value >> 16)

    def shard(self, kind: str, key: str) -> bytes:
        table = self.manifest[kind]
        number = self.hash(key) >> (32 - table["bits"])
        if "names" in table:
            name = name_at(table["names"], number)
        else:
            name = name_at(json.loads(zlib.decompress(self.files[table["directories"][number // 64]])), number % 64)
        return zlib.decompress(self.files[name]) if name else b""

    def entry(self, term: str) -> dict[str, Any] | None:
        data = self.shard("postings", term)
        at = 0

        def number() -> int:
            nonlocal at
            value, factor = 0, 1
            while data[at] >= 128:
                value += (data[at] - 128) * factor
                factor *= 128
                at += 1
            value += data[at] * factor
            at += 1
            return value

        def postings(count: int) -> list[tuple[int, int, int]]:
            nonlocal at
            slots = [number() for _ in range(count)]
            indexes = [number() for _ in range(count)]
            found = []
            slot, index = 0, -1
            for n, (gap, step) in enumerate(zip(slots, indexes, strict=True)):
                index = index + 1 + step if gap == 0 and n > 0 else step
                slot += gap
                field = data[at + count + n // 4] // 4 ** (n % 4) % 4
                found.append((slot, index, 256 * field + data[at + n]))
            at += count + -(-count // 4)
            return found

        while at < len(data):
            size = number()
            name = data[at : at + size].decode()
            at += size
            rest = number()
            if name != term:
                at += rest
                continue
            return {"df": number(), "postings": postings(number())}
        return None

    def scores(self, terms: dict[str, float]) -> dict[tuple[int, int], float]:
        """Returns the score of each chunk.

        terms: weight of each term
        """
        bm25, chunks = self.manifest["bm25"], self.manifest["chunks"]
        entries = [(entry, weight) for term, weight in terms.items() if (entry := self.entry(term))]
        found: dict[tuple[int, int], float] = {}
        for entry, weight in entries:
            for slot, index, impact in entry["postings"]:
                count, length = bm25["counts"][impact // 32 % 8], bm25["lengths"][impact % 32]
                norm = bm25["k1"] * (1 - bm25["b"] + bm25["b"] * length / bm25["average_length"])
                idf = math.log(1 + (chunks - entry["df"] + 0.5) / (entry["df"] + 0.5))
                part = count * (bm25["k1"] + 1) / (count + norm) + bm25["fields"][impact // 256]
                found[slot, index] = found.get((slot, index), 0) + weight * idf * part
        return {
            (slot, index): own
            + self.manifest["neighbour"] * max(found.get((slot, index - 1), 0), found.get((slot, index + 1), 0))
            for (slot, index), own in found.items()
        }


@pytest.fixture(scope="module")
def pages(make_page) -> list[PageIndex]:  # type: ignore[no-untyped-def]
    return [make_page(f"guide/page-{number}.md", chunks=1 + number * 7 % 5) for number in range(40)] + [
        make_page("long.md", chunks=40)
    ]


@pytest.fixture(scope="module")
def made(pages: list[PageIndex], language: Language) -> Bundle:
    return bundle(pages, language, load_space(), SMALL)


def terms_of(page: PageIndex) -> list[str]:
    return page.terms.decode().split("\n")[:-1]


def slots_of(files: Second) -> dict[str, int]:
    found = {}
    for name in split_names(files.manifest["documents"]["names"]):
        for key, (path, *_) in json.loads(zlib.decompress(files.files[name]) if name else b"{}").items():
            found[path] = int(key.split(".")[0])
    return found


def test_every_posting_of_every_page_is_there(made: Bundle, pages: list[PageIndex]) -> None:
    second = Second(made.files)
    slots = slots_of(second)
    wanted: dict[str, set[tuple[int, int, int]]] = {}
    for page in pages:
        terms = [
            term for term, count in zip(terms_of(page), page.frequencies.tolist(), strict=True) for _ in range(count)
        ]
        for term, chunk, impact in zip(terms, page.chunks.tolist(), page.impacts.tolist(), strict=True):
            wanted.setdefault(term, set()).add((slots[page.path], chunk, impact))
    for term, postings in wanted.items():
        entry = second.entry(term)
        assert entry is not None
        assert entry["df"] == len(postings)
        assert entry["postings"] == sorted(postings)


def test_the_two_readers_agree(made: Bundle, language: Language) -> None:
    from infograph.search.reading.reader import Reader
    from infograph.text.language import stemmer

    reader, second = Reader(dict(made.files).__getitem__, stemmer), Second(made.files)
    for query in ("remove the cache", "JsonSerializerContext", "how do I delete a model?", "東京タワー", "zebra", ""):
        terms: dict[str, float] = {}
        for found in cut(query, language):
            weight = second.manifest["bm25"]["identifier"] if found.identifier else 1.0
            terms |= {found.whole: weight} | {part: 1.0 for part in found.parts if part not in terms}
        expected = second.scores(terms)
        got = dict(reader.rank(query))
        assert got.keys() == expected.keys()
        assert all(abs(got[chunk] - value) < 1e-9 for chunk, value in expected.items())


def test_what_is_shown(made: Bundle, pages: list[PageIndex]) -> None:
    from infograph.search.reading.reader import Reader
    from infograph.text.language import stemmer

    reader = Reader(dict(made.files).__getitem__, stemmer)
    (hit,) = reader.search("vector vector prefix", 1)
    page = next(page for page in pages if page.path == hit.page)
    path, title, url, rows, _ = json.loads(page.blocks[hit.index // BLOCK])
    shown = [hit.title, list(hit.section_path), hit.anchor, hit.snippet, hit.tokens, hit.href, hit.sha256]
    assert shown == rows[hit.index % BLOCK]
    assert (hit.page, hit.page_title, hit.page_url) == (path, title, url)
    found = reader.pages("cache", 5)
    assert len({hit.page for hit in found}) == len(found) == 5


def test_vectors_are_those_of_the_chunks(made: Bundle, pages: list[PageIndex]) -> None:
    second = Second(made.files)
    slots = slots_of(second)
    page = next(page for page in pages if page.path == "long.md")
    for block in range(len(page.blocks)):
        data = second.shard("vector_shards", f"{slots['long.md'] // second.manifest['group']}.{block}")
        rows = page.vectors[BLOCK * block : BLOCK * block + BLOCK]
        assert rows.tobytes() in data


def test_the_dictionary_has_every_term_once_and_sorted(made: Bundle, pages: list[PageIndex]) -> None:
    both: list[list[tuple[str, ...]]] = []
    for key in ("directory", "backwards"):
        rows = json.loads(zlib.decompress(made.files[made.manifest["dictionary"][key]]))
        found = [row for _, name in rows for row in json.loads(zlib.decompress(made.files[name]))]
        both.append([(term if key == "directory" else term[::-1], *values) for term, *values in found])
        terms = [term for term, *_ in found]
        assert terms == sorted(terms, key=str.encode)
        assert [first for first, _ in rows] == [json.loads(zlib.decompress(made.files[name]))[0][0] for _, name in rows]
    on_site = [row for row in both[0] if row[1]]
    assert [term for term, *_ in on_site] == sorted(set().union(*map(terms_of, pages)), key=str.encode)
    assert sorted(both[1], key=lambda row: row[0].encode()) == on_site


def test_the_dictionary_says_what_terms_are_written_as(made: Bundle) -> None:
    """By code of its own, as the format's page says."""
    names = json.loads(zlib.decompress(made.files[made.manifest["dictionary"]["directory"]]))
    written = {}
    for _, name in names:
        for term, _, *endings in json.loads(zlib.decompress(made.files[name])):
            parts = [re.fullmatch(r"(\d*)(.*)", ending) for ending in "".join(endings).split(" ")]
            written[term] = [term[: len(term) - int(part[1] or 0)] + part[2] for part in parts if part]
    stem = stemmer("en")
    assert all(stem(form) == term for term, forms in written.items() for form in forms if term in ("cach", "remov"))
    assert written["cach"] == ["cache"] and written["naïv"] == ["naïve"]
    assert written["server"] == ["server"] and written["東京"] == ["東京"]
    assert written["jsonserializercontext"] == ["jsonserializercontext"]


def test_the_dictionary_has_words_that_are_no_slips(made: Bundle) -> None:
    rows = json.loads(zlib.decompress(made.files[made.manifest["dictionary"]["directory"]]))
    absent = [row for _, name in rows for row in json.loads(zlib.decompress(made.files[name])) if not row[1]]
    assert 5000 < len(absent) < 30000
    forms = {term: [form for one in endings for form in decode_forms(term, one)] for term, _, *endings in absent}
    assert forms["synchron"] == [], "every word with this stem"
    assert forms["discus"] == ["discus"], "no other word with this stem"
    assert not forms.keys() & {"server", "cach"}


def test_the_order_of_pages_does_not_matter(made: Bundle, pages: list[PageIndex], language: Language) -> None:
    again = bundle(pages[::-1], language, load_space(), SMALL)
    assert list(again.files.items()) == list(made.files.items())


def test_the_manifest_comes_last(made: Bundle) -> None:
    assert list(made.files)[-1] == "manifest.json"


def test_an_edited_page_changes_only_the_shards_it_is_in(  # type: ignore[no-untyped-def]
    made: Bundle, pages: list[PageIndex], language: Language, make_page
) -> None:
    """Its documents, its vectors, the lists its terms are in."""
    edited = make_page(pages[3].path, chunks=pages[3].size, extra="zebra")
    after = bundle([*pages[:3], edited, *pages[4:]], language, load_space(), SMALL)
    changed = {name for name in after.files if made.files.get(name) != after.files[name]}
    kinds = {
        kind: sum(name.startswith(kind) for name in changed) for kind in ("p-", "d-", "v-", "w-", "n-", "manifest")
    }
    assert kinds["d-"] == kinds["v-"] == kinds["manifest"] == 1
    assert kinds["p-"] <= len({*terms_of(pages[3]), *terms_of(edited)})
    assert kinds["w-"] <= 2  # forwards and backwards


def test_fewer_files_hold_the_same(made: Bundle, pages: list[PageIndex], language: Language) -> None:
    few = bundle(pages, language, load_space(), replace(SMALL, max_files=40))
    assert len(few.files) <= 40 < len(made.files)
    assert sum(map(len, few.files.values())) < 1.5 * sum(map(len, made.files.values()))
    terms = {"cach": 1.0, "model": 1.0}
    assert Second(few.files).scores(terms) == Second(made.files).scores(terms)


def test_many_names_lie_in_directories(pages: list[PageIndex], language: Language) -> None:
    made = bundle(pages, language, load_space(), replace(SMALL, posting_bytes=50))
    assert "directories" in made.manifest["postings"]
    entry = Second(made.files).entry("cach")
    assert entry is not None
    assert entry["df"] > 0


def test_no_pages_make_a_bundle_that_answers_nothing(language: Language) -> None:
    from infograph.search.reading.reader import Reader
    from infograph.text.language import stemmer

    made = bundle([], language, load_space())
    assert Reader(dict(made.files).__getitem__, stemmer).search("cache") == []


def test_each_kind_of_shard_has_its_share_of_the_files(pages: list[PageIndex], language: Language) -> None:
    for most, bits in ((504, (8, 7, 6)), (804, (8, 7, 6)), (1004, (9, 8, 7))):
        tiny = replace(SMALL, max_files=most, posting_bytes=1, document_bytes=1, vector_bytes=1)
        said = bundle(pages, language, load_space(), tiny).manifest
        assert tuple(said[kind]["bits"] for kind in ("postings", "documents", "vector_shards")) == bits


def test_what_a_manifest_says_of_its_pages(pages: list[PageIndex], made: Bundle, language: Language) -> None:
    chunks = sum(page.size for page in pages)
    said = made.manifest
    assert (said["pages"], said["chunks"]) == (len(pages), chunks)
    assert bundle([], language, load_space()).manifest["bm25"]["average_length"] == 0
    assert front_decoded(said["stop_words"]) == sorted(language.stop_words)
    assert said["vectors"]["model"] == "all-MiniLM-L6-v2@"
    data = made.files["manifest.json"]
    assert "ï".encode() in data and b"\\u" not in data and data.endswith(b"}\n") and b'": ' not in data
    assert "manifest={" not in repr(made)


@pytest.mark.parametrize("count", [3, 7, 11, 13])
def test_an_average_has_three_digits(make_page, language: Language, count: int) -> None:  # type: ignore[no-untyped-def]
    page = replace(make_page("page.md", count), length=100 * count + 1)
    said = bundle([page], language, load_space()).manifest["bm25"]["average_length"]
    assert said == {3: 100.333, 7: 100.143, 11: 100.091, 13: 100.077}[count]


def test_what_was_fitted_is_in_the_manifest(make_page, language: Language) -> None:  # type: ignore[no-untyped-def]
    tree = RegressionTree((0, LEAF, LEAF), (2.5, 0.25, 0.75), (2, 0, 0))
    fusion = FusionFile(FUSION_FORMAT, TREES, "static@1", features=FEATURES, base=0.5, trees=(tree,))
    policy = RerankPolicy(words=Threshold(0.5, 0.9, 40))
    options = replace(SMALL, fusion=fusion, rerank=RerankFile(RERANK_FORMAT, "static@1", policy))
    made = bundle([make_page("a.md", chunks=2)], language, load_space(), options)
    name = made.manifest["fusion"]["file"]
    assert name in made.names and name.startswith("f-")
    assert read_tree_sum(name, json.loads(zlib.decompress(made.files[name]))) == TreeSum(0.5, (tree,))
    assert made.manifest["fusion"] == {"kind": TREES, "features": list(FEATURES), "file": name}
    assert made.manifest["rerank"] == {"words": {"tau": 0.5, "beta": 0.9, "n": 40}}
