"""Makes the record of the entities that a document names, from its text alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from infograph.graph.mentions import NamedText, document_entities
from infograph.model import CODE, Chunk, Document, DocumentEntities, is_markdown
from infograph.text.language import stop_words
from infograph.topic.candidate_terms import ChunkTerms


def entities_of(
    document: Document, chunks: Sequence[Chunk], terms: Sequence[ChunkTerms], title: str, language: str
) -> DocumentEntities:
    """Returns the names in a document's chunks.

    terms:    candidate terms of each chunk; compounds count that stand in a heading or twice in the document
    title:    of the document
    language: ISO 639-1 code
    """
    own = [row.compounds.split("\n") if row.compounds else [] for row in terms]
    often = Counter(compound for row in own for compound in row)
    headed = {compound for row in terms for compound, _ in row.headed}
    is_code = document.path.lower().endswith(CODE)
    texts = [
        NamedText(
            chunk.readable,
            [compound for compound in row if often[compound] > 1 or compound in headed],
            in_fence=chunk.is_code and (chunk.continues or not is_markdown(document.path)),
            is_code=is_code,
        )
        for chunk, row in zip(chunks, own, strict=True)
    ]
    return document_entities(texts, title, document.keywords, stop_words(language))
