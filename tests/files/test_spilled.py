"""Mappings that have in a file what does not fit into a number of bytes."""

from __future__ import annotations

import errno
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from infograph.errors import OutputError
from infograph.files import spilled
from infograph.files.spilled import Allowance, Parts, Spilled, Tape


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilled, "MOST", 10)


def held(folder: Path) -> Spilled[bytes]:
    found = Spilled[bytes](len, str(folder))
    for number in range(5):
        found[str(number)] = bytes([number]) * 4
    return found


def test_what_does_not_fit_is_written_and_read_again(tmp_path: Path) -> None:
    found = held(tmp_path)
    assert found.written > 0, "two of the five fit"
    assert list(found.items()) == [(str(number), bytes([number]) * 4) for number in range(5)], "in their order"
    assert len(found) == 5 and "4" in found and "5" not in found
    assert list(tmp_path.iterdir()) == [], "the file has no name: a kill leaves none"


def test_nothing_is_written_of_what_fits(tmp_path: Path) -> None:
    found = Spilled[bytes](len, str(tmp_path / "missing"))
    found["a"] = b"x" * 10
    assert (found.written, found["a"]) == (0, b"x" * 10)


def test_room_that_is_freed_is_used_again(tmp_path: Path) -> None:
    found = Spilled[bytes](len, str(tmp_path))
    for value in (b"x" * 10, b"y" * 10):
        found["a"] = value  # in the place of the one before
    del found["a"]
    found["b"] = b"z" * 10
    assert (found.written, dict(found)) == (0, {"b": b"z" * 10})


def test_values_change_and_go(tmp_path: Path) -> None:
    found = held(tmp_path)
    found["4"] = b"other"
    assert (found["4"], found.pop("3")) == (b"other", b"\3" * 4)
    with pytest.raises(KeyError):
        found["3"]
    found.clear()
    assert not found


def test_what_is_cleared_is_not_read_and_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = held(tmp_path)
    with monkeypatch.context() as patched:
        patched.delattr(spilled._File, "read")
        found.clear()
    assert len(found) == 0 and "0" not in found
    before = found.written
    found["a"] = b"x" * 10
    assert found.written == before and found["a"] == b"x" * 10


def test_threads_read_at_once(tmp_path: Path) -> None:
    found = held(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda number: found[str(number % 5)][0] == number % 5, range(400))) == {True}


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        """The file of a disk without room."""

        def seek(self, at: int) -> None:
            return

        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None:
            return

    def full(**options: Any) -> Full:
        return Full()

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(OutputError, match="No space left on device") as raised:
        held(tmp_path)
    assert (raised.value.place, raised.value.hint) == (str(tmp_path), "Nothing of this build was published.")
    tape = Tape(str(tmp_path))
    tape.append(b"more than fits")  # and less than is written at once
    with pytest.raises(OutputError, match="No space left on device"):
        tape.read(0, len(tape))


def test_parts_that_do_not_fit_are_written_and_read_again(tmp_path: Path) -> None:
    parts, texts = Parts(str(tmp_path)), [b"one", b"", b"second", b"third", b"", b"x" * 40]
    for text in texts:
        parts.append(text)
    assert [parts[number] for number in range(len(parts))] == texts
    with pytest.raises(IndexError):
        parts[len(texts)]
    assert list(tmp_path.iterdir()) == []


def test_no_parts() -> None:
    assert len(Parts()) == 0
    with pytest.raises(IndexError):
        Parts()[0]


def test_an_allowance_is_shared_and_given_back(tmp_path: Path) -> None:
    allowance = Allowance()
    parts, found = Parts(str(tmp_path), allowance), Spilled[bytes](len, str(tmp_path), allowance)
    parts.append(b"x" * 6)
    found["a"] = b"y" * 6
    assert found.written > 0, "four bytes are left"
    del parts
    before = found.written
    found["b"] = b"z" * 10
    assert (found.written, dict(found)) == (before, {"a": b"y" * 6, "b": b"z" * 10})


@pytest.mark.parametrize("at_once", [1, 5, 1000])
def test_any_stretch_of_a_tape_is_read(at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilled, "_AT_ONCE", at_once)
    tape, expected = Tape(str(tmp_path)), b""
    for number in range(8):  # of ten bytes that may be held; what is read in between is written before
        tape.append(bytes([number]) * 3)
        expected += bytes([number]) * 3
        stretches = [(begin, end) for begin in range(len(expected) + 1) for end in range(begin, len(expected) + 1)]
        assert [tape.read(*stretch) for stretch in stretches] == [expected[begin:end] for begin, end in stretches]
    assert len(tape) == len(expected)
