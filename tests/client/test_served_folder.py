"""A folder answers as a web server would."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import pytest

from infograph.client.asks import File, Tally
from infograph.client.errors import ClientError
from infograph.client.folder import FolderSource
from infograph.client.place import Place
from infograph.client.scope import RefusedError
from infograph.client.served_folder import NoReplyError, ServedFolder, root_folder
from infograph.errors import ConfigError, FormatError

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


def source(root: Path) -> FolderSource:
    return FolderSource(root, Place(BASE, "docs"), 60)


@pytest.mark.parametrize(
    ("errors", "reads", "code"),
    [
        ([FormatError("f", "half", "again")], 2, None),
        ([ClientError("broken", "f", "half")], 2, None),
        ([ClientError("broken", "f", "half"), FormatError("f", "half")], 2, "broken"),
        ([FormatError("f", "half"), ClientError("version", "f", "newer")], 2, "version"),
        ([ClientError("version", "f", "newer")], 1, "version"),
    ],
)
def test_what_is_broken_is_read_once_more(tmp_path: Path, errors: list[Exception], reads: int, code: str) -> None:
    (tmp_path / "file").write_bytes(b"body")
    taken: list[bytes] = []

    def accept(data: bytes) -> bytes:
        taken.append(data)
        if len(taken) <= len(errors):
            raise errors[len(taken) - 1]
        return data

    (found,) = source(tmp_path)._read([File(f"{BASE}file", 10, accept)], Tally(None), float("inf"))
    assert taken == [b"body"] * reads
    assert found.code == code if code else found == b"body"


def test_what_cannot_be_read_has_its_reason(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path.parent)
    (tmp_path / "file").write_bytes(b"body")
    names = ["n" * 300, "none", "link", "file"]
    found = source(tmp_path)._read([File(BASE + name, 10, bytes) for name in names], Tally(None), float("inf"))
    assert [getattr(one, "code", one) for one in found] == ["missing", "missing", "outside", b"body"]
    assert "cannot be read" in str(found[0]) and "there is no such file in docs" in str(found[1])


def test_a_call_that_takes_too_long_ends_between_two_files(tmp_path: Path) -> None:
    with pytest.raises(ClientError, match="docs: no answer within 60 s") as caught:
        source(tmp_path)._read([File(f"{BASE}file", 10, bytes)], Tally(None), 0.0)
    assert caught.value.code == "timeout"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_a_file_may_have_any_name_that_the_system_knows(tmp_path: Path) -> None:
    for name in ('a:b*?"<>|.md', "a\\b"):
        (tmp_path / name).write_bytes(b"body")
        assert ServedFolder(tmp_path, BASE, 10).get(BASE + quote(name)).body == b"body"


def test_a_root_is_a_folder_or_the_index_in_it(tmp_path: Path) -> None:
    assert root_folder(str(tmp_path)) == root_folder(str(tmp_path / "index.json")) == tmp_path
    (tmp_path / "http:" / "host").mkdir(parents=True)
    for other in (f"{tmp_path}/none", f"{tmp_path}/http://host", f"{tmp_path}/none/index.json"):
        with pytest.raises(ConfigError, match="is neither a folder nor"):
            root_folder(other)
