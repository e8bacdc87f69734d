"""llms.txt keeps the form of llmstxt.org, whatever the titles say, and stays within its size."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.index.hal import ChildTopic
from infograph.index.llms import llms_txt


def topic(id: str, title: str = "", description: str = "") -> ChildTopic:
    return ChildTopic(id, title or id, description, 3, 40, 0)


SECTIONS = [
    (topic("guide", "Guide", "How to begin."), [topic("guide/a b", "Deploy")]),
    (topic("api", "Optional"), []),
]


def test_form() -> None:
    lines = llms_txt("Docs", "All about\nit.", SECTIONS).decode().splitlines()
    assert lines[0] == "# Docs"
    assert lines[2] == "> All about it."
    assert [line for line in lines if line.startswith("## ")] == ["## Guide", "## Optional (topic)"]
    assert "- [Guide](guide/index.json): How to begin. (3 documents, 40 chunks)" in lines
    assert "- [Deploy](guide/a%20b/index.json): 3 documents, 40 chunks" in lines
    how = lines[4 : lines.index("## Guide") - 1]
    assert len(how) == 5
    assert all(line.startswith("- ") for line in how)
    assert "stripe_order" in "".join(how) and "(index.json)" in how[0]


def test_links_under_a_base_url() -> None:
    text = llms_txt("Docs", "", SECTIONS, "/docs/").decode()
    assert re.findall(r"\]\((.*?)\)", text) == [
        "/docs/index.json",
        "/docs/guide/index.json",
        "/docs/guide/a%20b/index.json",
        "/docs/api/index.json",
    ]


@pytest.mark.parametrize("title", ["a](http://evil) [b", "# x", "a\n## b", "<script>", "`x`"])
def test_titles_cannot_change_the_form(title: str) -> None:
    text = llms_txt(title, title, [(topic("a", title, title), [])]).decode()
    assert len(re.findall(r"^## ", text, re.MULTILINE)) == 1
    assert set(re.findall(r"(?<!\\)\]\((.*?)\)", text)) == {"index.json", "a/index.json"}


def test_what_does_not_fit_is_counted() -> None:
    children = [topic(f"big/t{number}", description="word " * 40) for number in range(500)]
    text = llms_txt("Docs", "", [(topic("big"), children), (topic("small"), [])], maximum=10_000).decode()
    listed = len(re.findall(r"\(big/t\d+/index\.json\)", text))
    assert f"- [{500 - listed} more topics](big/index.json)" in text
    assert "## small" in text


def test_a_section_leaves_room_for_saying_what_it_leaves_out() -> None:
    children = [topic(f"big/t{number}", description="word " * 20) for number in range(50)]
    for maximum in range(4000, 4200):
        data = llms_txt("Docs", "", [(topic("big"), children)], maximum=maximum)
        assert maximum - 250 < len(data) <= maximum


@given(st.integers(0, 60), st.integers(0, 60), st.integers(3000, 20_000))
def test_size_is_bounded(sections: int, children: int, maximum: int) -> None:
    inner = [topic(f"s/c{number}", description="é" * 100) for number in range(children)]
    data = llms_txt("Docs", "x" * 900, [(topic(f"s{number}"), inner) for number in range(sections)], maximum=maximum)
    assert len(data) <= maximum + 100
