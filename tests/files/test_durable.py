"""What was written is forced to disk, all at once or file by file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from infograph.files import durable
from infograph.files.durable import Ahead, make_directories_durable, make_durable


@pytest.fixture
def forced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each file that is forced to disk by itself."""
    found: list[int] = []
    monkeypatch.setattr(os, "fsync", found.append)
    return found


@pytest.mark.parametrize(("whole", "ahead", "count"), [(True, True, 0), (True, False, 100), (False, True, 100)])
def test_what_a_whole_file_system_failed_to_keep_is_forced_file_by_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forced: list[int], whole: bool, ahead: bool, count: int
) -> None:
    names = [f"{number}.md" for number in range(100)]
    for name in names:
        (tmp_path / name).touch()
    started = Ahead()
    monkeypatch.setattr(durable, "_sync_all", lambda folder: ahead)
    started.start(str(tmp_path), len(names))
    assert started.worked() == ahead
    monkeypatch.setattr(durable, "_sync_all", lambda folder: whole)
    make_durable(str(tmp_path), names, started)
    assert len(forced) == count


def test_few_files_are_forced_one_by_one_and_not_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forced: list[int]
) -> None:
    monkeypatch.setattr(durable, "_sync_all", lambda folder: pytest.fail("the whole file system was forced to disk"))
    (tmp_path / "a.md").touch()
    ahead = Ahead()
    ahead.start(str(tmp_path), 1)
    make_durable(str(tmp_path), ["a.md"], ahead)
    assert len(forced) == 1


@pytest.mark.parametrize(("count", "at_once"), [(64, False), (65, True)])
def test_more_than_64_are_forced_with_their_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forced: list[int], count: int, at_once: bool
) -> None:
    names = [f"{number}.md" for number in range(count)]
    folders = [tmp_path / f"{number}" for number in range(count)]
    for name, folder in zip(names, folders, strict=True):
        (tmp_path / name).touch()
        folder.mkdir()
    whole: list[str] = []
    monkeypatch.setattr(durable, "_sync_all", lambda folder: whole.append(folder) or True)
    ahead = Ahead()
    ahead.start(str(tmp_path), count)
    assert ahead.worked()
    make_durable(str(tmp_path), names, ahead)
    make_directories_durable(tmp_path, folders)
    assert whole == [str(tmp_path)] * 3 * at_once
    assert len(forced) == (0 if at_once else 2 * count)


def test_folders_that_are_gone_need_not_be_forced(tmp_path: Path, forced: list[int]) -> None:
    (tmp_path / "file").touch()
    make_directories_durable(tmp_path, [tmp_path / "gone", tmp_path / "file/below", tmp_path])
    assert len(forced) == 1


def test_folders_are_forced_one_by_one_where_their_file_system_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forced: list[int]
) -> None:
    monkeypatch.setattr(durable, "_sync_all", lambda folder: False)
    make_directories_durable(tmp_path, [tmp_path] * 65)
    assert len(forced) == 65
