"""What the topic stage needs to know of a document: its record."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from infograph.formats.names import is_questions
from infograph.model import Block, Chunk, Document, is_markdown
from infograph.pipeline.memory.records import ChunkRecord, DocumentRecord, pack_terms
from infograph.topic.candidate_terms import ChunkTerms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def record_of(
    document: Document,
    blocks: tuple[Block, ...],
    chunks: Sequence[Chunk],
    language: str,
    technical_rule: str,
    known: dict[tuple[str, bool], ChunkTerms] | None = None,
) -> DocumentRecord:
    """What the topic stage needs of a document, before there are vectors.

    known: terms of texts that were seen before, by the text's hash and whether it starts inside a fence
    """
    from infograph.pipeline.worker.quickref import technical_baseline
    from infograph.source.overview import overview
    from infograph.topic.answered_questions import questions
    from infograph.topic.candidate_terms import document_terms

    title, description = overview(document, blocks)
    terms = _terms(chunks, language, {} if known is None else known)
    return DocumentRecord(
        path=document.path,
        sha256=document.sha256,
        size=len((document.prefix + document.body).encode()),
        title=title,
        description=description,
        questions=list(questions(document.body, blocks, language)) if is_questions(document.path) else [],
        technical=technical_baseline([c.title for c in chunks], [c.is_code for c in chunks], technical_rule),
        chunks=_rows(chunks),
        terms=pack_terms([*terms, document_terms(document.title, document.keywords, language)]),
    )


def digest_of(text: str) -> bytes:
    """By which equal texts are found."""
    return hashlib.sha256(text.encode()).digest()[:16]


def _rows(chunks: Sequence[Chunk]) -> list[ChunkRecord]:
    return [ChunkRecord(c.title, list(c.section_path), c.is_code, c.tokens, c.sha256) for c in chunks]


def _terms(chunks: Sequence[Chunk], language: str, known: dict[tuple[str, bool], ChunkTerms]) -> list[ChunkTerms]:
    from infograph.topic.candidate_terms import chunk_terms

    terms = []
    for chunk in chunks:
        key = (chunk.sha256, chunk.is_code and (chunk.continues or not is_markdown(chunk.document)))
        if key not in known:
            known[key] = chunk_terms(chunk.text, language, in_fence=key[1])
        terms.append(known[key])
    return terms


def _repeated(chunks: Sequence[ChunkTerms]) -> list[ChunkTerms]:
    """The terms of neighbouring chunks without those that stand there once: in a large table these are numbers of
    orders and turns of phrase, which fill the memory and are nobody's keyword. Sorted, the others pack better."""

    def kept(texts: Sequence[str]) -> list[str]:
        parts = [text.split("\n") for text in texts]
        counts = Counter(chain.from_iterable(parts))
        return ["\n".join(sorted(term for term in terms if counts[term] > 1)) for terms in parts]

    words, compounds, codes = (kept([getattr(c, kind) for c in chunks]) for kind in ("words", "compounds", "codes"))
    headed = [c.headed for c in chunks]
    return list(map(ChunkTerms, words, compounds, codes, headed))


class StreamedRecord:
    """The record of a table whose chunks come in batches, since they are too many to be held.

    Its baselines are among the first batch, for a table has no code. A term that stands once in a batch is left out.
    """

    def __init__(self, document: Document, size: int, language: str, technical_rule: str) -> None:
        """document: without its body, which has `size` bytes"""
        self._language = language
        self._rule = technical_rule
        self._record = record_of(document, (), (), language, technical_rule)
        self._record.size = size
        self._terms: list[bytes] = []
        self._baselines: list[NDArray[np.float32]] = []

    def add(self, chunks: Sequence[Chunk]) -> None:
        """The next chunks."""
        from infograph.pipeline.worker.quickref import technical_baseline

        record = self._record
        if not record.chunks:
            titles, is_code = [chunk.title for chunk in chunks], [chunk.is_code for chunk in chunks]
            record.technical = technical_baseline(titles, is_code, self._rule)
        record.chunks += _rows(chunks)
        self._terms.append(pack_terms(_repeated(_terms(chunks, self._language, {}))))

    def compare(self, vectors: NDArray[np.float32]) -> None:
        """What the vectors of the chunks just added say: see the function `compare`."""
        import numpy as np

        from infograph.topic.similarities import similarities, vector_sum

        record = self._record
        if record.vector_sum is None:
            places = (0,) if record.technical is None else (0, record.technical)
            self._baselines = [vectors[place].copy() for place in places]
            record.vector_sum = vector_sum(vectors)
        else:
            record.vector_sum = vector_sum(np.concatenate([record.vector_sum[None], vectors]))
        found = [similarities(np.concatenate([to[None], vectors]), 0)[1:] for to in self._baselines]
        for row, values in zip(record.chunks[-len(vectors) :], zip(*found, strict=True), strict=True):
            row.similarity_conceptual = values[0]
            row.similarity_technical = values[1] if len(values) > 1 else None

    def finish(self) -> DocumentRecord:
        """The record, when all chunks were added."""
        self._record.terms = b"".join([*self._terms, self._record.terms])  # those of the front matter come last
        return self._record


def compare(record: DocumentRecord, vectors: NDArray[np.float32]) -> None:
    """Fills in what a document's vectors say: similarities to its baselines and their sum."""
    from infograph.topic.similarities import similarities, vector_sum

    record.vector_sum = vector_sum(vectors)
    if not record.chunks:
        return
    conceptual = similarities(vectors, 0)
    technical = similarities(vectors, record.technical) if record.technical is not None else [None] * len(conceptual)
    for row, to_overview, to_reference in zip(record.chunks, conceptual, technical, strict=True):
        row.similarity_conceptual = to_overview
        row.similarity_technical = to_reference
