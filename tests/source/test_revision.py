"""The version that git knows of a source tree."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from infograph.errors import ConfigError
from infograph.source.revision import commit_days, source_version

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "a")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.org")
    git(tmp_path, "init", "-q")
    return tmp_path


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def commit(root: Path) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-qm", "a")
    return git(root, "rev-parse", "HEAD")


def test_it_is_the_last_commit_that_changed_a_document(repository: Path) -> None:
    docs = repository / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("a\n")
    assert source_version(docs) is None, "before the first commit"
    first = commit(repository)
    assert source_version(docs) == source_version(repository) == first
    (docs / "topic-spec.md").write_text("ours\n")
    (repository / "other.txt").write_text("no document\n")
    assert source_version(docs) == first
    commit(repository)
    assert source_version(docs) == first
    (docs / "a.md").write_text("b\n")
    assert source_version(docs) == f"{first}-dirty"
    assert source_version(docs) != commit(repository) + "-dirty"


def test_there_is_none_without_a_commit_of_documents(repository: Path) -> None:
    (repository / "other.txt").write_text("no document\n")
    commit(repository)
    assert source_version(repository) is None


def test_there_is_none_outside_of_git(tmp_path: Path) -> None:
    assert source_version(tmp_path) is None


def test_what_git_says_is_told(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / ".git/HEAD").write_text("broken\n")
    with pytest.raises(ConfigError, match=r"chunks\.metadata: git cannot tell the version .*: fatal: "):
        source_version(repository)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match=r"git cannot tell the version .*: .*No such file"):
        source_version(repository)


def commit_on(root: Path, day: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"{day}T12:00:00Z")
    commit(root)


def test_a_document_has_the_day_of_its_last_commit(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = repository / "docs"
    (docs / "guide").mkdir(parents=True)
    for name in ("a.md", "guide/b é.md", "c.md"):
        (docs / name).write_text("one\n")
    (docs / "topic-spec.md").write_text("ours\n")
    (repository / "outside.md").write_text("one\n")
    assert commit_days(docs) == {}, "before the first commit"
    commit_on(repository, "2024-01-31", monkeypatch)
    (docs / "a.md").write_text("two\n")
    commit_on(repository, "2024-02-01", monkeypatch)
    (docs / "c.md").write_text("not committed\n")
    (docs / "new.md").write_text("not committed\n")
    assert commit_days(docs) == {"a.md": 19754, "guide/b é.md": 19753, "c.md": 19753}


def test_a_shallow_clone_has_no_days(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    for text in ("one", "two"):
        (repository / "a.md").write_text(text)
        commit(repository)
    clone = tmp_path_factory.mktemp("clone") / "own"
    git(repository, "clone", "-q", "--depth=1", f"file://{repository}", str(clone))
    with pytest.raises(ConfigError, match="is a shallow clone, in which documents have no dates"):
        commit_days(clone)


def test_outside_of_git_nothing_has_a_day(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one")
    assert commit_days(tmp_path) == {}
