"""Makes the record of the entities that a document names, from its text alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from infograph.enrich.named import NamedChunk, named_by_records
from infograph.formats.enrichment import EnrichmentFile
from infograph.graph.mentions import NamedText, document_entities
from infograph.model import (
    CODE,
    Chunk,
    Document,
    DocumentEntities,
    SaidOfEntities,
    Stated,
    enriched_of,
    is_markdown,
)
from infograph.pipeline.worker.tasks import Setup
from infograph.text.language import stop_words
from infograph.topic.candidate_terms import ChunkTerms


def entities_of(
    document: Document,
    chunks: Sequence[Chunk],
    terms: Sequence[ChunkTerms],
    title: str,
    setup: Setup,
    recorded: EnrichmentFile | None = None,
) -> DocumentEntities:
    """Returns the names in a document's chunks.

    terms:    candidate terms of each chunk; compounds count that stand in a heading or twice in the document
    title:    of the document
    recorded: what a language model said of the document
    """
    named = named_by_records(chunks, recorded) if setup.entities == "records" else {}
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
            said=_said(chunk, named.get(place)) if setup.entities == "records" else None,
        )
        for place, (chunk, row) in enumerate(zip(chunks, own, strict=True))
    ]
    found = document_entities(texts, title, document.keywords, stop_words(setup.language))
    return replace(found, said=_said_of_entities(named)) if named else found


def _said_of_entities(named: Mapping[int, NamedChunk]) -> SaidOfEntities:
    rows = [(place, own.said) for place, own in named.items()]
    return SaidOfEntities(
        tuple((place, name, about) for place, said in rows for name, _, about in said.entities if about),
        tuple(Stated(place, *relation) for place, said in rows for relation in said.relations),
        tuple(dict.fromkeys(own.model for own in named.values())),
    )


def _said(chunk: Chunk, named: NamedChunk | None) -> tuple[tuple[str, str, int], ...] | None:
    """Returns the names that a language model found in a chunk, each with its type and how often it stands there; None
    where no model was asked. What it was asked for the graph comes before what it said of the chunk beside other
    metadata."""
    pairs: list[tuple[str, str]]
    if named is not None:
        pairs = [(name, kind) for name, kind, _ in named.said.entities]
    else:
        said = enriched_of(chunk.facts)
        if "title" not in said and "summary" not in said:
            return None
        entities = said.get("entities", ())
        split = (str(entity).rpartition(" (") for entity in (entities if isinstance(entities, tuple) else ()))
        pairs = [(name, kind.removesuffix(")")) for name, _, kind in split if name]
    text = chunk.readable.casefold()
    return tuple((name, kind, max(1, text.count(name.casefold()))) for name, kind in pairs)
