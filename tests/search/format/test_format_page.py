"""The guide's page on the search bundle: whoever writes a reader by it gets the answers of the package's own."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from infograph.search.format.encoding import hash32, varint
from infograph.search.format.links import KINDS, MOST_FROM
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language, cut
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.link_lists import MOST_ALIKE, MOST_NEAREST, MOST_OF_CHUNK
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page
from infograph.text.language import stemmer

PAGE = (Path(__file__).parents[3] / "sample-docs/reference/formats/search-bundle.md").read_text("utf-8")
QUERIES = ("cache", "remove the cache", "useState", "use_statement deploy", "東京タワー naïve", "zzz", "the of")


def rows(heading: str) -> list[list[list[str]]]:
    """The code spans of each cell, of the rows of the tables below a heading."""
    text = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line.strip("|").split(" | ") for line in text.split("\n") if line.startswith("|")]
    return [[re.findall(r"`([^`]+)`", cell) for cell in cells] for cells in lines]


@pytest.fixture(scope="module", params=[1 << 20, 200], ids=["names", "directories"])
def files(request: pytest.FixtureRequest, make_page: Callable[..., PageIndex], language: Language) -> dict[str, bytes]:
    """A bundle with few shards, and one with many."""
    pages = [make_page(f"page-{number}.md", 1 + number % 20) for number in range(70)]
    options = SearchOptions(posting_bytes=request.param, document_bytes=request.param)
    return dict(bundle(pages, language, load_space(), options).files)


def test_the_reader_of_the_page_gives_the_same_answers(files: dict[str, bytes], language: Language) -> None:
    code = PAGE.partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    exec(compile(code, "search-bundle.md", "exec"), names)
    theirs, ours = names["Bundle"](files.__getitem__), Reader(files.__getitem__, stemmer)
    for query in QUERIES:
        ranked = theirs.rank([(terms.whole, terms.parts, terms.identifier) for terms in cut(query, language)])
        expected = ours.rank(query, exact=True)
        assert [chunk for chunk, _ in ranked] == [chunk for chunk, _ in expected]
        assert all(math.isclose(a, b) for (_, a), (_, b) in zip(ranked, expected, strict=True))
        for ((slot, index), _), hit in zip(ranked, ours.search(query, 3, exact=True), strict=False):
            path, title, url, (heading, section_path, *_) = theirs.show(slot, index)
            assert (path, title, url) == (hit.page, hit.page_title, hit.page_url)
            assert (heading, tuple(section_path)) == (hit.title, hit.section_path)


def test_the_manifest_has_the_keys_that_are_described_and_no_others(files: dict[str, bytes]) -> None:
    described = {key for cells in rows("Manifest") for key in cells[0]}
    # These pages do not lead to each other, answer no known question, have no fields, and there is no graph.
    assert json.loads(files["manifest.json"]).keys() == described - {"links", "questions", "fields", "graph"}


def test_the_manifest_of_pages_that_lead_to_each_other(language: Language) -> None:
    def page(path: str, title: str, text: str) -> PageIndex:
        shown = (SearchChunk("", (), "", f"{path}-0", 3, "0" * 64, text, text),)
        return index_page(SearchPage(path, title, path, shown), np.zeros((1, 256), np.int8), language)

    pages = [page("a.md", "Hank Snow", "He sang."), page("b.md", "Hello Love", "By Hank Snow.")]
    manifest = json.loads(bundle(pages, language, load_space()).files["manifest.json"])
    (spans,) = (cells[1] for cells in rows("Manifest") if cells[0] == ["links"])
    assert list(manifest["links"]) == spans
    text = " ".join(PAGE.partition("\n## Links\n")[2].partition("\n## ")[0].split())
    for name in manifest["links"]["left_out"]:
        assert f"`{name}`" in text
    for kind in KINDS:
        assert f"`{kind}`" in text
    for number in (f"more than {MOST_ALIKE} pages", f"more than {MOST_NEAREST} pages", f"{MOST_OF_CHUNK} pages"):
        assert number in text
    assert f"where more than {MOST_FROM} pages do" in text


def test_examples_of_numbers_and_hashes() -> None:
    examples = [cells for cells in rows("Numbers and hashes") if len(cells) == 2 and all(cells)]
    assert len(examples) >= 3
    for (text,), (digits,) in examples:
        assert f"{hash32(text):08x}" == digits
    assert varint(300).hex(" ") == "ac 02"
    assert "300 is `ac 02`" in " ".join(PAGE.split())


def test_examples_of_terms(language: Language) -> None:
    examples = [cells for cells in rows("Terms") if cells[0]]
    assert len(examples) >= 5
    for texts, wholes, parts in examples:
        for text in texts:
            found = list(cut(text, language))
            assert [terms.whole for terms in found] == wholes
            assert [part for terms in found for part in terms.parts] == parts
