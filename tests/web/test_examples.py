"""Questions to begin with: from titles that ask or tell how, one from each folder first, none twice."""

from __future__ import annotations

import json

from infograph.formats.marks import is_marked
from infograph.web.examples import MOST, TitledPage, examples, start_file


def test_questions_come_first_then_what_tells_how_then_the_largest_pages() -> None:
    pages = [
        TitledPage("a/large.md", "Cookies and headers in responses", ["x"] * 9),
        TitledPage("b/small.md", "Background tasks after a response", ["x"]),
        TitledPage("c/faq.md", "FAQ", ["Why is my build slow?"]),
        TitledPage("d/how.md", "How to deploy a container", []),
    ]
    assert examples(pages) == [
        "Why is my build slow?",
        "How to deploy a container",
        "Cookies and headers in responses",
        "Background tasks after a response",
    ]


def test_one_from_each_folder_before_a_second_from_any() -> None:
    pages = [TitledPage("a/1.md", "", [f"What does the {word} do?" for word in ("lorry", "tractor", "bicycle")])]
    pages.append(TitledPage("b/1.md", "", ["Where does a ship moor?"]))
    found = examples(pages)
    assert {"What does the bicycle do?", "Where does a ship moor?"} == set(found[:2])
    assert len(found) == len(set(found)) == 2  # the others differ in one word only


def test_what_is_no_question() -> None:
    titles = [
        "Install",
        "0.1.2 (2024-01-02) of the release notes",
        "`code` in a title",
        "x " * 50,
        "A\tb",
        "<b>a b c</b>",
    ]
    assert examples([TitledPage("a.md", "", titles)]) == []


def test_the_order_of_pages_means_nothing() -> None:
    pages = [TitledPage(f"{n}/p.md", f"How the {n} thing of {n * 37} works", ["x"] * (n % 3)) for n in range(40)]
    assert examples(pages) == examples(pages[::-1])
    assert len(examples(pages)) <= MOST


def test_the_file_is_ours_and_holds_any_text() -> None:
    data = start_file(3, 14, ["</script><b>How?</b>\u2028"], 1234)
    assert is_marked(data)
    assert json.loads(data) == {
        "//": "Written by `infograph build`",
        "pages": 3,
        "chunks": 14,
        "bytes": 1234,
        "questions": ["</script><b>How?</b>\u2028"],
    }
