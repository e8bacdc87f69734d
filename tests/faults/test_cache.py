"""What a build left for the next one is believed as it was written or not at all: damage of any kind costs time."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import pickle
import shutil
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from infograph.build import build
from infograph.config import Settings, load
from infograph.embedding import cache_entry
from infograph.embedding.cache_entry import METADATA, Identity
from infograph.formats.compression import compressed, decompressed
from infograph.pipeline.memory import records, state, topics
from infograph.pipeline.memory.state import BUNDLE, FORMAT, STATE, RecordsLost
from infograph.pipeline.memory.topics import GRAPH
from infograph.search.writing.bundle_state import SearchState
from infograph.search.writing.bundle_state import load_state as load_search

IDENTITY = Identity("words", "1", 6, "semantic-250-750")
FILE_HASH = "ab" * 32
KEYS = ["1f" * 32, "2e" * 32]


class Canary:
    """Tells, when it is unpickled, that it was."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.place),)


def flipped(data: bytes) -> Iterator[bytes]:
    """Every byte with single bits of it changed, and with all of them."""
    for position, byte in enumerate(data):
        for mask in (1, 8, 64, 128, 255):
            yield data[:position] + bytes([byte ^ mask]) + data[position + 1 :]


def resized(data: bytes) -> Iterator[bytes]:
    """Cut at every length, and made longer."""
    yield from (data[:length] for length in range(len(data)))
    yield from (data + more for more in (b"\0", b"\n", b" ", b"\0" * 4, data))


class TestVectors:
    """An entry of the embedding cache."""

    @pytest.fixture
    def entry(self) -> dict[str, bytes]:
        vectors = np.random.default_rng(7).standard_normal((2, 6)).astype(np.float32)
        return cache_entry.encode(IDENTITY, FILE_HASH, KEYS, vectors, size=7)

    def found(self, entry: dict[str, bytes], identity: Identity = IDENTITY, file_hash: str = FILE_HASH) -> Any:
        return cache_entry.decode(entry.get, identity, file_hash)

    def test_as_it_was_written(self, entry: dict[str, bytes]) -> None:
        assert list(self.found(entry)) == KEYS

    @pytest.mark.parametrize("damage", [flipped, resized])
    def test_damage_is_a_miss(
        self, entry: dict[str, bytes], damage: Callable[[bytes], Iterator[bytes]], capsys: pytest.CaptureFixture[str]
    ) -> None:
        tried = 0
        for name, data in entry.items():
            for other in damage(data):
                assert self.found(entry | {name: other}) == {}
                tried += 1
        with capsys.disabled():
            print(f"\n{tried} entries {damage.__name__}: {tried} misses")

    def test_files_that_are_not_there_or_not_in_their_place(self, entry: dict[str, bytes]) -> None:
        for name in entry:
            assert self.found({other: data for other, data in entry.items() if other != name}) == {}
        for one, two in itertools.permutations(entry, 2):
            assert self.found(entry | {one: entry[two]}) == {}

    @pytest.mark.parametrize(
        "identity",
        [
            Identity("words2", "1", 6, "semantic-250-750"),
            Identity("words", "2", 6, "semantic-250-750"),
            Identity("words", "1", 3, "semantic-250-750"),
            Identity("words", "1", 6, "semantic-250-751"),
        ],
    )
    def test_of_another_model_or_strategy(self, entry: dict[str, bytes], identity: Identity) -> None:
        assert self.found(entry, identity) == {}

    def test_of_another_file(self, entry: dict[str, bytes]) -> None:
        assert self.found(entry, file_hash="ab" * 31 + "ac") == {}

    @pytest.mark.parametrize(("name", "value"), [("__version__", "0.0.1"), ("FORMAT", 0), ("_DTYPE", "<f2")])
    def test_of_another_version_of_the_tool(self, monkeypatch: pytest.MonkeyPatch, name: str, value: Any) -> None:
        monkeypatch.setattr(cache_entry, name, value)
        entry = cache_entry.encode(IDENTITY, FILE_HASH, KEYS, np.ones((2, 6), np.float32))
        monkeypatch.undo()
        assert self.found(entry) == {}

    def test_a_pickle_is_not_opened(self, entry: dict[str, bytes], tmp_path: Path) -> None:
        canary = pickle.dumps(Canary(tmp_path / "opened"))
        for name, data in entry.items():
            for size in (0, len(data)):  # as it is, and as long as what it replaces
                assert self.found(entry | {name: (canary + b"\0" * size)[: max(size, len(canary))]}) == {}
        assert not (tmp_path / "opened").exists()
        pickle.loads(canary)  # noqa: S301 - it would have told
        assert (tmp_path / "opened").exists()

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"source": None},
            {"source": {}},
            {"source": FILE_HASH},
            {"chunks": None},
            {"chunks": 7},
            {"chunks": [None]},
            {"chunks": [{}]},
            {"chunks": [[]]},
            {"chunks": {"0": 1}},
            {"chunks": [{"text": [], "vector": "x"}]},
            {"chunks": [{"text": {}, "vector": None}]},
        ],
    )
    def test_a_seal_that_is_right_on_a_form_that_is_wrong(
        self, entry: dict[str, bytes], fields: dict[str, Any]
    ) -> None:
        whole = cache_entry._unsealed(entry[METADATA])
        assert whole is not None
        kept = {name: whole[name] for name in cache_entry._expected(IDENTITY)}
        chunks = [{"text": [], "vector": whole["chunks"][0]["vector"]}]
        for form in (kept | fields, whole | fields, whole | {"chunks": chunks}):
            if form != whole:
                assert self.found(entry | {METADATA: cache_entry._sealed(form)}) == {}
        for data in (b"[" * 100_000, b"9" * 10_000, b"\xff\xfe", b"null", b"[]", b'"x"', b"NaN"):
            assert self.found(entry | {METADATA: data}) == {}


@pytest.fixture
def settings(
    memory_folder: Path,
    library: dict[str, str],
    write_tree: Callable[..., Path],
    quick: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> Settings:
    """Of a tree that was built."""
    monkeypatch.chdir(memory_folder)
    (memory_folder / "infograph.toml").touch()
    settings = load(str(write_tree(memory_folder / "docs", library)), environment={})
    build(settings)
    return settings


class TestMemory:
    """The files of the memory folder, as their readers take them."""

    @pytest.fixture
    def readers(self, settings: Settings) -> dict[str, Callable[[bytes], Any]]:
        """By the name of a file: what it holds, None where its reader does not believe it."""
        _, _, packed = (settings.memory / STATE).read_bytes().partition(b"\n")
        key = json.loads(decompressed(packed))["key"]

        def as_state(data: bytes) -> Any:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(state, "read_file", lambda path: data)
                return state.load_state(settings.memory, key)

        def as_records(module: ModuleType, load: Callable[[], Any], data: bytes) -> Any:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(module, "read_file", lambda path: data)
                try:
                    return load()
                except RecordsLost:
                    return None

        return {
            STATE: as_state,
            GRAPH: lambda data: as_records(topics, lambda: topics.load_graph(settings.memory), data),
            records.topic_file("guide"): lambda data: as_records(
                records, lambda: records.load_topic(settings.memory, "guide"), data
            ),
        }

    @pytest.mark.slow
    @pytest.mark.parametrize("damage", [flipped, resized])
    def test_damage_is_noticed(
        self,
        settings: Settings,
        readers: dict[str, Callable[[bytes], Any]],
        damage: Callable[[bytes], Iterator[bytes]],
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        for name, read in readers.items():
            data = (settings.memory / name).read_bytes()
            right, tried, harmless = repr(read(data)), 0, 0
            assert right != "None"
            for other in damage(data):
                found = read(other)
                assert found is None or repr(found) == right
                tried, harmless = tried + 1, harmless + (found is not None)
            assert harmless < 20, "bits of a compressed stream's head that no reader needs, bytes after its end"
            with capsys.disabled():
                print(f"\n{name}: {tried} {damage.__name__}, {harmless} of them without effect")

    def test_of_the_search_bundle(self, settings: Settings) -> None:
        small = b"".join(SearchState.empty("key", 2).dump())
        assert load_search(small, "key") is not None
        assert load_search(small, "another key") is None
        for other in (*flipped(small), *resized(small)):
            assert load_search(other, "key") is None
        large = (settings.memory / BUNDLE).read_bytes()
        key = json.loads(large.split(b"\n", 2)[1])["key"]
        assert load_search(large, key) is not None
        for position in range(7, len(large), len(large) // 20):
            damaged = bytearray(large)
            damaged[position] ^= 1
            assert load_search(bytes(damaged), key) is None
            assert load_search(large[:position], key) is None

    def test_a_digest_that_is_right_on_a_form_that_is_wrong(self, readers: dict[str, Callable[[bytes], Any]]) -> None:
        numbered = (b'{"format": %d}' % FORMAT, b'{"format": %d, "key": 1}' % FORMAT)
        for text in (b"", b"{}", b"[]", b"7", b"nothing", *numbered, b"[" * 100_000):
            digest = hashlib.sha256(text)
            assert readers[STATE](digest.hexdigest().encode() + b"\n" + text) is None
            assert readers[GRAPH](digest.digest() + compressed(text)) is None
            for value in (text, b'{"format": %d, "value": %b}' % (FORMAT, text)):
                assert readers[GRAPH](hashlib.sha256(value).digest() + compressed(value)) is None
                for body in (value, struct.pack("<Q", len(value)) + value):
                    assert readers[records.topic_file("guide")](hashlib.sha256(body).digest() + body) is None


def nothing(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(bytes(data))


def zeros(path: Path) -> None:
    """As a power cut leaves a file whose length was kept and whose bytes were not."""
    path.write_bytes(bytes(path.stat().st_size))


def pickled(path: Path) -> None:
    path.write_bytes(pickle.dumps(Canary(Path("opened").absolute())))


DAMAGES = (nothing, empty, cut, flip, zeros, pickled)


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_build_after_damage_equals_a_clean_one(
    settings: Settings,
    memory_folder: Path,
    snapshot: Callable[[Path], dict[str, bytes]],
    quick: Any,
    damage: Callable[[Path], None],
) -> None:
    """One file of the memory, or the whole cache, is damaged, and a page is edited."""
    docs, built = settings.root, memory_folder / "built"
    page = docs / "guide/deep/cooking.md"
    page.write_text(page.read_text().replace("Step 3", "A fourth, rarer step"))
    shutil.copytree(docs, built)
    kept = shutil.copytree(settings.cache, memory_folder / "kept")
    build(settings)
    right, texts = snapshot(docs), 0
    for name in (STATE, GRAPH, BUNDLE, records.topic_file("guide/deep"), "cache"):
        shutil.rmtree(docs)
        shutil.copytree(built, docs)
        shutil.rmtree(settings.cache)
        shutil.copytree(kept, settings.cache)
        if name == "cache":  # without the memory all vectors are looked for
            shutil.rmtree(settings.memory)
            for path in [path for path in settings.cache.rglob("*") if path.is_file()]:
                damage(path)
                texts += path.name != METADATA
        else:
            damage(settings.memory / name)
        quick.seen.clear()
        assert not build(settings).failed(strict=True)
        found = snapshot(docs)
        assert sorted(found) == sorted(right)
        assert [name for name in found if found[name] != right[name]] == [], name
    assert len(quick.seen) >= texts - 2, "every text is embedded again but for two that the tree has twice"
    assert not Path("opened").exists()
