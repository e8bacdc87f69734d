"""Makes the records, vectors and search pages of documents, besides their chunk files.

Versions of a page have one file name and share most of their text, so what was worked out for a document is kept until
one of another name comes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from infograph import embedding
from infograph.errors import FRONT_MATTER, LEFT_OUT, Notice
from infograph.formats.chunk_file import render, versioned
from infograph.model import enriched_of, is_markdown
from infograph.pipeline.worker.cutter import converted_text
from infograph.pipeline.worker.documents import answers_of, compare, digest_of, digests_of, questions_in, record_of
from infograph.pipeline.worker.shown_images import ShownImages
from infograph.source.hidden import hidden_text
from infograph.source.includes import unresolved_includes
from infograph.source.overview import name_of
from infograph.text.units import placed_unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder
    from infograph.files.stamps import Stamp
    from infograph.formats.enrichment import EnrichmentFile
    from infograph.model import Chunk, Document
    from infograph.pipeline.memory.records import DocumentRecord
    from infograph.pipeline.worker.cutter import Cutter
    from infograph.pipeline.worker.pages import IndexedPage, Indexer
    from infograph.pipeline.worker.tasks import Result
    from infograph.topic.candidate_terms import ChunkTerms

_LINE = re.compile(r"[^\r\n]+")
"""A line without its end."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The result of cutting one content, whatever its path; paths in it are those of the first document that had it."""

    files: list[bytes]
    """The chunk files."""
    version: str
    """Version in their names; empty where these are not versioned."""
    unenriched: int
    """Chunks of which no language model said anything."""
    notices: tuple[Notice, ...]
    record: DocumentRecord | None = None
    embed_texts: Sequence[str] = ()
    digests: bytes = b""
    vectors: NDArray[np.float32] | None = None
    page: IndexedPage | None = None
    entities: bytes = b""
    looked: dict[str, Stamp] = field(default_factory=dict)
    """Stamps of the images that were looked for, see `Result.included`."""


class Outcomes:
    """Processes documents: cuts them, embeds and indexes their chunks as far as the setup says so."""

    def __init__(self, cutter: Cutter) -> None:
        setup = cutter.setup
        self._cutter = cutter
        self._setup = setup
        self.embedder = embedding.load(setup.model, 1) if setup.model else None
        """The build's model, where this process embeds."""
        self._indexer: Indexer | None = None
        self._searcher: Embedder | None = None
        """Model that embeds for search, where it is not the build's own."""
        if setup.search:
            self._index_for(setup.search)
        self._name = ""
        """File name of the last document."""
        self._kept: dict[tuple[object, ...], _Outcome] = {}
        self._terms: dict[tuple[str, bool], ChunkTerms] = {}
        self._seen: dict[bytes, NDArray[np.float32]] = {}

    def _index_for(self, model: str) -> None:
        from infograph.pipeline.worker.pages import Indexer, load_fallback  # numpy, as in `_embed`
        from infograph.search.format.search_space import FALLBACK

        setup = self._setup
        self._indexer = Indexer(
            *(setup.language, setup.site, setup.search_enriched, setup.fields, dict(setup.created)),
            packed=setup.chunks.packed,
        )
        if model == FALLBACK and not (self.embedder is not None and self.embedder.name == FALLBACK):
            self._searcher = load_fallback(1)

    def close(self) -> None:
        """Frees what is shared beyond this object: what was learned of words is half of the process."""
        if self._indexer is not None:
            self._indexer.close()

    def put(self, document: Document, result: Result) -> None:
        """Processes a document, stages its chunk files and fills in the result. Raises InfographError."""
        if document.origin is not None and document.origin.left_out:
            result.notices.append(Notice(document.path, LEFT_OUT, document.origin.left_out))
            return
        document, included = self._cutter.included(document)
        result.included = included.files
        outcome = self._outcome(document)
        result.included = included.files | outcome.looked
        patterns = self._cutter.rules.shortcodes
        if is_markdown(document.path) and document.origin is None:
            result.notices += unresolved_includes(document, included.lost, patterns)
        result.notices += (Notice(document.path, FRONT_MATTER, remark) for remark in document.remarks)
        result.unenriched = outcome.unenriched
        result.version = outcome.version
        self._cutter.put(document, 0, outcome.files, result)
        result.notices += (replace(notice, path=document.path) for notice in outcome.notices)
        result.digests = outcome.digests
        result.entities = outcome.entities
        result.chunks = len(outcome.files)
        if outcome.record is None:
            return
        if not outcome.digests:
            result.embed_texts = list(outcome.embed_texts)
        if document.topic in self._setup.vectors_of:
            result.vectors = outcome.vectors
        if outcome.page is not None and self._indexer is not None:
            result.page = self._indexer.at(outcome.page, document)
        rows = [replace(row) for row in outcome.record.chunks]  # the caller writes into them
        result.record = replace(outcome.record, path=document.path, sha256=document.sha256, chunks=rows)

    def _outcome(self, document: Document) -> _Outcome:
        name = document.name
        if name != self._name:
            self._name, self._kept, self._terms, self._seen = name, {}, {}, {}
        # All that the outcome depends on. Of the prefix that is where it ends, for line numbers and byte offsets.
        prefix = (_LINE.sub("x", document.prefix), len(document.prefix.encode()), converted_text(document))
        place = document.path if "id" in self._cutter.extras.metadata else self._cutter.router.glob(document.path)
        recorded, said = self._cutter.records(document.path)
        alone = document.path if recorded or said else ""  # versions of a page have records of their own
        own = (document.title, document.description, document.keywords, document.related, document.fields)
        front = (*own, name_of(document))
        origin = replace(document.origin, notices=()) if document.origin else None
        key = (document.body, document.edits, front, prefix, place, origin, alone)
        outcome = self._kept.get(key)
        if outcome is None:
            outcome = self._kept[key] = self._work_out(document, recorded, said)
        return outcome

    def _work_out(self, document: Document, recorded: EnrichmentFile | None, said: tuple[Notice, ...]) -> _Outcome:
        setup = self._setup
        cut = self._cutter.cut(document, recorded)
        document, blocks, chunks, notices = cut
        looked: dict[str, Stamp] = {}
        missing = sum(bool(chunk.readable.strip()) for chunk in chunks)
        if recorded is not None:
            shown = self._cutter.images(cut) if recorded.says_of_images else ShownImages()
            looked = shown.files
            # A fortieth of what a build imports, and few trees have records.
            from infograph.enrich.applied import applied

            chunks, missing = applied(chunks, recorded, setup.chunks.prefix, setup.unverified, shown.by_chunk)
            asked_otherwise = recorded.breakpoints is not None or bool(recorded.records)
            missing *= recorded.says_of_chunks or not asked_otherwise  # of sections alone, or where to cut
        missing *= not document.stays
        notices = (*notices, *said)
        if setup.versioned:
            version, files = versioned(chunks, converted_text(document))
        else:
            version, files = "", list(map(render, chunks))
        notices = (*notices, *hidden_text(document, blocks))
        if setup.files_only:
            return _Outcome(files, version, missing, notices, looked=looked)
        written = [enriched_of(chunk.facts) for chunk in chunks]
        rules = setup.language, setup.technical_baseline
        record = record_of(document, blocks, chunks, *rules, self._terms, written)
        record.version = version
        embed_texts = [chunk.embed_text for chunk in chunks]
        page = None
        if self._indexer:
            units = [placed_unit(*unit) for unit in record.units]
            page = self._indexer.index(document, blocks, chunks, record.title, version, units)
        if page is not None and recorded is not None:
            from infograph.pipeline.worker.pages import with_questions  # numpy, as in `_embed`

            answers = answers_of(map(questions_in, written))
            page = replace(page, index=with_questions(page.index, answers, setup.language))
        entities = self._entities(document, chunks, record, recorded) if setup.entities != "off" else b""
        outcome = _Outcome(
            *(files, version, missing, notices, record, embed_texts), page=page, entities=entities, looked=looked
        )
        if self.embedder is not None:
            vectors, digests = self._embed(embed_texts, self.embedder)
            compare(record, vectors)
            outcome = replace(outcome, embed_texts=(), digests=digests, vectors=vectors)
        return self._projected(outcome)

    def _entities(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        record: DocumentRecord,
        recorded: EnrichmentFile | None,
    ) -> bytes:
        from infograph.pipeline.memory.entities import pack_entities  # few builds make a graph
        from infograph.pipeline.memory.records import unpack_terms
        from infograph.pipeline.worker.entities import entities_of

        terms = list(unpack_terms(record.terms))[:-1]  # the last are those of the front matter
        return pack_entities(entities_of(document, chunks, terms, record.title, self._setup, recorded))

    def _projected(self, outcome: _Outcome) -> _Outcome:
        """Returns the outcome with vectors for search, where this process embeds at all."""
        vectors = self._searcher.embed(outcome.embed_texts) if self._searcher else outcome.vectors
        if outcome.page is None or vectors is None:
            return outcome
        from infograph.pipeline.worker.pages import with_vectors

        index = with_vectors(outcome.page.index, self._setup.search, vectors)
        return replace(outcome, page=replace(outcome.page, index=index))

    def _embed(self, texts: Sequence[str], embedder: Embedder) -> tuple[NDArray[np.float32], bytes]:
        """Returns the texts' vectors and digests. The vector of a text seen in another version is kept."""
        import numpy as np  # 50 ms, and a worker that only makes chunk files does without

        digests = tuple(map(digest_of, texts))
        fresh = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in self._seen}
        self._seen.update(zip(fresh, embedder.embed(list(fresh.values())), strict=True))
        vectors = np.stack([self._seen[d] for d in digests]) if digests else np.zeros((0, embedder.dimension), "f4")
        return vectors, digests_of(texts)
