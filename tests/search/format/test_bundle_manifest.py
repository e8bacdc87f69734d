"""What a manifest may say, at the limits of each of its numbers."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from infograph.errors import ConfigError, FormatError
from infograph.search.format.bundle_manifest import (
    DictionaryFiles,
    ShardTable,
    UnknownFormatError,
    VectorParameters,
    language_of,
    read_manifest,
)
from infograph.search.format.encoding import hash32
from infograph.search.format.layout import LARGEST_MANIFEST, joined_names
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex

Said = dict[str, Any]


@pytest.fixture(scope="module")
def said(make_page: Callable[..., PageIndex], language: Language) -> Said:
    found: Said = json.loads(bundle([make_page("page.md")], language, load_space()).files["manifest.json"])
    return found


def changed(said: Said, path: str, value: Any) -> bytes:
    found = copy.deepcopy(said)
    *above, name = path.split(".")
    place = found
    for step in above:
        place = place[step]
    place[name] = value
    return json.dumps(found).encode()


MOST = 1 << 50


@pytest.mark.parametrize(
    ("path", "taken", "refused"),
    [
        ("chunks", [0, MOST], [-1, MOST + 1, 1.5, None]),
        ("largest_shard", [0, MOST], [-1, MOST + 1]),
        ("block", [1, MOST], [0, -1, MOST + 1]),
        ("group", [1, MOST], [0, MOST + 1]),
        ("vectors.dimension", [1, MOST], [0, MOST + 1]),
        ("bm25.k1", [0, 0.5, 9], [-0.1, -1, "1"]),
        ("bm25.b", [0, 1, 0.5], [-0.1, 1.1]),
        ("bm25.average_length", [0, 0.5], [-0.1, -1]),
        ("bm25.counts", [[1] * 8, [MOST] * 8], [[0] * 8, [MOST + 1] * 8, [1] * 7, [1] * 9]),
        ("bm25.lengths", [[1] * 32, [MOST] * 32], [[0] * 32, [1] * 31, [1] * 33]),
        ("bm25.fields", [[0, 1, -2, 0.5]], [[0] * 3, [0] * 5, ["1"] * 4]),
        ("neighbour", [0, -1.5], [None]),
        (
            "postings",
            [{"bits": 1, "names": joined_names(["", ""])}, {"bits": 0, "names": joined_names([""])}],
            [{"bits": -1, "names": ""}],
        ),
        ("postings.bits", [], [1, 33, 32]),
        ("documents", [{"bits": 7, "directories": ["a", "b"]}], [{"bits": 7, "directories": ["a"]}]),
        ("vector_shards", [{"bits": 5, "directories": ["a"]}], [{"bits": 0, "names": "--"}, {"bits": 7}]),
        ("vectors.rerank", [True, False], [1, None]),
        ("stop_words", ["", "0of0the"], [None, 1]),
    ],
)
def test_a_number_is_taken_up_to_its_limits(said: Said, path: str, taken: list[Any], refused: list[Any]) -> None:
    for value in taken:
        read_manifest(changed(said, path, value))
    for value in refused:
        with pytest.raises(FormatError, match=r"a field is missing or of another kind|do not belong together"):
            read_manifest(changed(said, path, value))


@pytest.mark.parametrize("path", ["bm25.k1", "bm25.average_length", "neighbour", "vectors.weight"])
def test_no_number_is_without_end(said: Said, path: str) -> None:
    with pytest.raises(FormatError):
        read_manifest(changed(said, path, 1e308).replace(b"1e+308", b"1e999"))


def test_a_score_without_end_is_refused(said: Said) -> None:
    """Each number is finite, what follows from them is not."""
    with pytest.raises(FormatError, match="do not belong together"):
        read_manifest(changed(said, "bm25.k1", 1e308))


def test_what_a_manifest_need_not_say(said: Said) -> None:
    for name in ("model", "weight", "map", "rerank"):
        found = copy.deepcopy(said)
        found["vectors"].pop(name)
        read_manifest(json.dumps(found).encode())
    found = copy.deepcopy(said)
    found.pop("dictionary")
    assert read_manifest(json.dumps(found).encode()).dictionary == DictionaryFiles("", "", "")
    vectors = VectorParameters(8)
    assert (vectors.model, vectors.weight, vectors.map, vectors.rerank) == ("", 0.0, "", False)
    assert ShardTable(0) == ShardTable(0, "", ())


def test_a_manifest_may_be_so_long(said: Said) -> None:
    data = json.dumps(said).encode()
    assert read_manifest(data.ljust(LARGEST_MANIFEST))
    with pytest.raises(FormatError, match=f"{LARGEST_MANIFEST + 1} bytes, more than {LARGEST_MANIFEST}"):
        read_manifest(data.ljust(LARGEST_MANIFEST + 1))


@pytest.mark.parametrize("data", [b"", b"{", b"\xff"])
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="not JSON") as caught:
        read_manifest(data)
    assert not isinstance(caught.value, UnknownFormatError)


@pytest.mark.parametrize("data", [b"[]", b"7", b"{}", b'{"format": 2}', b'{"format": "1"}', b'{"format": null}'])
def test_another_format_is_unknown(data: bytes) -> None:
    with pytest.raises(UnknownFormatError, match="its format is "):
        read_manifest(data)
    with pytest.raises(UnknownFormatError) as caught:
        read_manifest(b'{"format": "%b"}' % (b"x" * 100))
    assert caught.value.reason.startswith(f"its format is {'x' * 40}, and")


@pytest.mark.parametrize(
    ("bits", "names", "directories", "whole"),
    [
        (0, 1, 0, True),
        (0, 0, 0, False),
        (3, 8, 0, True),
        (3, 7, 0, False),
        (3, 9, 0, False),
        (3, 0, 1, True),
        (6, 0, 1, True),
        (7, 0, 2, True),
        (7, 0, 1, False),
        (8, 0, 4, True),
        (8, 0, 3, False),
        (8, 0, 5, False),
    ],
)
def test_a_table_has_a_name_for_every_shard(bits: int, names: int, directories: int, whole: bool) -> None:
    assert ShardTable(bits, joined_names([""] * names), ("",) * directories).whole() is whole


def test_a_key_is_in_the_shard_of_the_first_bits_of_its_hash() -> None:
    for key in ("cache", "", "東京"):
        for bits in (0, 1, 5, 32):
            assert ShardTable(bits).shard(key) == int(f"{hash32(key):032b}"[:bits] or "0", 2)


def test_a_language_is_cut_by_the_stemmer_at_hand(said: Said) -> None:
    manifest = read_manifest(changed(said, "stop_words", "0of0the"))
    stemmed: list[str] = []

    def stem(word: str) -> str:
        stemmed.append(word)
        return word[:-1]

    found = language_of(manifest, lambda name: stem if name == "en" else str)
    assert found is not None
    assert (found.name, found.stop_words) == ("en", {"the", "of"})
    assert [found.stem("words"), found.stem("words")] == ["word", "word"]
    assert stemmed == ["words"], "a word's stem is remembered"

    def none(name: str) -> Callable[[str], str]:
        raise ConfigError("search.language", "no stemmer")

    assert language_of(manifest, none) is None


def test_the_most_that_a_term_can_give(said: Said) -> None:
    bm25 = read_manifest(changed(said, "bm25.fields", [0, 0.5, 2, 1])).bm25
    assert bm25.most == bm25.k1 + 1 + 2
    assert max(bm25.saturation()) < bm25.most
