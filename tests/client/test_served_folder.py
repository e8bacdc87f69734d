"""A folder answers as a web server would."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from infograph.client.asks import File, Tally
from infograph.client.errors import ClientError
from infograph.client.folder import FolderSource
from infograph.client.place import Place
from infograph.client.scope import RefusedError
from infograph.client.served_folder import NoReplyError, ServedFolder

BASE = "http://localhost/"


def test_a_file_may_be_as_large_as_the_folders_limit_and_no_larger(tmp_path: Path) -> None:
    folder = ServedFolder(tmp_path, BASE, 10)
    (tmp_path / "file").write_bytes(bytes(10))
    assert folder.get(f"{BASE}file").body == bytes(10)
    (tmp_path / "file").write_bytes(bytes(11))
    with pytest.raises(NoReplyError, match="larger than 10 bytes"):
        folder.get(f"{BASE}file")


def test_a_file_may_be_as_large_as_its_own_limit_and_no_larger(tmp_path: Path) -> None:
    source = FolderSource(tmp_path, Place(BASE, "docs"), 60)
    (tmp_path / "file").write_bytes(bytes(10))
    files = [File(f"{BASE}file", most, bytes) for most in (10, 9)]
    whole, refused = source._read(files, Tally(None), float("inf"))
    assert whole == bytes(10)
    assert isinstance(refused, ClientError) and refused.code == "large"


def test_only_files_are_served(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    folder = ServedFolder(tmp_path, BASE, 10)
    assert [folder.get(BASE + name).status for name in ("file", "folder", "file/below", "none")] == [200, 404, 404, 404]
    (tmp_path / "link").symlink_to(tmp_path.parent)
    with pytest.raises(RefusedError, match="symbolic link out of the tree"):
        folder.get(f"{BASE}link")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no FIFOs")
def test_a_fifo_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert ServedFolder(tmp_path, BASE, 10).get(f"{BASE}fifo").status == 404
