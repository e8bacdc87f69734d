"""The sentences of a document, and the choice of the sentence that summarises a range."""

from __future__ import annotations

import pytest

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.prose import LONGEST_SUMMARY, Prose, plain
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

TEXT = """# Owls

One here. Two here.

> Quoted here.

- In a list. And more.

```
no. code.
```

| no |
| --- |
| table. cell. |

Last here.
"""


def prose(text: str) -> Prose:
    document = decode("a.md", text.encode())
    return Prose(DocumentLayout(document, parse_blocks(document)[0]))


def said(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[start:end].strip(" \n>-") for start, end in spans]


def test_sentences_are_those_of_paragraphs_also_in_quotes_and_lists() -> None:
    assert said(TEXT, prose(TEXT).sentences) == [
        "One here.",
        "Two here.",
        "Quoted here.",
        "In a list.",
        "And more.",
        "Last here.",
    ]


def test_sentences_within_a_range_begin_in_it() -> None:
    begin, end = TEXT.index("Two"), TEXT.index("And")
    assert said(TEXT, prose(TEXT).within(begin, end)) == ["Two here.", "Quoted here.", "In a list."]
    assert said(TEXT, prose(TEXT).within(begin + 1, end + 1)) == ["Quoted here.", "In a list.", "And more."]


@pytest.mark.parametrize(
    ("place", "back", "forth"),
    [
        ("One", ["One here."], ["Two here.", "Quoted here."]),
        ("Two", ["Two here.", "One here."], ["Quoted here."]),
        ("no. code", ["And more.", "In a list.", "Quoted here."], ["Last here."]),
        ("Last", ["Last here.", "And more.", "In a list."], []),
        ("# Owls", [], ["One here.", "Two here."]),
    ],
)
def test_near_a_place_are_its_paragraph_and_those_beside_it(place: str, back: list[str], forth: list[str]) -> None:
    before, after = prose(TEXT).near(TEXT.index(place))
    assert said(TEXT, list(before)) == back and said(TEXT, list(after)) == forth


def test_a_page_without_prose_has_nothing_near() -> None:
    before, after = prose("# Owls\n").near(3)
    assert list(before) == list(after) == []


def test_what_ends_a_range_is_its_last_sentences_up_to_what_is_no_prose() -> None:
    text = "Zero.\n\n```\ncode\n```\n\nOne. Two.\n\nThree.\n"
    assert said(text, list(prose(text).before(0, len(text)))) == ["Three.", "Two.", "One."]
    inside = text.index("Three")
    assert said(text, list(prose(text).before(0, inside))) == ["Two.", "One."]
    assert said(text, list(prose(text).before(text.index("Two"), len(text)))) == ["Three.", "Two."]
    assert list(prose(text).before(0, inside + 2)) == [], "a sentence that goes on ends nothing"
    assert list(prose(text).before(0, text.index("One"))) == []


def test_of_sentences_with_enough_words_the_most_central_sums_up() -> None:
    """A sentence of fewer than four words says little by itself and is used only where there is no other."""
    text = "Owls hunt mice.\n\nOwls hunt mice nightly.\n\nRain falls on distant hills.\n"
    assert prose(text).summary(0, len(text)) == "Owls hunt mice nightly."
    assert prose("Owls hunt mice.\n").summary(0, 16) == "Owls hunt mice."
    assert prose("Owls.\n").summary(0, 6) == "Owls."
    assert prose("1 2 3.\n").summary(0, 7) == prose("").summary(0, 0) == ""


def test_of_equals_the_first_sums_up() -> None:
    text = "Alpha beta gamma delta. Delta gamma beta alpha.\n"
    assert prose(text).summary(0, len(text)) == "Alpha beta gamma delta."


def test_what_few_sentences_have_weighs_more() -> None:
    """Both words are equally frequent in the range, but `common` is everywhere in the document."""
    page = "common one two three.\n\n" * 9
    text = f"{page}common red blue green. rare red blue green.\n"
    begin = text.index("common red")
    assert prose(text).summary(begin, len(text)) == "rare red blue green."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- [ ] *Owls* and __mice__", "Owls and mice"),
        ("1. **bold** `code`", "bold code"),
        ("> > quoted", "quoted"),
        ("[a link](u.md) and ![an image](o.png) and [a label][b]", "a link and an image and a label"),
        ("[![An owl](o.png)](u.md)", "An owl"),
        ("<b>bold</b> <!-- no --> {{< shortcode >}} end", "bold end"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
    ],
)
def test_plain_words(text: str, words: str) -> None:
    assert plain(text) == words


@pytest.mark.parametrize("length", [LONGEST_SUMMARY, LONGEST_SUMMARY + 1])
def test_a_summary_of_exactly_the_limit_is_whole(length: int) -> None:
    text = ("abcd " * 80)[: length - 1] + "."
    summary = prose(text).summary(0, len(text))
    assert len(summary) <= LONGEST_SUMMARY
    assert (summary == text) == (length == LONGEST_SUMMARY)
    assert summary == text or (summary.endswith("abcd…") and len(summary) > LONGEST_SUMMARY - 6)
