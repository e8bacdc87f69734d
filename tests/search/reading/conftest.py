"""A bundle of thirty pages, and what reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from infograph.search.format.bundle_manifest import language_of, read_manifest
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.reading.asking import Searcher
from infograph.search.reading.dialogue import Dialogue
from infograph.search.reading.fetching import Asking, opened
from infograph.search.writing.bundle import bundle
from infograph.search.writing.page_index import PageIndex
from infograph.text.language import stemmer

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def files(make_page: Callable[..., PageIndex], language: Language) -> Files:
    return dict(bundle([make_page(f"{number}.md", 3) for number in range(30)], language, load_space()).files)


@pytest.fixture
def searcher(files: Files) -> Searcher:
    manifest = read_manifest(files["manifest.json"])
    return Searcher(manifest, language_of(manifest, stemmer))


@pytest.fixture
def answer(files: Files, searcher: Searcher) -> Callable[[Asking[Any]], Any]:
    def read(names: Sequence[str]) -> dict[str, Any]:
        return {name: opened(name, files[name], searcher.shards.largest) for name in names}

    return lambda asked: Dialogue(asked).run(read)
