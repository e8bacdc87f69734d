"""One rebuild a save, whatever the way an editor or another tool writes a file.

Editors are driven for real where they can be scripted (vim, emacs) and replayed call by call where they cannot.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.pipeline.kept import GENERATIONS

MakeWatch = Callable[..., Any]
Save = Callable[[Path, str], None]


def run(*command: str, **options: Any) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, **options)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def needs(editor: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(editor) is None, reason=f"{editor} is not installed")


def vim(options: str) -> Save:
    def save(path: Path, line: str) -> None:
        script = ["set swapfile updatecount=1", f"set {options}", f"normal! Go{line}", "wq"]
        run("vim", "-N", "-u", "NONE", "-i", "NONE", "-es", *(f"-c{command}" for command in script), str(path))

    return save


def emacs(options: str) -> Save:
    """Also asks for the lock and the auto-save file, and makes sure that they were there."""

    def save(path: Path, line: str) -> None:
        lock, auto = path.with_name(f".#{path.name}"), path.with_name(f"#{path.name}#")
        script = f"""(progn
            (setq create-lockfiles t version-control nil backup-inhibited nil {options})
            (find-file {json.dumps(str(path))})
            (auto-save-mode 1)
            (goto-char (point-max))
            (insert {json.dumps(line)} "\\n")
            (do-auto-save t)
            (unless (file-symlink-p {json.dumps(str(lock))}) (error "no lock file"))
            (unless (file-exists-p {json.dumps(str(auto))}) (error "no auto-save file"))
            (save-buffer))"""
        run("emacs", "--batch", "-Q", "--eval", script)

    return save


def in_place(path: Path, line: str) -> None:
    """Truncate, then write: VS Code (its maintainers describe it in microsoft/vscode#98063), nano, shells."""
    text = path.read_bytes()
    descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC)
    time.sleep(0.02)
    os.write(descriptor, text)
    os.write(descriptor, f"{line}\n".encode())
    os.fsync(descriptor)
    os.close(descriptor)


def temporary(name: str) -> Save:
    """A temporary file beside it, renamed over it."""

    def save(path: Path, line: str) -> None:
        beside = path.with_name(name.format(path.name))
        beside.write_bytes(path.read_bytes())
        with beside.open("ab") as file:
            file.write(f"{line}\n".encode())
        time.sleep(0.02)
        beside.replace(path)

    return save


def safe_write(path: Path, line: str) -> None:
    """JetBrains: write beside it, move the old one aside, move the new one in, remove the old one."""
    new, old = path.with_name(path.name + "___jb_tmp___"), path.with_name(path.name + "___jb_old___")
    new.write_bytes(path.read_bytes() + f"{line}\n".encode())
    path.rename(old)
    time.sleep(0.02)
    new.rename(path)
    old.unlink()


SAVES: dict[str, tuple[str, Save]] = {
    "vim, as it comes": ("vim", vim("nobackup writebackup backupcopy=auto")),
    "vim, in place without a backup": ("vim", vim("nobackup nowritebackup")),
    "vim, backup copied": ("vim", vim("backup backupcopy=yes")),
    "vim, backup renamed": ("vim", vim("backup backupcopy=no")),
    "vim, backup renamed and removed": ("vim", vim("nobackup writebackup backupcopy=no")),
    "emacs, as it comes": ("emacs", emacs("make-backup-files t")),
    "emacs, backup copied": ("emacs", emacs("make-backup-files t backup-by-copying t")),
    "emacs, no backup": ("emacs", emacs("make-backup-files nil")),
    "emacs, precious": ("emacs", emacs("file-precious-flag t")),
    "VS Code": ("", in_place),
    "VS Code, atomic": ("", temporary("{}.vsctmp")),
    "JetBrains": ("", safe_write),
    "GNOME": ("", temporary(".goutputstream-9XK2B0")),
    "rsync": ("", temporary(".{}.Xq81Zk")),
    "sed -i": ("", temporary("sedQ4fK2a")),
}
"""What writes, the program it needs, and how."""

USUAL = ("vim, as it comes", "emacs, as it comes", "VS Code")


def saves(*names: str) -> list[Any]:
    return [pytest.param(*SAVES[n], id=n, marks=needs(SAVES[n][0]) if SAVES[n][0] else ()) for n in names]


def one_rebuild_a_save(watching: Any, reader: type[Any], save: Save, times: int) -> None:
    page = watching.docs / "guide" / "intro.md"
    before = watching.rebuilds
    with reader(watching.out, {"guide": {"intro", "notes"}, "api": {"calls"}}):
        for number in range(times):
            line = f"Zebra{number} is a word that {save.__qualname__} wrote."
            with watching.one_rebuild(line):
                save(page, line)
            assert page.read_text().endswith(line + "\n")
            assert any(line in file.read_text() for file in (watching.out / "guide/_chunks").iterdir())
    assert watching.rebuilds == before + times


@pytest.mark.slow
def test_one_rebuild_a_save(docs: Path, start: MakeWatch, reader: type[Any]) -> None:
    """The three usual ones, as far as they are installed; the slow tests name those that are not."""
    watching = start(docs)
    for name in USUAL:
        program, save = SAVES[name]
        if not program or shutil.which(program):
            one_rebuild_a_save(watching, reader, save, 1)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["in place", "inside the sources", "elsewhere"])
@pytest.mark.parametrize(("program", "save"), saves(*SAVES))
def test_one_rebuild_for_each_of_three_saves(
    docs: Path, start: MakeWatch, reader: type[Any], program: str, save: Save, place: str
) -> None:
    out = {"in place": docs, "inside the sources": docs / "public", "elsewhere": docs.parent / "public"}[place]
    one_rebuild_a_save(start(docs, out=str(out)), reader, save, 3)


@pytest.mark.slow
def test_one_rebuild_when_folders_move(docs: Path, start: MakeWatch) -> None:
    watching = start(docs, out=str(docs.parent / "public"))
    with watching.one_rebuild("renamed"):
        (docs / "guide").rename(docs / "_handbook")
    assert "guide" not in watching.topics()
    with watching.one_rebuild("moved down"):
        (docs / "_handbook").rename(docs / "api" / "handbook")
    with watching.one_rebuild("moved out"):
        (docs / "api" / "handbook").rename(docs.parent / "handbook")
    assert watching.topics() == {"api"}
    assert not (watching.out / "guide").exists()  # left out two publications ago
    with watching.one_rebuild("moved in"):
        (docs.parent / "handbook").rename(docs / "guide")
    assert "intro.md" in watching.read()
    with watching.one_rebuild("a save in a folder that came later"):
        in_place(docs / "guide" / "intro.md", "A line more.")
    with watching.one_rebuild("a deep new folder"):
        (docs / "a" / "b" / "c").mkdir(parents=True)
        (docs / "a" / "b" / "c" / "deep.md").write_text("# Deep\n")
    assert "deep.md" in watching.read("a/b/c/topic-spec.md")
    with watching.one_rebuild("removed"):
        shutil.rmtree(docs / "a")
    assert "a" not in watching.topics()
    for number in range(GENERATIONS):  # readers of the tree before may still come for them
        assert (watching.out / "a").exists()
        with watching.one_rebuild(f"publication {number} after"):
            in_place(docs / "guide" / "intro.md", f"Line {number}.")
    assert not (watching.out / "a").exists()


@pytest.mark.slow
@needs("git")
def test_one_rebuild_a_checkout(docs: Path, start: MakeWatch) -> None:
    def git(*command: str) -> None:
        clean = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        run("git", *identity, *command, cwd=docs.parent, env=os.environ | clean)

    git("init", "--quiet", "--initial-branch=main")
    git("add", "docs")
    git("commit", "--quiet", "-m", "one")
    git("checkout", "--quiet", "-b", "other")
    shutil.rmtree(docs / "api")
    (docs / "guide" / "intro.md").write_text("# Another introduction\n")
    for number in range(30):
        (docs / f"page{number}.md").write_text(f"# Page {number}\n")
    git("add", "--all", "docs")
    git("commit", "--quiet", "-m", "two")
    git("checkout", "--quiet", "main")
    watching = start(docs, out=str(docs.parent / "public"))
    for _ in range(2):
        with watching.one_rebuild("to the other branch"):
            git("checkout", "--quiet", "other")
        assert "api" not in watching.topics()
        assert "Another introduction" in watching.read()
        with watching.one_rebuild("back"):
            git("checkout", "--quiet", "main")
        assert "calls.md" in watching.read("api/topic-spec.md")
        assert not watching.documents("")
