from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import ConfigError
from infograph.model import Site
from infograph.search.addresses.anchors import IDS, Anchor, anchor_at, openable, page_anchors
from infograph.search.addresses.page_urls import PAGES
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode


def anchors(text: str, generator: str = "html", slugs: str = "") -> tuple[Anchor, ...]:
    document = decode("page.md", text.encode())
    return page_anchors(document.body, parse_blocks(document)[0], Site(generator, slugs=slugs))


def ids(text: str, generator: str = "html", slugs: str = "") -> list[str]:
    return [anchor.id for anchor in anchors(text, generator, slugs)]


NASTY = "# T\n\n## Über `a  b`\n\n## Über `a  b`\n\n## 日本\n\n## 日本\n\n## A [link](x.md) -- 🚀\n"


@pytest.mark.parametrize(
    ("generator", "expected"),
    [
        ("mkdocs", ["t", "uber-a-b", "uber-a-b_1", "_1", "_2", "a-link-"]),
        ("docusaurus", ["", "über-a--b", "über-a--b-1", "日本", "日本-1", "a-link----"]),
        ("hugo", ["t", "über-a--b", "über-a--b-1", "日本", "日本-1", "a-link--"]),
        ("sphinx", ["t", "uber-a-b", "id1", "id2", "id3", "a-link"]),
        ("mdbook", ["t", "über-a--b", "über-a--b-1", "日本", "日本-1", "a-link--"]),
        ("github", ["t", "über-a--b", "über-a--b-1", "日本", "日本-1", "a-link----"]),
        ("html", ["t", "über-a--b", "über-a--b-1", "日本", "日本-1", "a-link----"]),
        ("pattern", ["t", "über-a--b", "über-a--b-1", "日本", "日本-1", "a-link----"]),
    ],
)
def test_each_generator_has_its_rule(generator: str, expected: list[str]) -> None:
    assert ids(NASTY, generator) == expected


@pytest.mark.parametrize("generator", ["hugo", "mdbook", "github", "vitepress", "docusaurus", "starlight"])
def test_the_same_heading_again_is_counted(generator: str) -> None:
    assert ids("## Same a\n\n" * 12, generator) == ["same-a", *(f"same-a-{n}" for n in range(1, 12))]


def test_mkdocs_and_sphinx_count_the_same_heading_in_their_way() -> None:
    assert ids("## Same\n\n" * 12, "mkdocs") == ["same", *(f"same_{n}" for n in range(1, 12))]
    assert ids("## Über\n", "mkdocs", "unicode") == ids("## Über\n", "mkdocs", "pymdownx") == ["über"]
    assert ids("## Same_5\n\n" * 3, "mkdocs") == ["same_5", "same_6", "same_7"]
    assert ids("## Same\n\n" * 12, "sphinx") == ["same", *(f"id{n}" for n in range(1, 12))]


def test_a_heading_that_is_numbered_already() -> None:
    text = "## A\n\n## A 1\n\n## A\n\n## A\n"
    assert ids(text, "github") == ids(text, "hugo") == ids(text, "mdbook") == ["a", "a-1", "a-2", "a-3"]
    assert ids(text, "vitepress") == ["a", "a-1", "a-2", "a-3"]


def test_an_explicit_id_is_taken_whatever_comes_before() -> None:
    text = "## X\n\n## Y {#x}\n\n## X\n"
    assert ids(text, "vitepress") == ["x", "x", "x-1"]
    assert ids(text, "mkdocs") == ["x_1", "x", "x_2"]
    assert ids(text, "hugo") == ["x", "x", "x-1"]


@pytest.mark.parametrize("generator", ["mkdocs", "hugo", "mdbook", "vitepress", "html"])
def test_attributes_stand_in_text(generator: str) -> None:
    """Not in code; nor has a heading without any text some."""
    (code, bare) = ids("## A `b {#x}`\n\n##\n", generator)
    assert code.replace("-", "") == "abx" and bare != "x"


@pytest.mark.parametrize("generator", ["mkdocs", "hugo", "mdbook", "vitepress", "html"])
def test_attributes_without_an_id_are_no_part_of_the_text(generator: str) -> None:
    assert ids("## A **b** c {.wide}\n", generator) == ["a-b-c"]


def test_hugo_leaves_out_addresses_but_in_code() -> None:
    assert ids("## See https://a.example/b now\n\n## See `https://a.example` now\n", "hugo") == [
        "see--now",
        "see-httpsaexample-now",
    ]


@pytest.mark.parametrize(("smart", "expected"), [(False, "a----b----c"), (True, "a--b----c")])
def test_mdbook_takes_two_hyphens_for_a_dash_in_text(smart: bool, expected: str) -> None:
    document = decode("page.md", b"## A -- `b -- c`\n")
    site = Site("mdbook", smart_punctuation=smart)
    assert [found.id for found in page_anchors(document.body, parse_blocks(document)[0], site)] == [expected]


def test_explicit_ids_above_a_heading_of_sphinx() -> None:
    assert ids("(x)=\n## A\n\n## X\n", "sphinx") == ["x", "id1"]
    assert ids("{#y}\n## A\n\n## A\n", "sphinx") == ["y", "a"]
    assert ids("{id=y}\n## A\n\n{.wide}\n## B\n", "sphinx") == ["y", "b"]
    assert ids("{.wide}\n## A\n\n## Y\n\n## Y\n", "sphinx") == ["a", "y", "id1"]


def test_comments_and_anchors_at_the_end_of_a_heading() -> None:
    text = '## A **b** {/*c*/}\n\n## *D* e {/*#f*/}\n\n## G *h* <a name="i"></a>\n\n<a id="j"></a>\n\n## K\n'
    assert ids(text) == ["c", "f", "i", "k"]
    assert ids('<a id="l"></a><a name=m>\n## N\n') == ["l"]


def test_of_emphasis_hugo_takes_code_whole_and_text_to_its_first_sign() -> None:
    text = '## x **`a -- "b"` c "d" e** f\n\n## x **a "b" c** f\n\n## *`a...b`* c\n\n## *a...b* c\n'
    assert ids(text, "hugo") == ["x-a----b-f", "x-a--f", "ab-c", "a-c"]


def test_every_generator_has_both_rules() -> None:
    assert list(IDS) == list(PAGES)


def test_explicit_ids() -> None:
    text = "## A {#x}\n\n## A { #y .wide }\n\n## A {: #z}\n\n## A\n"
    assert ids(text, "mkdocs") == ["x", "y", "z", "a"]
    assert ids(text, "docusaurus") == ["x", "a--y-wide-", "a--z", "a"]
    assert ids(text, "hugo") == ["x", "y", "a--z", "a"]
    assert ids(text) == ["x", "y", "z", "a"]
    assert ids("(my target)=\n## A\n\n(far)=\n\nText.\n\n## A\n", "sphinx") == ["my-target", "id1"]
    assert ids("(blank)=\n\n## A\n\n(far)=\nText.\n## A\n", "sphinx") == ["blank", "id1"]


@pytest.mark.parametrize(
    ("generator", "expected"),
    [
        ("mkdocs", ["an-here", "see-httpsaexampleb", "a-b-e"]),
        ("sphinx", ["an-here", "see-https-a-example-b", "a-b-e"]),
        ("docusaurus", ["an-old-image-here", "see-httpsaexampleb", "a-b-c-d-e"]),
        ("hugo", ["an-old-image-here", "see", "a-b--e"]),
        ("mdbook", ["an--here", "see-httpsaexampleb", "a-b--e"]),
        ("vitepress", ["an-here", "see-https-a-example-b", "a-b-e"]),
    ],
)
def test_images_and_addresses_in_headings(generator: str, expected: list[str]) -> None:
    text = "## An ![old image](x.png) here\n\n## See <https://a.example/b>\n\n## A **b ![c *d*](x.png)** e\n"
    assert ids(text, generator) == expected


def test_references_to_footnotes_use_up_numbers_of_sphinx() -> None:
    text = "## A\n\nText[^n] and `[^n]` and[^n].\n\n```\n[^n]\n```\n\n## A\n\n[^n]: A note.\n"
    assert ids(text, "sphinx") == ["a", "id3"]
    assert ids("## A\n\nText[^n] and[^other].\n\n[^n]: A note.\n\n## A\n", "sphinx") == ["a", "id3"]
    assert ids("## A\n\nText[^other].\n\n## A\n", "sphinx") == ["a", "id2"]


def test_anchors_that_authors_wrote_count_in_plain_html() -> None:
    text = '<a id="above"></a>\n## A\n\n## <a name="inside"></a>B\n\n## C {/*mdx*/}\n\n## D <b>e</b>\n'
    assert ids(text) == ["above", "inside", "mdx", "d-e"]


def test_plain_html_may_name_the_rule_of_a_generator() -> None:
    assert ids("## Ü ö\n", "pattern", "mkdocs") == ["u-o"]
    with pytest.raises(ConfigError, match=r"site.slugs: there is no `pelican`. Valid: `mkdocs`"):
        ids("## A\n", "pattern", "pelican")
    with pytest.raises(ConfigError, match=r"Valid: `ascii`"):
        ids("## A\n", "mkdocs", "github")
    with pytest.raises(ConfigError, match=r"site.generator: there is no `pelican`"):
        ids("## A\n", "pelican")


def test_headings_are_read_wherever_the_parser_finds_them() -> None:
    text = "\n\nTwo lines\nof *title*\n===\n\n> ## Quoted ##\n> text\n\n- ### Listed\n\n      # code\n\n"
    text += "```\n# fenced\n```\n\n##\n"
    found = anchors(text, "github")
    assert [anchor.id for anchor in found] == ["two-lines-of-title", "quoted", "listed", ""]
    assert [anchor.line for anchor in found] == [2, 6, 9, 17]
    assert [anchor.level for anchor in found] == [1, 2, 3, 2]
    assert [anchor.nested for anchor in found] == [False, True, True, False]


def test_links_by_reference_and_footnotes() -> None:
    text = "## A [b][c] and [c] and [d][e][^1] `[^1]`\n\n[c]: x.md\n[^1]: note\n"
    assert ids(text, "github") == ["a-b-and-c-and-de-1"]


def test_the_anchor_of_a_range_of_lines() -> None:
    found = (Anchor(0, 1, ""), Anchor(2, 2, "a"), Anchor(5, 2, "quoted", nested=True), Anchor(8, 3, "b"))
    assert anchor_at(openable(found), 0, 2) == ""
    assert anchor_at(openable(found), 0, 3) == "a"
    assert anchor_at(openable(found), 2, 9) == "a"
    assert anchor_at(openable(found), 3, 9) == "b"
    assert anchor_at(openable(found), 3, 8) == "a"
    assert anchor_at(openable(found), 9, 12) == "b"
    assert anchor_at((), 0, 9) == ""


def test_a_page_without_headings_has_no_anchors() -> None:
    assert anchors("") == anchors("Text\n") == ()


@given(st.lists(st.text(max_size=30), max_size=8), st.sampled_from(["mkdocs", "hugo", "sphinx", "mdbook", "github"]))
def test_ids_that_are_made_are_unique_and_fit_an_attribute(titles: list[str], generator: str) -> None:
    lines = [" ".join(re.sub("[{}(\0]", "", title).split()) for title in titles]  # nothing explicit
    text = "".join(f"## {line}\n\n" for line in lines)
    made = [id_ for id_ in ids(text, generator) if id_]
    assert len(made) == len(set(made))
    assert not any(re.search(r"[\s\"'<>&]", id_) for id_ in made)


@pytest.mark.slow
def test_hostile_headings_take_no_time() -> None:
    lines = ["*a_" * 50_000, f"{' ' * 100_000}x{' #' * 50_000}", "{" + "#a " * 50_000, "[^" * 50_000]
    lines += ["`" * 100_000, "`a``" * 25_000, "".join(f"{'`' * run}a" for run in range(1, 400))]
    text = "".join(f"## {line}\n\n" for line in lines) + "## Same\n\n" * 2_000 + "[x]: y\n[^1]: z\n"
    for generator in IDS:
        assert len(ids(text, generator)) == len(lines) + 2_000
