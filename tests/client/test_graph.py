"""Indexes that are written by hand: topics with like names, pages in a circle, questions at the limit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from infograph.client import graph
from infograph.client.asks import Asks, File
from infograph.client.errors import ClientError
from infograph.client.graph import Graph, topic_id
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


@pytest.mark.parametrize(("count", "end"), [(1, ""), (10, ""), (11, ", …")])
def test_so_many_topics_are_named_in_an_error(count: int, end: str) -> None:
    ids = [f"t{number:02}" for number in range(count)]
    with pytest.raises(ClientError) as caught:
        answer({"index.json": index("", ids)}, "topic", "none")
    assert caught.value.hint == f"There are: {', '.join(ids[:10])}{end}"
    with pytest.raises(ClientError) as caught:
        answer({"index.json": index("")}, "topic", "none")
    assert caught.value.hint == ""


def test_an_index_has_so_many_pages_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MOST_PAGES", 3)
    files = {
        f"index{n or ''}.json": index("", documents={f"d{n}": document(n)}, next=f"index{n + 1}.json") for n in range(6)
    }
    assert list(answer(files, "topic", "").documents) == ["d0", "d1", "d2"]


def test_what_an_index_says_is_what_a_topic_has() -> None:
    item = {
        "index": 3,
        "href": "_chunks/a-3.md",
        "title": "T",
        "section_path": ["S", "T"],
        "is_code": True,
        "tokens": 9,
        "sha256": "0" * 64,
        "similarity_conceptual": 0.5,
        "similarity_technical": 0.25,
        "keywords": [{"name": "cache", "score": 7}],
        "prompt_hashes": [1, 2],
    }
    orders = {
        "baseline_conceptual": 3,
        "baseline_technical": 3,
        "stripe_factor": 1,
        "stripe_factor_technical": 2,
        "stripe_order": [],
        "stripe_order_technical": [],
    }
    data = json.loads(
        index("a", ["a/b"], {"d": {"source": "a.md", "count": 1, "items": [item], **orders}}, description="About")
    )
    data["_embedded"]["topics"][0] |= {"description": "Below", "documents": 2, "chunks": 3, "topics": 4}
    data["_links"]["related"] = [
        {"href": "/docs/c/index.json", "title": "C", "similarity": 0.5, "authority": {"cache": 2}},
        {"href": "/docs/d/index.json"},
    ]
    files = {"index.json": index("", ["a"]), "a/index.json": json.dumps(data).encode()}
    found = answer(files, "topic", "a")
    assert (found.id, found.title, found.description, found.build_id, found.href) == (
        "a",
        "a",
        "About",
        "",
        "a/index.json",
    )
    (below,) = found.topics
    assert (below.id, below.description, below.documents, below.chunks, below.topics, below.href) == (
        "a/b",
        "Below",
        2,
        3,
        4,
        "a/b/index.json",
    )
    near, far = found.related
    assert (near.href, near.title, near.similarity, near.authority) == ("c/index.json", "C", 0.5, {"cache": 2})
    assert (far.href, far.title, far.similarity, far.authority) == ("d/index.json", "", None, {})
    own = found.documents["d"]
    assert {name: list(value) if isinstance(value := getattr(own, name), tuple) else value for name in orders} == orders
    (chunk,) = own.items
    assert (chunk.topic, chunk.document, chunk.index, chunk.href) == ("a", "d", 3, "a/_chunks/a-3.md")
    assert (chunk.section_path, chunk.is_code, chunk.tokens, chunk.sha256) == (("S", "T"), True, 9, "0" * 64)
    assert (chunk.similarity_conceptual, chunk.similarity_technical) == (0.5, 0.25)
    assert (chunk.keywords, chunk.prompt_hashes) == ((("cache", 7),), (1, 2))


def test_pages_of_a_topic_are_joined_and_the_first_names_it() -> None:
    files = {
        "index.json": index("", ["a"], {"x": document(1)}, next="index.2.json", description="First"),
        "index.2.json": index("", ["b"], {"y": document(2)}, description="Second", title="Other"),
    }
    found = answer(files, "topic", "")
    assert ([topic.id for topic in found.topics], list(found.documents)) == (["a", "b"], ["x", "y"])
    assert (found.description, found.title, found.href) == ("First", "", "index.json")


def test_topics_come_each_before_those_below_it() -> None:
    files = {
        "index.json": index("", ["a", "b"]),
        "a/index.json": index("a", ["a/x", "a/y"]),
        "b/index.json": index("b", ["b/z"]),
        **{f"{id}/index.json": index(id, documents={"d": document(1)}) for id in ("a/x", "a/y", "b/z")},
    }
    for name in ("index.json", "a/index.json", "b/index.json"):
        data = json.loads(files[name])
        for entry in data["_embedded"]["topics"]:
            entry["topics"] = 1 if entry["id"] in ("a", "b") else 0
        files[name] = json.dumps(data).encode()
    assert [entry.id for entry in answer(files, "topics", "")] == ["a", "a/x", "a/y", "b", "b/z"]
    assert [entry.id for entry in answer(files, "topics", "b")] == ["b/z"]


def ordered(*indexes: int, baseline: int | None, order: Sequence[int]) -> dict[str, Any]:
    """A document of chunks with such indexes."""
    found = document(*indexes)
    for item, number in zip(found["items"], indexes, strict=True):
        item["index"] = number
    return found | {"stripe_order": order} | ({} if baseline is None else {"baseline_conceptual": baseline})


def test_a_sample_takes_documents_in_turn_and_leaves_out_what_is_not_there() -> None:
    documents = {
        "a": ordered(0, 1, 2, baseline=1, order=[2, 9, 0]),
        "b": ordered(5, baseline=5, order=[]),
        "c": ordered(7, baseline=None, order=[7]),
    }
    files = {"index.json": index("", documents=documents)}

    def sample(n: int, order: str = "conceptual") -> list[tuple[str, int]]:
        return [(item.document, item.index) for item in answer(files, "sample", "", n, order)]

    assert sample(9) == [("a", 1), ("b", 5), ("a", 2), ("a", 0)]
    assert (sample(2), sample(0)) == ([("a", 1), ("b", 5)], [])
    assert sample(9, "technical") == []


@pytest.mark.parametrize(
    ("written", "id"),
    [
        ("a/b", "a/b"),
        ("/a//./b/", "a/b"),
        ("a%20b", "a%20b"),
        ("a%20b/index.json", "a b"),
        ("index.json", ""),
        ("./", ""),
        ("a/index.json/b", "a/index.json/b"),
    ],
)
def test_a_topic_as_people_write_it(written: str, id: str) -> None:
    assert topic_id(written) == id
