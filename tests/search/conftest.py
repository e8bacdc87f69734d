"""A small tree, indexed: text of few words, vectors by a fixed rule."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
import pytest

from infograph.search.format.terms import Language
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page, snippet_of
from infograph.text.language import stemmer, stop_words

WORDS = [
    "cache",
    "model",
    "vector",
    "remove",
    "delete",
    "server",
    "client",
    "deploy",
    "token",
    "chunk",
    "index",
    "page",
    "build",
    "watch",
    "search",
    "JsonSerializerContext",
    "use_state",
    "Get-ChildItem",
    "東京タワー",
    "naïve",
    "prefix",
    "shard",
    "manifest",
    "posting",
    "browser",
]

MakePage = Callable[..., PageIndex]


@pytest.fixture(scope="session")
def language() -> Language:
    return Language("en", stemmer("en"), frozenset(word.replace("'", "") for word in stop_words("en")))


def numbers(text: str, size: int) -> list[int]:
    """Bytes that depend on the text alone."""
    return list(hashlib.shake_256(text.encode()).digest(size))


@pytest.fixture(scope="session")
def make_page(language: Language) -> MakePage:
    def make(path: str, chunks: int = 3, extra: str = "") -> PageIndex:
        texts = [
            " ".join(WORDS[n % len(WORDS)] for n in numbers(f"{path} {index}", 40)) + f" {extra}"
            for index in range(chunks)
        ]
        shown = tuple(
            SearchChunk(
                title=f"Section {index}",
                section_path=("Guide", f"Section {index}"),
                anchor=f"section-{index}",
                href=f"_chunks/{path.removesuffix('.md')}-{index}.md",
                tokens=len(text.split()),
                sha256=hashlib.sha256(text.encode()).hexdigest(),
                text=text,
                snippet=snippet_of(text),
            )
            for index, text in enumerate(texts)
        )
        vectors = np.array([numbers(text, 256) for text in texts], np.uint8).reshape(-1, 256).view(np.int8)
        vectors = np.maximum(vectors, -127)
        return index_page(SearchPage(path, path.title(), f"{path.removesuffix('.md')}/", shown), vectors, language)

    return make
