from __future__ import annotations

import json

import numpy as np

from infograph.formats.names import EXPLORER_START
from infograph.pipeline.explorer_files import HITS, explorer_files
from infograph.pipeline.worker.pages import language_of
from infograph.search.format.search_space import load_space
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import update
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page
from infograph.text.language import stemmer

ENGLISH = language_of("en")
TITLES = ("How do I cache a page?", "How is a site deployed?", "What does a chunk hold?")


def page_of(title: str) -> PageIndex:
    path = f"{title[:6].replace(' ', '-')}-{len(title)}/page.md"
    chunk = SearchChunk(
        title, (), "", "page-0.md", 9, "0" * 64, f"# {title}\n\nA cache of pages.\n", "A cache of pages."
    )
    vectors = np.ones((1, load_space().dimension), np.int8)
    return index_page(SearchPage(path, title, path, (chunk,)), vectors, ENGLISH)


def test_a_question_is_said_to_take_what_a_reader_takes_that_has_read_nothing() -> None:
    made, state = update(None, (), map(page_of, TITLES), ENGLISH, load_space())
    start = json.loads(explorer_files(state, b"", made.files.__getitem__)[EXPLORER_START])
    sizes = []
    for question in start["questions"]:
        read: dict[str, int] = {}

        def fetch(name: str, read: dict[str, int] = read) -> bytes:
            read[name] = len(made.files[name])
            return made.files[name]

        Reader(fetch, stemmer).search(question, HITS)
        sizes.append(sum(read.values()))
    assert len(sizes) > 1
    assert start["bytes"] == round(sum(sizes) / len(sizes)) > 0


def test_a_tree_without_questions_costs_nothing() -> None:
    made, state = update(None, (), [], ENGLISH, load_space())
    assert json.loads(explorer_files(state, b"", made.files.__getitem__)[EXPLORER_START])["bytes"] == 0
