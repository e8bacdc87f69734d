"""The division of an index into pages: at exactly the limit, and as late as possible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
import pytest

from infograph.errors import FormatError
from infograph.index.hal import IndexOptions, topic_index
from infograph.index.paging import IndexPage, _groups, _Plain
from infograph.model import SpecSource, TopicSpec

MakeSource = Callable[..., SpecSource]
MakeSpec = Callable[..., TopicSpec]


def pages(spec: TopicSpec, limit: int) -> list[IndexPage]:
    return topic_index(spec, options=IndexOptions(page_bytes=limit))


def links(page: IndexPage) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(page.data)["_links"]
    return found


@pytest.fixture
def spec(make_spec: MakeSpec, make_source: MakeSource) -> TopicSpec:
    """A topic of five documents."""
    return make_spec("guide", *(make_source(f"doc{number}.md", 12) for number in range(5)))


def test_an_index_of_exactly_the_limit_is_one_file(spec: TopicSpec) -> None:
    (whole,) = pages(spec, 10**6)
    assert pages(spec, len(whole.data)) == [whole]
    assert {"first", "prev", "next"}.isdisjoint(links(whole))
    divided = pages(spec, len(whole.data) - 1)
    assert len(divided) == 2
    assert all(len(page.data) < len(whole.data) for page in divided)


def test_two_documents_are_divided(make_spec: MakeSpec, make_source: MakeSource) -> None:
    both = make_spec("guide", make_source("a.md", 12), make_source("b.md", 12))
    assert len(pages(both, len(pages(both, 10**6)[0].data) - 1)) == 2


def test_what_cannot_be_divided_is_one_file_of_any_size(make_spec: MakeSpec, make_source: MakeSource) -> None:
    (page,) = pages(make_spec("guide", make_source("a.md", 40)), 100)
    assert page.name == "index.json" and len(page.data) > 100
    assert {"first", "prev", "next"}.isdisjoint(links(page))


def test_only_the_first_page_describes_the_topic_and_leads_to_others(make_spec: MakeSpec, spec: TopicSpec) -> None:
    related = make_spec("guide", *spec.sources, related=["api"])
    first, *rest = pages(related, 9000)
    assert orjson.loads(first.data)["description"] == related.description
    assert {"topic-spec", "infograph:keywords", "related", "curies"} <= set(links(first))
    assert rest
    for page in rest:
        assert "description" not in orjson.loads(page.data)
        assert set(links(page)) <= {
            "self",
            "profile",
            "parent",
            "topic-spec",
            "first",
            "prev",
            "next",
            "source",
            "item",
        }
        assert {"profile", "parent", "first", "prev"} <= set(links(page))


def part(name: str) -> _Plain:
    return _Plain(topic=None, key=name, document=None, source=None, items=[])


@pytest.mark.parametrize(
    ("sizes", "found"),
    [
        ([4, 4, 5, 5], ["ab", "cd"]),  # exactly the room
        ([4, 5, 5, 5], ["a", "bc", "d"]),
        ([9, 1, 11, 1], ["a", "b", "c", "d"]),  # one that is too large has a page of its own
        ([8], ["a"]),
        ([], [""]),
    ],
)
def test_a_page_takes_what_fits_the_first_less(sizes: list[int], found: list[str]) -> None:
    groups = _groups([part(name) for name in "abcd"[: len(sizes)]], sizes, 8, 10)
    assert ["".join(part.key for part in group) for group in groups] == found


@pytest.mark.parametrize("limit", [20_000, 30_000, 45_000])
def test_pages_are_filled(make_spec: MakeSpec, make_source: MakeSource, limit: int) -> None:
    """Sizes are slightly overestimated: of equal documents, one more would not have fitted."""
    made = pages(make_spec("guide", *(make_source(f"doc{number:02}.md", 9) for number in range(30))), limit)
    assert len(made) > 2
    for page in made[:-1]:
        documents = len(orjson.loads(page.data)["_embedded"]["chunks"]) - 1
        assert 0.85 * limit < len(page.data) * (documents + 1) / documents
        assert len(page.data) <= limit


@pytest.mark.parametrize(("topic", "file"), [("", "^topic-spec.md"), ("guide", "^guide/topic-spec.md")])
def test_what_cannot_be_written_is_told_with_its_file(
    make_spec: MakeSpec, make_source: MakeSource, topic: str, file: str
) -> None:
    with pytest.raises(FormatError, match=f"{file}: a value cannot be published"):
        topic_index(make_spec(topic, replace(make_source("a.md"), name="a\ud800.md")))


@pytest.mark.parametrize(("topic", "file"), [("", "^index.json"), ("guide", "^guide/index.json")])
def test_a_title_that_cannot_be_written_is_told_with_the_index(make_spec: MakeSpec, topic: str, file: str) -> None:
    with pytest.raises(FormatError, match=f"{file}: a value cannot be published"):
        topic_index(make_spec(topic, title="\ud800"))
