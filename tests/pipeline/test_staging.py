"""The only writer: the lock, staging and publication, and what survives a kill or a full disk."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.errors import LockedError, OutputError
from infograph.files.disk import read_file
from infograph.formats.names import LOCK, PRIVATE, STAGING
from infograph.pipeline.staging import Output, Stage

HOLDER = """
import sys, time
from pathlib import Path
from infograph.pipeline.staging import Output
with Output(Path(sys.argv[1])).locked():
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path: Path):
    """A process that holds the lock of tmp_path."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


PRECIOUS = dict.fromkeys(("one-0.md", "gone-0.md", "one_0.md", "of a build that died"), "precious")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder that no build has anything to do with."""
    folder = tmp_path / "outside"
    folder.mkdir()
    for name, text in PRECIOUS.items():
        (folder / name).write_text(text)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def staged(output: Output, **files: str) -> list:
    """Files staged as a build stages them, in the order given; `__` stands for a slash."""
    output.open_stage()
    stage = Stage(output.root, "test", output.build)
    found = [stage.put(name.replace("__", "/").replace("_md", ".md"), data.encode()) for name, data in files.items()]
    return [item for item in found if item is not None]


class TestLock:
    def test_says_who_holds_it(self, tmp_path: Path, holder: subprocess.Popen[str]) -> None:
        said = rf"process {holder.pid}\) is building this tree"
        with pytest.raises(LockedError, match=said), Output(tmp_path).locked():
            pass

    def test_waits_and_is_freed_by_a_kill(self, tmp_path: Path, holder: subprocess.Popen[str]) -> None:
        said: list[str] = []

        def on_wait(message: str) -> None:
            said.append(message)
            holder.send_signal(signal.SIGKILL)

        with Output(tmp_path).locked(on_wait=on_wait):
            assert read_file(tmp_path / LOCK) == str(os.getpid()).encode(), "nothing of the holder's number is left"
        assert len(said) == 1 and str(holder.pid) in said[0]

    def test_a_lock_on_a_removed_file_excludes_nobody(self, tmp_path: Path) -> None:
        """A second process waits while the first removes the folder: it must end up with the new file's lock."""
        held, done = threading.Event(), threading.Event()

        def second() -> None:
            with Output(tmp_path).locked(on_wait=lambda message: held.set()):
                with pytest.raises(LockedError), Output(tmp_path).locked():  # what a third one sees
                    pass
                done.set()

        first = Output(tmp_path)
        with first.locked():
            thread = threading.Thread(target=second)
            thread.start()
            assert held.wait(60)
            first.forget()
        thread.join(60)
        assert done.is_set()

    def test_a_full_disk_does_not_matter(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(descriptor: int, data: bytes) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("infograph.pipeline.staging.os.write", full)
        with Output(tmp_path).locked():
            assert (tmp_path / LOCK).read_bytes() == b"", "the number of the process is for people only"

    def test_never_follows_a_link(self, tmp_path: Path) -> None:
        precious = tmp_path / "precious"
        precious.write_text("precious")
        root = tmp_path / "docs"
        (root / PRIVATE).mkdir(parents=True)
        (root / LOCK).symlink_to(precious)
        with pytest.raises(OutputError, match="lock"), Output(root).locked():
            pass
        (root / LOCK).unlink()
        (root / PRIVATE).rmdir()
        (root / PRIVATE).symlink_to(tmp_path, target_is_directory=True)
        with pytest.raises(OutputError, match=r"\.infograph: is a symbolic link"), Output(root).locked():
            pass
        assert precious.read_text() == "precious"
        assert sorted(os.listdir(tmp_path)) == ["docs", "precious"]


class TestPublication:
    def test_staged_bytes_are_not_in_the_tree_until_published(self, tmp_path: Path) -> None:
        output = Output(tmp_path)
        items = staged(output, a__one_md="1", two_md="2")
        assert not (tmp_path / "two.md").exists()
        output.publish(items, [])
        output.close_stage()
        assert (tmp_path / "a/one.md").read_text() == "1"
        assert not (tmp_path / STAGING).exists()

    def test_the_order_is_the_one_given(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        renamed: list[str] = []
        replace = os.replace

        def note(*arguments: Any, **options: Any) -> None:
            replace(*arguments, **options)
            renamed.extend(
                item.target for item in items if (tmp_path / item.target).exists() - (item.target in renamed)
            )

        output = Output(tmp_path)
        items = staged(output, z__one_md="1", b_md="2", a__two_md="3")
        monkeypatch.setattr("infograph.pipeline.staging.os.replace", note)
        output.publish(items, [])
        assert renamed == ["z/one.md", "b.md", "a/two.md"]

    def test_equal_bytes_are_not_staged(self, tmp_path: Path) -> None:
        (tmp_path / "same.md").write_text("same")
        assert staged(Output(tmp_path), same_md="same") == []

    def test_who_takes_the_place_of_a_lost_worker_stages_its_files_anew(self, tmp_path: Path) -> None:
        output = Output(tmp_path)
        output.open_stage()
        lost, other = (Stage(tmp_path, prefix, output.build) for prefix in ("0-0", "0-1"))
        lost.put("_chunks/a.md", b"torn")
        lost.put("_chunks/b.md", b"b")
        items = [other.put("_chunks/a.md", b"whole"), other.put("_chunks/c.md", b"c")]
        output.publish([item for item in items if item is not None], [])
        assert contents(tmp_path / "_chunks") == {"a.md": "whole", "c.md": "c"}

    def test_a_kill_before_publication_leaves_the_tree_as_it_was(self, tmp_path: Path) -> None:
        (tmp_path / "old.md").write_text("old")
        program = (
            "import os, sys; from pathlib import Path; from infograph.pipeline.staging import Output, Stage\n"
            "o = Output(Path(sys.argv[1])); o.open_stage()\n"
            "Stage(o.root, 'x', o.build).put('old.md', b'new'); os.kill(os.getpid(), 9)"
        )
        assert subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False).returncode == -9
        assert (tmp_path / "old.md").read_text() == "old"
        assert [path.name for path in (tmp_path / STAGING).glob("*/*")] == ["x-0"]
        (tmp_path / STAGING / "of another version").write_text("a file")
        output = Output(tmp_path)
        output.open_stage()
        assert list((tmp_path / STAGING).rglob("*")) == [tmp_path / STAGING / output.build]

    def test_a_worker_that_outlives_its_build_writes_nothing_into_the_next(self, tmp_path: Path) -> None:
        dead, output = Output(tmp_path), Output(tmp_path)
        dead.open_stage()
        orphan = Stage(tmp_path, "0-0", dead.build)
        assert orphan.put("a/_chunks/one-0.md", b"1") and orphan.put("one.md", b"1")
        output.open_stage()
        for target in ("a/_chunks/one-1.md", "b/_chunks/one-0.md", "two.md"):
            with pytest.raises(OutputError, match="cannot be written"):
                orphan.put(target, b"late")
        stage = Stage(tmp_path, "0-0", output.build)
        items = [stage.put(target, b"2") for target in ("a/_chunks/one-0.md", "one.md")]
        output.publish([item for item in items if item], [])
        output.close_stage()
        assert os.listdir(tmp_path / "a/_chunks") == ["one-0.md"]
        assert (tmp_path / "one.md").read_bytes() == b"2"
        assert not (tmp_path / STAGING).exists()

    def test_a_staging_folder_that_is_a_link_is_not_emptied(self, tmp_path: Path) -> None:
        root = tmp_path / "docs"
        (root / PRIVATE).mkdir(parents=True)
        (tmp_path / "precious").write_text("precious")
        (root / STAGING).symlink_to(tmp_path, target_is_directory=True)
        with pytest.raises(OutputError, match=r"staging: is a symbolic link"), Output(root).locked():
            pass
        assert (tmp_path / "precious").exists()

    def test_a_staging_folder_that_becomes_a_link_while_a_build_waits_is_not_emptied(
        self, tmp_path: Path, outside: Path
    ) -> None:
        root, said = tmp_path / "docs", []
        with Output(root).locked():
            (root / STAGING / "of a build that died").mkdir(parents=True)
            second = threading.Thread(target=lambda: said.append(waiting()))
            held = threading.Event()

            def waiting() -> str:
                try:
                    with Output(root).locked(on_wait=lambda message: held.set()):
                        return ""
                except OutputError as error:
                    return str(error)

            second.start()
            assert held.wait(60)
            (root / STAGING).rename(tmp_path / "moved")
            (root / STAGING).symlink_to(outside, target_is_directory=True)
        second.join(60)
        assert "staging: cannot be removed: " in said[0]
        assert contents(outside) == PRECIOUS

    @pytest.mark.parametrize("swapped", ["a/_chunks", "a"])
    @pytest.mark.parametrize("before", ["the first rename", "the second rename", "the removal"])
    def test_a_folder_that_becomes_a_link_meanwhile_leads_nowhere(
        self, tmp_path: Path, outside: Path, monkeypatch: pytest.MonkeyPatch, swapped: str, before: str
    ) -> None:
        """What has been looked at and opened stays what it was."""
        root = tmp_path / "docs"
        chunks = root / "a/_chunks"
        chunks.mkdir(parents=True)
        for name in ("one-0.md", "gone-0.md"):
            (chunks / name).write_text("old")
        place = "." if swapped == "a/_chunks" else "_chunks"
        (outside / place).mkdir(exist_ok=True)
        for name in PRECIOUS:
            (outside / place / name).write_text("precious")
        expected = contents(outside)
        output = Output(root)
        items = staged(output, a___chunks__one_0_md="new", a___chunks__two_0_md="new")
        number = ["the first rename", "the second rename", "the removal"].index(before)

        def swap() -> None:
            (root / swapped).rename(tmp_path / "moved")
            (root / swapped).symlink_to(outside, target_is_directory=True)

        def swapping(call: Callable[..., None], at: int) -> Callable[..., None]:
            calls = itertools.count()

            def calling(*arguments: Any, **options: Any) -> None:
                if next(calls) == at:
                    swap()
                call(*arguments, **options)

            return calling

        if number == 0:
            swap()
        elif number == 1:
            monkeypatch.setattr(os, "replace", swapping(os.replace, 1))
        else:
            monkeypatch.setattr(os, "unlink", swapping(os.unlink, 0))
        with contextlib.nullcontext() if number else pytest.raises(OutputError, match=r"one_0\.md: cannot be written"):
            output.publish(items, ["a/_chunks/gone-0.md"])
        assert contents(outside) == expected

    def test_where_the_system_takes_no_descriptor_of_a_folder(
        self, tmp_path: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As on Windows: a link is refused when it is seen."""
        monkeypatch.setattr("infograph.files.disk._DESCRIPTORS", False)
        root = tmp_path / "docs"
        output = Output(root)
        with output.locked():
            items = staged(output, a___chunks__one_0_md="new", index_md="new")
            output.publish(items, ["a/_chunks/gone-0.md"])
            output.close_stage()
            output.publish([], ["index.md"])
            assert contents(root) == {"a/_chunks/one_0.md": "new", ".infograph/lock": str(os.getpid())}
            items = staged(output, a___chunks__one_0_md="newer")
            (root / "a/_chunks").rename(tmp_path / "moved")
            (root / "a/_chunks").symlink_to(outside, target_is_directory=True)
            with pytest.raises(OutputError, match=r"one_0\.md: cannot be written: Not a directory"):
                output.publish(items, [])
            output.publish([], ["a/_chunks/one-0.md"])
            output.forget()
        assert not (root / PRIVATE).exists()
        assert contents(outside) == PRECIOUS

    def test_a_full_disk_while_staging_names_the_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        output = Output(tmp_path)
        output.open_stage()
        monkeypatch.setattr("infograph.pipeline.staging.os.write", _full)
        with pytest.raises(OutputError, match=r"guide/a\.md: cannot be written: No space left.*[Nn]othing"):
            Stage(tmp_path, "x", output.build).put("guide/a.md", b"new")
        assert not (tmp_path / "guide").exists()

    def test_a_failing_disk_before_the_first_rename_publishes_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        output = Output(tmp_path)
        items = staged(output, a_md="1", b_md="2")
        monkeypatch.setattr("infograph.pipeline.staging.os.fsync", _full)
        with pytest.raises(OutputError, match="Nothing of this build was published"):
            output.publish(items, [])
        assert sorted(os.listdir(tmp_path)) == [PRIVATE]

    def test_a_failure_between_renames_says_so(self, tmp_path: Path) -> None:
        output = Output(tmp_path)
        items = staged(output, a_md="1", b_md="2")
        (tmp_path / "b.md").mkdir()
        with pytest.raises(OutputError, match=r"b\.md: cannot be written: .*Part of the outputs is new"):
            output.publish(items, [])
        assert (tmp_path / "a.md").exists()

    def test_a_folder_of_ours_that_is_new_is_published_by_one_rename(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        output = Output(tmp_path)
        output.open_stage()
        # Two workers with files for one folder.
        stages = {name: Stage(tmp_path, name, output.build) for name in ("one", "two")}
        items = [stage.put(f"a/_chunks/{name}-0.md", name.encode()) for name, stage in stages.items()]
        monkeypatch.setattr("infograph.pipeline.staging.os.replace", None)
        output.publish([item for item in items if item], [])
        assert sorted(os.listdir(tmp_path / "a/_chunks")) == ["one-0.md", "two-0.md"]
        assert (tmp_path / "a/_chunks/two-0.md").read_text() == "two"

    @pytest.mark.parametrize("meanwhile", ["a worker was killed", "somebody made the folder"])
    def test_of_a_folder_nothing_else_is_published(self, tmp_path: Path, meanwhile: str) -> None:
        output = Output(tmp_path)
        output.open_stage()
        stage = Stage(tmp_path, "x", output.build)
        wanted = stage.put("_chunks/one-0.md", b"1")
        assert wanted is not None
        if meanwhile == "a worker was killed":
            stage.put("_chunks/half-0.md", b"of a document that failed")
        else:
            (tmp_path / "_chunks").mkdir()
        output.publish([wanted], [])
        output.close_stage()
        assert os.listdir(tmp_path / "_chunks") == ["one-0.md"]

    def test_many_files_and_folders(self, tmp_path: Path) -> None:
        output = Output(tmp_path)
        output.open_stage()
        stage = Stage(tmp_path, "x", output.build)
        names = [f"{number}/{folder}one-0.md" for number in range(70) for folder in ("", "_chunks/")]
        output.publish([item for name in names if (item := stage.put(name, name.encode()))], [])
        assert all((tmp_path / name).read_text() == name for name in names)
        output.publish([], names)
        assert not any((tmp_path / str(number) / "_chunks").exists() for number in range(70))

    def test_empty_folders_of_ours_go(self, tmp_path: Path) -> None:
        (tmp_path / "a/_chunks").mkdir(parents=True)
        (tmp_path / "a/_chunks/one-0.md").write_text("1")
        (tmp_path / "b/_chunks").mkdir(parents=True)
        (tmp_path / "b/_chunks/one-0.md").write_text("1")
        (tmp_path / "b/_chunks/mine.txt").write_text("mine")
        Output(tmp_path).publish([], ["a/_chunks/one-0.md", "b/_chunks/one-0.md", "b/_chunks/never.md"])
        assert (tmp_path / "a").is_dir(), "the sources' folder stays in place"
        assert not (tmp_path / "a/_chunks").exists()
        assert os.listdir(tmp_path / "b/_chunks") == ["mine.txt"]

    def test_nothing_is_written_or_removed_through_a_link(self, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "a-0.md").write_text("precious")
        root = tmp_path / "docs"
        root.mkdir()
        (root / "_chunks").symlink_to(outside, target_is_directory=True)
        output = Output(root)
        with pytest.raises(OutputError, match="_chunks: is a symbolic link"):
            staged(output, _chunks__a="x")
        output.publish([], ["_chunks/a-0.md"])
        assert (outside / "a-0.md").read_text() == "precious"
        assert os.listdir(outside) == ["a-0.md"]

    def test_a_file_where_a_folder_must_be(self, tmp_path: Path) -> None:
        (tmp_path / "guide").write_text("a file")
        with pytest.raises(OutputError, match="guide: is not a directory"):
            staged(Output(tmp_path), guide___chunks__a_md="x")


def _full(*arguments: object) -> int:
    raise OSError(28, "No space left on device")
