"""Makes the page of a document in the search bundle: terms, addresses and vectors of its chunks.

document, blocks, chunks ─Indexer.index▶ IndexedPage ─Indexer.at▶ PageIndex ─with_vectors▶ PageIndex
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from infograph import embedding
from infograph.chunking.document_units import placed_units
from infograph.config.settings import Settings
from infograph.embedding.model_manifest import MINILM, MINILM_INT8, read_manifest
from infograph.errors import ConfigError
from infograph.formats.chunk_href import chunk_href
from infograph.formats.hrefs import encode_path
from infograph.formats.names import CHUNKS, join, named_by
from infograph.formats.search_fields import SearchField, parse_fields
from infograph.model import ENRICHED, Block, Chunk, Document, Fact, Site
from infograph.pipeline.worker.chunk_fields import chunk_fields
from infograph.search.addresses.anchors import Anchor, anchor_at, openable, page_anchors
from infograph.search.addresses.page_urls import page_url
from infograph.search.format.question_hash import words_of
from infograph.search.format.search_space import FALLBACK, load_space
from infograph.search.format.terms import Language
from infograph.search.writing import names, vocabulary
from infograph.search.writing.bundle_options import SearchOptions
from infograph.search.writing.page_fields import with_field
from infograph.search.writing.page_index import PageIndex, SearchChunk, SearchPage, index_page, page_blocks, snippet_of
from infograph.search.writing.page_links import page_addresses
from infograph.search.writing.question_table import Answers, pack_questions
from infograph.text.language import stemmer, stop_words
from infograph.text.units import PlacedUnit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder


_PLACED = (f"{ENRICHED}propositions", f"{ENRICHED}sections", f"{ENRICHED}images")
"""Metadata whose texts are followed by their place, in brackets."""
_NO_DAYS: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class IndexedPage:
    """A document's page for search, in a part that holds for any path and a part that depends on the path."""

    index: PageIndex
    """The page without vectors."""
    shown: SearchPage
    """Fields of the page that depend on the document's path."""


class Indexer:
    """Indexes documents for search."""

    def __init__(
        self,
        language: str,
        site: Site,
        enriched: Sequence[str] = (),
        fields: Sequence[SearchField] = (),
        created: Mapping[str, int] = _NO_DAYS,
        *,
        packed: bool = False,
    ) -> None:
        """language: ISO 639-1 code
        enriched: fields of what a language model said whose words find a chunk
        fields: that a search can be narrowed by
        created: day of the last commit of each document, by path
        packed: several chunks share a file"""
        self._fields = fields
        self._packed = packed
        self._created = created
        self._enriched = tuple(ENRICHED + name for name in enriched)
        self._language = language_of(language)
        self._site = site

    def index(
        self,
        document: Document,
        blocks: tuple[Block, ...],
        chunks: Sequence[Chunk],
        title: str,
        version: str = "",
        units: Sequence[PlacedUnit] | None = None,
    ) -> IndexedPage:
        """Cuts a document's chunks into terms and finds their places in the rendered page. Raises ConfigError for a
        generator that does not exist.

        version: in the names of the chunk files
        units: those that do not follow from the chunks; None where they are not known
        """
        if units is None and any(spec.name == "units" for spec in self._fields):
            units = placed_units(document, blocks, chunks)
        fields = chunk_fields(self._fields, document, blocks, chunks, units or ())
        stem = named_by(document.stem, version)
        sections = openable(self._anchors(document, blocks))
        first = chunks[0].lines[0] if chunks else 0  # the body's
        headings = [block for block in blocks if block.kind == "heading"]
        starts = [first + block.start for block in headings]

        def within(lines: tuple[int, int]) -> tuple[str, ...]:
            return tuple(
                block.text for block in headings[bisect_left(starts, lines[0]) : bisect_right(starts, lines[1])]
            )

        shown = SearchPage(
            path="",
            title=title,
            url="",
            chunks=tuple(
                SearchChunk(
                    title=chunk.title,
                    section_path=chunk.section_path,
                    anchor=anchor_at(sections, chunk.lines[0] - first, chunk.lines[1] - first + 1),
                    href=chunk_href(stem, chunk.index, packed=self._packed),
                    tokens=chunk.tokens,
                    sha256=chunk.sha256,
                    text=chunk.embed_text + self._said(chunk),
                    snippet=snippet_of(chunk.readable),
                    headings=within(chunk.lines),
                    fields=own,
                )
                for chunk, own in zip(chunks, fields, strict=True)
            ),
            related=document.related,
        )
        shown = self._placed(shown, document)
        none = np.zeros((len(chunks), 0), np.int8)
        return IndexedPage(index_page(shown, none, self._language), shown)

    def _anchors(self, document: Document, blocks: Sequence[Block]) -> tuple[Anchor, ...]:
        if document.origin is not None and document.origin.anchors is not None:
            return tuple(Anchor(line, 1, id_) for line, id_ in document.origin.anchors)
        return page_anchors(document.body, blocks, self._site) if blocks else ()

    def _said(self, chunk: Chunk) -> str:
        """Returns the words of a language model by which a chunk is found besides its own."""
        if not self._enriched:
            return ""
        facts = dict(chunk.facts)
        values = [(name, facts[name]) for name in self._enriched if name in facts]
        shown = (map(_unplaced if name in _PLACED else str, _listed(value)) for name, value in values)
        return "".join("\n\n" + "\n".join(lines) for lines in shown)

    def close(self) -> None:
        """Frees what was learned of words, when no more documents come."""
        vocabulary.forget()
        names.forget()

    def at(self, page: IndexedPage, document: Document) -> PageIndex:
        """Returns the page with the path of this document, whose content equals that of the indexed one."""
        return self._dated(self._at(page, document), document)

    def _dated(self, index: PageIndex, document: Document) -> PageIndex:
        """Returns a page that has the day of its last commit, where that is asked for and the front matter has none."""
        day = self._created.get(document.path)
        if day is None or not index.size or any(name == "created_at" for name, _ in document.fields):
            return index
        return replace(index, fields=with_field(index.fields, "created_at", (day,)))

    def _at(self, page: IndexedPage, document: Document) -> PageIndex:
        if document.path == page.shown.path:
            return page.index
        shown = self._placed(page.shown, document)
        addresses, targets = page_addresses(shown)
        links = replace(page.index.links, addresses=addresses, targets=targets)
        return replace(page.index, path=document.path, blocks=page_blocks(shown, page.index.hashes), links=links)

    def _placed(self, shown: SearchPage, document: Document) -> SearchPage:
        url = page_url(document.path, dict(document.addresses), self._site)
        return replace(shown, path=document.path, url=url, folder=encode_path(join(document.topic, CHUNKS)) + "/")


def _unplaced(said: Fact) -> str:
    """Returns a text without its place."""
    return str(said).rpartition(" (")[0]


def _listed(value: Fact) -> Sequence[Fact]:
    return value if isinstance(value, tuple) else (value,)


def search_options(settings: Settings, model: str) -> SearchOptions:
    """Returns how the bundle is made from vectors of a model that `search_model` names. Raises ConfigError for a fusion
    or a policy that was fitted to cosines of another model."""
    config = settings.config
    revision = _revision(settings, model)
    for name, fitted in (("fusion", settings.fusion), ("rerank", settings.rerank)):
        if fitted is not None and fitted.model not in ("", f"{model}@{revision}"):
            reason = (
                f"was fitted to the cosines of {fitted.model[:80]}, and this tree is searched by {model}@{revision}"
            )
            raise ConfigError(f"search.{name}", reason, f"Run `infograph fit {name}` with this model.")
    return SearchOptions(
        max_files=config.search.max_files,
        model=model,
        revision=revision,
        fusion=settings.fusion,
        rerank=settings.rerank,
        fields=parse_fields(config.search.fields),
    )


def _revision(settings: Settings, model: str) -> str:
    """Returns the revision of a model that `search_model` names."""
    config = settings.config
    if load_space().projects(model):
        return read_manifest(model).revision
    return embedding.identify(config.model, config.embedding)[1]


def language_of(code: str) -> Language:
    """Returns how text of a language is cut into terms: by its stemmer and its stop words.

    code: ISO 639-1
    """
    return Language(code, stemmer(code), frozenset(word.replace("'", "") for word in stop_words(code)))


def with_vectors(page: PageIndex, model: str, vectors: NDArray[np.float32]) -> PageIndex:
    """Returns a page with its chunks' vectors, which are of a model that `search_model` names.

    vectors: [chunks, dimension of the model]
    """
    return replace(page, vectors=load_space().project(model, vectors))


def with_questions(page: PageIndex, answers: Answers, language: str) -> PageIndex:
    """Returns a page with the questions that its chunks are known to answer.

    language: ISO 639-1 code
    """
    return replace(page, questions=pack_questions(answers, words_of(language)))


_QUERIED_BY = {MINILM_INT8: MINILM}
"""Models whose chunks are compared with queries of another: of the same weights, in finer arithmetic."""


def load_fallback(threads: int) -> Embedder:
    """Loads the model that embeds for search where there is no map for the build's own."""
    return embedding.load("static", threads)


def search_model(model: str, revision: str, vectors: str) -> str:
    """Returns the model by which search compares chunks that are embedded with this one, which readers embed queries
    with: its own, or one in the same space, where there is a map for it in this revision (another model may lie in a
    folder of the same name); of any other its own where the settings say so, else the packaged static one, whose
    vectors the chunks then get as well.

    vectors: see `SearchSettings.vectors`
    """
    queries = _QUERIED_BY.get(model, model)
    has_map = load_space().projects(queries)
    if has_map and read_manifest(model).revision == revision:
        return queries
    # A name of ours stands for our vectors, so a folder of that name cannot be told from it.
    return model if vectors == "own" and not has_map else FALLBACK


def searched(embedder: Embedder, threads: int, vectors: str) -> tuple[str, Embedder]:
    """Returns what `search_model` says of the build's model, and which one embeds the chunks for search: the build's
    own, or the packaged static one.

    vectors: see `SearchSettings.vectors`
    """
    model = search_model(embedder.name, embedder.revision, vectors)
    return model, load_fallback(threads) if model == FALLBACK else embedder
