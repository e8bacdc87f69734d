"""A program that builds again and again keeps the state of the search bundle: never another than lies on the disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.config import Settings, load
from infograph.errors import OutputError
from infograph.formats.names import is_shard
from infograph.pipeline.memory.state import BUNDLE
from infograph.pipeline.staging import Output
from infograph.pipeline.worker import search_files
from infograph.search.writing.bundle_state import SearchState, load_state
from infograph.search.writing.kept_state import KeptState


def settings(root: Path, **flags: Any) -> Settings:
    return load(str(root), flags={name.replace("__", "."): value for name, value in flags.items()}, environment={})


class Kept:
    """Builds of one process, which keeps the state of the bundle between them, as a watch does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.kept = KeptState()
        self.loads = 0
        """Number of states that were read from the disk."""
        monkeypatch.setattr(search_files, "load_state", self._load)

    def _load(self, data: bytes, key: str) -> SearchState | None:
        self.loads += 1
        return load_state(data, key)

    def build(self, docs: Path, **flags: Any) -> int:
        """Builds, and returns how many states it read from the disk."""
        before = self.loads
        build(settings(docs, **flags), kept=self.kept)
        return self.loads - before


@pytest.fixture
def docs(tmp_path: Path, write_tree: Any, quick: Any) -> Path:
    pages = {"cooking.md": "# Cooking\n\nThe kettle is warm.\n", "licence.md": "# Licence\n\nNobody may copy it.\n"}
    return write_tree(tmp_path / "docs", pages)


@pytest.fixture
def watching(docs: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """After two builds: the first one keeps nothing that was read."""
    found = Kept(monkeypatch)
    assert found.build(docs) == 0
    yield found
    found.kept.clear()


def edit(docs: Path, word: str) -> None:
    with open(docs / "cooking.md", "a") as file:
        file.write(f"\nThe {word} whistles.\n")


def is_as_from_nothing(docs: Path, snapshot: Any, tmp_path: Path, **flags: Any) -> bool:
    """Whether a tree holds what a build of its sources makes, and beside it only what is left for older readers."""
    copy = tmp_path / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for source in docs.glob("*.md"):
        shutil.copy(source, copy)
    build(settings(copy, **flags))
    made, found = snapshot(copy), snapshot(docs)
    return made == {name: data for name, data in found.items() if name in made or not is_shard(name)}


def test_a_watch_reads_no_state_that_it_wrote_itself(docs: Path, watching: Kept, snapshot: Any, tmp_path: Path) -> None:
    for word in ("zebra", "xylophone"):
        edit(docs, word)
        assert watching.build(docs) == 0
    (docs / "licence.md").unlink()
    assert watching.build(docs) == 0
    assert is_as_from_nothing(docs, snapshot, tmp_path)


def test_another_process_built_in_between(docs: Path, watching: Kept, snapshot: Any, tmp_path: Path) -> None:
    edit(docs, "zebra")
    build(settings(docs))
    before = watching.loads
    edit(docs, "xylophone")
    watching.build(docs)
    assert watching.loads == before + 1
    assert is_as_from_nothing(docs, snapshot, tmp_path)


def test_the_state_of_an_older_build_came_back(docs: Path, watching: Kept, snapshot: Any, tmp_path: Path) -> None:
    shutil.copytree(docs / ".infograph", tmp_path / "before")
    edit(docs, "zebra")
    watching.build(docs)
    shutil.rmtree(docs / ".infograph")  # as a backup that is restored
    shutil.copytree(tmp_path / "before", docs / ".infograph")
    edit(docs, "xylophone")
    watching.build(docs)
    assert is_as_from_nothing(docs, snapshot, tmp_path)


def test_settings_changed_in_between(docs: Path, watching: Kept, snapshot: Any, tmp_path: Path) -> None:
    edit(docs, "zebra")
    watching.build(docs, site__url="https://example.org/")
    assert is_as_from_nothing(docs, snapshot, tmp_path, site__url="https://example.org/")
    edit(docs, "xylophone")
    assert watching.build(docs, site__url="https://example.org/") == 0
    watching.build(docs)
    assert is_as_from_nothing(docs, snapshot, tmp_path)


@pytest.mark.parametrize("damage", ["byte", "cut", "gone"])
def test_the_file_of_the_state_is_damaged(
    docs: Path, watching: Kept, snapshot: Any, tmp_path: Path, damage: str
) -> None:
    place = docs / ".infograph" / BUNDLE
    data = bytearray(place.read_bytes())
    if damage == "gone":
        place.unlink()
    else:
        data[-1] ^= 1
        place.write_bytes(bytes(data if damage == "byte" else data[:-1]))
    edit(docs, "zebra")
    watching.build(docs)
    assert is_as_from_nothing(docs, snapshot, tmp_path)
    edit(docs, "xylophone")
    assert watching.build(docs) == 0
    assert is_as_from_nothing(docs, snapshot, tmp_path)


def test_a_build_failed_in_between(
    docs: Path, watching: Kept, snapshot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OutputError("staging", "no space left")

    edit(docs, "zebra")
    with monkeypatch.context() as patch:
        patch.setattr(Output, "publish", full)  # its state is staged by then
        with pytest.raises(OutputError):
            watching.build(docs)
    before = watching.loads
    edit(docs, "xylophone")
    watching.build(docs)
    assert is_as_from_nothing(docs, snapshot, tmp_path)
    edit(docs, "yak")
    before = watching.loads
    watching.build(docs)
    assert watching.loads == before and is_as_from_nothing(docs, snapshot, tmp_path)


def test_a_check_keeps_nothing(docs: Path, watching: Kept, snapshot: Any, tmp_path: Path) -> None:
    edit(docs, "zebra")
    build(settings(docs), check=True, kept=watching.kept)
    assert watching.build(docs) == 0
    assert is_as_from_nothing(docs, snapshot, tmp_path)
