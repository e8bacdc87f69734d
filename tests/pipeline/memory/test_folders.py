from __future__ import annotations

import os
from pathlib import Path

import pytest

from infograph.pipeline.memory.folders import CHANGED_MEANWHILE, as_published, digest, digests, rows_of


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "_chunks"
    folder.mkdir()
    (folder / "a-0.md").write_bytes(b"one")
    (folder / "b-0.md").write_bytes(b"three")
    os.utime(folder / "a-0.md", ns=(5, 5))
    os.utime(folder / "b-0.md", ns=(7, 7))
    return tmp_path


def test_rows_are_sizes_and_times(out: Path) -> None:
    assert rows_of(out, "_chunks") == ["a-0.md/3/5", "b-0.md/5/7"]


def test_a_link_and_a_file_are_no_folders(out: Path) -> None:
    (out / "link").symlink_to(out / "_chunks")
    assert rows_of(out, "link") == rows_of(out, "_chunks/a-0.md") == rows_of(out, "missing") == []


def test_a_link_in_the_place_of_a_file_is_seen(out: Path) -> None:
    before = digest(rows_of(out, "_chunks"))
    (out / "_chunks/a-0.md").rename(out / "elsewhere")
    (out / "_chunks/a-0.md").symlink_to(out / "elsewhere")
    assert digest(rows_of(out, "_chunks")) != before


def test_the_table_of_aliases_is_left_out(out: Path) -> None:
    (out / "_graph").mkdir()
    (out / "_graph/aliases.md").write_bytes(b"|")
    (out / "_graph/manifest.json").write_bytes(b"{}")
    assert [row.partition("/")[0] for row in rows_of(out, "_graph")] == ["manifest.json"]


def test_names_that_are_no_text_have_a_digest(out: Path) -> None:
    assert digest(["\udcff/1/1"]) != digest(["\udcfe/1/1"])


def test_the_order_of_a_folder_does_not_count(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, scandir = rows_of(out, "_chunks"), os.scandir

    class Backwards:
        def __init__(self, folder: int) -> None:
            with scandir(folder) as entries:
                self.entries = sorted(entries, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *error: object) -> None:
            return

    monkeypatch.setattr(os, "scandir", Backwards)
    assert rows_of(out, "_chunks") == before


def test_what_a_publication_leaves_is_known_before_it(out: Path) -> None:
    before = digests(out, ["_chunks"])
    known = as_published(out, ["_chunks"], before, {"_chunks/c-0.md": "c-0.md/4/9"}, ["_chunks/a-0.md"])
    (out / "_chunks/a-0.md").unlink()
    (out / "_chunks/c-0.md").write_bytes(b"four")
    os.utime(out / "_chunks/c-0.md", ns=(9, 9))
    assert known == digests(out, ["_chunks"])


def test_a_folder_that_changed_meanwhile_is_known_as_no_folder_is(out: Path) -> None:
    before = digests(out, ["_chunks"])
    (out / "_chunks/b-0.md").write_bytes(b"edited")
    removed = as_published(out, ["_chunks"], before, {}, ["_chunks/a-0.md"])
    assert removed == as_published(out, ["_chunks"], before, {"_chunks/c-0.md": "c-0.md/4/9"}, [])
    assert removed == {"_chunks": CHANGED_MEANWHILE}
    assert CHANGED_MEANWHILE not in digests(out, ["_chunks", "missing"]).values()


def test_a_folder_that_nothing_is_published_in_is_not_looked_into_and_known_as_it_was(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digests(out, ["_chunks"])
    (out / "_chunks/b-0.md").write_bytes(b"edited")
    after = digests(out, ["_chunks"])
    monkeypatch.delattr(os, "scandir")
    known = as_published(out, ["_chunks", "new/_chunks"], before, {"_search/p.z": "p.z/1/1"}, ["index.json"])
    assert known == {"_chunks": before["_chunks"], "new/_chunks": digest([])}
    assert known["_chunks"] != after["_chunks"]  # which the next build finds
