"""Stamps: what counts as a change of a file, and from when on a stamp is relied on."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from infograph.files.stamps import NO_STAMP, RACY_NANOSECONDS, as_left, settled, stamp, trusted

NOW = 1_700_000_000_000_000_000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: NOW)


def test_a_stamp_is_size_and_times(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"four")
    os.utime(file, ns=(1, 2))
    status = file.stat()
    assert stamp(status) == [4, 2, status.st_ctime_ns]
    assert NO_STAMP[0] < 0, "no file has such a size"


def test_fifty_milliseconds_must_pass() -> None:
    assert RACY_NANOSECONDS == 50_000_000


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(("age", "expected"), [(0, False), (RACY_NANOSECONDS, False), (RACY_NANOSECONDS + 1, True)])
def test_a_change_is_settled_once_the_clock_has_surely_moved_on(age: int, expected: bool) -> None:
    assert settled(NOW - age) is expected


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("modified", "changed", "expected"),
    [(0, 0, True), (NOW, 0, False), (0, NOW, False), (NOW + 1, 0, False)],
)
def test_a_stamp_is_trusted_once_both_times_are_settled(modified: int, changed: int, expected: bool) -> None:
    assert trusted([1, modified, changed]) is expected


@pytest.mark.parametrize(
    ("taken", "expected"),
    [([5, 10, 20], True), ([5, 10, 21], True), ([6, 10, 20], False), ([5, 11, 20], False), ([5, 9, 20], False)],
)
def test_an_output_is_as_left_by_its_size_and_its_modification_time(taken: list[int], expected: bool) -> None:
    assert as_left([5, 10, 20], taken) is expected
