"""Topics among topics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.index import ChildTopic
from infograph.pipeline.memory.records import DocumentRecord
from infograph.pipeline.memory.topics import TopicGraph
from infograph.pipeline.topic_graph import describe, edges_of, outline, relate, related_rows, update_graph


def document(name: str, title: str, description: str = "") -> DocumentRecord:
    return DocumentRecord(f"pay/{name}", "", 0, title, description, [], None, [], b"")


ANNEX, ZEBRA = document("annex.md", "Annex", "Of no interest."), document("zebra.md", "Zebra", "How to pay.")


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ([ANNEX, ZEBRA, document("README.md", "Payment", "All about it.")], ("Payment", "All about it.")),
        ([ANNEX, ZEBRA, document("overview.md", "Payment")], ("Payment", "")),
        ([ZEBRA], ("Zebra", "How to pay.")),
        ([ANNEX, ZEBRA], ("Pay", "Annex, Zebra")),
        ([], ("Pay", "")),
    ],
)
def test_the_document_that_speaks_for_a_topic(documents: list[DocumentRecord], said: tuple[str, str]) -> None:
    """No other does: its first words are about something else."""
    assert describe("pay", documents, "") == said


def test_a_root_without_such_a_document_has_the_name_of_the_site() -> None:
    documents = [document("a.md", "A"), document("b.md", "B")]
    assert describe("", documents, "Pay") == ("Pay", "A, B")
    assert describe("", documents, "") == ("Documentation", "A, B")
    assert describe("guide", documents, "Pay") == ("Guide", "A, B")


def test_long_lists_of_titles_are_cut() -> None:
    _, description = describe("pay", [document(f"{n}.md", f"Title {n}") for n in range(99)], "")
    assert len(description) <= 300 and description.startswith("Title 0, Title 1, ") and description.endswith("…")


def test_outline_has_every_topic_below_a_child_of_the_root_the_nearer_ones_first() -> None:
    def topic(id: str) -> ChildTopic:
        return ChildTopic(id, id, "", 1, 1, 0)

    names = {"": ["a", "b"], "a": ["a/x", "a/y"], "a/x": ["a/x/1"], "a/x/1": [], "a/y": [], "b": []}
    children = {name: [topic(child) for child in below] for name, below in names.items()}
    found = [(section.id, [child.id for child in below]) for section, below in outline(children)]
    assert found == [("a", ["a/x", "a/y", "a/x/1"]), ("b", [])]


TABLES = st.dictionaries(st.sampled_from(["cache", "build", "edge", "vector"]), st.sampled_from([1.0, 2.5]))
TOPICS = st.tuples(st.sampled_from(["One", "Two"]), st.tuples(st.integers(-3, 3), st.integers(-3, 3)), TABLES)
TREES = st.dictionaries(st.sampled_from("abcdefgh"), TOPICS)
Tree = dict[str, tuple[str, tuple[int, int], dict[str, float]]]


def built(graph: TopicGraph, before: Tree, tree: Tree) -> dict[str, list[list[object]]]:
    """Brings a graph from one tree to another as a build does; returns what was related anew, as rows."""
    worked = {topic for topic in tree if topic not in before or before[topic] != tree[topic]}
    records = {}
    for topic in worked:
        title, vector, _ = tree[topic]
        record = DocumentRecord(f"{topic}/index.md", "", 0, title, "", [], None, [], b"")
        if any(vector):  # a page without words has no chunk
            record.chunks, record.vector_sum = [None], np.array(vector, np.float64)  # type: ignore[list-item]
        records[topic] = [record]
    update_graph(graph, records, dict.fromkeys(worked, "").items(), sorted(before.keys() - tree.keys()), "")
    for topic in worked:
        table = sorted(tree[topic][2].items())
        if graph.topics[topic].table != table:
            graph.retabled.add(topic)
        graph.topics[topic].table = table
    again = {topic: related_rows(edges) for topic, edges in relate(graph, 2, again=True).items()}
    for topic, rows in again.items():
        graph.topics[topic].related = rows
    return again


@given(st.lists(TREES, min_size=2, max_size=4))
@settings(deadline=None)
def test_what_is_related_again_is_all_that_an_edit_changes(trees: list[Tree]) -> None:
    """Titles, vectors and tables that change, topics that come and go or lose their last chunk: each topic has the
    related topics that a build from nothing would give it."""
    topics: dict[str, object] = {}
    before: Tree = {}
    for tree in trees:
        graph = TopicGraph(topics)  # type: ignore[arg-type]
        built(graph, before, tree)
        whole = {topic: related_rows(edges) for topic, edges in relate(graph, 2).items()}
        assert {topic: record.related for topic, record in graph.topics.items() if record.chunks} == whole
        assert not any(record.related for record in graph.topics.values() if not record.chunks)
        assert all(related_rows(edges_of(rows)) == rows for rows in whole.values())
        topics, before = graph.topics, tree  # type: ignore[assignment]


def test_an_edit_relates_only_what_it_may_have_moved() -> None:
    """Two clusters at right angles: an edit in one looks at nothing of the other."""
    tree: Tree = {name: ("One", (3, at), {}) for at, name in enumerate("abcd")}
    tree |= {name: ("One", (-at, 3), {}) for at, name in enumerate("efgh", 1)}
    graph = TopicGraph()
    assert built(graph, {}, tree).keys() == set("abcdefgh")
    edited = tree | {"a": ("One", (3, -1), {})}
    again = built(TopicGraph(graph.topics), tree, edited)
    assert "a" in again and not again.keys() & set("efgh")
    assert built(TopicGraph(graph.topics), edited, edited) == {}
