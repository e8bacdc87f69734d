"""All topics as one build hands them to the next."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.pipeline.memory.state import RecordsLost
from infograph.pipeline.memory.topics import (
    KeptTable,
    TableTerms,
    TopicGraph,
    TopicRecord,
    load_graph,
    pack_graph,
    save_graph,
)

TABLES = st.dictionaries(
    st.sampled_from("abcd"), st.lists(st.sampled_from(["one", "two", "three", "by hand"]), unique=True)
)


def test_a_graph_keeps_terms_by_number(tmp_path: Path) -> None:
    graph = TopicGraph({topic: TopicRecord(topic, "", {}, [], 0, None) for topic in "abc"}, {"two": 2, "one": 1})
    graph.fresh = {"a": "one\ntwo", "b": "two"}
    graph.topics["b"].table = [("set by hand", 9.5), ("two", 0.1)]
    save_graph(tmp_path, pack_graph(graph))
    read = load_graph(tmp_path)
    assert (read.topics, read.frequency) == (graph.topics, graph.frequency)
    assert [read.candidates(topic) for topic in "abcd"] == [["one", "two"], ["two"], [], []]
    read.fresh["b"], read.frequency = "alpha", {"two": 1, "one": 1, "alpha": 1}
    save_graph(tmp_path, pack_graph(read))
    assert [load_graph(tmp_path).candidates(topic) for topic in "ab"] == [["one", "two"], ["alpha"]]


def graph_of(tables: dict[str, list[tuple[str, float]]], terms: list[str]) -> TopicGraph:
    topics = {topic: TopicRecord(topic, "", {}, [], 0, None, table) for topic, table in tables.items()}
    return TopicGraph(topics, dict.fromkeys(terms, 1), fresh=dict.fromkeys(topics, ""))


@given(
    TABLES, TABLES, st.sets(st.sampled_from(["one", "two", "three"])), st.sets(st.sampled_from(["one", "two", "three"]))
)
@settings(deadline=None)
def test_tables_read_back_after_others_have_changed(
    tmp_path_factory: pytest.TempPathFactory,
    first: dict[str, list[str]],
    second: dict[str, list[str]],
    terms: set[str],
    later: set[str],
) -> None:
    """Terms come and go between two builds, and with them the numbers that the tables of the first one have."""
    memory = tmp_path_factory.mktemp("memory")
    before, after = ({topic: [(t, 2.5) for t in row] for topic, row in tables.items()} for tables in (first, second))
    save_graph(memory, pack_graph(graph_of(before, sorted(terms))))
    read = load_graph(memory)
    assert {topic: record.table for topic, record in read.topics.items()} == before
    read.topics |= graph_of(after, []).topics
    read.frequency = dict.fromkeys(later, 1)
    save_graph(memory, pack_graph(read))
    again = load_graph(memory)
    assert {topic: list(record.table) for topic, record in again.topics.items()} == before | after
    save_graph(memory, pack_graph(graph_of(before | after, sorted(later))))
    assert load_graph(memory).topics == again.topics, "as if it had never been read"


def test_a_kept_table_is_read_like_a_list() -> None:
    rows = [("two", 2.5), ("one", 0.1), ("three", 0.0)]
    table = KeptTable(["one", "two", "three"], np.array([1, 0, 2]), np.array([2.5, 0.1, 0.0]))
    assert (table, len(table), list(table), table[0], table[-1], table[1:]) == (
        rows,
        3,
        rows,
        rows[0],
        rows[-1],
        rows[1:],
    )
    assert table != rows[:2] and dict(table) == dict(rows)


@pytest.mark.parametrize("rows", [[1, 0, 7], [1, 0]], ids=["no such term", "a row less"])
def test_tables_that_do_not_fit_are_lost(tmp_path: Path, rows: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Their digest is right: another version may have written them."""
    table = KeptTable(["one", "two"], np.array([1, 0, 0]), np.array([1.0, 1.0, 1.0]))
    graph = TopicGraph({"a": replace(TopicRecord("a", "", {}, [], 0, None), table=table)}, {"one": 1, "two": 1})
    module = "infograph.pipeline.memory.topics._table_rows"
    monkeypatch.setattr(module, lambda *_: ([], np.array(rows), np.ones(len(rows))))
    save_graph(tmp_path, pack_graph(graph))
    with pytest.raises(RecordsLost):
        load_graph(tmp_path)


def test_tables_of_this_build_lie_beside_those_of_the_last(tmp_path: Path) -> None:
    """Each build numbers the terms of its tables, and a term set by hand may be in none of the topics' texts."""
    terms = TableTerms()
    tables = {"a": [("one", 2.0), ("hand", 0.0)], "b": [("two", 1.5), ("one", 1.0)], "c": []}
    topics = {name: TopicRecord(name, "", {}, [], 0, None, table=terms.kept(rows)) for name, rows in tables.items()}
    save_graph(tmp_path, pack_graph(TopicGraph(topics, {"one": 1, "two": 1}, fresh=dict.fromkeys(topics, ""))))
    read = load_graph(tmp_path)
    assert {name: list(record.table) for name, record in read.topics.items()} == tables
    tables["b"] = [("alpha", 3.0), ("other hand", 0.0), ("two", 1.0)]
    read.topics["b"].table = TableTerms().kept(tables["b"])
    read.frequency["alpha"] = 1
    save_graph(tmp_path, pack_graph(read))
    assert {name: list(record.table) for name, record in load_graph(tmp_path).topics.items()} == tables
