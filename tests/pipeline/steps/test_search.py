"""The search bundle in a build: made, kept up to date, repaired, and its old files kept for two publications."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from infograph.build import build
from infograph.commands.clean import clean
from infograph.config import Settings, load
from infograph.errors import ConfigError, OutputError
from infograph.formats.names import SEARCH, SEARCH_MANIFEST
from infograph.pipeline.kept import GENERATIONS
from infograph.pipeline.memory.state import BUNDLE
from infograph.pipeline.worker.bundle_tasks import Searched
from infograph.search.reading.listing import named_files
from infograph.search.reading.reader import Reader
from infograph.search.writing import bundle_state
from infograph.search.writing.bundle_state import SearchState, unpack_state
from infograph.search.writing.link_lists import LinkRows
from infograph.text.language import stemmer


def settings(root: Path, **flags: Any) -> Settings:
    return load(str(root), flags={name.replace("__", "."): value for name, value in flags.items()}, environment={})


def find(root: Path, query: str) -> list[str]:
    """Chunks, the best first, with the address that each leads to."""
    reader = Reader(lambda name: (root / SEARCH / name).read_bytes(), stemmer)
    hits = reader.search(query, 3)
    return [f"{hit.page}#{hit.index} {hit.page_url}#{hit.anchor}" for hit in hits]


def current(root: Path) -> set[str]:
    """Files that the manifest leads to."""
    found, names = set(), ["manifest.json"]
    while names:
        name = names.pop()
        found.add(name)
        names += set(named_files(name, (root / SEARCH / name).read_bytes())).difference(found)
    return found


def stored(root: Path) -> set[str]:
    return {path.name for path in (root / SEARCH).iterdir()}


@pytest.fixture
def docs(tmp_path: Path, library: dict[str, str], write_tree, quick) -> Path:
    return write_tree(tmp_path / "docs", library)


def test_a_build_can_be_searched_and_a_hit_leads_to_its_chunk_and_its_page(docs: Path) -> None:
    build(settings(docs, site__generator="mkdocs", site__url="https://example.org/"))
    assert find(docs, "kettle step")[0].startswith("guide/deep/cooking.md#")
    assert "https://example.org/guide/deep/cooking/#" in find(docs, "kettle step")[0]
    reader = Reader(lambda name: (docs / SEARCH / name).read_bytes(), stemmer)
    hit = reader.search("window part")[0]
    assert hit.sha256 in (docs / hit.href).read_text("utf-8")
    assert stored(docs) == current(docs)


def test_front_matter_that_a_generator_honours_decides_over_the_address(docs: Path) -> None:
    (docs / "licence.md").write_text("---\nslug: /terms\n---\n# Terms\n\nNobody may keep a zebra.\n")
    build(settings(docs, site__generator="docusaurus", site__url="/docs"))
    assert find(docs, "zebra")[0].startswith("licence.md#0 /docs/terms#")
    (docs / "licence.md").write_text("---\nslug: /rules\n---\n# Terms\n\nNobody may keep a zebra.\n")
    build(settings(docs, site__generator="docusaurus", site__url="/docs"))
    assert find(docs, "zebra")[0].startswith("licence.md#0 /docs/rules#")


def test_what_is_packed_while_a_bundle_is_made_is_its_state(docs: Path) -> None:
    place = settings(docs).memory / BUNDLE
    for word in ("zebra", "xylophone"):
        build(settings(docs))
        data = place.read_bytes()
        state = unpack_state(data)
        assert state is not None and data == b"".join(state.dump())
        with open(docs / "licence.md", "a") as file:
            file.write(f"\nThe {word} whistles.\n")


def test_an_edit_reads_what_the_last_bundle_left_while_its_steps_are_imported(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(settings(docs))
    threads: list[str] = []

    def unpack(data: bytes) -> SearchState | None:
        threads.append(threading.current_thread().name)
        return unpack_state(data)

    monkeypatch.setattr(bundle_state, "unpack_state", unpack)
    build(settings(docs))
    assert not threads  # nothing changed, so nothing is read
    (docs / "licence.md").write_text("# Licence\n\nThe zebra whistles.\n")
    build(settings(docs))
    assert len(threads) == 1 and threads[0] != threading.main_thread().name
    assert find(docs, "zebra")[0].startswith("licence.md#0")


@pytest.mark.parametrize("site", [{"site__generator": "mkdoc"}, {"site__generator": "pattern"}, {"site__slugs": "x"}])
def test_a_slip_in_the_site_settings_ends_the_build_and_leaves_what_is_published(
    docs: Path, site: dict[str, str], snapshot
) -> None:
    build(settings(docs))
    before = snapshot(docs)
    with pytest.raises(ConfigError, match=r"^site\."):
        build(settings(docs, **site))
    assert snapshot(docs) == before


@pytest.mark.slow
def test_files_of_two_publications_before_still_stand(docs: Path) -> None:
    build(settings(docs))
    seen = [current(docs)]
    for number in range(4):
        (docs / "licence.md").write_text(f"# Licence\n\nVersion {number} of the licence speaks of zebra{number}.\n")
        build(settings(docs))
        seen.append(current(docs))
        assert find(docs, f"zebra{number}")[0].startswith("licence.md#0")
        kept = set.union(*seen[-1 - GENERATIONS :])
        assert stored(docs) == kept
    assert seen[0] - stored(docs)


@pytest.mark.slow
def test_what_nobody_can_date_counts_as_of_the_last_publication(docs: Path) -> None:
    build(settings(docs))
    before = current(docs)
    shutil.rmtree(docs / ".infograph")
    (docs / "licence.md").write_text("# Licence\n\nAnother one.\n")
    assert SEARCH_MANIFEST in build(settings(docs), check=True).stale
    build(settings(docs))
    assert stored(docs) == before | current(docs)
    assert build(settings(docs), check=True).stale == []


@pytest.mark.slow
def test_builds_without_a_memory_do_not_pile_files_up(docs: Path) -> None:
    """As where each build begins with a fresh checkout of the last one's outputs."""
    for number in range(4):
        before = current(docs) if number else set()
        shutil.rmtree(docs / ".infograph", ignore_errors=True)
        (docs / "licence.md").write_text(f"# Licence\n\nVersion {number} of the licence speaks of zebra{number}.\n")
        build(settings(docs))
        assert stored(docs) == before | current(docs)


@pytest.mark.slow
def test_files_that_still_stand_are_not_stale_in_a_fresh_checkout(docs: Path) -> None:
    for number in range(3):
        (docs / "licence.md").write_text(f"# Licence\n\nVersion {number} of the licence speaks of zebra{number}.\n")
        build(settings(docs))
    before = stored(docs)
    shutil.rmtree(docs / ".infograph")
    assert build(settings(docs), check=True).stale == []
    build(settings(docs))
    assert stored(docs) == before > current(docs)


def test_a_document_that_is_gone_or_broken_is_not_found(docs: Path) -> None:
    build(settings(docs))
    assert find(docs, "kettle")
    (docs / "guide/deep/cooking.md").unlink()
    (docs / "licence.md").write_bytes(b"\xff\xfe\n")
    build(settings(docs))
    assert not [hit for hit in find(docs, "kettle licence") if hit.startswith(("guide/deep/cooking.md", "licence.md"))]


@pytest.mark.slow
@pytest.mark.parametrize("harm", ["unlink", "manifest", "state"])
def test_a_bundle_that_is_not_as_it_was_left_is_made_again(docs: Path, harm: str, snapshot) -> None:
    build(settings(docs))
    expected = snapshot(docs)
    if harm == "unlink":
        next((docs / SEARCH).glob("p-*.z")).unlink()
    elif harm == "manifest":
        (docs / SEARCH_MANIFEST).write_text("{}")
    else:
        (docs / ".infograph/search").write_bytes(b"torn")
        text = (docs / "licence.md").read_text()
        (docs / "licence.md").write_text(text + "\nMore.\n")
        build(settings(docs))
        (docs / "licence.md").write_text(text)
    if harm == "manifest":  # what somebody else wrote there is not replaced
        with pytest.raises(Exception, match="infograph did not write it"):
            build(settings(docs))
        (docs / SEARCH_MANIFEST).unlink()
    build(settings(docs))
    assert snapshot(docs) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "harm", ["other bytes", *(pytest.param(harm, marks=pytest.mark.slow) for harm in ("empty", "link", "directory"))]
)
@pytest.mark.parametrize("remembered", [True, False])
def test_a_shard_that_somebody_wrote_over_is_written_again(
    docs: Path, tmp_path: Path, harm: str, remembered: bool, snapshot
) -> None:
    """Its name is the digest of what belongs there, so nobody's work is lost with other bytes."""
    build(settings(docs))
    expected = snapshot(docs)
    shard = next((docs / SEARCH).glob("p-*.z"))
    (tmp_path / "precious").write_bytes(shard.read_bytes())
    if harm in ("other bytes", "empty"):
        shard.write_bytes(b"other" if harm == "other bytes" else b"")
    else:
        shard.unlink()
        shard.mkdir() if harm == "directory" else shard.symlink_to(tmp_path / "precious")
    shutil.rmtree(docs / ".infograph") if not remembered else (docs / SEARCH_MANIFEST).touch()
    if harm == "directory":  # which may hold anything
        with pytest.raises(OutputError, match=r"p-\w+\.z: stands there already"):
            build(settings(docs))
        shard.rmdir()
    assert f"{SEARCH}/{shard.name}" in build(settings(docs), check=True).stale
    build(settings(docs))
    assert snapshot(docs) == expected
    assert (tmp_path / "precious").read_bytes() == expected[f"{SEARCH}/{shard.name}"]


def test_without_search_nothing_of_it_is_left(docs: Path, snapshot) -> None:
    build(settings(docs))
    assert b'"search"' in (docs / "index.json").read_bytes()
    build(settings(docs, search__enabled=False))
    assert not (docs / SEARCH).exists()
    assert b'"search"' not in (docs / "index.json").read_bytes()
    assert build(settings(docs, search__enabled=False), check=True).stale == []


@pytest.mark.slow
def test_without_search_nothing_is_remembered_of_it(docs: Path, snapshot) -> None:
    off = settings(docs, search__enabled=False)
    build(off)
    remembered = sorted(path.name for path in off.memory.iterdir())
    build(settings(docs))
    expected = snapshot(docs)
    assert (off.memory / BUNDLE).is_file()
    build(off)
    assert sorted(path.name for path in off.memory.iterdir()) == remembered
    assert BUNDLE not in remembered
    build(settings(docs))
    assert snapshot(docs) == expected


def test_clean_removes_it_and_leaves_what_is_not_ours(docs: Path) -> None:
    build(settings(docs))
    (docs / SEARCH / "p-0000000000000000.z").write_bytes(b"not what its name says")
    (docs / SEARCH / "notes.txt").write_text("mine")
    clean(settings(docs))
    assert stored(docs) == {"p-0000000000000000.z", "notes.txt"}


@pytest.mark.parametrize("lost", ["index.json", "llms.txt"])
def test_a_lost_output_of_a_root_without_documents_costs_no_file_of_the_bundle(
    tmp_path: Path, write_tree, quick, lost: str
) -> None:
    docs = write_tree(tmp_path / "docs", {"guide/page.md": "# Page\n\nA kettle.\n", "other/page.md": "# Other\n"})
    build(settings(docs))
    before = stored(docs)
    (docs / lost).unlink()
    build(settings(docs))
    assert (docs / lost).is_file()
    assert stored(docs) == before == current(docs)
    assert not build(settings(docs), check=True).stale


def test_links_between_pages_are_told_by_path() -> None:
    columns = [np.array(column) for column in ([1, 0, 0], [0, 2, 1], [0, 1, 1], [0, 0, 0], [0, 2, 1])]
    step = Searched(links=LinkRows(*columns, left_out={}), pages=("b.md", "a.md"))
    assert step.linked_pages() == {
        "a.md": [(0, "b.md", "link")],
        "b.md": [(1, "a.md", "relation"), (2, "a.md", "title")],
    }
    assert Searched().linked_pages() is None, "as the last build left them"
