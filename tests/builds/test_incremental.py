"""A build that does only what changed leaves, byte for byte, what a build from nothing leaves."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client, Via
from infograph.config import load
from infograph.files.stamps import RACY_NANOSECONDS
from infograph.formats.names import PRIVATE, SEARCH
from infograph.pipeline import tools
from infograph.pipeline.kept import GENERATIONS
from infograph.pipeline.memory.records import TOPICS
from infograph.pipeline.memory.state import PUBLISHING, STATE
from infograph.pipeline.memory.topics import GRAPH
from infograph.pipeline.summary import Summary

Tree = Any
"""What `make_tree` makes."""


@pytest.fixture
def tree(request: pytest.FixtureRequest, built_tree: Callable[..., Tree]) -> Tree:
    """A built tree; in place, unless the parameter says elsewhere, and in which chunks share files if that says so."""
    place = getattr(request, "param", "in place")
    return built_tree("elsewhere" in place, packed="packs" in place)


def edit(tree: Tree) -> None:
    path = tree.root / "guide/deep/cooking.md"
    path.write_text(path.read_text().replace("Step 3", "A fourth, rarer step"))


def add(tree: Tree) -> None:
    (tree.root / "guide/new.markdown").write_text(
        "# New\n\nA page about windows and zebras. `zebraStripe` zebra.\n" * 4
    )


def assert_idle(tree: Tree) -> Summary:
    """The next build finds that nothing changed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("infograph.pipeline.run.run", None)
        summary: Summary = tree.build()
    return summary


def rename(tree: Tree) -> None:
    (tree.root / "licence.md").rename(tree.root / "terms.md")


def delete(tree: Tree) -> None:
    (tree.root / "guide/deep/cooking.md").unlink()


def move(tree: Tree) -> None:
    (tree.root / "licence.md").rename(tree.root / "reference/api/licence.md")


def new_topic(tree: Tree) -> None:
    (tree.root / "far/away/island").mkdir(parents=True)
    (tree.root / "far/away/island/palm.md").write_text(
        "# Palm\n\nThe kettle keeps a palm warm while the window waits.\n"
    )


def fewer_topics(tree: Tree) -> None:
    shutil.rmtree(tree.root / "reference")


def new_title(tree: Tree) -> None:
    path = tree.root / "guide/index.md"
    path.write_text(path.read_text().replace("# Guide", "# The whole guide", 1))


def name_a_page(tree: Tree) -> None:
    """Pages that stay as they are name, link to and use what comes with the last of three builds."""
    (tree.root / "guide/one.md").write_text("# One\n\nQwoxelled by the Blue Kettle, see [it](../far/kettle.md).\n")
    (tree.root / "two.md").write_text("---\nrelated: [Blue Kettle]\n---\n# Two\n\nIt calls `boilWater` at once.\n")
    tree.build()
    (tree.root / "far").mkdir()
    (tree.root / "far/kettle.md").write_text("# The Blue Kettle\n\nIt boils.\n\n## boilWater()\n\nBoils.\n")


def name_no_page(tree: Tree) -> None:
    name_a_page(tree)
    tree.build()
    (tree.root / "far/kettle.md").write_text("# The red one\n\nIt boils.\n")


def questions(tree: Tree) -> None:
    (tree.root / "guide/qa-pairs.md").write_text("Q: Where is part 7?\nA: There.\n")


def no_questions(tree: Tree) -> None:
    (tree.root / "guide/qa-pairs.md").unlink()


def pin(tree: Tree) -> None:
    place = tree.root / "guide/_keywords/words.md"
    place.parent.mkdir(exist_ok=True)
    source = tree.out / "guide/_keywords/words.md"
    place.write_text(source.read_text().rstrip("\n") + "\n| entry 3 warm | | | | | 42 | yes |\n")


def unpin(tree: Tree) -> None:
    pin(tree)
    tree.build()
    place = tree.root / "guide/_keywords/words.md"
    place.write_text("".join(line for line in place.read_text().splitlines(True) if "entry 3 warm" not in line))


def touch(tree: Tree) -> None:
    os.utime(tree.root / "README.md", ns=(1, 1))


def revert(tree: Tree) -> None:
    path = tree.root / "guide/deep/cooking.md"
    before = path.read_text()
    path.write_text("# Other\n\nNothing of it.\n")
    tree.build()
    path.write_text(before)


def same_size(tree: Tree) -> None:
    path = tree.root / "README.md"
    times = path.stat()
    path.write_text(path.read_text().replace("library", "horizon"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def configure(tree: Tree) -> None:
    tree.settings = "[keywords]\nper_topic = 5\nper_chunk = 2\n[index]\nbase_url = '/docs/'\nrelated = 1\n"


def put_chunks(tree: Tree, files: str) -> None:
    tree.settings = f"{tree.settings.partition('[chunks]')[0]}[chunks]\nfiles = '{files}'\n"


def repack(tree: Tree) -> None:
    """From files of one chunk to shared ones, or the other way."""
    put_chunks(tree, "each" if "pack" in tree.settings else "pack")


def repack_and_back(tree: Tree) -> None:
    put_chunks(tree, "pack")
    tree.build()
    edit(tree)
    put_chunks(tree, "each")


def exclude(tree: Tree) -> None:
    tree.settings += "[source]\nexclude = ['deep/']\n"


def move_out_of_sight(tree: Tree) -> None:
    """What is published of it goes along, to where no documents are looked for."""
    tree.settings += "[source]\nexclude = ['drafts/']\n"
    tree.build()
    (tree.root / "guide").rename(tree.root / "drafts")


def copy_outputs(tree: Tree) -> None:
    shutil.copytree(tree.root / "guide/deep", tree.root / "guide/copied")
    for name in ("cooking.md", "licence.md"):
        (tree.root / "guide/copied" / name).unlink()


def break_one(tree: Tree) -> None:
    (tree.root / "guide/deep/licence.md").write_bytes(b"# L\n\n\xff\n")


def mend_one(tree: Tree) -> None:
    path = tree.root / "guide/deep/licence.md"
    before = path.read_bytes()
    path.write_bytes(b"# L\n\n\xff\n")
    tree.build()
    path.write_bytes(before)


def drop_chunk(tree: Tree) -> None:
    packs = tree.out.glob("guide/_chunks/index*-0.pack.txt")
    next(itertools.chain(tree.out.glob("guide/_chunks/index*-2.md"), packs)).unlink()


def drop_chunks(tree: Tree) -> None:
    shutil.rmtree(tree.out / "guide/deep/_chunks")


def edit_index(tree: Tree) -> None:
    path = tree.out / "guide/index.json"
    path.write_text(path.read_text().replace("Guide", "Ghost"))


def empty_index(tree: Tree) -> None:
    (tree.out / "index.json").write_bytes(b"")


def drop_spec(tree: Tree) -> None:
    (tree.out / "reference/api/topic-spec.md").unlink()


def drop_root_files(tree: Tree) -> None:
    (tree.out / "llms.txt").unlink()
    shutil.rmtree(tree.out / "_schema")


def left_over(tree: Tree) -> None:
    own = next(tree.out.glob("guide/_chunks/index*-0.*"))
    shutil.copy(own, tree.out / f"guide/_chunks/gone-0{own.name.rpartition('-0')[2]}")
    shutil.copy(tree.out / "guide/index.json", tree.out / "guide/index-7.json")


def torn_state(tree: Tree) -> None:
    path = tree.load().memory / STATE
    path.write_bytes(path.read_bytes()[:-200])
    edit(tree)


def flipped_state(tree: Tree) -> None:
    path = tree.load().memory / STATE
    path.write_bytes(path.read_bytes().replace(b'"chunks":', b'"chunKs":', 1))
    edit(tree)


def torn_graph(tree: Tree) -> None:
    path = tree.load().memory / GRAPH
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    edit(tree)


def no_topics(tree: Tree) -> None:
    shutil.rmtree(tree.load().memory / TOPICS)
    edit(tree)


def no_memory(tree: Tree) -> None:
    shutil.rmtree(tree.load().memory)
    delete(tree)


def interrupted(tree: Tree) -> None:
    """As a build leaves it that was killed between two renames."""
    (tree.load().memory / PUBLISHING).write_bytes(b"")
    (tree.out / "guide/index.json").unlink()
    shutil.rmtree(tree.out / "guide/deep/_chunks")


def wiped(tree: Tree) -> None:
    """As a site generator does that empties its folder first."""
    if tree.elsewhere:
        shutil.rmtree(tree.out)


STEPS = [
    edit,
    add,
    rename,
    delete,
    move,
    new_topic,
    fewer_topics,
    new_title,
    name_a_page,
    name_no_page,
    questions,
    no_questions,
    pin,
    unpin,
    touch,
    revert,
    same_size,
    configure,
    repack,
    repack_and_back,
    exclude,
    move_out_of_sight,
    copy_outputs,
    break_one,
    mend_one,
    drop_chunk,
    drop_chunks,
    edit_index,
    empty_index,
    drop_spec,
    drop_root_files,
    left_over,
    torn_state,
    flipped_state,
    torn_graph,
    no_topics,
    no_memory,
    interrupted,
    wiped,
]


RARE = (rename, move, new_title, name_no_page, no_questions, unpin, revert, same_size, exclude, copy_outputs)
RARE += (mend_one, drop_chunks, empty_index, drop_root_files, flipped_state, no_topics, drop_spec, torn_graph)
RARE += (move_out_of_sight, repack_and_back, name_a_page, touch, break_one, edit_index, repack)
"""Steps that resemble another one, which the quick suite takes."""

ELSEWHERE = (edit, pin, drop_chunk, left_over)
"""Steps where it matters that outputs lie elsewhere."""

PACKED = (edit, fewer_topics, left_over, repack)
"""Steps where it matters that chunks share files."""

PLACES = {
    "in place": [step for step in STEPS if step not in RARE],
    "elsewhere": ELSEWHERE,
    "packs in place": PACKED,
    "packs elsewhere": (edit,),
}
"""Where trees lie, and the steps that the quick suite takes there."""

CASES = [
    pytest.param(place, step, id=f"{step.__name__}-{place}", marks=[] if step in quick else pytest.mark.slow)
    for place, quick in PLACES.items()
    for step in STEPS
]


@pytest.mark.parametrize(("tree", "step"), CASES, indirect=["tree"])
def test_after_a_step(tree: Tree, step: Callable[[Tree], None]) -> None:
    step(tree)
    tree.build()
    assert_same(tree.outputs(), tree.clean())
    again = tree.build()
    assert (again.written, again.removed, again.embedded) == (0, 0, 0)


def assert_same(outputs: dict[str, bytes], clean: dict[str, bytes]) -> None:
    """Compares names only: a difference of thousands of bytes tells nobody anything."""
    assert sorted(outputs) == sorted(clean)
    assert [name for name in outputs if outputs[name] != clean[name]] == []


@pytest.mark.parametrize(
    "tree", ["packs in place", pytest.param("packs elsewhere", marks=pytest.mark.slow)], indirect=True
)
def test_one_edited_chunk_rewrites_one_pack(tree: Tree) -> None:
    """Elsewhere all packs of the document get another name, as its chunk files do, and none of another document."""
    page = tree.root / "guide/long.md"
    page.write_text("".join(f"# Part {n}\n\n{'The kettle boils. ' * 120}\n\n" for n in range(70)))
    tree.build()
    before = tree.outputs()
    own = sorted(name for name in before if name.startswith("guide/_chunks/long"))
    assert len(own) == 3
    page.write_text(page.read_text().replace("# Part 40\n\nThe kettle boils", "# Part 40\n\nThe kettle sings"))
    tree.build()
    after = tree.outputs()
    changed = {name for name in after if "/_chunks/" in f"/{name}" and after[name] != before.get(name)}
    if tree.elsewhere:
        assert len(changed) == 3 and all(name.startswith("guide/_chunks/long.") for name in changed)
    else:
        assert changed == {"guide/_chunks/long-32.pack.txt"}
    assert_same({name: data for name, data in after.items() if name not in own or not tree.elsewhere}, tree.clean())


@pytest.mark.slow
def test_another_model(tree: Tree, quick) -> None:
    quick.revision = "2"
    tree.build()
    assert_same(tree.outputs(), tree.clean())


def test_only_changed_texts_are_embedded(tree: Tree, quick) -> None:
    quick.seen.clear()
    edit(tree)
    summary = tree.build()
    assert summary.embedded == len(quick.seen)
    assert 0 < summary.embedded <= 3, "the chunk that was edited, and those its heading moved"
    assert summary.embedded + summary.cached + summary.shared == summary.chunks


def test_nothing_is_read_or_written_when_nothing_changed(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path: path.stat().st_mtime_ns for path in tree.out.rglob("*") if path.is_file()}
    monkeypatch.setattr("infograph.execution.pool.Pool", None)
    monkeypatch.setattr("infograph.pipeline.run.run", None)
    summary = tree.build()
    assert summary.written == summary.removed == summary.embedded == 0
    machine = {path for path in before if PRIVATE in path.parts}
    assert {p: p.stat().st_mtime_ns for p in before if p not in machine} == {
        p: before[p] for p in before if p not in machine
    }


def test_a_document_that_was_built_is_not_read_by_the_next_build(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(tree)
    time.sleep(2 * RACY_NANOSECONDS / 1e9)  # a change so young might be followed by another
    tree.build()
    monkeypatch.setattr("infograph.pipeline.plan.digest_file", None)
    assert_idle(tree)


def test_rights_of_a_folder_say_nothing_of_its_files(tree: Tree) -> None:
    """They change its status, and not its modification time."""
    for place in tree.out.rglob("_chunks"):
        place.chmod(0o700)
        place.chmod(0o755)
    (tree.root / "README.md").write_text("# Other\n\nWords.\n")
    tree.build()
    assert_idle(tree)


def test_a_failed_document_is_reported_again(tree: Tree) -> None:
    break_one(tree)
    first, second = tree.build(), tree.build()
    assert [str(error) for error in first.errors] == [str(error) for error in second.errors]
    assert "guide/deep/licence.md:3" in str(first.errors[0])
    assert first.failed(strict=False) and second.failed(strict=False)


@pytest.mark.slow
def test_a_build_that_changes_nothing_of_the_search_lets_no_old_file_go(tree: Tree) -> None:
    """A broken page is read again by each build, for as long as its stamp is not to be trusted."""
    for number in range(3):
        (tree.root / "licence.md").write_text(f"# Licence\n\nVersion {number} speaks of zebra{number}.\n")
        tree.build()
    before = {path.name for path in (tree.out / SEARCH).iterdir()}
    for number in range(3):
        (tree.root / "broken.md").write_bytes(b"\0" * (number + 1))
        tree.build()
    assert {path.name for path in (tree.out / SEARCH).iterdir()} == before


@pytest.mark.slow
def test_a_broken_table_is_told_of_for_as_long_as_it_is(tree: Tree) -> None:
    """Whatever else of its topic is made again, or of another."""
    for folder in ("", "guide/deep"):
        with (tree.out / folder / "_keywords/words.md").open("a") as file:
            file.write("| junk |\n")
    told = [str(error) for error in tree.build().errors]
    assert len(told) == 2
    for change in (new_topic, new_title, delete_a_topic):
        change(tree)
        assert [str(error) for error in tree.build().errors] == told


def delete_a_topic(tree: Tree) -> None:
    shutil.rmtree(tree.root / "far")


def test_a_broken_table_is_forgotten_with_its_topic(tree: Tree) -> None:
    table = tree.out / "guide/deep/_keywords/words.md"
    with table.open("a") as file:
        file.write("| junk |\n")
    assert len(tree.build().errors) == 1 == len(tree.build().errors)
    shutil.rmtree(table.parents[1])
    assert tree.build().errors == [] == tree.build().errors


def test_a_broken_table_is_forgotten_with_the_last_page_of_its_topic(tree: Tree) -> None:
    with (tree.out / "reference/api/_keywords/words.md").open("a") as file:
        file.write("| junk |\n")
    assert len(tree.build().errors) == 1
    (tree.root / "reference/api/calls.md").write_bytes(b"\0")
    (error,) = tree.build().errors
    assert "calls.md" in str(error)


@pytest.mark.slow
def test_a_table_that_outlived_its_topic_goes_with_its_last_pinned_row(tree: Tree) -> None:
    table = tree.out / "guide/deep/_keywords/words.md"
    with table.open("a") as file:
        file.write("| zebra | | | | | 9 | yes |\n")
    tree.build()
    for name in ("cooking.md", "licence.md"):
        (tree.root / "guide/deep" / name).unlink()
    tree.build()
    assert table.exists()
    add(tree)
    (notice,) = tree.build().notices
    assert (notice.path, notice.kind) == ("guide/deep/_keywords/words.md", "kept-table")
    assert table.exists()
    with table.open("a") as file:
        file.write("| yak | | | | | 8 | yes |\n")
    tree.build()
    assert assert_idle(tree).notices == [notice]
    assert "yak" in table.read_text()
    lines = table.read_text().splitlines(keepends=True)
    table.write_text("".join(line for line in lines if not line.endswith("yes |\n")))
    assert tree.build().removed == 1
    assert not table.exists()
    assert_same(tree.outputs(), tree.clean())


HAND_MADE = (
    "| Term | Type | Count | Header | Global | Score | Pinned |\n| - | - | - | - | - | - | - |\n"
    "| zebra | | | | | 9 | yes |\n"
)


def beside_the_sources(tree: Tree) -> Path:
    """A table with a row set by hand, that the outputs have taken over."""
    table: Path = tree.root / "guide/deep/_keywords/words.md"
    table.parent.mkdir()
    table.write_text(HAND_MADE)
    tree.build()
    assert "| zebra |" in (tree.out / "guide/deep/_keywords/words.md").read_text()
    return table


@pytest.mark.slow
@pytest.mark.parametrize("tree", ["elsewhere"], indirect=True)
def test_copies_of_rows_beside_the_sources_go_with_them(tree: Tree) -> None:
    table = beside_the_sources(tree)
    copy = tree.out / "guide/deep/_keywords/words.md"
    table.unlink()
    tree.build()
    assert "| zebra |" not in copy.read_text()
    assert_same(tree.outputs(), tree.clean())
    table.write_text(HAND_MADE)
    tree.build()
    shutil.rmtree(table.parents[1])
    assert tree.build().notices == []
    assert not copy.exists()
    assert_same(tree.outputs(), tree.clean())


@pytest.mark.parametrize("tree", ["elsewhere"], indirect=True)
def test_a_broken_table_beside_the_sources_costs_its_rows_and_not_the_table(tree: Tree) -> None:
    table = beside_the_sources(tree)
    table.write_text("| Term | Score |\n| - | - |\n| zebra | 9 |\n")
    (error,) = tree.build().errors
    assert "words.md" in str(error)
    assert "| zebra |" not in (tree.out / "guide/deep/_keywords/words.md").read_text()
    assert_same(tree.outputs(), tree.clean())
    tree.build()  # the table was too new for its time to be trusted
    assert len(assert_idle(tree).errors) == 1
    shutil.rmtree(tree.out)
    tools.chunk(tree.load())
    assert len(tools.keywords(tree.load()).errors) == 1
    assert (tree.out / "guide/deep/_keywords/words.md").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["graph.bin", "search", "topics"])
def test_memory_of_two_builds_says_nothing(tree: Tree, name: str) -> None:
    """As an incomplete restore mixes it: each file is whole, and true of another tree."""
    memory = tree.load().memory
    kept = memory.parent.with_name("kept")
    shutil.copytree(memory, kept)
    (tree.root / "guide/deep/cooking.md").write_text("# Other\n\nThe zebra waits by a window.\n")
    add(tree)
    tree.build()
    for path in [kept / name] if (kept / name).is_file() else sorted((kept / name).iterdir()):
        shutil.copy(path, memory / path.relative_to(kept))
    edit(tree)
    (tree.root / "README.md").write_text("# Read me\n\nAgain.\n")
    tree.build()
    assert_same(tree.outputs(), tree.clean())


@pytest.mark.slow
def test_what_was_published_under_another_memory_goes_with_its_source(
    tmp_path: Path, library: dict[str, str], write_tree: Callable[..., Path]
) -> None:
    """As where a CI restores an older cache than the outputs. Readers of the last publication have the page as long as
    any other."""
    root = write_tree(tmp_path / "docs", library)
    (tmp_path / "infograph.toml").write_text('model = "static"\nout = "site"\n[search]\nenabled = false\n')
    settings = load(str(root), environment={})
    build(settings)
    shutil.copytree(settings.memory, tmp_path / "older")
    write_tree(root, {"far/away.md": "# Away\n\nA page that is withdrawn.\n"})
    build(settings)
    assert list(settings.out.glob("far/_chunks/away.*-0.md"))
    shutil.rmtree(settings.memory)
    shutil.copytree(tmp_path / "older", settings.memory)
    shutil.rmtree(root / "far")
    build(settings)
    assert not (settings.out / "far" / "index.json").exists()
    assert list(settings.out.glob("far/_chunks/away.*-0.md"))
    assert not build(settings, check=True).stale
    for number in range(GENERATIONS):
        write_tree(root, {"near.md": f"# Near\n\nText {number}.\n"})
        build(settings)
    assert not (settings.out / "far").exists()
    assert not build(settings, check=True).stale


@pytest.mark.slow
@pytest.mark.parametrize("letter", ["w", "_", "|", "\u984c", "\U0001f600", "\ufeff"])
@pytest.mark.parametrize("page", ['---\ntitle: "{}"\n---\n\n', '+++\ntitle = "{}"\n+++\n\n', "# {}\n\n"])
def test_a_specification_is_known_as_ours_whatever_its_title(tmp_path: Path, make_tree, quick, letter, page) -> None:
    tree = make_tree(tmp_path)
    tree.root.mkdir()
    for text in ("Text.\n", "Another text.\n"):
        (tree.root / "index.md").write_text(page.format(letter * (8000 // len(letter.encode()))) + text)
        summary = tree.build()
        assert not summary.errors
        assert not [notice for notice in summary.notices if notice.kind != "invisible-text"]


def test_pages_that_did_not_change_lead_to_a_new_one_that_they_name(tree: Tree) -> None:
    name_a_page(tree)
    tree.build()
    with Client(tree.out) as client:
        found = {hit.page: hit for hit in client.search("related calls at once", limit=50, rerank=False).hits}
        assert found["far/kettle.md"].hops == 1
        assert found["far/kettle.md"].via == Via("two.md", "Two", "", 0, "relation", back=False)
        linked = client.search("qwoxelled", limit=50, rerank=False).hits
        assert ("far/kettle.md", "link") in [(hit.page, hit.via.evidence) for hit in linked if hit.via]
        (tree.root / "far/kettle.md").write_text("# The red one\n\nIt boils.\n")
        tree.build()
        client.refresh()
        again = client.search("related calls at once", limit=50, rerank=False).hits
        assert "far/kettle.md" not in [hit.page for hit in again if hit.hops]


def test_first_pages_of_two_folders_that_say_nothing_are_called_by_their_own(tmp_path: Path, write_tree, quick) -> None:
    docs = write_tree(tmp_path / "docs", {"index.md": "", "a.md": "# A\n", "guide/index.md": "", "guide/b.md": "# B\n"})
    build(load(str(docs), flags={"jobs": 1}, environment={}))
    titles = [json.loads((docs / topic / "index.json").read_bytes())["title"] for topic in (".", "guide")]
    assert titles[1] == "Guide" != titles[0]


@pytest.mark.slow
def test_a_term_set_by_hand_that_no_chunk_has_is_named_until_one_has_it(tree: Tree) -> None:
    tree.build()
    table = tree.root / "guide/_keywords/words.md"
    table.write_text(table.read_text().rstrip("\n") + "\n| gadget run | | | | | 77 | yes |\n")
    for _ in range(2):  # the second build has nothing to do
        (notice,) = tree.build().notices
        assert (notice.path, notice.kind) == ("guide/_keywords/words.md", "unmatched-term")
        assert "`gadget run`" in notice.message
    (tree.root / "licence.md").write_text("# Another licence\n")
    assert [notice.kind for notice in tree.build().notices] == ["unmatched-term"]
    page = tree.root / "guide/long.md"
    page.write_text("# Long\n\nStart it.\n\n```sh\ngadget run --fast\n```\n")
    assert tree.build().notices == []
    assert '"gadget run"' in (tree.root / "guide/index.json").read_text()
