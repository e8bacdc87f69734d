"""A cache entry is valid as a whole or not at all."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import pickle
from pathlib import PureWindowsPath

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.embedding import cache_entry

IDENTITY = cache_entry.Identity(
    model="all-MiniLM-L6-v2", revision="53aa51172d14", dimension=3, strategy="semantic-250-750"
)
SOURCE = hashlib.sha256(b"the file").hexdigest()
KEYS = [hashlib.sha256(text).hexdigest() for text in (b"one", b"two", b"one")]
VECTORS = np.array([[0.6, 0.8, 0], [0, 1, 0], [0.6, 0.8, 0]], np.float32)


def entry() -> dict[str, bytes]:
    return cache_entry.encode(IDENTITY, SOURCE, KEYS, VECTORS)


def test_what_was_encoded_is_decoded() -> None:
    found = cache_entry.decode(entry().get, IDENTITY, SOURCE)
    assert found.keys() == set(KEYS)
    for key, vector in zip(KEYS, VECTORS, strict=True):
        assert found[key].tobytes() == vector.tobytes()
        assert found[key].dtype == np.float32


def test_files_are_as_specified() -> None:
    files = entry()
    assert sorted(files) == ["chunk-0.bin", "chunk-1.bin", "chunk-2.bin", "metadata.json"]
    assert files["chunk-1.bin"] == np.array([0, 1, 0], "<f4").tobytes()
    metadata = json.loads(files["metadata.json"])
    assert metadata["source"] == {"sha256": SOURCE}
    assert [chunk["text"] for chunk in metadata["chunks"]] == KEYS
    assert files == entry()


def test_every_flipped_byte_is_a_miss() -> None:
    files = entry()
    for name, data in files.items():
        for at in range(len(data)):
            for mask in (0x01, 0x20, 0xFF):
                damaged = data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]
                assert cache_entry.decode({**files, name: damaged}.get, IDENTITY, SOURCE) == {}, (name, at, mask)


def test_every_truncation_is_a_miss() -> None:
    files = entry()
    for name, data in files.items():
        for length in range(len(data)):
            assert cache_entry.decode({**files, name: data[:length]}.get, IDENTITY, SOURCE) == {}, (name, length)
        assert cache_entry.decode({**files, name: data + b"\n"}.get, IDENTITY, SOURCE) == {}
        assert cache_entry.decode({n: d for n, d in files.items() if n != name}.get, IDENTITY, SOURCE) == {}


@pytest.mark.parametrize(
    "change",
    [{"model": "other"}, {"revision": "0" * 12}, {"dimension": 4}, {"strategy": "semantic-100-300"}],
    ids=lambda change: next(iter(change)),
)
def test_another_model_or_strategy_is_a_miss(change: dict[str, object]) -> None:
    assert cache_entry.decode(entry().get, dataclasses.replace(IDENTITY, **change), SOURCE) == {}


def test_another_version_of_the_tool_is_a_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    files = entry()
    monkeypatch.setattr(cache_entry, "__version__", "0.0.0")
    assert cache_entry.decode(files.get, IDENTITY, SOURCE) == {}


def test_another_file_with_the_same_first_digits_is_a_miss() -> None:
    assert cache_entry.decode(entry().get, IDENTITY, SOURCE[:16] + "0" * 48) == {}


class Canary:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return pytest.fail, ("a pickle was executed",)


def test_a_pickle_is_a_miss_and_is_not_executed() -> None:
    files = entry()
    for name in files:
        assert cache_entry.decode({**files, name: pickle.dumps(Canary())}.get, IDENTITY, SOURCE) == {}


@pytest.mark.parametrize("data", [b"", b"null", b"[]", b'"x"', b"[" * 100_000, b"{}", b"1" * 5000, b"\xff\xfe", b"NaN"])
def test_any_other_json_is_a_miss(data: bytes) -> None:
    assert cache_entry.decode({**entry(), "metadata.json": data}.get, IDENTITY, SOURCE) == {}


@given(st.binary(max_size=200))
def test_any_bytes_are_a_miss(data: bytes) -> None:
    assert cache_entry.decode({**entry(), "metadata.json": data}.get, IDENTITY, SOURCE) == {}
    assert cache_entry.decode({**entry(), "chunk-1.bin": data}.get, IDENTITY, SOURCE) in ({},)


def test_an_entry_without_chunks_is_empty() -> None:
    files = cache_entry.encode(IDENTITY, SOURCE, [], np.empty((0, 3), np.float32))
    assert cache_entry.decode(files.get, IDENTITY, SOURCE) == {}


def test_vectors_must_fit_their_texts() -> None:
    with pytest.raises(ValueError, match="2 texts of 3 dimensions"):
        cache_entry.encode(IDENTITY, SOURCE, KEYS[:2], VECTORS)


def test_the_path_is_as_specified() -> None:
    path = cache_entry.entry_path("semantic-250-750", "all-MiniLM-L6-v2", SOURCE)
    assert str(path) == f"semantic-250-750/all-MiniLM-L6-v2/{SOURCE[:16]}"


NAMES = st.text(st.characters(codec="utf-8"), max_size=150)


@given(NAMES)
def test_any_model_name_is_one_safe_segment(name: str) -> None:
    _, segment, _ = cache_entry.entry_path("s", name, SOURCE).parts
    assert segment not in (".", "..")
    assert segment.isascii()
    assert len(segment) <= 100
    assert not set(segment) & set('/\\:*?"<>|\0')
    assert not segment.startswith(".")
    assert not segment.endswith((".", " "))
    assert not PureWindowsPath(segment).anchor


@given(NAMES, NAMES)
def test_two_names_have_two_segments(left: str, right: str) -> None:
    same = cache_entry.entry_path("s", left, SOURCE) == cache_entry.entry_path("s", right, SOURCE)
    assert same == (left == right)


@pytest.mark.parametrize(
    ("name", "segment"),
    [
        ("all-MiniLM-L6-v2", "all-MiniLM-L6-v2"),
        ("a b+c,d=(e)@f", "a b+c,d=(e)@f"),
        ("org/name:1~2", "org%2Fname%3A1%7E2"),
        (".hidden", "%2Ehidden"),
        ("ends.", "ends%2E"),
        ("ends ", "ends%20"),
        ("..", "%2E%2E"),
        ("n" * 100, "n" * 100),
        ("n" * 101, "n" * 83 + "-" + hashlib.sha256(b"n" * 101).hexdigest()[:16]),
        ("", "-" + hashlib.sha256(b"").hexdigest()[:16]),
    ],
)
def test_a_name_keeps_what_every_file_system_takes(name: str, segment: str) -> None:
    assert cache_entry.entry_path(name, name, SOURCE).parts == (segment, segment, SOURCE[:16])


def test_the_size_of_the_source_is_for_a_person_who_looks() -> None:
    files = cache_entry.encode(IDENTITY, SOURCE, KEYS, VECTORS, size=12)
    assert json.loads(files["metadata.json"])["source"] == {"sha256": SOURCE, "size": 12}
    assert cache_entry.decode(files.get, IDENTITY, SOURCE).keys() == set(KEYS)
