"""Chunk files, `_chunks/{stem}-{n}.md`: a front matter and then the exact slice of the source.

Where a reader of the rendered page sees another text than the slice, `edits` in the front matter says what: ranges of
the slice's bytes, and what stands there instead.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from infograph.errors import FormatError
from infograph.formats.names import CHUNKS, UNVERSIONED, VERSION_DIGITS, chunk_name, converted_name, named_by
from infograph.formats.yaml_scalars import as_yaml, is_other_type, read_scalar, scalar, scalars_of
from infograph.model import ENRICHED, Chunk, Fact, SaidOfChunk, is_converted, placed, stem_of
from infograph.text.edits import TextEdit, edited, in_bytes, in_characters

_ENCODED = json.JSONEncoder(ensure_ascii=False).encode
_OPENING = b"---\n"
_CLOSING = b"\n---\n"
_NAME = re.compile("[a-z][a-z0-9_]*")
_LINE = re.compile(rf"({_NAME.pattern}): (.*)")
_ITEM = re.compile(r'("(?:[^"\\]|\\.)*"|[^",\[\]]+)(?:, |\Z)')
_EDITS_LINE = re.compile(r"^edits: (.*)$", re.MULTILINE)
_SAID_LINE = re.compile(rf"^{ENRICHED}([a-z_]+): (.*)$", re.MULTILINE)
_WHOLE = re.compile(r"0|[1-9][0-9]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?")
_RANGE = re.compile(r"\[(\d+), (\d+)\](?:, (?=\[)|\Z)")


@dataclass(frozen=True, slots=True)
class ChunkFile:
    """Content of a chunk file."""

    chunk: Chunk
    previous: str | None
    """File name of the chunk before; None in the first."""
    next: str | None
    """File name of the chunk after; None in the last."""
    converted: str | None = None
    """File name of the Markdown that the document was converted to; None where the document is what was cut."""


class ChunkParts(NamedTuple):
    """A chunk file, taken apart at the fences of its front matter. A file that has lost one gives what is left."""

    head: bytes
    """The lines between the fences; empty without the opening fence, all up to the end without the closing one."""
    text: bytes
    """The slice of the source: everything after the closing fence; empty without one."""
    whole: bool
    """Whether both fences are present."""


def split(data: bytes) -> ChunkParts:
    """Splits a chunk file into front matter and text, and decodes neither. A broken file is no error, see `whole`."""
    opened = data.startswith(_OPENING)
    closing = data.find(_CLOSING)
    if closing < 0:
        return ChunkParts(data[len(_OPENING) :] if opened else b"", b"", False)
    head = data[len(_OPENING) : closing + 1] if opened else b""
    return ChunkParts(head, data[closing + len(_CLOSING) :], opened)


def render(chunk: Chunk, version: str = "") -> bytes:
    """Bytes of a chunk file.

    version: in the names of the document's chunk files, see `named_by`

    `embed_text` is not repeated in it where it holds the slice as a reader sees it: what it has beyond that and the
    breadcrumb of the section path stands in `breadcrumb`, `repeat_before` and `repeat_after`. Facts come last. Raises
    ValueError for a fact whose name is taken, or whose value has no form in the file.
    """
    (data,) = _named([chunk], [_around_names(chunk)], version)
    return data


def versioned(chunks: Sequence[Chunk], converted: bytes = b"") -> tuple[str, list[bytes]]:
    """Returns the version of a document's chunk files, which is made of their bytes with `UNVERSIONED` in its place,
    and the files. Raises ValueError as `render` does.

    converted: Markdown that the document was converted to, whose name has the version too
    """
    parts = [_around_names(chunk) for chunk in chunks]
    digest = hashlib.sha256()
    for data in chain(_named(chunks, parts, UNVERSIONED), [converted]):
        digest.update(b"%d " % len(data))
        digest.update(data)
    version = digest.hexdigest()[:VERSION_DIGITS]
    return version, [*_named(chunks, parts, version)]


def _named(chunks: Sequence[Chunk], parts: Sequence[tuple[bytes, bytes]], version: str) -> Iterator[bytes]:
    """Yields the files of a document's chunks, from what `_around_names` returned of each."""
    name = placed(chunks[0].document)[1] if chunks else ""
    stem = named_by(stem_of(name), version)
    for chunk, (above, below) in zip(chunks, parts, strict=True):
        yield b"".join((above, _names(chunk, name, stem), below))


def _names(chunk: Chunk, name: str, stem: str) -> bytes:
    """Lines that name other files of the document: all that depends on the version.

    name: the document's; stem: what the names of its chunk files begin with
    """
    lines = ""
    if is_converted(name):
        lines = f"converted: {scalar(converted_name(stem))}\n"
    if chunk.index > 0:
        lines += f"previous: {scalar(chunk_name(stem, chunk.index - 1))}\n"
    if chunk.index + 1 < chunk.count:
        lines += f"next: {scalar(chunk_name(stem, chunk.index + 1))}\n"
    return lines.encode()


def _around_names(chunk: Chunk) -> tuple[bytes, bytes]:
    """Returns what stands above the lines that name other files, and below them. All texts are looked at together: of
    a chunk that has facts, these are the longest part."""
    texts = [chunk.title, placed(chunk.document)[1], chunk.chunk_type, chunk.sha256, *chunk.section_path]
    for_facts = len(texts)
    for _, fact in chunk.facts:
        if isinstance(fact, tuple):
            texts += fact
        elif isinstance(fact, str):
            texts.append(fact)
    scalars = scalars_of(texts)
    title, source, kind, digest, *headings = scalars[:for_facts]
    lines = [
        "---",
        f"title: {title}",
        f"source: {source}",
        f"index: {chunk.index}",
        f"count: {chunk.count}",
        f"section_path: [{', '.join(headings)}]",
        f"lines: [{chunk.lines[0]}, {chunk.lines[1]}]",
        f"bytes: [{chunk.bytes[0]}, {chunk.bytes[1]}]",
        f"is_code: {str(chunk.is_code).lower()}",
        f"chunk_type: {kind}",
        f"tokens: {chunk.tokens}",
        f"sha256: {digest}",
    ]
    if chunk.continues:
        lines.append("continues: true")
    if chunk.edits:
        lines.append(f"edits: {as_yaml(_ENCODED([list(edit) for edit in in_bytes(chunk.text, chunk.edits)]))}")
    if chunk.parents:
        lines.append(f"parents: [{', '.join(f'[{first}, {end}]' for first, end in chunk.parents)}]")
    lines += _context(chunk)
    below = _fact_lines(chunk, scalars, for_facts) if chunk.facts else []
    below.append(f"---\n{chunk.text}")
    return "\n".join((*lines, "")).encode(), "\n".join(below).encode()


def _fact_lines(chunk: Chunk, scalars: Sequence[str], at: int) -> list[str]:
    """Returns the lines of the facts.

    scalars: texts as YAML has them; from the place `at` on, those of the facts
    """
    if (key := _taken(tuple([key for key, _ in chunk.facts]))) is not None:
        raise ValueError(f"{chunk.document}: no fact of a chunk can be named {key!r}")
    lines = []
    for key, fact in chunk.facts:
        if isinstance(fact, tuple):
            end = at + len(fact)
            lines.append(f"{key}: [{', '.join(scalars[at:end])}]")
            at = end
        elif isinstance(fact, str):
            lines.append(f"{key}: {scalars[at]}")
            at += 1
        else:
            lines.append(f"{key}: {_number(fact)}")
    return lines


def _context(chunk: Chunk) -> Iterator[str]:
    """Lines that say which text is embedded, where that is not the section path and the slice."""
    path, text = " > ".join(chunk.section_path), chunk.readable
    if text and path and chunk.embed_text == f"{path}\n\n{text}":  # as of most chunks
        return
    readings: list[tuple[str | None, str]] = [(None, chunk.embed_text)]
    breadcrumb, found, rest = chunk.embed_text.partition("\n\n")
    if found and (breadcrumb or not path):
        readings.insert(0, (breadcrumb, rest))
    lead, rest = next((reading for reading in readings if text in reading[1]), readings[0])
    if lead != path:
        yield f"breadcrumb: {scalar(lead or '')}"
    before, held, after = rest.partition(text) if text else ("", "", "")
    if not held:
        yield f"embedded: {scalar(rest)}"
        return
    if before:
        yield f"repeat_before: {scalar(before)}"
    if after:
        yield f"repeat_after: {scalar(after)}"


def parse(path: str, data: bytes) -> ChunkFile:
    """Reads what `render` wrote. Raises FormatError, also when the slice is not the one that was written.

    path: posix path of the chunk file, relative to the root; it says which topic the source lies in
    """
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise _broken(path, f"not UTF-8 at byte {error.start}") from None
    parts = split(data)
    if not parts.whole or not parts.head:
        raise _broken(path, "it has no front matter")
    return from_parts(path, parts.head.decode(), parts.text.decode())


def from_parts(path: str, head: str, body: str) -> ChunkFile:
    """The content of a chunk file that was split and decoded; raises FormatError as `parse` does."""
    values = read_header(path, head)
    digest = hashlib.sha256(body.encode()).hexdigest()
    if digest != values["sha256"]:
        raise _broken(path, "its text is not the one that `sha256` names")
    source = values["source"]
    topic = path.rpartition("/")[0].removesuffix(CHUNKS)
    section_path = values["section_path"]
    breadcrumb = values.get("breadcrumb", " > ".join(section_path))
    lead = "" if values.get("breadcrumb") == "" else f"{breadcrumb}\n\n"
    edits = _in_characters(path, body, values.get("edits", ()))
    around = f"{values.get('repeat_before', '')}{edited(body, edits)}{values.get('repeat_after', '')}"
    chunk = Chunk(
        document=f"{topic}{source}",
        index=values["index"],
        count=values["count"],
        title=values["title"],
        section_path=section_path,
        text=body,
        embed_text=lead + values.get("embedded", around),
        lines=values["lines"],
        bytes=values["bytes"],
        counted=values["tokens"],
        is_code=values["is_code"],
        chunk_type=values["chunk_type"],
        sha256=digest,
        continues=values.get("continues", False),
        parents=values.get("parents", ()),
        facts=tuple((key, value) for key, value in values.items() if key not in _KEYS),
        edits=edits,
    )
    return ChunkFile(chunk, values.get("previous"), values.get("next"), values.get("converted"))


def readable(path: str, head: str, text: str) -> str:
    """The text of a chunk as a reader sees it, by the lines of its front matter. Raises FormatError."""
    line = _EDITS_LINE.search(head)
    if line is None:
        return text
    try:
        return edited(text, _in_characters(path, text, _read_edits(line[1])))
    except ValueError as error:
        raise _broken(path, f"`edits`: {error}") from None


def said_of_chunk(path: str, head: str) -> SaidOfChunk:
    """What a language model said of a chunk, by the lines of its front matter. Raises FormatError."""
    found = {}
    for name, value in _SAID_LINE.findall(head):
        try:
            found[name] = _read_fact(value)
        except ValueError as error:
            raise _broken(path, f"`{ENRICHED}{name}`: {error}") from None
    return found


def _in_characters(path: str, text: str, edits: tuple[TextEdit, ...]) -> tuple[TextEdit, ...]:
    try:
        return in_characters(text.encode(), edits) if edits else ()
    except ValueError as error:
        raise _broken(path, f"`edits`: {error}") from None


def read_header(path: str, head: str) -> dict[str, Any]:
    """Values of the front matter by key, read from the lines between its fences. Raises FormatError."""
    values: dict[str, Any] = {}
    for number, line in enumerate(head.removesuffix("\n").split("\n"), 2):
        match = _LINE.fullmatch(line)
        # What is not a key of every chunk file is a fact, and facts come last.
        read = match and (_KEYS.get(match[1]) or ("sha256" in values and _read_fact))
        if not match or not read or match[1] in values:
            raise _broken(f"{path}:{number}", "not a `key: value` that belongs here")
        try:
            values[match[1]] = read(match[2])
        except ValueError as error:
            raise _broken(f"{path}:{number}", f"`{match[1]}`: {error}") from None
    missing = [key for key in _REQUIRED if key not in values]
    if missing:
        raise _broken(path, f"`{missing[0]}` is missing")
    return values


@lru_cache(maxsize=256)
def _taken(keys: tuple[str, ...]) -> str | None:
    """Returns the first of some names that no fact can have; None where all can be names of facts."""
    return next((key for key in keys if key in _KEYS or not _NAME.fullmatch(key) or is_other_type(key)), None)


def _read_list(text: str) -> Iterator[str]:
    if not (text.startswith("[") and text.endswith("]")):
        raise ValueError("not a list")
    inner, at = text[1:-1], 0
    while at < len(inner):
        match = _ITEM.match(inner, at)
        if not match:
            raise ValueError("not a list of scalars")
        yield match[1]
        at = match.end()


def _read_path(text: str) -> tuple[str, ...]:
    return tuple(map(read_scalar, _read_list(text)))


def _read_pair(text: str) -> tuple[int, int]:
    first, second = map(_read_whole, _read_list(text))
    return first, second


def _read_ranges(text: str) -> tuple[tuple[int, int], ...]:
    ranges, at = [], 1
    while text[at:] != "]":
        match = _RANGE.match(text, at, len(text) - 1)
        if not match:
            raise ValueError("not a list of ranges")
        ranges.append((int(match[1]), int(match[2])))
        at = match.end()
    return tuple(ranges)


def _read_edits(text: str) -> tuple[TextEdit, ...]:
    value = json.loads(text)
    if not isinstance(value, list) or not value:
        raise ValueError("not a list of edits")
    for row in value:
        if not (isinstance(row, list) and list(map(type, row)) == [int, int, str]):
            raise ValueError("not a list of edits")
    return tuple(TextEdit(*row) for row in value)


def _number(value: Fact) -> str:
    text = str(value)
    if isinstance(value, float):
        text = f"{value:.6f}".rstrip("0")
        text += "0" * text.endswith(".")
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"no fact of a chunk can be {value!r}")
    return text


def _read_fact(text: str) -> Fact:
    if text.startswith("["):
        return _read_path(text)
    number = _NUMBER.fullmatch(text)
    if number:
        return float(text) if number[1] else int(text)
    return read_scalar(text)


def _read_whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ValueError("not a whole number")
    return int(text)


def _read_flag(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("neither true nor false")
    return text == "true"


def _broken(place: str, reason: str) -> FormatError:
    return FormatError(place, f"not a chunk file of infograph: {reason}", "Build again to have it written anew")


_KEYS: dict[str, Callable[[str], Any]] = {
    "title": read_scalar,
    "source": read_scalar,
    "index": _read_whole,
    "count": _read_whole,
    "section_path": _read_path,
    "lines": _read_pair,
    "bytes": _read_pair,
    "is_code": _read_flag,
    "chunk_type": read_scalar,
    "tokens": _read_whole,
    "sha256": read_scalar,
    "continues": _read_flag,
    "edits": _read_edits,
    "parents": _read_ranges,
    "breadcrumb": read_scalar,
    "embedded": read_scalar,
    "repeat_before": read_scalar,
    "repeat_after": read_scalar,
    "converted": read_scalar,
    "previous": read_scalar,
    "next": read_scalar,
}
_REQUIRED = tuple(_KEYS)[:11]
"""Keys that every chunk file has: all up to `sha256`."""
