"""What a build takes of the records of a document: metadata of its chunks, a lead for their vectors, words for search.

Everything here was written by a model, or by a person in its name, so it is cleaned again whatever the file holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from infograph.enrich.cleaning import clean
from infograph.enrich.fields import TYPES, FieldSpec, normal_key
from infograph.enrich.tasks import TASKS
from infograph.formats.enrichment import EnrichmentFile, EnrichmentRecord
from infograph.model import ENRICHED, Chunk, Fact, Facts

_FIELDS: Mapping[str, FieldSpec] = {spec.name: spec for task in TASKS.values() for spec in task.fields}


def applied(
    chunks: Sequence[Chunk], file: EnrichmentFile | None, prefix: str, unverified: str
) -> tuple[tuple[Chunk, ...], int]:
    """Returns the chunks with what the records say of them, and the number of chunks without any.

    prefix:     `context` or `enriched`: what of it is embedded before a chunk; another word embeds none
    unverified: `drop` leaves out keywords and entities that the text does not name
    """
    records = file.by_text() if file is not None else {}
    found, missing = [], 0
    for chunk in chunks:
        text = chunk.readable_sha256 if records else ""
        own = [records[text, task] for task in TASKS if (text, task) in records]
        facts = said_of(chunk, own, unverified)
        if not facts:
            missing += bool(chunk.readable.strip())
            found.append(chunk)
            continue
        lead = _lead(dict(facts), prefix)
        embed_text = f"{lead}\n{chunk.embed_text}" if lead and _has_path(chunk) else chunk.embed_text
        if lead and not _has_path(chunk):
            embed_text = f"{lead}\n\n{chunk.embed_text}"
        found.append(replace(chunk, embed_text=embed_text, facts=tuple(sorted((*chunk.facts, *facts)))))
    return tuple(found), missing


def _has_path(chunk: Chunk) -> bool:
    """Whether a chunk's embedded text begins with its section path."""
    path = " > ".join(chunk.section_path)
    return bool(path) and chunk.embed_text.startswith(f"{path}\n")


def _lead(facts: Mapping[str, Fact], prefix: str) -> str:
    if prefix == "context":
        return str(facts.get(f"{ENRICHED}context", ""))
    if prefix == "enriched":
        parts = (str(facts.get(f"{ENRICHED}{name}", "")) for name in ("title", "summary"))
        return ". ".join(part.rstrip(".") for part in parts if part)
    return ""


def said_of(chunk: Chunk, records: Sequence[EnrichmentRecord], unverified: str) -> Facts:
    """Returns what the records of one chunk say, as metadata; empty where they say nothing."""
    source = "\n".join((*chunk.section_path, chunk.title, chunk.readable))
    facts: dict[str, Fact] = {}
    models: list[str] = []
    for record in records:
        doubtful = record.fields.get("unverified", ())
        dropped = frozenset(doubtful if unverified == "drop" and isinstance(doubtful, list) else ())
        before = len(facts)
        for name, value in sorted(record.fields.items()):
            spec = _FIELDS.get(name)
            read = _read(spec, value, source, dropped) if spec else None
            if read:
                facts[f"{ENRICHED}{name}"] = read
        if len(facts) > before:
            models.append(clean(record.model, 80, record.model) or "unknown")
    if facts:
        facts[f"{ENRICHED}by"] = ", ".join(dict.fromkeys(models))
    return tuple(facts.items())


def _read(spec: FieldSpec, value: Any, source: str, dropped: frozenset[str]) -> Fact | None:
    """Returns a field as it is published; None where it holds nothing of its kind."""
    if spec.kind in ("text", "key"):
        text = clean(value, spec.most, source) if isinstance(value, str) else ""
        return normal_key(text) if spec.kind == "key" else text
    if not isinstance(value, list):
        return None
    if spec.kind == "entities":
        named = [item for item in value if isinstance(item, Mapping) and item.get("name") not in dropped]
        names = (clean(str(item.get("name", "")), spec.most, source) for item in named)
        kinds = (item.get("type") if item.get("type") in TYPES else "CONCEPT" for item in named)
        said = (f"{name} ({kind})" for name, kind in zip(names, kinds, strict=True) if name)
        return tuple(dict.fromkeys(said))[: spec.most_items]
    texts = (clean(item, spec.most, source) for item in value if isinstance(item, str) and item not in dropped)
    return tuple(dict.fromkeys(filter(None, texts)))[: spec.most_items]
