"""llms.txt keeps the form of llmstxt.org, whatever the titles are, and stays within its size."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.formats.names import LLMS
from infograph.index.hal import ChildTopic
from infograph.index.llms import MAXIMUM_BYTES, PageLink, TreeListing, llms_files


def llms_txt(title: str, description: str, sections: Any, base_url: str = "", maximum: int = MAXIMUM_BYTES) -> bytes:
    """The root's file of a tree whose pages cannot be read as Markdown."""
    (data,) = llms_files(TreeListing(title, description, sections, base_url=base_url), maximum).values()
    return data


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


@pytest.mark.parametrize(
    ("documents", "chunks", "said"),
    [(0, 1, "0 documents, 1 chunk"), (1, 2, "1 document, 2 chunks"), (2, 0, "2 documents, 0 chunks")],
)
def test_counts_are_said_in_words(documents: int, chunks: int, said: str) -> None:
    entry = ChildTopic("a", "A", "", documents, chunks, 0)
    assert f"- [A](a/index.json): {said}\n" in llms_txt("Docs", "", [(entry, [])]).decode()


def test_a_tree_and_a_topic_without_a_title_have_a_name() -> None:
    text = llms_txt("", "", [(ChildTopic("a", "", "", 1, 1, 0), [])]).decode()
    assert text.startswith("# Documentation\n\n- ") and "\n## a\n\n- [a](a/index.json): " in text


def test_a_long_description_is_cut() -> None:
    lines = llms_txt("Docs", "word " * 300, [(topic("a", description="word " * 300), [])]).decode().splitlines()
    assert 590 < len(lines[2]) <= 602 and lines[2].endswith("…")
    assert len(lines[-1]) < 300 and "word… (3 documents" in lines[-1]


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


def test_what_fits_exactly_is_listed_and_with_a_byte_less_is_not() -> None:
    """In a section with children one line is reserved to say how many are missing."""
    sections = [(topic("a"), [topic("a/b"), topic("a/c")])]
    whole, more = llms_txt("Docs", "", sections), b"- [1 more topics](a/index.json)\n"
    assert llms_txt("Docs", "", sections, maximum=len(whole) + len(more)) == whole
    assert llms_txt("Docs", "", sections, maximum=len(whole) + len(more) - 1).endswith(b"chunks\n" + more)

    bare = [(topic("a"), [])]
    whole = llms_txt("Docs", "", bare)
    assert llms_txt("Docs", "", bare, maximum=len(whole)) == whole
    less = llms_txt("Docs", "", bare, maximum=len(whole) - 1)
    assert less == llms_txt("Docs", "", []) + b"\n## More topics\n\n- [1 more](index.json)\n"


@given(st.integers(0, 60), st.integers(0, 60), st.integers(3000, 20_000))
def test_size_is_bounded(sections: int, children: int, maximum: int) -> None:
    inner = [topic(f"s/c{number}", description="é" * 100) for number in range(children)]
    data = llms_txt("Docs", "x" * 900, [(topic(f"s{number}"), inner) for number in range(sections)], maximum=maximum)
    assert len(data) <= maximum + 100


PAGES = {
    "": [PageLink("Start", "index.md")],
    "guide": [PageLink("Install [it]", "guide/a b.md"), PageLink("", "guide/x.md")],
    "guide/a b": [PageLink("Elsewhere", "", "https://example.org/e.md")],
}


def test_pages_follow_the_topic_that_they_lie_in() -> None:
    (text,) = llms_files(TreeListing("Docs", "", SECTIONS, PAGES)).values()
    assert text.decode().split("\n## ", 1)[1].splitlines() == [
        "Pages",
        "",
        "- [Start](index.md)",
        "",
        "## Guide",
        "",
        "- [Guide](guide/index.json): How to begin. (3 documents, 40 chunks)",
        r"- [Install \[it\]](guide/a%20b.md)",
        "- [guide/x.md](guide/x.md)",
        "- [Deploy](guide/a%20b/index.json): 3 documents, 40 chunks",
        "- [Elsewhere](https://example.org/e.md)",
        "",
        "## Optional (topic)",
        "",
        "- [Optional](api/index.json): 3 documents, 40 chunks",
    ]


def test_a_topic_with_too_many_pages_has_a_file_of_its_own() -> None:
    pages = {"big": [PageLink(f"Page {n}", f"big/p{n}.md") for n in range(300)], "big/t": [PageLink("T", "big/t/t.md")]}
    sections = [(topic("big", "Big", "Many."), [topic("big/t")]), (topic("small"), [])]
    files = llms_files(TreeListing("Docs", "", sections, pages), maximum=6000)
    assert list(files) == [LLMS, "big/llms.txt"]
    root, own = (data.decode() for data in files.values())
    assert "- [All 301 pages](big/llms.txt)" in root
    assert 0 < len(re.findall(r"\(big/(?:p\d+|t/t)\.md\)", root)) < 301
    assert "## small" in root
    assert own.startswith("# Big\n\n> Many.\n\n- These are the pages of one topic")
    assert "[llms.txt](../llms.txt)" in own
    assert "\n- [Page 0](p0.md)\n" in own
    assert max(map(len, files.values())) <= 6000
    more = re.search(r"^- \[(\d+) more lines\]\(index\.json\)$", own, re.MULTILINE)
    assert more is not None
    assert own.count("\n- [") == 303 - int(more[1]) + 1
    assert list(llms_files(TreeListing("Docs", "", sections, pages))) == [LLMS]


@given(st.integers(0, 20), st.integers(0, 80), st.integers(3000, 20_000))
def test_size_is_bounded_with_pages(sections: int, pages: int, maximum: int) -> None:
    links = {
        f"s{number}": [PageLink("é" * 30, f"s{number}/p{p}.md") for p in range(pages)] for number in range(sections)
    }
    files = llms_files(
        TreeListing("Docs", "", [(topic(name), []) for name in links], links, full=10**9), maximum=maximum
    )
    assert all(len(data) <= maximum + 150 for data in files.values())
