"""`clean` takes away what is ours."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from infograph.build import build
from infograph.commands.clean import clean
from infograph.config import Settings, load
from infograph.errors import OutputError
from infograph.formats.names import PRIVATE


def settings(root: Path, **flags: object) -> Settings:
    return load(str(root), flags=flags, environment={})


STRANGERS = {
    "guide/_chunks/notes.txt": "mine",
    "guide/_chunks/my-note-1.md": "---\ntitle: Mine\n---\nNot a chunk.\n",
    "other/index.json": '{"name": "a site of its own"}',
    "other/llms.txt": "# Somebody else's\n",
    "_keywords/notes.md": "mine",
    ".nojekyll": "",
    "empty/_chunks/readme.txt": "mine",
}


@pytest.mark.parametrize("memory", [True, False])
def test_clean_removes_all_of_ours_and_nothing_else(
    tmp_path: Path, library: dict[str, str], write_tree, snapshot, quick, memory: bool
) -> None:
    root = write_tree(tmp_path / "docs", library | STRANGERS)
    before = snapshot(root)
    built = build(settings(root))
    assert {name: before[name] for name in before} == {name: snapshot(root)[name] for name in before}
    if not memory:
        shutil.rmtree(root / PRIVATE)
    assert clean(settings(root)) == built.written
    assert snapshot(root) == before
    assert not (root / PRIVATE).exists() and not (root / "_schema").exists()
    assert (root / ".embedding-cache").is_dir()
    entries = sum(path.is_file() for path in (root / ".embedding-cache").rglob("*"))
    assert clean(settings(root), cache=True) == entries > 0
    assert not (root / ".embedding-cache").exists()


def test_clean_of_a_tree_of_outputs(tmp_path: Path, library: dict[str, str], write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    (tmp_path / "infograph.toml").touch()
    site = settings(root, out=str(tmp_path / "site"))
    assert clean(site) == 0 and not site.out.exists()
    build(site)
    assert (tmp_path / PRIVATE).is_dir()
    (site.out / "mine.txt").touch()
    clean(site)
    assert os.listdir(site.out) == ["mine.txt"]
    (site.out / "mine.txt").unlink()
    build(site)
    clean(site)
    assert not site.out.exists()
    assert not (tmp_path / PRIVATE).exists()


def test_clean_leaves_a_cache_folder_that_is_more_than_a_cache(tmp_path: Path, library, write_tree, quick) -> None:
    root = write_tree(tmp_path / "docs", library)
    (tmp_path / "infograph.toml").write_text('cache = "docs"\n')
    build(settings(root))
    with pytest.raises(OutputError, match="which is no cache entry"):
        clean(settings(root), cache=True)
    assert all((root / name).read_text() == text for name, text in library.items())


@pytest.mark.parametrize("stranger", ["not deep enough", "too deep", "linked file", "linked folder", "linked cache"])
def test_clean_leaves_a_cache_folder_with_anything_but_entries(tmp_path: Path, stranger: str) -> None:
    cache, other = tmp_path / "cache", tmp_path / "other"
    entries = cache / "strategy" / "model" / "0123"
    for folder in (entries, other, tmp_path / "docs"):
        folder.mkdir(parents=True)
    (entries / "chunk-0.bin").write_bytes(b"vector")
    (other / "mine.bin").write_bytes(b"mine")
    match stranger:
        case "not deep enough":
            (entries.parent / "mine.bin").write_bytes(b"mine")
        case "too deep":
            (entries / "deeper").mkdir()
            (entries / "deeper" / "mine.bin").write_bytes(b"mine")
        case "linked file":
            (entries / "chunk-1.bin").symlink_to(other / "mine.bin")
        case "linked folder":
            (entries.parent / "4567").symlink_to(other, target_is_directory=True)
        case "linked cache":
            (tmp_path / "docs/.embedding-cache").symlink_to(cache, target_is_directory=True)
    ours = settings(tmp_path / "docs", **{} if stranger == "linked cache" else {"cache": str(cache)})
    before = sorted([*cache.rglob("*"), *other.rglob("*")])
    with pytest.raises(OutputError, match="is a symbolic link" if stranger == "linked cache" else "is no cache entry"):
        clean(ours, cache=True)
    assert sorted([*cache.rglob("*"), *other.rglob("*")]) == before
