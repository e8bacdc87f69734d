"""Makes the record of the entities that a document names, from its text alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from infograph.graph.mentions import NamedText, document_entities
from infograph.model import CODE, Chunk, Document, DocumentEntities, enriched_of, is_markdown
from infograph.pipeline.worker.tasks import Setup
from infograph.text.language import stop_words
from infograph.topic.candidate_terms import ChunkTerms


def entities_of(
    document: Document, chunks: Sequence[Chunk], terms: Sequence[ChunkTerms], title: str, setup: Setup
) -> DocumentEntities:
    """Returns the names in a document's chunks.

    terms: candidate terms of each chunk; compounds count that stand in a heading or twice in the document
    title: of the document
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
            said=_said(chunk) if setup.entities == "records" else None,
        )
        for chunk, row in zip(chunks, own, strict=True)
    ]
    return document_entities(texts, title, document.keywords, stop_words(setup.language))


def _said(chunk: Chunk) -> tuple[tuple[str, str, int], ...] | None:
    """Returns the names that a language model found in a chunk, each with its type and how often it stands there; None
    where no model was asked."""
    said = dict(enriched_of(chunk.facts))
    if "title" not in said and "summary" not in said:
        return None
    entities = said.get("entities", ())
    text = chunk.readable.casefold()
    pairs = (str(entity).rpartition(" (") for entity in (entities if isinstance(entities, tuple) else ()))
    return tuple((name, kind.removesuffix(")"), max(1, text.count(name.casefold()))) for name, _, kind in pairs if name)
