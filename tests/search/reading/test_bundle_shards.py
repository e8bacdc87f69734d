"""What is read of the shards of a bundle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from infograph.errors import InfographError
from infograph.search.format.bundle_manifest import read_manifest
from infograph.search.format.layout import split_names
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.reading.bundle_shards import BundleShards, row_as_hit
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, opened
from infograph.search.writing.bundle import bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import PageIndex
from infograph.search.writing.slots import assign_slots

ROW = ["T", ["S"], "anchor", "snippet", 5, "href", "digest"]
HASHES = "0123456789abcdef" * 2 + "f" * 16


def test_a_row_is_a_hit_with_its_own_hash() -> None:
    shard = {"7.1": ["p", "P", "p/", [ROW, ROW, [*ROW[:4], 0, *ROW[5:]]], HASHES]}
    found = row_as_hit(shard, "7.1", 18, 16, 2.5)
    assert found == Hit("p", "P", "p/", 18, "T", ("S",), "anchor", "snippet", 0, "href", "digest", 2.5, "f" * 16)
    second = row_as_hit(shard, "7.1", 17, 16, 2.5)
    assert second is not None
    assert (second.index, second.tokens, second.simhash) == (17, 5, "0123456789abcdef")
    assert row_as_hit(shard, "7.1", 19, 16, 2.5) is row_as_hit(shard, "7.0", 1, 16, 2.5) is None


@pytest.mark.parametrize(
    "block",
    [
        None,
        [],
        ["p", "P", "p/", [ROW]],
        [1, "P", "p/", [ROW], HASHES],
        ["p", 1, "p/", [ROW], HASHES],
        ["p", "P", None, [ROW], HASHES],
        ["p", "P", "p/", [ROW], HASHES[:15]],
        ["p", "P", "p/", [ROW], "X" * 16],
        ["p", "P", "p/", [ROW], 7],
        ["p", "P", "p/", [[*ROW, 1]], HASHES],
        ["p", "P", "p/", [ROW[:6]], HASHES],
        ["p", "P", "p/", [["T", ["S", 1], *ROW[2:]]], HASHES],
        ["p", "P", "p/", [[*ROW[:4], -1, *ROW[5:]]], HASHES],
        ["p", "P", "p/", [[*ROW[:4], "5", *ROW[5:]]], HASHES],
        ["p", "P", "p/", [7], HASHES],
        ["p", "P", "p/", 7, HASHES],
    ],
)
def test_a_row_of_another_kind_is_none(block: Any) -> None:
    assert row_as_hit({"0.0": block}, "0.0", 0, 16, 1.0) is None
    assert row_as_hit(block, "0.0", 0, 16, 1.0) is None


def test_vectors_are_those_of_their_chunks(
    make_page: Callable[..., PageIndex], language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [make_page(f"{number}.md", 20) for number in range(9)]
    made = dict(bundle(pages, language, load_space(), SearchOptions(vector_bytes=4000)).files)
    manifest = read_manifest(made["manifest.json"])
    shards = BundleShards(manifest)

    def run(asked: Asking[Any]) -> Any:
        return Dialogue(asked).run(
            lambda names: {name: opened(name, made[name], shards.largest) for name in names if name in made}
        )

    slots = assign_slots([page.path for page in pages])
    chunks = [(slots[page.path], index) for page in pages for index in range(20)]
    found = run(shards.vectors(chunks, Remarks()))
    assert {chunk: bytes(row) for chunk, row in found.items()} == {
        (slots[page.path], index): page.vectors[index].tobytes() for page in pages for index in range(20)
    }
    assert run(shards.vectors([(slots["0.md"], 20), (slots["0.md"], 31), (slots["0.md"], 3)], Remarks())).keys() == {
        (slots["0.md"], 3)
    }


def test_a_file_of_vectors_that_is_broken_costs_its_chunks(
    make_page: Callable[..., PageIndex], language: Language
) -> None:
    pages = [make_page(f"{number}.md", 20) for number in range(9)]
    made = dict(bundle(pages, language, load_space(), SearchOptions(vector_bytes=4000)).files)
    manifest = read_manifest(made["manifest.json"])
    shards = BundleShards(manifest)
    chunks = [(slot, index) for slot in assign_slots([page.path for page in pages]).values() for index in range(20)]
    names = [name for name in split_names(manifest.vector_shards.names) if name]
    assert len(names) > 2
    for lost, contents in ((names[0], b"\xff\xff"), (names[1], InfographError(names[1], "is gone"))):
        remarks = Remarks()

        def read(wanted: Sequence[str], lost: str = lost, contents: Any = contents) -> dict[str, Any]:
            return {name: contents if name == lost else opened(name, made[name], shards.largest) for name in wanted}

        found = Dialogue(shards.vectors(chunks, remarks)).run(read)
        assert remarks.missing.keys() == {lost}
        assert 0 < len(found) < len(chunks)
        assert len(found) == sum(bool(chunk in found) for chunk in chunks)
        whole = Dialogue(shards.vectors(chunks, Remarks())).run(
            lambda wanted: {name: opened(name, made[name], shards.largest) for name in wanted}
        )
        assert all(bytes(found[chunk]) == bytes(whole[chunk]) for chunk in found)
        gone = len(opened(lost, made[lost], shards.largest)) // 256
        assert len(found) == len(chunks) - gone
