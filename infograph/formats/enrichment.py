"""Records of what a language model said of the chunks of one document: `_enrichment/{stem}.json`.

An input of builds, written by `infograph enrich`, committed and edited like a source: JSON with sorted keys, a line for
each field, so that a diff shows what was said.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infograph.errors import FormatError

VERSION = 1
"""Version of the format."""
SUMMARIES = "summaries"
"""Task whose records are of texts of several chunks: of the document and its sections."""
CAPTIONS = "captions"
"""Task whose records are of images: `text_sha256` is that of an image's bytes."""
LARGEST = 1 << 25
"""Most bytes of a file that are read."""

_SHA256 = re.compile("[0-9a-f]{64}")
_HINT = "Mend it, or remove it and run `infograph enrich` again."


@dataclass(slots=True)  # a build makes one for each chunk, and a frozen one takes three times as long
class EnrichmentRecord:
    """What one task said of one text; not to be changed."""

    text_sha256: str
    """SHA-256 of a chunk's text as its reader sees it; it holds for every chunk of the document that reads so. Of an
    image that of its bytes."""
    task: str
    prompt: str
    """Version of the prompt."""
    model: str
    chunk: int = 0
    """Index of the first chunk with this text, when the record was made."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    failed: str = ""
    """Why there are no fields."""
    pinned: bool = False
    """Whether a person keeps it as it is."""


@dataclass(frozen=True, slots=True)
class Breakpoints:
    """Where a model would cut a document."""

    text_sha256: str
    """SHA-256 of the document's text without its front matter; the places hold for just that."""
    places: tuple[tuple[int, str], ...]
    """Offset in characters of each place, ascending, and the words that follow it, for a person."""
    prompt: str
    model: str
    failed: str = ""
    """Why there is no place."""
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class EnrichmentFile:
    """The records of one document."""

    source: str
    """File name of the document."""
    document: str = ""
    """SHA-256 of the document that the records were last completed for; empty where they are not."""
    chunking: str = ""
    """Cache key of the strategy that cut it."""
    texts: int = 0
    """Number of distinct texts of its chunks."""
    records: tuple[EnrichmentRecord, ...] = ()
    breakpoints: Breakpoints | None = None
    sections: int = 0
    """Number of distinct texts of its sections, where summaries of them are recorded."""

    @property
    def says_of_chunks(self) -> bool:
        """Whether a model was asked of chunks, and not only of sections, of images, or where to cut."""
        return any(record.task not in (SUMMARIES, CAPTIONS) for record in self.records)

    @property
    def says_of_images(self) -> bool:
        """Whether a model was asked of images."""
        return any(record.task == CAPTIONS for record in self.records)

    def breaks(self, body: str) -> tuple[int, ...] | None:
        """Returns the offsets at which a model would cut a text; None where it was not asked about just this one."""
        found = self.breakpoints
        if found is None or found.failed or found.text_sha256 != digest_of(body):
            return None
        return tuple(at for at, _ in found.places)

    def by_text(self) -> dict[tuple[str, str], EnrichmentRecord]:
        """Records by text and task. Of several a pinned one counts, else the last."""
        found: dict[tuple[str, str], EnrichmentRecord] = {}
        for record in self.records:
            place = (record.text_sha256, record.task)
            if place not in found or record.pinned or not found[place].pinned:
                found[place] = record
        return found

    def doubled(self) -> list[EnrichmentRecord]:
        """Records that another one of the same text and task takes the place of."""
        kept = {id(record) for record in self.by_text().values()}
        return [record for record in self.records if id(record) not in kept]


def digest_of(text: str) -> str:
    """Returns the SHA-256 of a text, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def render(file: EnrichmentFile) -> bytes:
    """Returns the bytes of a file."""
    head = {
        "chunking": file.chunking,
        "document": file.document,
        "format": VERSION,
    }
    lines = [
        "{",
        *_breakpoint_lines(file.breakpoints),
        *(f" {json.dumps(key)}: {_plain(value)}," for key, value in head.items()),
    ]
    lines.append(' "records": [')
    records = sorted(file.records, key=lambda r: (r.chunk, r.text_sha256, r.task, not r.pinned))
    for number, record in enumerate(records, 1):
        lines += _record_lines(record, last=number == len(records))
    lines.append(" ],")
    if file.sections:
        lines.append(f' "sections": {file.sections},')
    lines += [f' "source": {_plain(file.source)},', f' "texts": {file.texts}', "}"]
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


def _breakpoint_lines(found: Breakpoints | None) -> Iterable[str]:
    if found is None:
        return
    yield ' "breakpoints": {'
    if found.failed:
        yield f'  "failed": {_plain(found.failed)},'
    yield f'  "model": {_plain(found.model)},'
    if found.pinned:
        yield '  "pinned": true,'
    yield '  "places": ['
    for number, (at, text) in enumerate(found.places, 1):
        yield f"   {_plain({'at': at, 'text': text})}{',' * (number < len(found.places))}"
    yield f'  ],\n  "prompt": {_plain(found.prompt)},\n  "text_sha256": {_plain(found.text_sha256)}\n }},'


def _record_lines(record: EnrichmentRecord, *, last: bool) -> Iterable[str]:
    values: dict[str, Any] = {"chunk": record.chunk}
    if record.failed:
        values["failed"] = record.failed
    values |= {"fields": record.fields, "model": record.model}
    if record.pinned:
        values["pinned"] = True
    values |= {"prompt": record.prompt, "task": record.task, "text_sha256": record.text_sha256}
    yield "  {"
    for place, (key, value) in enumerate(values.items(), 1):
        comma = "," * (place < len(values))
        if key == "fields" and value:
            yield '   "fields": {'
            inner = sorted(value.items())
            for at, (name, said) in enumerate(inner, 1):
                yield f"    {json.dumps(name)}: {_plain(said)}{',' * (at < len(inner))}"
            yield "   }" + comma
        else:
            yield f"   {json.dumps(key)}: {_plain(value)}{comma}"
    yield "  }" + "," * (not last)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def parse(place: str, data: bytes) -> EnrichmentFile:
    """Reads a file. Raises FormatError that names what is wrong and where.

    place: the file's name in errors
    """
    if len(data) > LARGEST:
        raise FormatError(place, f"has more than {LARGEST >> 20} MiB", _HINT)
    try:
        value = _loaded(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(place, f"is not JSON: {error}", _HINT) from None
    if not isinstance(value, dict) or not isinstance(value.get("records"), list):
        raise FormatError(place, "holds no `records`", _HINT)
    if value.get("format") != VERSION:
        newer = isinstance(value.get("format"), int) and value["format"] > VERSION
        hint = "Install a newer infograph." if newer else _HINT
        raise FormatError(place, f"has the format {value.get('format')!r}, and this release reads {VERSION}", hint)
    records = []
    for number, item in enumerate(value["records"]):
        try:
            records.append(_record(item))
        except ValueError as error:
            raise FormatError(f"{place}: records[{number}]", str(error), _HINT) from None
    return EnrichmentFile(
        source=_string(place, value, "source"),
        document=_string(place, value, "document"),
        chunking=_string(place, value, "chunking"),
        texts=_count(value.get("texts")),
        sections=_count(value.get("sections")),
        records=tuple(records),
        breakpoints=_breakpoints(f"{place}: breakpoints", value.get("breakpoints")),
    )


def _loaded(data: bytes) -> Any:
    """Returns the value of JSON. Raises ValueError or RecursionError."""
    import orjson  # a build in which nothing changed reads none

    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:  # which refuses more: half a surrogate pair may stand in a text of ours
        return json.loads(data)


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _breakpoints(place: str, item: Any) -> Breakpoints | None:
    if item is None:
        return None
    listed = item.get("places") if isinstance(item, dict) else None
    if not isinstance(listed, list):
        raise FormatError(place, "holds no `places`", _HINT)
    places = []
    for entry in listed:
        at = entry.get("at") if isinstance(entry, dict) else None
        if not isinstance(at, int) or isinstance(at, bool) or at < 0:
            raise FormatError(place, "`at` of a place is no whole number", _HINT)
        places.append((at, _string(place, entry, "text")))
    pinned = item.get("pinned", False)
    if not isinstance(pinned, bool):
        raise FormatError(place, "`pinned` is neither true nor false", _HINT)
    return Breakpoints(
        text_sha256=_string(place, item, "text_sha256"),
        places=tuple(sorted(places)),
        prompt=_string(place, item, "prompt"),
        model=_string(place, item, "model"),
        failed=_string(place, item, "failed"),
        pinned=pinned,
    )


_TEXTS = ("text_sha256", "task", "prompt", "model", "failed")
"""Keys of a record whose values are texts."""
_ALL_TEXTS = {str}


def _record(item: Any) -> EnrichmentRecord:
    """Returns a record. Raises ValueError that says what is wrong with it."""
    if not isinstance(item, dict):
        raise ValueError("is no object")
    digest, task, prompt, model, failed = texts = [item.get(key, "") for key in _TEXTS]
    if {*map(type, texts)} != _ALL_TEXTS:
        odd = next(key for key, text in zip(_TEXTS, texts, strict=True) if not isinstance(text, str))
        raise ValueError(f"`{odd}` is no text")
    if not _SHA256.fullmatch(digest):
        raise ValueError("`text_sha256` is not 64 hexadecimal digits")
    fields, chunk, pinned = item.get("fields", {}), item.get("chunk", 0), item.get("pinned", False)
    if not isinstance(fields, dict):
        raise ValueError("`fields` is no object")
    if not isinstance(chunk, int) or chunk < 0:
        raise ValueError("`chunk` is no whole number")
    if not isinstance(pinned, bool):
        raise ValueError("`pinned` is neither true nor false")
    return EnrichmentRecord(digest, task, prompt, model, chunk, fields, failed, pinned)


def _string(place: str, value: Mapping[str, Any], key: str) -> str:
    found = value.get(key, "")
    if not isinstance(found, str):
        raise FormatError(place, f"`{key}` is no text", _HINT)
    return found


def holding(file: EnrichmentFile, digests: Sequence[str], task: str) -> list[EnrichmentRecord | None]:
    """Returns for each chunk the record of a task that holds for its text.

    digests: SHA-256 of the chunks' texts
    """
    found = file.by_text()
    return [found.get((digest, task)) for digest in digests]
