"""Single files: read only where they are regular ones, written whole, and never through a link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from infograph.errors import OutputError
from infograph.files.disk import read_file, refuse_links, same_bytes, write_private


def _full(*arguments: object, **options: object) -> int:
    raise OSError(28, "No space left on device")


class TestPrivateFiles:
    def test_whole_or_not_at_all(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write_private(tmp_path, "memory/state", b"old")
        monkeypatch.setattr("infograph.files.disk.os.replace", _full)
        with pytest.raises(OutputError, match="state: cannot be written"):
            write_private(tmp_path, "memory/state", b"new")
        assert os.listdir(tmp_path / "memory") == ["state"]
        assert (tmp_path / "memory/state").read_bytes() == b"old"

    def test_never_through_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        (tmp_path / "precious").write_text("precious")
        root = tmp_path / "docs"
        root.mkdir()
        (root / "state").symlink_to(tmp_path / "precious")
        (root / ".state.tmp").symlink_to(tmp_path / "precious")
        write_private(root, "state", b"new")
        assert (tmp_path / "precious").read_text() == "precious"
        assert not (root / "state").is_symlink()
        (root / "cache").symlink_to(tmp_path / "outside", target_is_directory=True)
        with pytest.raises(OutputError, match="cache: is a symbolic link"):
            write_private(root, "cache/deep/entry", b"new")
        assert os.listdir(tmp_path / "outside") == []


class TestReading:
    def test_only_regular_files(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "fifo")
        (tmp_path / "file").write_text("text")
        (tmp_path / "link").symlink_to("file")
        found = {name: read_file(tmp_path / name) for name in ("fifo", "file", "link", "nothing", ".")}
        assert found == {"fifo": None, "file": b"text", "link": None, "nothing": None, ".": None}
        assert [same_bytes(str(tmp_path / name), b"text") for name in found] == [False, True, False, False, False]

    def test_a_chain_of_folders(self, tmp_path: Path) -> None:
        (tmp_path / "a/b").mkdir(parents=True)
        refuse_links(tmp_path, "a/b/c/d")
        (tmp_path / "a/b/c").symlink_to(tmp_path)
        with pytest.raises(OutputError, match="a/b/c: is a symbolic link"):
            refuse_links(tmp_path, "a/b/c/d")
