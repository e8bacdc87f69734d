"""The entities and relations that a graph takes of a document's records, judged again by the text of its chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from infograph.enrich.cleaning import clean
from infograph.enrich.relations import ChunkNames, SaidEntities, said_entities
from infograph.enrich.tasks import ENTITIES
from infograph.formats.enrichment import EnrichmentFile
from infograph.model import Chunk
from infograph.text.acronyms import acronyms_in

_OF_ENTITIES, _OF_RELATIONS = ENTITIES.fields
_LIMITS = (_OF_ENTITIES.most, _OF_ENTITIES.most_items, _OF_RELATIONS.most_items)


@dataclass(frozen=True, slots=True)
class NamedChunk:
    """What a model named in one chunk."""

    said: SaidEntities
    model: str


def named_by_records(chunks: Sequence[Chunk], file: EnrichmentFile | None) -> Mapping[int, NamedChunk]:
    """Returns what a model named, by the place of a chunk; a chunk that it was not asked about, or that it failed on,
    is missing."""
    records = file.by_text() if file is not None else {}
    if not any(task == ENTITIES.name for _, task in records):
        return {}
    acronyms = acronyms_in("\n".join(chunk.readable for chunk in chunks))
    found = {}
    for place, chunk in enumerate(chunks):
        record = records.get((chunk.readable_sha256, ENTITIES.name))
        if record is None or not record.fields:
            continue
        passage = chunk.readable
        shown = "\n".join((*chunk.section_path, chunk.title, passage))
        said = said_entities(record.fields, ChunkNames(passage, acronyms), shown, _LIMITS)
        found[place] = NamedChunk(said, clean(record.model, 80, record.model) or "unknown")
    return found
