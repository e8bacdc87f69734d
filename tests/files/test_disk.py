"""Single files: read only where they are regular ones, written whole, and never through a link."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

import pytest

from infograph.errors import OutputError
from infograph.files import disk
from infograph.files.disk import (
    blocked,
    digest_file,
    keep_private,
    make_folder,
    move,
    names_in,
    open_folder,
    read_file,
    read_output,
    refuse_links,
    remove_private,
    same_bytes,
    stage_private,
    unread,
    write_checked,
    write_private,
)


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

    def test_what_is_staged_is_not_there_until_it_is_kept(self, tmp_path: Path) -> None:
        write_private(tmp_path, "memory/state", b"old")
        stage_private(tmp_path, "memory/state", [b"ne", b"w"])
        assert (tmp_path / "memory/state").read_bytes() == b"old"
        keep_private(tmp_path, "memory/state")
        assert (tmp_path / "memory/state").read_bytes() == b"new"
        assert os.listdir(tmp_path / "memory") == ["state"]

    def test_the_next_that_is_staged_takes_the_place_of_one_that_was_not_kept(self, tmp_path: Path) -> None:
        stage_private(tmp_path, "state", [b"a longer one"])
        stage_private(tmp_path, "state", [b"new"])
        keep_private(tmp_path, "state")
        assert (tmp_path / "state").read_bytes() == b"new"

    def test_what_another_build_staged_is_never_kept_and_goes(self, tmp_path: Path) -> None:
        stage_private(tmp_path, "state", [b"killed"], "a")
        stage_private(tmp_path, "state", [b"new"], "b")
        stage_private(tmp_path, "state", [b"late"], "a")
        stage_private(tmp_path, "other", [b"of its own"])
        keep_private(tmp_path, "state", "b")
        assert (tmp_path / "state").read_bytes() == b"new"
        assert sorted(os.listdir(tmp_path)) == [".other.tmp", "state"]

    def test_removal(self, tmp_path: Path) -> None:
        write_private(tmp_path, "memory/state", b"old")
        remove_private(tmp_path, "memory/state")
        assert os.listdir(tmp_path / "memory") == []
        remove_private(tmp_path, "memory/state")
        remove_private(tmp_path, "nowhere/state")
        (tmp_path / "folder").mkdir()
        with pytest.raises(OutputError, match=r"folder: cannot be removed: .*Remove it yourself\."):
            remove_private(tmp_path, "folder")

    def test_removal_never_through_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside/state").write_text("precious")
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs/memory").symlink_to(tmp_path / "outside", target_is_directory=True)
        with pytest.raises(OutputError, match="state: cannot be removed"):
            remove_private(tmp_path / "docs", "memory/state")
        assert (tmp_path / "outside/state").read_text() == "precious"

    def test_a_checked_file_is_written_in_place_and_removed_where_it_fails(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_checked(tmp_path, "cache/entry", b"old")
        write_checked(tmp_path, "cache/entry", b"new")
        assert (tmp_path / "cache/entry").read_bytes() == b"new"

        def half(folder: disk.Folder, name: str, parts: list[bytes]) -> None:
            (tmp_path / "cache" / name).write_bytes(parts[0][:1])
            _full()

        monkeypatch.setattr(disk, "_create", half)
        with pytest.raises(OutputError, match=r"entry: cannot be written: No space left on device\. Build again"):
            write_checked(tmp_path, "cache/entry", b"torn")
        assert os.listdir(tmp_path / "cache") == []


class TestFolders:
    def test_an_open_folder_stays_the_one_that_was_opened(self, tmp_path: Path) -> None:
        (tmp_path / "docs/deep").mkdir(parents=True)
        (tmp_path / "outside").mkdir()
        with open_folder(tmp_path, "docs/deep") as folder:
            (tmp_path / "docs/deep").rename(tmp_path / "moved")
            (tmp_path / "docs/deep").symlink_to(tmp_path / "outside", target_is_directory=True)
            os.close(os.open(folder.place("new"), os.O_CREAT | os.O_WRONLY, dir_fd=folder.descriptor))
            assert folder.names() == ["new"]
        assert os.listdir(tmp_path / "moved") == ["new"]
        assert os.listdir(tmp_path / "outside") == []

    def test_it_is_closed_at_the_end(self, tmp_path: Path) -> None:
        with open_folder(tmp_path, "") as folder:
            assert folder.descriptor is not None
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(folder.descriptor)

    def test_what_is_no_folder(self, tmp_path: Path) -> None:
        (tmp_path / "real/deep").mkdir(parents=True)
        (tmp_path / "file").touch()
        (tmp_path / "link").symlink_to("real", target_is_directory=True)
        for folder in ("file", "file/deep", "link", "link/deep"):
            with pytest.raises(NotADirectoryError):
                open_folder(tmp_path, folder)
            assert names_in(tmp_path, folder) == []
        with pytest.raises(FileNotFoundError):
            open_folder(tmp_path, "real/nothing")
        assert names_in(tmp_path, "real/nothing") == []
        assert names_in(tmp_path, "real") == ["deep"]

    def test_folders_that_are_missing_are_made_and_told(self, tmp_path: Path) -> None:
        touched: set[str] = set()
        make_folder(tmp_path / "root", "a/b/c", touched).close()
        assert (tmp_path / "root/a/b/c").is_dir()
        assert touched == {"", "a", "a/b", "a/b/c"}
        touched = set()
        make_folder(tmp_path / "root", "a/b/d", touched).close()
        assert touched == {"a/b", "a/b/d"}

    def test_a_file_is_moved_between_folders(self, tmp_path: Path) -> None:
        (tmp_path / "old").write_bytes(b"text")
        with open_folder(tmp_path, "") as source, make_folder(tmp_path, "other") as target:
            move(os.replace, source, "old", target, "new")
        assert [path.name for path in tmp_path.iterdir()] == ["other"]
        assert (tmp_path / "other/new").read_bytes() == b"text"

    def test_a_folder_that_blocks(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a/file").touch()
        assert blocked(tmp_path, "a/missing/deep") is None
        for folder in ("a/file", "a/file/deep"):
            found = blocked(tmp_path, folder)
            assert found is not None
            assert str(found) == "a/file: is not a directory, so nothing is written below it. Move it away."


class TestReading:
    def test_the_first_bytes_of_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"0123456789")
        assert [read_file(tmp_path / "file", most) for most in (0, 4, 10, 11, -1)] == [
            b"",
            b"0123",
            *3 * [b"0123456789"],
        ]

    @pytest.mark.parametrize(("size", "read"), [(7, True), (8, True), (9, False)])
    def test_an_output_of_the_largest_size_is_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, read: bool
    ) -> None:
        monkeypatch.setattr(disk, "LARGEST_OUTPUT", 8)
        (tmp_path / "file").write_bytes(size * b"x")
        assert read_output(tmp_path / "file") == (size * b"x" if read else None)
        assert read_output(tmp_path / "nothing") is None

    def test_the_same_bytes(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"text")
        found = [same_bytes(str(tmp_path / "file"), data) for data in (b"text", b"test", b"tex", b"texts", b"")]
        assert found == [True, False, False, False, False]

    def test_the_digest_of_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"text" * 100_000)
        (tmp_path / "link").symlink_to("file")
        assert digest_file(tmp_path / "file") == hashlib.sha256(b"text" * 100_000).hexdigest()
        assert digest_file(tmp_path / "link") is digest_file(tmp_path / "nothing") is None

    def test_why_a_file_is_not_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "file").write_text("text")
        (tmp_path / "link").symlink_to("file")
        os.mkfifo(tmp_path / "fifo")
        assert unread(tmp_path / "file") is unread(tmp_path / "nothing") is unread(tmp_path / "file/below") is None
        for name in ("link", "fifo", "."):
            error = unread(tmp_path / name)
            assert error is not None and error.errno == errno.EINVAL

        def refused(path: Path) -> int:
            raise PermissionError(errno.EACCES, "Permission denied")

        monkeypatch.setattr(disk, "_open", refused)
        assert isinstance(unread(tmp_path / "file"), PermissionError)

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


def test_a_root_that_became_a_link_is_not_followed(tmp_path: Path) -> None:
    """Whoever swaps the memory folder for a link after a build looked at it gains nothing by that."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_bytes(b"of another")
    memory = tmp_path / ".infograph"
    memory.symlink_to(outside, target_is_directory=True)
    for write in (disk.write_private, disk.write_checked):
        with pytest.raises(OutputError, match=r"state: cannot be written"):
            write(memory, "state", b"data")
    with pytest.raises(OutputError, match=r"kept: cannot be removed"):
        disk.remove_private(memory, "kept")
    assert {path.name: path.read_bytes() for path in outside.iterdir()} == {"kept": b"of another"}
