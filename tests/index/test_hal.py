"""The content of an index: the keys of the format, the orders, the links, the pages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.formats.codec import dump
from infograph.formats.index_bytes import build_id
from infograph.formats.index_json import decode_index, index_schema
from infograph.index.hal import ChildTopic, IndexOptions, document_key, summarise, topic_index
from infograph.model import Keyword, SpecChunk, SpecSource, TopicSpec

MakeSource = Callable[..., SpecSource]
MakeSpec = Callable[..., TopicSpec]
VALIDATOR = jsonschema.Draft202012Validator(index_schema())


def only(spec: TopicSpec, **options: Any) -> dict[str, Any]:
    """Returns the single page of a topic, checked against the schema."""
    (page,) = topic_index(spec, options=IndexOptions(**options))
    body: dict[str, Any] = orjson.loads(page.data)
    VALIDATOR.validate(body)
    return body


def child(number: int) -> ChildTopic:
    return ChildTopic(f"t{number}", f"Topic {number}", "x" * 200, 1, 2, 0)


def test_keys_and_their_order(make_spec: MakeSpec, make_source: MakeSource) -> None:
    body = only(make_spec("guide", make_source("a.md", 12, technical=1), related=["api"]), search=True)
    assert list(body) == ["id", "title", "description", "build_id", "_links", "_embedded"]
    assert list(body["_links"]) == [
        "self",
        "profile",
        "parent",
        "search",
        "topic-spec",
        "infograph:keywords",
        "source",
        "related",
        "item",
        "curies",
    ]
    document = body["_embedded"]["chunks"]["a"]
    assert list(document) == [
        "source",
        "count",
        "baseline_conceptual",
        "baseline_technical",
        "stripe_factor",
        "stripe_factor_technical",
        "stripe_order",
        "stripe_order_technical",
        "units",
        "items",
    ]
    assert list(document["items"][0]) == [
        "index",
        "href",
        "title",
        "section_path",
        "is_code",
        "tokens",
        "sha256",
        "similarity_conceptual",
        "similarity_technical",
        "keywords",
        "prompt_hashes",
        "prompt_hashes_hex",
    ]


def test_what_does_not_apply_is_left_out(make_spec: MakeSpec, make_source: MakeSource) -> None:
    body = only(make_spec("", make_source("a.md", 3)), sources_beside=False)
    assert {"parent", "search", "related", "source", "next"}.isdisjoint(body["_links"])
    document = body["_embedded"]["chunks"]["a"]
    assert not [key for key in document if "technical" in key]
    assert {"similarity_technical", "prompt_hashes", "prompt_hashes_hex"}.isdisjoint(document["items"][1])
    assert b"null" not in orjson.dumps(body)


def test_orders_leave_the_baselines_out(make_spec: MakeSpec, make_source: MakeSource) -> None:
    document = only(make_spec("", make_source("a.md", 12, technical=4)))["_embedded"]["chunks"]["a"]
    assert document["count"] == len(document["items"]) == 12
    assert sorted(document["stripe_order"]) == list(range(1, 12))
    assert sorted(document["stripe_order_technical"]) == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11]
    assert (document["baseline_conceptual"], document["baseline_technical"]) == (0, 4)


def test_the_factor_is_that_of_the_chunks_ordered(make_spec: MakeSpec, make_source: MakeSource) -> None:
    def factors(chunks: int, **options: Any) -> tuple[int, int]:
        body = only(make_spec("", make_source("a.md", chunks, technical=1)), **options)
        document = body["_embedded"]["chunks"]["a"]
        return document["stripe_factor"], document["stripe_factor_technical"]

    assert factors(8) == (1, 1)
    assert factors(9) == (3, 1)
    assert factors(10) == (3, 3)
    assert factors(13, stripe_factor=4) == (4, 4)


def test_hashes_survive_javascript_in_hex(make_spec: MakeSpec, make_source: MakeSource) -> None:
    item = only(make_spec("", make_source("a.md", 1)))["_embedded"]["chunks"]["a"]["items"][0]
    assert item["prompt_hashes"] == [2**53 + 1, 2**64 - 1]
    assert item["prompt_hashes_hex"] == ["0020000000000001", "ffffffffffffffff"]


def test_scores_are_rounded_as_a_build_rounds_them(make_spec: MakeSpec, make_source: MakeSource) -> None:
    """Halves are rounded up, not to the even number: a score may have been written by hand."""
    source = make_source("a.md", 2)
    keywords = tuple(Keyword(f"k{score}", score) for score in (2.5, 1.5, 1.49))
    chunk = replace(source.chunks[1], keywords=keywords)
    body = only(make_spec("", replace(source, chunks=(source.chunks[0], chunk))))
    item = body["_embedded"]["chunks"]["a"]["items"][1]
    assert [keyword["score"] for keyword in item["keywords"]] == [3, 2, 1]


def test_scores_are_integers_and_similarities_have_six_places(make_spec: MakeSpec, make_source: MakeSource) -> None:
    source = make_source("a.md", 2)
    chunk = replace(source.chunks[1], similarity_conceptual=-0.0000001)
    body = only(make_spec("", replace(source, chunks=(source.chunks[0], chunk))))
    item = body["_embedded"]["chunks"]["a"]["items"][1]
    assert [keyword["score"] for keyword in item["keywords"]] == [7, 3]
    assert orjson.dumps(item["similarity_conceptual"]) == b"0.0"


def test_numbers_are_rounded_to_six_places(make_spec: MakeSpec, make_source: MakeSource) -> None:
    source = make_source("a.md", 2)
    chunk = replace(source.chunks[1], similarity_conceptual=0.12345678)
    spec = make_spec("", replace(source, chunks=(source.chunks[0], chunk)), related=["api"])
    edge = replace(spec.related[0], similarity=0.87654321, shared=(Keyword("cache", 2.12345678),))
    body = only(replace(spec, related=(edge,)))
    assert body["_embedded"]["chunks"]["a"]["items"][1]["similarity_conceptual"] == 0.123457
    (link,) = body["_links"]["related"]
    assert (link["similarity"], link["authority"]) == (0.876543, {"cache": 2.123457})


def test_only_markdown_has_a_media_type(make_spec: MakeSpec, make_source: MakeSource) -> None:
    """The media type that a host serves for another file, or for a rendered page, is unknown here."""
    spec = make_spec("", make_source("a.md", 1), make_source("b.py", 1))
    assert [link.get("type") for link in only(spec)["_links"]["source"]] == ["text/markdown", None]
    elsewhere = only(spec, sources_beside=False, source_url="https://host/{path}")["_links"]["source"]
    assert [(link["href"], link.get("type")) for link in elsewhere] == [
        ("https://host/a.md", None),
        ("https://host/b.py", None),
    ]


@pytest.mark.parametrize("options", [{}, {"sources_beside": False, "source_url": "https://host/{path}"}])
def test_a_source_is_linked_by_its_title_where_it_has_one(
    make_spec: MakeSpec, make_source: MakeSource, options: dict[str, Any]
) -> None:
    spec = make_spec("", make_source("a.md", 1), replace(make_source("b.md", 1), title=""))
    first, second = only(spec, **options)["_links"]["source"]
    assert (first["name"], first["title"], second["name"]) == ("a", "About a.md", "b")
    assert "title" not in second


def test_what_links_promise_by_their_type(make_spec: MakeSpec, make_source: MakeSource) -> None:
    body = only(make_spec("", make_source("a.md", 2)), search=True)["_links"]
    assert {
        name: (body[name]["href"], body[name].get("type")) for name in ("infograph:llms", "topic-spec", "search")
    } == {
        "infograph:llms": ("llms.txt", "text/plain"),
        "topic-spec": ("topic-spec.md", "text/markdown"),
        "search": ("_search/manifest.json", None),
    }
    assert [(item["name"], item["href"], item["type"]) for item in body["item"]] == [
        (f"a-{number}", f"_chunks/a-{number}.md", "text/markdown") for number in range(2)
    ]
    assert (body["curies"][0]["name"], body["curies"][0]["templated"]) == ("infograph", True)


def test_every_topic_leads_to_the_communities_where_there_is_a_graph(
    make_spec: MakeSpec, make_source: MakeSource
) -> None:
    root = make_spec("", make_source("a.md", 1))
    assert only(root, graph=True)["_links"]["infograph:community"] == {"href": "_graph/c-all.json"}
    bare = only(make_spec("far/away"), graph=True)["_links"]  # nor has it documents of its own
    assert bare["infograph:community"] == {"href": "../../_graph/c-all.json"}
    assert bare["curies"][0]["name"] == "infograph"
    assert "infograph:community" not in only(root)["_links"]


def test_a_parent_is_linked_with_its_title(make_spec: MakeSpec, make_source: MakeSource) -> None:
    (page,) = topic_index(make_spec("a/b", make_source("c.md", 1)), parent_title="Above")
    links = orjson.loads(page.data)["_links"]
    assert links["parent"] == {"href": "../index.json", "title": "Above"}
    assert "llms" not in links, "only the root has it"


def test_a_child_s_description_is_cut_and_left_out_where_there_is_none(make_spec: MakeSpec) -> None:
    described, bare = (ChildTopic(f"t{n}", "T", text, 1, 2, 0) for n, text in enumerate(("word " * 90, "")))
    (page,) = topic_index(make_spec("", title="Root"), [described, bare])
    first, second = orjson.loads(page.data)["_embedded"]["topics"]
    assert first["description"] == ("word " * 48).strip() + "…" and "description" not in second


def test_an_embedded_topic_leads_on_to_those_below_it(make_spec: MakeSpec) -> None:
    deep = [ChildTopic(f"a/{name}", name, "", 1, 2, 0, version) for name, version in (("b #1", "0" * 10), ("c", ""))]
    top = [summarise("a", "A", "", 0, 0, deep), summarise("d", "D", "", 1, 1, [])]
    (page,) = topic_index(make_spec("", title="Root"), top)
    body = orjson.loads(page.data)
    VALIDATOR.validate(body)
    first, second = (topic["_links"] for topic in body["_embedded"]["topics"])
    assert first == {
        "self": {"href": "a/index.json"},
        "topics": [{"href": "a/b%20%231/index.0000000000.json"}, {"href": "a/c/index.json"}],
    }
    assert second == {"self": {"href": "d/index.json"}}


def test_a_document_without_chunks(make_spec: MakeSpec, make_source: MakeSource) -> None:
    document = only(make_spec("", make_source("a.md", 0)))["_embedded"]["chunks"]["a"]
    assert document["count"] == 0 and document["stripe_order"] == document["items"] == []
    assert "baseline_conceptual" not in document


def test_a_topic_without_documents_links_no_specification(make_spec: MakeSpec) -> None:
    (page,) = topic_index(make_spec("empty"), [child(1)], "Root")
    body = orjson.loads(page.data)
    VALIDATOR.validate(body)
    assert set(body["_links"]) == {"self", "profile", "parent"}
    assert [topic["title"] for topic in body["_embedded"]["topics"]] == ["Topic 1"]


@pytest.mark.parametrize(
    ("options", "href"),
    [
        ({}, "a%20b.md"),
        ({"base_url": "/docs/"}, "/docs/guide/a%20b.md"),
        (
            {"sources_beside": False, "source_url": "https://host/blob/main/{path}?plain=1"},
            "https://host/blob/main/guide/a%20b.md?plain=1",
        ),
    ],
)
def test_source_links(make_spec: MakeSpec, make_source: MakeSource, options: dict[str, Any], href: str) -> None:
    assert only(make_spec("guide", make_source("a b.md")), **options)["_links"]["source"][0]["href"] == href


def test_an_own_relation_leads_to_its_description(make_spec: MakeSpec, make_source: MakeSource) -> None:
    body = only(make_spec("", make_source("a.md")))
    anchors = set(re.findall(r'"\$anchor":"(\w+)"', orjson.dumps(index_schema()).decode()))
    assert {key.partition(":")[2] for key in body["_links"] if ":" in key} <= anchors
    assert body["_links"]["curies"][0]["href"] == "_schema/index.schema.json#{rel}"


@pytest.mark.parametrize(
    ("name", "key"),
    [("intro.md", "intro"), ("_index.md", "_index"), ("_links.md", "_links.md"), ("_embedded.mdx", "_embedded.mdx")],
)
def test_document_keys_avoid_what_is_reserved(make_source: MakeSource, name: str, key: str) -> None:
    assert document_key(make_source(name, 1)) == key


def test_two_documents_of_one_stem_are_refused(make_spec: MakeSpec, make_source: MakeSource) -> None:
    with pytest.raises(FormatError, match=r"guide/topic-spec.md: two documents are named 'a'"):
        topic_index(make_spec("guide", make_source("a.md"), make_source("a.mdx")))


def test_a_missing_technical_similarity_is_refused(make_spec: MakeSpec, make_source: MakeSource) -> None:
    with pytest.raises(FormatError, match=r"chunk 0 of a.md has no technical similarity"):
        topic_index(make_spec("", replace(make_source("a.md", 3), baseline_technical=1)))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_lacks_are_refused(make_spec: MakeSpec, make_source: MakeSource, value: float) -> None:
    source = make_source("a.md", 2)
    chunks = (source.chunks[0], replace(source.chunks[1], similarity_conceptual=value))
    with pytest.raises(FormatError, match=r"topic-spec.md: a value cannot be published: (nan|inf) is no"):
        topic_index(make_spec("", replace(source, chunks=chunks)))


def test_build_id_is_the_hash_of_everything_else(make_spec: MakeSpec, make_source: MakeSource) -> None:
    (page,) = topic_index(make_spec("", make_source("build_id.md")))
    without = [line for line in page.data.splitlines(keepends=True) if not line.startswith(b'  "build_id"')]
    assert orjson.loads(page.data)["build_id"] == hashlib.sha256(b"".join(without)).hexdigest()[:16]
    assert build_id(page.data) == orjson.loads(page.data)["build_id"]
    (other,) = topic_index(make_spec("", make_source("build_id.md", 11)))
    assert build_id(other.data) != build_id(page.data)


def test_one_line_for_each_chunk_and_link(make_spec: MakeSpec, make_source: MakeSource) -> None:
    (page,) = topic_index(make_spec("", make_source("a.md", 5)))
    lines = page.data.decode().splitlines()
    assert sum('"index": ' in line or '"index":' in line for line in lines) == 5
    assert sum('"name":"a-' in line for line in lines) == 5
    assert page.data.endswith(b"}\n")


def test_counts_include_everything_below() -> None:
    deep = summarise("a/b", "B", "", 1, 3, [])
    top = summarise("a", "A", "", 2, 5, [deep])
    assert (deep.documents, deep.chunks, deep.topics) == (1, 3, 0)
    assert (top.documents, top.chunks, top.topics) == (3, 8, 1)
    root = summarise("", "Root", "", 0, 0, [top, deep])
    assert (root.documents, root.chunks, root.topics) == (4, 11, 3)


def test_a_related_topic_says_what_it_shares(make_spec: MakeSpec, make_source: MakeSource) -> None:
    spec = make_spec("guide", make_source("a.md"), related=["api", "faq"])
    shared, bare = spec.related[0], replace(spec.related[1], shared=())
    links = only(replace(spec, related=(shared, bare)))["_links"]["related"]
    assert [link["href"] for link in links] == ["../api/index.json", "../faq/index.json"]
    assert links[0]["authority"] == {keyword.name: keyword.score for keyword in shared.shared} != {}
    assert "authority" not in links[1]


class TestPages:
    """An index too large for one file is divided into pages."""

    def pages(self, spec: TopicSpec, topics: int = 0, limit: int = 20_000) -> list[dict[str, Any]]:
        pages = topic_index(spec, [child(n) for n in range(topics)], options=IndexOptions(page_bytes=limit))
        assert [page.name for page in pages] == [
            "index.json",
            *(f"index-{n}.json" for n in range(2, len(pages) + 1)),
        ]
        for page in pages:
            body = orjson.loads(page.data)
            VALIDATOR.validate(body)
            parts = len(body["_embedded"]["topics"]) + len(body["_embedded"]["chunks"]) - 1
            assert len(page.data) <= limit or parts <= 1
        return [orjson.loads(page.data) for page in pages]

    def test_links_lead_through_all_of_it_in_order(self, make_spec: MakeSpec, make_source: MakeSource) -> None:
        sources = [make_source(f"doc{number:02}.md", 10) for number in range(20)]
        pages = self.pages(make_spec("guide", *sources), topics=80)
        assert len(pages) > 4
        assert [p["_links"]["self"]["href"] for p in pages[1:]] == [p["_links"]["next"]["href"] for p in pages[:-1]]
        assert [p["_links"]["self"]["href"] for p in pages[:-1]] == [p["_links"]["prev"]["href"] for p in pages[1:]]
        assert "prev" not in pages[0]["_links"] and "next" not in pages[-1]["_links"]
        assert {p["_links"]["first"]["href"] for p in pages} == {"index.json"}
        topics = [topic["id"] for page in pages for topic in page["_embedded"]["topics"]]
        assert topics == [f"t{number}" for number in range(80)]
        documents = [key for page in pages for key in page["_embedded"]["chunks"] if key != "_links"]
        assert documents == [f"doc{number:02}" for number in range(20)]

    def test_a_page_links_its_own_documents(self, make_spec: MakeSpec, make_source: MakeSource) -> None:
        sources = [make_source(f"doc{number}.md", 10) for number in range(9)]
        for page in self.pages(make_spec("guide", *sources)):
            keys = [key for key in page["_embedded"]["chunks"] if key != "_links"]
            assert [link["name"] for link in page["_links"]["source"]] == keys
            assert {link["name"].rpartition("-")[0] for link in page["_links"]["item"]} == set(keys)

    def test_a_document_is_never_divided(self, make_spec: MakeSpec, make_source: MakeSource) -> None:
        pages = self.pages(make_spec("", make_source("a.md", 3), make_source("b.md", 200), make_source("c.md", 3)))
        assert [[key for key in page["_embedded"]["chunks"] if key != "_links"] for page in pages] == [
            ["a"],
            ["b"],
            ["c"],
        ]

    def test_one_page_has_no_paging_links(self, make_spec: MakeSpec, make_source: MakeSource) -> None:
        (page,) = self.pages(make_spec("", make_source("a.md", 3)))
        assert {"first", "prev", "next"}.isdisjoint(page["_links"])


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
unit = st.floats(-1, 1)


@st.composite
def sources(draw: st.DrawFn) -> SpecSource:
    technical = draw(st.booleans())
    count = draw(st.integers(0, 15))
    chunks = tuple(
        SpecChunk(
            index=index,
            title=draw(texts),
            section_path=tuple(draw(st.lists(texts, max_size=2))),
            is_code=draw(st.booleans()),
            tokens=draw(st.integers(0, 900)),
            sha256="ab" * 32,
            similarity_conceptual=draw(unit),
            similarity_technical=draw(unit) if technical else None,
            prompt_hashes=tuple(draw(st.lists(st.integers(0, 2**64 - 1), max_size=2))),
        )
        for index in range(count)
    )
    name = draw(texts.filter(lambda text: text and "/" not in text and "\0" not in text))
    return SpecSource(f"{name}.md", draw(texts), "0" * 16, chunks, 1 if technical and count > 1 else None)


@given(st.lists(sources(), max_size=3, unique_by=lambda source: source.name), texts)
def test_every_index_is_valid_and_round_trips(documents: list[SpecSource], title: str) -> None:
    spec = TopicSpec("a/b", title, title, "s", "m", tuple(documents))
    for page in topic_index(spec, [child(0)], title, IndexOptions(page_bytes=3000)):
        body = orjson.loads(page.data)
        VALIDATOR.validate(body)
        assert dump(decode_index(page.data, page.name)) == body
        assert build_id(page.data) == body["build_id"]
