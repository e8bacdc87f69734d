from __future__ import annotations

import re

from infograph.chunking.interface import line_starts
from infograph.evaluate.made import Language, Source, made_questions, sections
from infograph.evaluate.questions import Question, Span
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.text.language import question_words, stop_words
from infograph.topic.answered_questions import questions_asked

LANGUAGE = Language(question_words("en"), stop_words("en"))


def source(path: str, text: str) -> Source:
    headings = [(len(m[1]), m[2], m.start()) for m in re.finditer(r"^(#+) (.*?)(?: \{#.*\})?$", text, re.MULTILINE)]
    fences = tuple(Span(path, m.start(), m.end()) for m in re.finditer(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL))
    return Source(path, text, sections(path, headings, len(text)), fences, asked(text) if "qa-pairs" in path else None)


def asked(text: str) -> tuple[tuple[int, str], ...]:
    found = questions_asked(text, parse_blocks(decode("qa-pairs.md", text.encode()))[0])
    starts = line_starts(text)
    return tuple((starts[line], question) for line, question in found)


def made(**texts: str) -> dict[str, Question]:
    """Questions by text; `sub_a` stands for sub/a.md."""
    sources = [source(f"{name.replace('_', '/')}.md", text) for name, text in texts.items()]
    return {question.text: question for question in made_questions(sources, LANGUAGE)}


TARGET = (
    "# Target\n\nIntro.\n\n## Cache folder\n\nText.\n\n### Deeper\n\nText.\n\n"
    "## Cache folder\n\nAgain.\n\n## Own {#id}\n"
)


def gold(name: str, text: str, heading: str, last: str) -> Span:
    return Span(name, text.index(heading), text.index(last) + len(last))


def test_a_link_asks_for_the_section_it_leads_to() -> None:
    found = made(a="See [the `cache` folder's place](sub/b.md#cache-folder).", sub_b=TARGET)
    question = found["the cache folder's place"]
    assert question.gold == (gold("sub/b.md", TARGET, "## Cache folder", "### Deeper\n\nText.\n\n"),)
    assert question.origin is not None
    assert question.origin.file == "a.md"


def test_links_are_resolved_as_generators_do() -> None:
    text = """
[second cache folder](../b.md#cache-folder-1) [explicit section anchor](/b#id)
[complete target document](../b.html "title")
[deeper heading text](#deeper-here)

# Deeper here
"""
    found = made(b=TARGET, sub_a=text)
    assert found["second cache folder"].gold == (gold("b.md", TARGET, "## Cache folder\n\nAgain", "Again.\n\n"),)
    assert found["explicit section anchor"].gold == (gold("b.md", TARGET, "## Own", "{#id}\n"),)
    assert found["complete target document"].gold == (Span("b.md", 0, len(TARGET)),)
    assert found["deeper heading text"].gold == (Span("sub/a.md", text.index("# Deeper"), len(text)),)


def test_a_link_from_the_site_root_is_found_below_the_tree_root() -> None:
    found = made(content_a="[target by its path](/guide/b/#target)", content_guide_b=TARGET)
    assert found["target by its path"].gold == (Span("content/guide/b.md", 0, len(TARGET)),)


def test_links_that_ask_for_nothing_certain_are_left_out() -> None:
    text = """
[here](b.md) [this page](b.md) [far away place](https://example.org/b.md) [missing page here](c.md)
[missing section here](b.md#none) ![cache folder picture](b.md) [two different places](b.md#id)
[Two different places](b.md#target) <!-- -->

```
[code is code](b.md)
```
"""
    assert made(a=text, b=TARGET) == {}


def test_the_same_link_twice_is_one_question() -> None:
    assert len(made(a="[cache folder place](b.md) and [Cache folder place](b.md)", b=TARGET)) == 1


def test_headings_that_ask_are_answered_by_their_sections() -> None:
    text = "# Page\n\n## How it works\n\nSo.\n\n## Is it fast?\n\nYes.\n\n## Why\n\n## Plain title here\n"
    found = made(a=text)
    assert found.keys() == {"How it works", "Is it fast?"}
    assert found["How it works"].gold == (gold("a.md", text, "## How", "So.\n\n"),)
    assert found["How it works"].origin is None


def test_a_listing_in_an_answer_asks_nothing() -> None:
    text = "Q: Where is the cache?\nA: See\n\n```\n# What?\n```\n\n[b](b.md#cache-folder).\n"
    (question,) = made_questions([source("qa-pairs.md", text), source("b.md", TARGET)], LANGUAGE)
    assert question.text == "Where is the cache?"


def test_pairs_are_answered_by_what_their_answers_link_to() -> None:
    text = """# Questions

Q: Where is the cache?
A: See [b](b.md#cache-folder) and [id](b.md#id).
Q: No link here?
A: None.

## How do I start?

Read [this](b.md#target).
"""
    found = {
        question.text: question
        for question in made_questions([source("qa-pairs.md", text), source("b.md", TARGET)], LANGUAGE)
    }
    assert found.keys() == {"Where is the cache?", "How do I start?"}
    assert len(found["Where is the cache?"].gold) == 2
    assert found["How do I start?"].origin == Span("qa-pairs.md", 0, len(text))
