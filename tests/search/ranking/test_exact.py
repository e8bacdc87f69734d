"""The files' scores against the exact ones, which `benchmarks/exact_ranking.py` works out in memory."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

from infograph.search.format.search_space import load_space
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
    """What is left is the rounding of counts and lengths."""
    random = np.random.default_rng(0)
    texts = [" ".join(random.choice(WORDS, 40)) for _ in range(40)]
    chunks = [
        SearchChunk("", (WORDS[n % 10],), "", "", 1, "", text, text, (WORDS[n % 7],)) for n, text in enumerate(texts)
    ]
    files = [f"guide/{WORDS[n % 9]}-{n}.md" for n in range(20)]
    pages = [
        index_page(SearchPage(file, "", "", tuple(chunks[2 * n : 2 * n + 2])), np.zeros((2, 256), np.int8), language)
        for n, file in enumerate(files)
    ]
    options = SearchOptions()
    reader = Reader(dict(bundle(pages, language, load_space(), options).files).__getitem__, stemmer)
    exact = exact_ranking().Exact(chunks, [file for file in files for _ in range(2)], language, options)
    for query in ("cache server", "delete the vector model", "use_state"):
        scores = exact.scores(query).tolist()
        expected = {(file, index): scores[2 * n + index] for n, file in enumerate(files) for index in range(2)}
        without = exact.with_neighbours(exact.bm25(query), options.neighbour).tolist()
        assert max(own / plain for own, plain in zip(scores, without, strict=True) if plain) > 1.3
        hits = reader.search(query, 60)
        assert len(hits) > 15
        for hit in hits:
            assert abs(hit.score / expected[hit.page, hit.index] - 1) < 0.15
