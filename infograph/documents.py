"""What the topic stage needs to know of a document: its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from infograph.model import Block, Chunk, Document, is_markdown
from infograph.plan import is_questions
from infograph.records import ChunkRecord, DocumentRecord, pack_terms
from infograph.topic.terms import ChunkTerms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def record_of(
    document: Document, blocks: tuple[Block, ...], chunks: Sequence[Chunk], language: str, technical_rule: str,
    known: dict[tuple[str, bool], ChunkTerms] | None = None,
) -> DocumentRecord:  # fmt: skip
    """What the topic stage needs of a document, before there are vectors.

    known: terms of texts that were seen before, by the text's hash and whether it starts inside a fence
    """
    from infograph.chunking.quickref import technical_baseline
    from infograph.source.overview import overview
    from infograph.topic.prompts import questions
    from infograph.topic.terms import chunk_terms, document_terms

    title, description = overview(document, blocks)
    known = {} if known is None else known
    terms = []
    for chunk in chunks:
        key = (chunk.sha256, chunk.is_code and (chunk.continues or not is_markdown(chunk.document)))
        if key not in known:
            known[key] = chunk_terms(chunk.text, language, in_fence=key[1])
        terms.append(known[key])
    return DocumentRecord(
        path=document.path,
        sha256=document.sha256,
        size=len((document.prefix + document.body).encode()),
        title=title,
        description=description,
        questions=list(questions(document.body, language)) if is_questions(document.path) else [],
        technical=technical_baseline([c.title for c in chunks], [c.is_code for c in chunks], technical_rule),
        chunks=[ChunkRecord(c.title, list(c.section_path), c.is_code, c.tokens, c.sha256) for c in chunks],
        terms=pack_terms([*terms, document_terms(document.title, document.keywords, language)]),
    )


def compare(record: DocumentRecord, vectors: NDArray[np.float32]) -> None:
    """Fills in what a document's vectors say: similarities to its baselines and their sum."""
    from infograph.topic.baselines import similarities, vector_sum

    record.vector_sum = vector_sum(vectors)
    if not record.chunks:
        return
    conceptual = similarities(vectors, 0)
    technical = similarities(vectors, record.technical) if record.technical is not None else [None] * len(conceptual)
    for row, to_overview, to_reference in zip(record.chunks, conceptual, technical, strict=True):
        row.similarity_conceptual = to_overview
        row.similarity_technical = to_reference
