"""The lock of a tree: one process holds it, and the error names that one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from infograph.files.lock import locked_error, take_lock


@pytest.fixture
def descriptors(tmp_path: Path) -> Iterator[list[int]]:
    """The same file opened twice, as by two processes."""
    opened = [os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(2)]
    yield opened
    for descriptor in opened:
        os.close(descriptor)


def test_only_one_holds_it(descriptors: list[int]) -> None:
    first, second = descriptors
    assert take_lock(first, wait=False)
    assert not take_lock(second, wait=False)


def test_it_is_free_once_its_holder_is_gone(tmp_path: Path, descriptors: list[int]) -> None:
    gone = os.open(tmp_path / "lock", os.O_RDWR)
    assert take_lock(gone, wait=True)
    os.close(gone)
    assert take_lock(descriptors[0], wait=False)


@pytest.mark.parametrize(("text", "holder"), [(b"4711\n", "4711"), (b"", "unknown"), (b"\xff", "\ufffd")])
def test_the_error_names_the_holder(tmp_path: Path, descriptors: list[int], text: bytes, holder: str) -> None:
    (tmp_path / "lock").write_bytes(text)
    error = locked_error(descriptors[0], tmp_path)
    assert error.place == str(tmp_path)
    assert error.reason == f"another infograph (process {holder}) is building this tree"
