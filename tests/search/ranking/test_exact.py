from __future__ import annotations

import numpy as np

from infograph.search.exact import Exact
from infograph.search.format.table import load_table
from infograph.search.format.terms import Language
from infograph.search.reading.reader import Reader
from infograph.search.writing.bundle import SearchOptions, bundle
from infograph.search.writing.page import SearchChunk, SearchPage, index_page
from infograph.text.language import stemmer

WORDS = ["cache", "model", "vector", "remove", "delete", "server", "client", "use_state", "page", "token"]


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
    options = SearchOptions(alpha=0)
    reader = Reader(dict(bundle(pages, language, table, options).files).__getitem__, stemmer)
    exact = Exact(texts, vectors, texts, language, table, options)
    for query in ("cache server", "delete the vector model", "use_state"):
        expected = dict(zip(texts, exact.scores(query).tolist(), strict=True))
        for hit in reader.search(query, 30):
            assert abs(hit.score / expected[hit.page] - 1) < 0.15
