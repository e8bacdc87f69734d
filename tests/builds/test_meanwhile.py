"""What somebody saves while a build runs: nobody's work is lost, and the next build has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.formats.names import ALIASES
from infograph.pipeline import run as pipeline
from infograph.pipeline import staging as files
from infograph.pipeline import tools
from infograph.pipeline.memory import records
from infograph.pipeline.steps import publish, topic_tree
from infograph.pipeline.worker import topic_files as topicfiles

Tree = Any
"""What `make_tree` makes."""

TABLE = "guide/_keywords/words.md"
PAGE = "guide/deep/cooking.md"


@pytest.fixture
def tree(built_tree: Callable[..., Tree]) -> Tree:
    """A built tree."""
    return built_tree()


def pin(table: Path, term: str) -> None:
    with table.open("a") as file:
        file.write(f"| {term} | word | | | | 99 | yes |\n")


def build_and(tree: Tree, owner: object, name: str, act: Callable[[], object]) -> None:
    """Builds, and acts once, as soon as the function of this name has been called."""
    function, left = getattr(owner, name), [act]

    def called(*arguments: object, **named: object) -> object:
        result = function(*arguments, **named)
        while left:
            left.pop()()
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, called)
        tree.build()
    assert not left


def assert_taken(tree: Tree) -> None:
    """The next build has what was saved, and the one after it nothing to do."""
    assert tree.build().written
    assert tree.outputs() == tree.clean()
    assert tree.build().written == 0


@pytest.mark.slow
def test_a_table_of_a_topic_that_is_not_built(tree: Tree) -> None:
    (tree.root / "licence.md").write_text("# Licence\n\nAnother one.\n")
    build_and(tree, pipeline, "cut_documents", lambda: pin(tree.root / TABLE, "handmade"))
    assert_taken(tree)
    assert "handmade" in (tree.root / "guide/topic-spec.md").read_text()


@pytest.mark.parametrize("text", ["# Guide\n\nThe warm window.\n", "# Guide\n\nQuite another gizmotron.\n"])
def test_a_table_that_the_build_has_read(tree: Tree, text: str) -> None:
    (tree.root / "guide/index.md").write_text(text)
    build_and(tree, pipeline, "make_tables", lambda: pin(tree.root / TABLE, "handmade"))
    assert "| handmade |" in (tree.root / TABLE).read_text(), "somebody's work is written over"
    assert_taken(tree)
    assert "handmade" in (tree.root / "guide/topic-spec.md").read_text()


def test_a_table_that_was_just_published(tree: Tree) -> None:
    (tree.root / "guide/index.md").write_text("# Guide\n\nQuite another gizmotron.\n")
    build_and(tree, publish, "save_graph", lambda: pin(tree.root / TABLE, "handmade"))
    assert_taken(tree)
    assert "handmade" in (tree.root / "guide/topic-spec.md").read_text()


def test_a_table_while_the_bytes_go_to_the_disk(tree: Tree) -> None:
    (tree.root / "guide/index.md").write_text("# Guide\n\nQuite another gizmotron.\n")
    build_and(tree, files.Output, "secure", lambda: pin(tree.root / TABLE, "handmade"))
    assert "| handmade |" in (tree.root / TABLE).read_text(), "somebody's work is written over"
    assert_taken(tree)


@pytest.mark.slow
@pytest.mark.parametrize(
    "owner, name", [(publish, "leftovers"), (records, "forget_topics"), (publish, "save_graph")], ids=["a", "b", "c"]
)
def test_a_table_that_outlived_its_topic(tree: Tree, owner: object, name: str) -> None:
    table = tree.root / "guide/deep/_keywords/words.md"
    text = table.read_text()
    pin(table, "handmade")
    tree.build()
    for page in table.parents[1].glob("*.md"):
        page.unlink()
    tree.build()
    assert table.exists()
    (tree.root / "licence.md").write_text("# Licence\n\nAnother one.\n")
    build_and(tree, owner, name, lambda: table.write_text(text))
    tree.build()
    assert not table.exists()
    assert tree.outputs() == tree.clean()


def test_a_table_that_the_tool_for_tables_has_read(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the tables of all topics are counted, those of the first ones have been read."""
    tabulate, counted = topicfiles.tabulate, []

    def tabulated(*arguments: object) -> object:
        counted.append(arguments)
        if len(counted) == len(list(tree.root.rglob("words.md"))):
            pin(tree.root / TABLE, "handmade")
        return tabulate(*arguments)

    (tree.root / "guide/index.md").write_text("# Guide\n\nQuite another gizmotron.\n")
    tools.chunk(tree.load())
    monkeypatch.setattr(topicfiles, "tabulate", tabulated)
    tools.keywords(tree.load())
    monkeypatch.undo()
    assert "| handmade |" in (tree.root / TABLE).read_text(), "somebody's work is written over"
    assert tools.keywords(tree.load()).errors == []
    assert "| gizmotron |" in (tree.root / TABLE).read_text() and "| handmade |" in (tree.root / TABLE).read_text()


@pytest.mark.slow
def test_a_table_that_was_not_there(tree: Tree) -> None:
    (tree.root / "far").mkdir()
    (tree.root / "far/page.md").write_text("# Far\n\nThe warm window.\n")
    table = tree.root / "far/_keywords/words.md"

    def make() -> None:
        table.parent.mkdir()
        table.write_bytes((tree.root / TABLE).read_bytes())
        pin(table, "handmade")

    build_and(tree, pipeline, "make_tables", make)
    assert "| handmade |" in table.read_text()
    assert_taken(tree)


@pytest.mark.slow
@pytest.mark.parametrize("change", [lambda page: page.write_text("# Cooking\n\nShort now.\n"), Path.unlink])
def test_a_page_whose_text_is_searched_for_a_pinned_term(tree: Tree, change: Callable[[Path], object]) -> None:
    """No extractor finds a term of so many words: the document is read a second time, after it was cut."""
    pin(tree.root / "guide/deep/_keywords/words.md", "keeps entry 3 warm while")
    build_and(tree, topic_tree, "pinned_rows", lambda: change(tree.root / PAGE))
    assert_taken(tree)


@pytest.mark.slow
@pytest.mark.parametrize(
    "owner, name", [(pipeline, "_make_graph"), (publish, "leftovers"), (publish, "save_graph")], ids=["a", "b", "c"]
)
def test_a_table_of_aliases(tree: Tree, owner: object, name: str) -> None:
    """Saved after the build read it, before it is published, or just after."""
    tree.settings = '[graph]\nentities = "terms"\n'
    page = "# Guide\n\nThe Central Boiler Controller (CBC) runs. Brigham Works made it for `call_me`, number {}.\n\n"
    (tree.root / "guide/index.md").write_text("".join(page.format(n) for n in range(9)))
    tree.build()
    table = tree.root / ALIASES
    (tree.root / "guide/index.md").write_text("".join(map(page.format, range(8))) + "A Watt Governor (WG) more.\n")

    def save() -> None:
        with table.open("a") as file:
            file.write("| Brigham | Brigham Works | yes |\n")

    build_and(tree, owner, name, save)
    assert "| Brigham |" in table.read_text(), "somebody's work is written over"
    assert_taken(tree)
    assert "| Brigham | Brigham Works | yes |" in table.read_text()
