"""Whoever saves a page with other line ends changes no output but its text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.chunking.chunker import chunk_document
from infograph.chunking.images import find_images
from infograph.chunking.interface import DocumentLayout, StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.pipeline.memory.records import unpack_terms
from infograph.pipeline.worker.documents import record_of
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.text.lines import LINE_END, unified, unified_in_place
from infograph.topic.candidate_terms import ChunkTerms, chunk_terms

DOCS = Path(__file__).parents[2] / "sample-docs"
OTHERS = pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["both", "return"])
TOOLS = StrategyTools(WordPieceCounter())

LINES = """\
# Owl cache
Owl cache
====
---
The [owl cache][logo] of `os.path.join` flies
![][logo]
![An owl](owl.png)
*It sits on a branch.*
[logo]: logo.png "The logo"
[logo]:
'The logo'
- item one
  - item two
> quoted owl

```
~~~
    indented
os_path_join()
An ` tick
<!-- a comment
-->
<img src="owl.png" alt="An owl">
| a | b |
|---|---|
import owl from 'owl'
!!! note
A line that ends with a `JsonSerializerContext`
https://example.org
"""
PAGE = st.lists(st.sampled_from(LINES.splitlines()), max_size=25).map(lambda lines: "\n".join(["", *lines]))
"""Begins with a blank line, so that a rule is no front matter."""


def terms(text: str) -> list[ChunkTerms]:
    """Of each chunk, and of the whole page."""
    document = decode("page.md", text.encode())
    blocks, _ = parse_blocks(document)
    chunks = chunk_document(document, blocks, strategy(), TOOLS).chunks
    return [*unpack_terms(record_of(document, blocks, chunks, "en", "first-code").terms), chunk_terms(text)]


def images(text: str) -> list[tuple[str, tuple[str, ...], list[str]]]:
    """Links, what is said of them, the sentences around."""
    document = decode("page.md", text.encode())
    page = DocumentLayout(document, parse_blocks(document)[0])
    return [
        (image.link, image.descriptions, [" ".join(page.body[start:end].split()) for start, end in image.nearby])
        for image in find_images(page)
    ]


@OTHERS
def test_every_page_of_the_sample_has_the_same_terms_and_images(end: str) -> None:
    for path in sorted(DOCS.rglob("*.md")):
        text = decode(path.name, path.read_bytes()).body  # a front matter must have line feeds
        other = text.replace("\n", end)
        assert terms(other) == terms(text), path
        assert images(other) == images(text), path


@OTHERS
@given(text=PAGE)
def test_any_page_has_the_same_terms_and_images(end: str, text: str) -> None:
    other = text.replace("\n", end)
    assert terms(other) == terms(text)
    assert images(other) == images(text)


@OTHERS
def test_a_heading_over_a_line_and_a_definition_are_found(end: str) -> None:
    text = end.join(["Owl cache", "=========", "", "See ![][logo] here.", "", '[logo]: logo.png "The logo"', ""])
    assert chunk_terms(text).headed == (("owl cache", 1),)
    assert images(text) == [("logo.png", ("The logo",), ["See ![][logo] here."])]


@given(text=st.text("a \r\n", max_size=20))
def test_line_feeds_for_all_line_ends(text: str) -> None:
    lines = LINE_END.split(text)
    assert unified(text).split("\n") == lines
    in_place = unified_in_place(text)
    assert len(in_place) == len(text)
    assert [line.rstrip() for line in in_place.split("\n")] == [line.rstrip() for line in lines]


def test_a_text_unified_is_not_copied() -> None:
    text = "a\nb\n"
    assert unified(text) is unified_in_place(text) is text
