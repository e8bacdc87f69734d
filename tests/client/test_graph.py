"""Indexes that are written by hand: topics with like names, pages in a circle, questions at the limit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from infograph.client.asks import Asks, File
from infograph.client.errors import ClientError
from infograph.client.graph import Graph
from infograph.client.place import Place

BASE = "https://example.org/docs/"


def index(id: str, topics: Sequence[str] = (), documents: Any = (), next: str = "", **other: Any) -> bytes:
    links: dict[str, Any] = {"self": {"href": "index.json"}} | ({"next": {"href": next}} if next else {})
    below = [{"_links": {"self": {"href": f"/docs/{t}/index.json"}}, "id": t, "title": t} for t in topics]
    embedded = {"topics": below, "chunks": dict(documents)}
    return json.dumps({"id": id, "title": id, "_links": links, "_embedded": embedded, **other}).encode()


def document(*hashes: int) -> dict[str, Any]:
    """One chunk for each hash of a question, the last one first by its href."""
    items = [
        {
            "index": number,
            "href": f"_chunks/{9 - number}.md",
            "title": "",
            "is_code": False,
            "similarity_conceptual": 1.0,
            "prompt_hashes_hex": [f"{hash:016x}"],
        }
        for number, hash in enumerate(hashes)
    ]
    return {"source": "a.md", "count": len(items), "stripe_order": [], "items": items}


def answer(files: dict[str, bytes], call: str, *arguments: Any) -> Any:
    read: list[str] = []

    def get(wanted: Sequence[File]) -> Asks[list[Any]]:
        read.extend(file.address.removeprefix(BASE) for file in wanted)
        assert len(read) < 50
        return [file.accept(files[file.address.removeprefix(BASE)]) for file in wanted]
        yield

    asks = getattr(Graph(Place(BASE, BASE), get), call)(*arguments)
    with pytest.raises(StopIteration) as done:
        next(asks)
    return done.value.value


def test_a_topic_is_not_taken_for_one_whose_name_it_begins_with() -> None:
    files = {
        "index.json": index("", ["a", "a-b"]),
        "a/index.json": index("a"),
        "a-b/index.json": index("a-b", ["a-b/c"]),
        "a-b/c/index.json": index("a-b/c"),
    }
    assert answer(files, "topic", "a-b/c").id == "a-b/c"
    assert [entry.id for entry in answer(files, "topics", "")] == ["a", "a-b"]
    with pytest.raises(ClientError, match="there is no topic 'a-bc'") as caught:
        answer(files, "topic", "a-bc")
    assert caught.value.code == "unknown"


def test_pages_that_lead_back_end_the_index() -> None:
    files = {
        "index.json": index("", documents={"a": document(1)}, next="index.2.json"),
        "index.2.json": index("", documents={"b": document(2)}, next="index.json"),
    }
    assert list(answer(files, "topic", "").documents) == ["a", "b"]


def test_an_index_of_another_topic_or_build_is_refused() -> None:
    for other in ({"a/index.json": index("b")}, {"a/index.json": index("a", build_id="0" * 16)}):
        with pytest.raises(ClientError) as caught:
            answer({"index.json": index("", ["a"]), **other}, "topic", "a")
        assert caught.value.code == "broken"


@pytest.mark.parametrize("child", ["", "a", "b", "ab"])
def test_what_is_no_topic_below_is_refused(child: str) -> None:
    files = {"index.json": index("", ["a"]), "a/index.json": index("a", [child])}
    with pytest.raises(ClientError, match="is no topic below it"):
        answer(files, "topic", "a")


def test_questions_match_up_to_a_distance_the_nearest_first() -> None:
    files = {"index.json": index("", documents={"a": document(0b1111, 0b1, 0b111, 0b10)})}

    def found(distance: int, limit: int = 10) -> list[tuple[int, str]]:
        return [(match.distance, match.href) for match in answer(files, "match", 0, "", distance, limit)]

    assert found(0) == []
    assert found(1) == [(1, "_chunks/6.md"), (1, "_chunks/8.md")]
    assert found(3) == [(1, "_chunks/6.md"), (1, "_chunks/8.md"), (3, "_chunks/7.md")]
    assert found(64, 1) == [(1, "_chunks/6.md")]
