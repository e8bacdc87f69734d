"""What a file's bytes must be to count as the file, and what a reader spends on one that is not."""

from __future__ import annotations

import hashlib
import tracemalloc
import zlib

import orjson
import pytest

from infograph.errors import FormatError, InfographError
from infograph.formats.names import SHARD_DIGITS, VERSION_DIGITS, manifest_path
from infograph.search.format.encoding import deflate, inflate
from infograph.search.format.layout import LARGEST_SHARD_WRITTEN, content_name, joined_names
from infograph.search.format.results import Remarks
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import ask_for, opened
from infograph.search.reading.listing import named_files

BOMB = zlib.compress(bytes(100_000_000), 1)
MUCH = 60_000_000
"""More bytes than a reader may take for the bomb, and fewer than it holds."""


def named(kind: str, contents: bytes) -> tuple[str, bytes]:
    packed = deflate(contents)
    return content_name(kind, packed), packed


@pytest.mark.parametrize("place", range(2, 2 + SHARD_DIGITS))
def test_every_digit_of_a_name_is_compared(place: int) -> None:
    name, packed = named("p", b"contents")
    other = name[:place] + ("0" if name[place] != "0" else "1") + name[place + 1 :]
    assert opened(name, packed, 100) == b"contents"
    with pytest.raises(FormatError, match="not the file that its name says"):
        opened(other, packed, 100)
    with pytest.raises(FormatError, match="has other bytes than were written"):
        named_files(other, packed)


@pytest.mark.parametrize("kind", ["p", "v", "m"])
def test_bytes_stay_bytes(kind: str) -> None:
    name, packed = named(kind, b"[1]")
    assert opened(name, packed, 3) == b"[1]"


@pytest.mark.parametrize("kind", ["d", "w", "n"])
def test_json_is_read(kind: str) -> None:
    name, packed = named(kind, b"[1]")
    assert opened(name, packed, 3) == [1]
    name, packed = named(kind, b"[1")
    with pytest.raises(FormatError, match="not JSON") as caught:
        opened(name, packed, 3)
    assert caught.value.place == name


def test_a_file_may_be_as_large_as_the_limit_and_no_larger() -> None:
    name, packed = named("p", b"12345")
    assert opened(name, packed, 5) == b"12345"
    with pytest.raises(FormatError, match="more than 4 bytes"):
        opened(name, packed, 4)


@pytest.mark.parametrize("largest", [1000, LARGEST_SHARD_WRITTEN])
def test_a_bomb_costs_little_memory(largest: int) -> None:
    name = content_name("n", BOMB)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="more than"):
            inflate(BOMB, largest, name)
        with pytest.raises(FormatError):
            named_files(name, BOMB)
        assert tracemalloc.get_traced_memory()[1] < MUCH
    finally:
        tracemalloc.stop()


def test_each_file_is_asked_for_once_and_what_is_no_name_never() -> None:
    remarks = Remarks(missing={"p-00000000000000ff.z": "it was missing before"})
    names = ["p-0000000000000001.z", "", "d-0000000000000002.z", "p-0000000000000001.z", "p-00000000000000ff.z"]
    others = ["P-0000000000000001.z", "p-000000000000001.z", "p-0000000000000001.zz", "../p-0000000000000001.z"]
    asked = []

    def read(wanted: object) -> dict[str, object]:
        asked.append(wanted)
        return {names[0]: [1], names[2]: InfographError("d", "is gone")}

    assert Dialogue(ask_for([*names, *others], remarks)).run(read) == {names[0]: [1]}
    assert asked == [[names[0], names[2]]]
    assert remarks.missing == {
        "p-00000000000000ff.z": "it was missing before",
        names[2]: str(InfographError("d", "is gone")),
        **dict.fromkeys(others, "no name of a shard"),
    }


def test_nothing_to_ask_for_asks_nothing() -> None:
    assert Dialogue(ask_for(["", ""], Remarks())).run(lambda names: pytest.fail(str(names))) == {}


def test_a_directory_leads_to_its_files_and_others_to_none() -> None:
    files = ["p-0000000000000001.z", "w-0000000000000002.z"]
    name, packed = named("n", orjson.dumps([["a", files[1]], [{"b": files[0]}, "text", files[1], 5, None]]))
    assert named_files(name, packed) == (files[1], files[0])
    assert named_files(*named("w", orjson.dumps(files))) == ()
    manifest = orjson.dumps(
        {"a": {"names": joined_names(files[:1]), "w": joined_names(["", files[1]])}, "b": f"x{files[0]}"}
    )
    version = hashlib.sha256(manifest).hexdigest()[:VERSION_DIGITS]
    kept = manifest_path(version).rpartition("/")[2]
    assert named_files("manifest.json", manifest) == named_files(kept, manifest) == tuple(files)
    with pytest.raises(FormatError, match="has other bytes than were written"):
        named_files(kept, manifest + b" ")
    with pytest.raises(FormatError, match="is not JSON"):
        named_files("manifest.json", b"{")
    with pytest.raises(FormatError, match="does not unpack"):
        named_files(content_name("n", b"plain"), b"plain")
