"""What a build takes of the records of a document: metadata of its chunks, a lead for their vectors, words for search.

Everything here was written by a model, or by a person in its name, so it is cleaned again whatever the file holds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from infograph.enrich.cleaning import all_plain, clean
from infograph.enrich.fields import FieldSpec, normal_key
from infograph.enrich.images import ShownImage
from infograph.enrich.propositions import Proposition, proposition_of
from infograph.enrich.relations import TYPES
from infograph.enrich.sections import sections_of
from infograph.enrich.tasks import CAPTION, ENTITIES, SUMMARY, TASKS
from infograph.formats.enriched_facts import claim_fact, image_fact, section_fact
from infograph.formats.enrichment import EnrichmentFile, EnrichmentRecord
from infograph.model import ENRICHED, Chunk, Fact, described

BY = f"{ENRICHED}by"
"""Name of the metadata that names the models."""
_KEY, _RELATED = f"{ENRICHED}key", f"{ENRICHED}related_keys"
_OF_CHUNKS = [task for task in TASKS.values() if task.of_chunks]
_FIELDS: Mapping[str, tuple[str, FieldSpec]] = {
    spec.name: (ENRICHED + spec.name, spec)
    for task in _OF_CHUNKS
    for spec in task.fields
    if spec.kind not in ("described", "relations")  # which make the graph, see `named_by_records`
}
"""By the name of a field the name of the metadata that it becomes, and what it holds."""
_PLACE = {task.name: number for number, task in enumerate(_OF_CHUNKS) if task is not ENTITIES}
"""Order of the tasks whose records become metadata. Those of entities make the graph, see `named_by_records`."""
_RULES: Mapping[str, tuple[str, str, int, int]] = {
    name: (known_as, {"key": "text", "keys": "texts"}.get(spec.kind, spec.kind), spec.most, spec.most_items)
    for name, (known_as, spec) in _FIELDS.items()
}
"""By the name of a field how it is read as it stands: name of the metadata, kind, most characters of a text, most
texts."""
_TYPES = frozenset(TYPES)
NO_IMAGES: Mapping[int, Sequence[ShownImage]] = MappingProxyType({})
_LEADS = {"context": ("context",), "enriched": ("title", "summary")}
"""What of a record is embedded before its chunk, by `chunks.prefix`."""
_Read = tuple[dict[str, Fact] | None, list[str]]
"""The fields of a record as they stand, None where they must be read one by one; and their texts."""
_UNUSUAL: _Read = (None, [])


def applied(
    chunks: Sequence[Chunk],
    file: EnrichmentFile | None,
    prefix: str,
    unverified: str,
    images: Mapping[int, Sequence[ShownImage]] = NO_IMAGES,
) -> tuple[tuple[Chunk, ...], int]:
    """Returns the chunks with what the records say of them, and the number of chunks without any.

    prefix:     `context` or `enriched`: what of it is embedded before a chunk; another word embeds none
    unverified: `drop` leaves out keywords and entities that the text does not name
    images:     images that a chunk shows, by its index
    """
    records = file.by_text() if file is not None else {}
    sections = _said_of_sections(chunks, records)
    by_text = _by_text(records)
    own = [by_text.get(chunk.readable_sha256, []) for chunk in chunks] if by_text else [[] for _ in chunks]
    said = said_of(chunks, own, unverified)
    keys = frozenset([str(told[_KEY]) for told in said if _KEY in told])
    found, missing = [], 0
    for chunk, told in zip(chunks, said, strict=True):
        if _RELATED in told:
            _leave_known_keys(told, keys)
        if not told:
            entities = records.get((chunk.readable_sha256, ENTITIES.name))
            missing += not (entities and entities.fields) and bool(chunk.readable.strip())
        if chunk.index in sections:
            _add(told, "sections", sections[chunk.index])
        if chunk.index in images:
            _add(told, "images", _said_of_images(chunk, images[chunk.index], records))
        if not told:
            found.append(chunk)
            continue
        lead = _lead(told, prefix)
        embed_text = f"{lead}\n{chunk.embed_text}" if lead and _has_path(chunk) else chunk.embed_text
        if lead and not _has_path(chunk):
            embed_text = f"{lead}\n\n{chunk.embed_text}"
        found.append(described(chunk, embed_text, tuple(sorted([*chunk.facts, *told.items()]))))
    return tuple(found), missing


def _by_text(records: Mapping[tuple[str, str], EnrichmentRecord]) -> dict[str, list[EnrichmentRecord]]:
    """Returns the records that become metadata by the hash of their text, in the order of the tasks."""
    found: dict[str, list[EnrichmentRecord]] = {}
    for (text, task), record in records.items():
        if task in _PLACE:
            found.setdefault(text, []).append(record)
    for several in found.values():
        if len(several) > 1:
            several.sort(key=lambda record: _PLACE[record.task])
    return found


def _leave_known_keys(told: dict[str, Fact], keys: Collection[str]) -> None:
    """Removes the related keys that no chunk of the document has from what records say of a chunk: those of a record
    from before its document changed lead nowhere."""
    related = told.pop(_RELATED)
    kept = tuple([key for key in related if normal_key(key) in keys]) if isinstance(related, tuple) else ()
    if kept:
        told[_RELATED] = kept
    elif told.keys() == {BY}:
        told.clear()


def _has_path(chunk: Chunk) -> bool:
    """Whether a chunk's embedded text begins with its section path."""
    path = " > ".join(chunk.section_path)
    return bool(path) and chunk.embed_text.startswith(f"{path}\n")


def _lead(told: Mapping[str, Fact], prefix: str) -> str:
    names = _LEADS.get(prefix)
    if names is None:
        return ""
    parts = [str(told.get(ENRICHED + name, "")) for name in names]
    return parts[0] if len(names) == 1 else ". ".join(part.rstrip(".") for part in parts if part)


def said_of(
    chunks: Sequence[Chunk], records: Sequence[Sequence[EnrichmentRecord]], unverified: str
) -> list[dict[str, Fact]]:
    """Returns what the records of each chunk say, as metadata; empty where they say nothing.

    Fields are read as they stand and looked at all together first, since the texts of most records are as they should
    be. Where one is not, the records of its chunk are cleaned field by field.
    """
    written = [[_as_written(record.fields, _dropped(record.fields, unverified)) for record in own] for own in records]
    plain = all_plain([text for row in written for _, texts in row for text in texts])
    rows = zip(chunks, records, written, strict=True)
    return [_said_of(chunk, own, row, unverified, plain=plain) for chunk, own, row in rows]


def _said_of(
    chunk: Chunk, records: Sequence[EnrichmentRecord], written: Sequence[_Read], unverified: str, *, plain: bool
) -> dict[str, Fact]:
    """Returns what the records of a chunk say.

    written: what each of them says as it stands
    plain:   whether all of that may be published so
    """
    told: dict[str, Fact] = {}
    models: list[str] = []
    for record, (found, texts) in zip(records, written, strict=True):
        if found is None or not (plain or all_plain(texts)):
            found = _cleaned(chunk, record.fields, _dropped(record.fields, unverified))
        if _KEY in found:
            found[_KEY] = normal_key(str(found[_KEY]))
            if not found[_KEY]:
                del found[_KEY]
        if found:
            told |= found
            models.append(_model_of(record.model))
    if told:
        told[BY] = ", ".join(dict.fromkeys(models))
    return told


def _dropped(fields: Mapping[str, Any], unverified: str) -> Collection[str]:
    """Returns the names in a record that the text of its chunk does not have, where these are left out."""
    listed = fields.get("unverified") if unverified == "drop" else None
    return frozenset([name for name in listed if isinstance(name, str)]) if isinstance(listed, list) else ()


def _as_written(fields: Mapping[str, Any], dropped: Collection[str]) -> _Read:
    """Returns what `_cleaned` does of a record in which nothing has to be cleaned or cut, and its texts, which say
    whether it is one: where all of them are texts at all, and plain."""
    found: dict[str, Fact] = {}
    texts: list[str] = []
    try:
        for name, value in fields.items():
            rule = _RULES.get(name)
            if rule is None or not value:
                continue
            known_as, kind, most, most_items = rule
            if kind == "text":
                if len(value) > most:
                    return _UNUSUAL
                found[known_as] = value
                texts.append(value)
                continue
            read = _listed_as_written(kind, value, dropped)
            if read is None:
                return _UNUSUAL
            own, shown = read
            if not own:
                continue
            if len(max(own, key=len)) > most:
                return _UNUSUAL
            found[known_as] = tuple(shown[:most_items])
            texts += own
        return found, texts
    except (TypeError, KeyError):  # something else than a text, or no entity
        return _UNUSUAL


def _listed_as_written(kind: str, value: Any, dropped: Collection[str]) -> tuple[list[str], list[str]] | None:
    """Returns the texts of a field with several, and what of them is published; None for what is no such list."""
    if not isinstance(value, list):
        return None
    own = shown = value
    if kind == "entities":
        own, shown = [], []
        for item in value:
            text, type = item["name"], item["type"]
            if type not in _TYPES:
                return None
            if text not in dropped:
                own.append(text)
                shown.append(f"{text} ({type})")
    elif kind != "texts":
        return None
    elif dropped:
        own = shown = [text for text in value if text not in dropped]
    return own, list(dict.fromkeys(shown)) if len({*own}) < len(own) else shown


def _cleaned(chunk: Chunk, fields: Mapping[str, Any], dropped: Collection[str]) -> dict[str, Fact]:
    """Returns the fields of a record that hold something of their kind, each text cleaned, a key not yet in its normal
    form."""
    found: dict[str, Fact] = {}
    for name, value in fields.items():
        if name not in _FIELDS:
            continue
        known_as, spec = _FIELDS[name]
        read: Fact = ""
        if isinstance(value, str):
            read = clean(value, spec.most, _shown(chunk)) if spec.kind in ("text", "key") else ""
        elif isinstance(value, list):
            read = _cleaned_list(spec, value, chunk, dropped)
        if read:
            found[known_as] = read
    return found


def _cleaned_list(spec: FieldSpec, value: list[Any], chunk: Chunk, dropped: Collection[str]) -> Fact:
    most, source = spec.most, _shown(chunk)
    if spec.kind in ("texts", "keys"):
        texts = [clean(item, most, source) for item in value if isinstance(item, str) and item not in dropped]
    elif spec.kind == "entities":
        named = [item for item in value if isinstance(item, dict) and isinstance(item.get("name"), str)]
        pairs = [(clean(item["name"], most, source), item.get("type")) for item in named if item["name"] not in dropped]
        texts = [f"{name} ({kind if kind in TYPES else 'CONCEPT'})" for name, kind in pairs if name]
    elif spec.kind == "propositions":  # checked again: a person may have edited them
        passage = chunk.readable
        around = _shown(chunk).removesuffix(passage)
        claims = [proposition_of(item, most, passage, around) for item in value[: spec.most_items]]
        return tuple([claim_fact(one.claim, one.start, one.end) for one in claims if isinstance(one, Proposition)])
    else:
        return ""
    return tuple(dict.fromkeys(filter(None, texts)))[: spec.most_items]


def _shown(chunk: Chunk) -> str:
    """Returns the text that the model was shown of a chunk."""
    return "\n".join((*chunk.section_path, chunk.title, chunk.readable))


def _said_of_sections(
    chunks: Sequence[Chunk], records: Mapping[tuple[str, str], EnrichmentRecord]
) -> dict[int, list[tuple[str, str]]]:
    """Returns the summaries of sections and who wrote them, by the chunk that a section begins with, larger ones
    first. A summary is followed by the number of the section's chunks, in brackets."""
    found: dict[int, list[tuple[str, str]]] = {}
    if not any(task == SUMMARY.name for _, task in records):
        return found
    (spec,) = SUMMARY.fields
    for section in sections_of(chunks):
        record = records.get((section.readable_sha256, SUMMARY.name))
        said = record.fields.get(spec.name) if record else None
        text = clean(said, spec.most, section.readable) if isinstance(said, str) else ""
        if record and text:
            by = _model_of(record.model)
            found.setdefault(section.first, []).append((section_fact(text, len(section.chunks)), by))
    return found


def _said_of_images(
    chunk: Chunk, images: Sequence[ShownImage], records: Mapping[tuple[str, str], EnrichmentRecord]
) -> list[tuple[str, str]]:
    """Returns the descriptions of images that a chunk shows, each followed by the image's link, and who wrote them."""
    found = []
    spec = next(spec for spec in CAPTION.fields if spec.name == "description")
    for image in images:
        record = records.get((image.sha256, CAPTION.name))
        said = record.fields.get(spec.name) if record else None
        text = clean(said, spec.most, _shown(chunk)) if isinstance(said, str) else ""
        if record and text:
            found.append((image_fact(text, image.link), _model_of(record.model)))
    return found


def _add(told: dict[str, Fact], name: str, said: Sequence[tuple[str, str]]) -> None:
    """Adds to what was said of a chunk what was said of something else that it shows or begins: texts, and who wrote
    each of them."""
    if not said:
        return
    models = str(told[BY]).split(", ") if BY in told else []
    told[ENRICHED + name] = tuple(text for text, _ in said)
    told[BY] = ", ".join(dict.fromkeys([*models, *(model for _, model in said)]))


@lru_cache(maxsize=64)
def _model_of(name: str) -> str:
    """Returns the name of a model as it is published."""
    return clean(name, 80, name) or "unknown"
