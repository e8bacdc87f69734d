"""The search bundle of a tree: what a document gives to it, in a worker, and its files, at the end of a build.

document, blocks, chunks ─Indexer.index▶ IndexedPage ─Indexer.at▶ PageIndex ─┐
                                                                 vectors ────┴▶ SearchFiles.update ─▶ Bundle
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from infograph import embedding
from infograph.config.settings import Config
from infograph.embedding.model_manifest import read_manifest
from infograph.formats.hrefs import encode_path
from infograph.formats.names import CHUNKS, join
from infograph.model import Block, Chunk, Document, Site
from infograph.search.addresses.anchors import anchor_at, page_anchors
from infograph.search.addresses.page_urls import page_url
from infograph.search.format.term_table import FALLBACK as FALLBACK
from infograph.search.format.term_table import load_table
from infograph.search.format.terms import Language
from infograph.search.writing import vocabulary
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page, page_blocks, snippet_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder


@dataclass(frozen=True, slots=True)
class IndexedPage:
    """What a document gives, and what of it depends on where it lies."""

    index: PageIndex
    """Without vectors."""
    shown: SearchPage


class Indexer:
    """Indexes documents for search."""

    def __init__(self, language: str, site: Site) -> None:
        """language: ISO 639-1 code"""
        self._language = language_of(language)
        self._site = site

    def index(self, document: Document, blocks: Sequence[Block], chunks: Sequence[Chunk], title: str) -> IndexedPage:
        """Cuts a document's chunks into terms and finds their places in the rendered page. Raises ConfigError for a
        generator that does not exist."""
        import numpy as np

        from infograph.formats.chunk_file import chunk_name

        anchors = page_anchors(document.body, blocks, self._site) if blocks else ()
        first = chunks[0].lines[0] if chunks else 0  # the body's
        shown = SearchPage(
            path="",
            title=title,
            url="",
            chunks=tuple(
                SearchChunk(
                    title=chunk.title,
                    section_path=chunk.section_path,
                    anchor=anchor_at(anchors, chunk.lines[0] - first, chunk.lines[1] - first + 1),
                    href=encode_path(chunk_name(document.stem, chunk.index)),
                    tokens=chunk.tokens,
                    sha256=chunk.sha256,
                    text=chunk.embed_text,
                    snippet=snippet_of(chunk.text),
                )
                for chunk in chunks
            ),
        )
        shown = self._placed(shown, document)
        none = np.zeros((len(chunks), 0), np.int8)
        return IndexedPage(index_page(shown, none, self._language), shown)

    def close(self) -> None:
        """Makes room when no more documents come."""
        vocabulary.forget()

    def at(self, page: IndexedPage, document: Document) -> PageIndex:
        """The page as it is found where this document lies, which equals the one that was indexed."""
        if document.path == page.shown.path:
            return page.index
        shown = self._placed(page.shown, document)
        return replace(page.index, path=document.path, blocks=page_blocks(shown, page.index.hashes))

    def _placed(self, shown: SearchPage, document: Document) -> SearchPage:
        url = page_url(document.path, dict(document.addresses), self._site)
        return replace(shown, path=document.path, url=url, folder=encode_path(join(document.topic, CHUNKS)) + "/")


def search_options(config: Config, model: str) -> SearchOptions:
    """How the bundle is made, of vectors of a model that `search_model` names."""
    return SearchOptions(
        alpha=config.search.alpha,
        max_files=config.search.max_files,
        model=model,
        revision=read_manifest(model).revision,
    )


def language_of(code: str) -> Language:
    """The stemmer and the stop words of a language, by its ISO 639-1 code."""
    from infograph.text.language import stemmer, stop_words

    return Language(code, stemmer(code), frozenset(word.replace("'", "") for word in stop_words(code)))


def with_vectors(page: PageIndex, model: str, vectors: NDArray[np.float32]) -> PageIndex:
    """A page with its chunks' vectors, of a model that `search_model` names."""
    return replace(page, vectors=load_table().project(model, vectors))


def load_fallback(threads: int) -> Embedder:
    """The model that embeds for search where the build's own model has no place in the term table."""
    return embedding.load("static", threads)


def search_model(model: str, revision: str) -> str:
    """Whose vectors search goes by, for chunks that are embedded with this model: its own where the term table knows
    them, else those of the packaged static model. Another model may lie in a folder of the same name."""
    known = load_table().projects(model) and read_manifest(model).revision == revision
    return model if known else FALLBACK
