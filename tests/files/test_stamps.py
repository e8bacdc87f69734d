"""What tells a file that was changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from infograph.files.stamps import NO_STAMP, RACY_NANOSECONDS, as_left, settled, stamp, trusted


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(b"before")
    os.utime(path, ns=(10**18, 10**18))
    return path


def other_size(path: Path) -> None:
    path.write_bytes(b"afterwards")
    os.utime(path, ns=(10**18, 10**18))


def other_bytes(path: Path) -> None:
    path.write_bytes(b"behind")


def other_time(path: Path) -> None:
    os.utime(path, ns=(10**18, 10**18 + 1))


@pytest.mark.parametrize("change", [other_size, other_bytes, other_time])
def test_a_changed_file_has_another_stamp(file: Path, change: Callable[[Path], None]) -> None:
    """One of as many bytes, too."""
    before = stamp(file.stat())
    change(file)
    after = stamp(file.stat())
    assert after != before
    assert not as_left(before, after)


def test_another_owner_or_link_is_no_change_of_an_output(file: Path) -> None:
    before = stamp(file.stat())
    while stamp(file.stat())[2] == before[2]:  # the clock of a file system ticks
        file.chmod(0o600)
    after = stamp(file.stat())
    assert after != before
    assert as_left(before, after)


def test_no_file_has_the_stamp_of_none(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    os.utime(tmp_path / "empty", ns=(0, 0))
    assert not as_left(NO_STAMP, stamp((tmp_path / "empty").stat()))


def test_a_stamp_is_trusted_once_the_clock_has_moved_on() -> None:
    now = time.time_ns()
    assert not settled(now)
    assert settled(now - RACY_NANOSECONDS - 1)
    old = now - 2 * RACY_NANOSECONDS
    assert trusted([1, old, old])
    assert not trusted([1, now, old])
    assert not trusted([1, old, now])
