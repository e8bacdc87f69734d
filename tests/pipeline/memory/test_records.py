"""What one build hands to the next is believed whole or not at all."""

from __future__ import annotations

from copy import copy
from pathlib import Path

import pytest

from infograph.build import build
from infograph.config import load
from infograph.files.stamps import stamp, trusted
from infograph.formats.compression import decompressed
from infograph.model import SaidOfChunk
from infograph.pipeline.memory.records import (
    ChunkRecord,
    DocumentRecord,
    TopicFile,
    load_topic,
    pack_said,
    pack_topic,
    said_in,
    save_topic,
    topic_file,
)
from infograph.pipeline.memory.state import PUBLISHING, STATE, RecordsLost, load_state, save_state
from infograph.pipeline.memory.topics import GRAPH, load_graph, pack_graph, save_graph


@pytest.fixture
def memory(tmp_path: Path, library: dict[str, str], write_tree, quick) -> Path:
    """Of a tree that was built."""
    settings = load(str(write_tree(tmp_path / "docs", library)), environment={})
    build(settings)
    return settings.memory


def key(memory: Path) -> str:
    state = decompressed((memory / STATE).read_bytes().partition(b"\n")[2])
    return state.partition(b'"key":"')[2].partition(b'"')[0].decode()


def test_the_state_reads_back(memory: Path) -> None:
    state = load_state(memory, key(memory))
    assert state is not None and set(state.sources) == set(state.hashes)
    before = (memory / STATE).read_bytes()
    save_state(memory, state)
    assert (memory / STATE).read_bytes() == before
    assert load_state(memory, "another key") is None


def test_every_flipped_byte_is_noticed(memory: Path) -> None:
    data = (memory / STATE).read_bytes()
    known = key(memory)
    for position in range(0, len(data), max(1, len(data) // 200)):
        (memory / STATE).write_bytes(data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :])
        assert load_state(memory, known) is None
    for length in range(0, len(data), max(1, len(data) // 50)):
        (memory / STATE).write_bytes(data[:length])
        assert load_state(memory, known) is None


def test_a_build_that_was_cut_short_is_not_believed(memory: Path) -> None:
    (memory / PUBLISHING).touch()
    assert load_state(memory, key(memory)) is None


def test_the_graph_and_its_topics_read_back(memory: Path) -> None:
    graph = load_graph(memory)
    before = (memory / GRAPH).read_bytes()
    save_graph(memory, pack_graph(graph))
    assert (memory / GRAPH).read_bytes() == before
    assert set(graph.topics) == {"", "guide", "guide/deep", "reference", "reference/api"}
    assert [document.name for document in load_topic(memory, "guide/deep").documents] == ["cooking.md", "licence.md"]


@pytest.mark.parametrize("name", [GRAPH, topic_file("guide")])
def test_damage_is_one_error(memory: Path, name: str) -> None:
    def look() -> None:
        if name == GRAPH:
            load_graph(memory)
        else:
            load_topic(memory, "guide")

    data = (memory / name).read_bytes()
    for damaged in (b"", data[:31], data[:-1], data[:40] + bytes([data[40] ^ 1]) + data[41:], b"\0" * len(data)):
        (memory / name).write_bytes(damaged)
        with pytest.raises(RecordsLost):
            look()
    (memory / name).unlink()
    with pytest.raises(RecordsLost):
        look()


def test_a_stamp_of_this_moment_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    now = stamp((tmp_path / "file").stat())
    assert not trusted(now)
    assert trusted([now[0], 1, 1])
    assert not trusted([now[0], 1, now[2]]), "a time put back does not change when it was put back"


def test_what_a_model_said_stays_with_its_chunks(tmp_path: Path) -> None:
    said: list[SaidOfChunk] = [{}, {"questions": ["Why “this”?", "How?"], "summary": 'A text with "quotes" and é.'}]
    asked = [[], [3, 2**64 - 1]]
    record = DocumentRecord("a.md", "", 0, "", "", [], None, [ChunkRecord("", [], False, 1, "")] * 2, b"")
    assert list(said_in(record)) == [({}, ()), ({}, ())]
    record.said = pack_said(said, asked)
    told = list(zip(said, asked, strict=True))
    assert list(said_in(record)) == list(said_in(copy(record))) == told
    assert pack_said([{}, {}], [[], []]) == b""
    save_topic(tmp_path, "guide", pack_topic(TopicFile([record, record], [])))
    assert [list(said_in(again)) for again in load_topic(tmp_path, "guide").documents] == [told, told]
