"""The records of entities that a build keeps for the next one, one for each document that search finds.

    entities.bin   a line of JSON (format, key, length and SHA-256 of each document), and the packed records

Machine-local and never trusted: what is missing, torn or of other documents raises RecordsLost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from infograph.formats.compression import compressed, decompressed
from infograph.model import DocumentEntities, LinkedPages, Mention, SaidOfEntities, Stated
from infograph.pipeline.memory.state import FORMAT, RecordsLost

ENTITIES = "entities.bin"
"""Name of the file."""


@dataclass(frozen=True, slots=True)
class EntityState:
    """What a build must remember of entities."""

    documents: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)
    """SHA-256 and packed record of each document, by path."""
    digest: str = ""
    """Digest of all that the published graph was made of."""
    files: tuple[str, ...] = ()
    """Paths of the published files."""
    links: LinkedPages = field(default_factory=dict)
    """Which documents lead to which."""


def pack_entities(record: DocumentEntities) -> bytes:
    """Packs a record."""
    import orjson

    rows = [[tuple(mention) for mention in row] for row in record.chunks]
    value = [rows, record.sentences, record.acronyms, record.left_out, record.title]
    if record.said != SaidOfEntities():
        said = record.said
        value.append([said.described, [tuple(own) for own in said.stated], said.models])
    return compressed(orjson.dumps(value))


def unpack_entities(data: bytes) -> DocumentEntities:
    """Returns the record that `pack_entities` packed."""
    import orjson

    chunks, sentences, acronyms, left_out, title, *more = orjson.loads(decompressed(data))
    described, stated, models = more[0] if more else ((), (), ())
    return DocumentEntities(
        tuple(tuple(Mention(*mention) for mention in row) for row in chunks),
        tuple((text, tuple(places)) for text, places in sentences),
        tuple((short, long) for short, long in acronyms),
        left_out,
        title,
        SaidOfEntities(
            tuple((place, name, about) for place, name, about in described),
            tuple(Stated(*own) for own in stated),
            tuple(models),
        ),
    )


def dump_entities(state: EntityState) -> list[bytes]:
    """Returns the content of the file, in parts."""
    import orjson

    rows = [[path, digest, len(data)] for path, (digest, data) in state.documents.items()]
    values = {"format": FORMAT, "digest": state.digest, "files": state.files, "documents": rows, "links": state.links}
    head = orjson.dumps(values)
    parts = [head, b"\n", *(data for _, data in state.documents.values())]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return [digest.digest(), *parts]


def load_entities(data: bytes | None) -> EntityState:
    """Reads what `dump_entities` returned. Raises RecordsLost for anything else."""
    import orjson

    if not data or hashlib.sha256(memoryview(data)[32:]).digest() != data[:32]:
        raise RecordsLost(ENTITIES)
    at = data.index(b"\n", 32)
    head: dict[str, Any] = orjson.loads(data[32:at])
    if head.get("format") != FORMAT:
        raise RecordsLost(ENTITIES)
    documents = {}
    at += 1
    for path, digest, length in head["documents"]:
        documents[path] = digest, data[at : at + length]
        at += length
    links = {path: [(chunk, target, kind) for chunk, target, kind in rows] for path, rows in head["links"].items()}
    return EntityState(documents, head["digest"], tuple(head["files"]), links)
