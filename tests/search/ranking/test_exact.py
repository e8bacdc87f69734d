"""The files' scores against the exact ones, which `benchmarks/exact_ranking.py` works out in memory."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

from infograph.search.format.term_table import load_table
from infograph.search.format.terms import Language
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import bundle
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import SearchChunk, SearchPage, index_page
from infograph.text.language import stemmer

EXACT = Path(__file__).parents[3] / "benchmarks" / "exact_ranking.py"
WORDS = ["cache", "model", "vector", "remove", "delete", "server", "client", "use_state", "page", "token"]


def exact_ranking() -> Any:
    """The module, which is no part of the package."""
    spec = spec_from_file_location(EXACT.stem, EXACT)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_uncut_files_come_close_to_the_exact_scores(language: Language) -> None:
    """BM25 alone: what is left is the rounding of counts and lengths."""
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice(WORDS, 40)) for _ in range(30)]
    vectors = random.integers(-60, 61, (30, 256), np.int8)
    pages = [
        index_page(SearchPage(text, "", "", (SearchChunk("", (), "", "", 1, "", text, text),)), row[None], language)
        for text, row in zip(texts, vectors, strict=True)
    ]
    table = load_table()
    options = SearchOptions()
    reader = Reader(dict(bundle(pages, language, table, options).files).__getitem__, stemmer)
    exact = exact_ranking().Exact(texts, vectors, texts, language, table, options)
    for query in ("cache server", "delete the vector model", "use_state"):
        expected = dict(zip(texts, exact.scores(query).tolist(), strict=True))
        for hit in reader.search(query, 30):
            assert abs(hit.score / expected[hit.page] - 1) < 0.15
