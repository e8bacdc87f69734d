"""Places of a build: outputs, the memory of the last build, the cache of vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from infograph.config import load
from infograph.config.places import refuse_store
from infograph.errors import ConfigError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with docs, and the working directory in it."""
    (tmp_path / "docs").mkdir()
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_in_place(project: Path) -> None:
    settings = load("docs", environment={})
    assert settings.in_place and settings.root == project / "docs"


@pytest.mark.parametrize("mark", ["infograph.toml", "pyproject.toml", ".git"])
def test_the_cache_lies_beside_the_nearest_mark_of_a_project(project: Path, mark: str) -> None:
    (project / "docs/deep").mkdir()
    assert load("docs/deep", environment={}).cache == project / ".embedding-cache"
    (project / "docs" / mark).touch()  # of a worktree, `.git` is a file
    assert load("docs/deep", environment={}).cache == project / "docs/.embedding-cache"


@pytest.mark.parametrize("mark", ["pyproject.toml", ".git"])
def test_what_is_no_output_lies_with_the_project_wherever_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    docs, elsewhere = tmp_path / "outer/inner/docs", tmp_path / "elsewhere"
    docs.mkdir(parents=True)
    elsewhere.mkdir()

    def places() -> set[Path]:
        settings = load(str(docs), flags={"out": str(docs.parent / "site")}, environment={})
        assert settings.memory.parent.name == ".infograph"
        return {settings.cache.parent, settings.memory.parents[1]}

    monkeypatch.chdir(elsewhere)
    assert places() == {docs.parent}, "the folder above the sources"
    monkeypatch.chdir(tmp_path)
    assert places() == {tmp_path}, "the working directory, in which the sources lie"
    (tmp_path / "outer" / mark).touch()
    assert places() == {tmp_path / "outer"}, "what is marked"
    monkeypatch.chdir(elsewhere)
    assert places() == {tmp_path / "outer"}


def test_a_cache_of_the_release_before_stays_in_use(project: Path) -> None:
    (project / "pyproject.toml").touch()
    (project / "docs/.embedding-cache").mkdir()
    assert load("docs", environment={}).cache == project / "docs/.embedding-cache"


def test_the_cache_is_in_no_folder_that_is_published(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "docs/site").mkdir()
    monkeypatch.chdir(project / "docs/site")
    settings = load("..", flags={"out": "."}, environment={})
    assert settings.out == project / "docs/site"
    assert not settings.cache.is_relative_to(settings.out)


def test_what_the_file_says_is_relative_to_the_file(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "infograph.toml").write_text('docs = "docs"\nout = "site"\ncache = "vectors"\n')
    monkeypatch.chdir(project / "docs")
    settings = load(environment={})
    assert (settings.root, settings.out) == (project / "docs", project / "site")
    assert settings.cache == project / "vectors"


def test_what_a_flag_says_is_relative_to_the_working_directory(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "infograph.toml").write_text('out = "site"\n')
    monkeypatch.chdir(project / "docs")
    settings = load(".", flags={"out": "dist"}, environment={})
    assert settings.out == project / "docs/dist"
    assert settings.cache == project / ".embedding-cache", "the sources are left untouched"


def test_what_goes_to_a_store_is_built_in_the_project(project: Path) -> None:
    """Each address has a copy of its own, whatever folder it is built from, and none has two."""
    settings = load("docs", flags={"out": "s3://bucket/docs"}, environment={})
    assert settings.store == "s3://bucket/docs" and not settings.in_place
    assert settings.out.parent == project / ".infograph" and settings.memory.parent == project / ".infograph"
    assert load("docs", flags={"out": "s3://bucket/docs/"}, environment={}).out == settings.out
    assert load("docs", flags={"out": "gs://bucket/docs"}, environment={}).out != settings.out
    (project / "infograph.toml").write_text('out = "s3://bucket/docs"\n')
    assert load("docs", environment={}).out == settings.out
    assert load("docs", flags={"out": "site"}, environment={}).store is None


def test_where_the_project_is_the_source_the_copy_is_hidden_in_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load(".", flags={"out": "s3://bucket/docs"}, environment={})
    assert settings.out.parent == project / ".infograph" and settings.memory.is_relative_to(project / ".infograph")


def test_a_command_that_does_not_publish_refuses_a_store(project: Path) -> None:
    refuse_store(load("docs", flags={"out": "site"}, environment={}), "clean")
    with pytest.raises(ConfigError, match="names an object store, and `clean` works on a folder"):
        refuse_store(load("docs", flags={"out": "s3://bucket/docs"}, environment={}), "clean")
