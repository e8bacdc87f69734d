"""Topic specifications, `topic-spec.md`: Markdown tables that read back to the same values.

An index is made from nothing else, so every field of `TopicSpec` is in the file. A person may change titles, reorder
and align columns, drop keywords and add rows; any other change is an error with the line and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from infograph.errors import FormatError
from infograph.formats.index_json import UnitGroup
from infograph.formats.markdown_table import (
    Row,
    escape,
    escape_line,
    format_number,
    joined_texts,
    numbered_lines,
    read_count,
    read_number,
    read_table,
    render_table,
    render_texts,
    unescape,
)
from infograph.formats.marks import SPEC_TITLE
from infograph.formats.names import VERSION_DIGITS
from infograph.formats.unit_groups import groups_of_source, read_slices, written_slices
from infograph.model import Fact, Keyword, RelatedTopic, SaidOfChunk, SpecChunk, SpecSource, TopicSpec
from infograph.text.units import DERIVED, PlacedUnit, misplaced

_PROPERTIES = ("id", "chunking", "model")
_METADATA = ("Property", "Value")
_SOURCES = ("Source", "Title", "SHA-256", "Chunks", "Conceptual baseline", "Technical baseline")
_VERSION = "Version"
"""Column of the sources' table that is there where the names of chunk files have versions."""
_KEYWORDS = ("Keyword", "Score")
_RELATED = ("Topic", "Title", "Similarity", "Shared keywords")
_CHUNKS = (
    "Index",
    "Title",
    "Section path",
    "Code",
    "Tokens",
    "SHA-256",
    "Conceptual",
    "Technical",
    "Keywords",
    "Prompts",
)

_ENRICHED_TEXTS = ("title", "summary", "context", "key", "by")
_ENRICHED_LISTS = ("keywords", "entities", "questions", "queries", "related_keys", "propositions", "sections")
_ENRICHED = {name: name.replace("_", " ").capitalize() for name in (*_ENRICHED_TEXTS, *_ENRICHED_LISTS)}
"""Columns of what a language model said, by field; `by` names the model."""

_UNITS = ("Type", "Level", "Count", "Slices")
_NAMES = "Names"
"""Column of the units' table that is there where rows of one key are among them."""

_IMAGES = "images"
"""Field, and column, that is there where images are described."""

_SHARED = re.compile(r"(.*)\(([^()]*)\)", re.DOTALL)
_HEX_16 = re.compile(r"[0-9a-f]{16}")
_HEX_VERSION = re.compile(rf"[0-9a-f]{{{VERSION_DIGITS}}}")

_T = TypeVar("_T")
_Section = tuple[int, list[tuple[int, str]]]
"""A section of the file: the line of its heading, and the numbered lines below it."""


def render(spec: TopicSpec) -> bytes:
    """Bytes of a specification.

    Raises FormatError for text that no file can hold (NUL, lone surrogates) and for two documents of one stem, whose
    chunks would have the same names.
    """
    stems = [source.stem for source in spec.sources]
    if twins := sorted({stem for stem in stems if stems.count(stem) > 1}):
        raise FormatError(spec.id, f"two documents are called {twins[0]!r}", "Rename one of them.")
    title = f"{escape(spec.title)} {SPEC_TITLE}" if spec.title else SPEC_TITLE
    parts = [f"# {title}"]
    if spec.description:
        parts.append(escape_line(spec.description))
    identity = "&#46;" if spec.id == "." else escape(spec.id) or "."
    metadata = zip(_PROPERTIES, (identity, escape(spec.chunking), escape(spec.model)), strict=True)
    parts += ["## Metadata", render_table(_METADATA, metadata)]
    parts += ["## Sources", _sources_table(spec.sources)]
    keywords = ((escape(keyword.name), format_number(keyword.score)) for keyword in spec.keywords)
    parts += ["## Keywords", render_table(_KEYWORDS, keywords)]
    parts += ["## Related topics", render_table(_RELATED, map(_related_cells, spec.related))]
    for source in spec.sources:
        parts += [
            f"## {_heading('Chunks', escape(source.stem))}",
            render_table(_CHUNKS, map(_chunk_cells, source.chunks)),
        ]
        if any(chunk.enriched for chunk in source.chunks):
            parts += [f"## {_heading('Enrichment', escape(source.stem))}", _enriched_table(source.chunks)]
        if units := groups_of_source(source):
            parts += [f"## {_heading('Units', escape(source.stem))}", _units_table(units)]
    return ("\n\n".join(parts) + "\n").encode()


def _heading(table: str, stem: str) -> str:
    """Returns the heading of one of a document's tables: `Chunks`, `Enrichment` or `Units`."""
    return f"{table}: {stem}" if stem else f"{table}:"


def _units_table(units: Sequence[UnitGroup]) -> str:
    if not any(group.names for group in units):
        return render_table(_UNITS, map(_unit_cells, units))
    return render_table((*_UNITS, _NAMES), ((*_unit_cells(group), joined_texts(group.names)) for group in units))


def _unit_cells(units: UnitGroup) -> Sequence[str]:
    return escape(units.type), str(units.level), str(units.count), written_slices(units.slices)


def _enriched_table(chunks: Sequence[SpecChunk]) -> str:
    images = (_IMAGES,) if any(_IMAGES in chunk.enriched for chunk in chunks) else ()
    lists = (*_ENRICHED_LISTS, *images)
    rows = [
        (
            str(chunk.index),
            *[str(own.get(name, "")) for name in _ENRICHED_TEXTS],
            *[items if isinstance(items := own.get(name), list | tuple) else "" for name in lists],
        )
        for chunk in chunks
        if (own := chunk.enriched)
    ]
    return render_texts(("Index", *_ENRICHED.values(), *map(str.title, images)), rows)


def _sources_table(sources: Sequence[SpecSource]) -> str:
    if not any(source.version for source in sources):
        return render_table(_SOURCES, map(_source_cells, sources))
    return render_table((*_SOURCES, _VERSION), ((*_source_cells(source), source.version) for source in sources))


def _source_cells(source: SpecSource) -> Sequence[str]:
    technical = "" if source.baseline_technical is None else str(source.baseline_technical)
    conceptual = "0" if source.chunks else ""
    return (
        escape(source.name),
        escape(source.title),
        escape(source.sha256),
        str(len(source.chunks)),
        conceptual,
        technical,
    )


def _related_cells(topic: RelatedTopic) -> Sequence[str]:
    identity = "&#46;" if topic.id == "." else escape(topic.id) or "."
    return identity, escape(topic.title), f"{topic.similarity:.6f}", _render_keywords(topic.shared)


def _chunk_cells(chunk: SpecChunk) -> Sequence[str]:
    technical = chunk.similarity_technical
    return (
        str(chunk.index),
        escape(chunk.title),
        " ".join([f"> {escape(heading)}".rstrip() for heading in chunk.section_path]),
        "yes" if chunk.is_code else "no",
        str(chunk.tokens),
        escape(chunk.sha256),
        f"{chunk.similarity_conceptual:.6f}",
        "" if technical is None else f"{technical:.6f}",
        _render_keywords(chunk.keywords),
        " ".join([f"{value:016x}" for value in chunk.prompt_hashes]),
    )


def _render_keywords(keywords: Iterable[Keyword]) -> str:
    return ", ".join([_render_keyword(keyword.name, keyword.score) for keyword in keywords])


@lru_cache(maxsize=4096)  # the terms of one table stand in all chunks of its topic
def _render_keyword(name: str, score: float) -> str:
    return f"{escape(name).replace(',', '&#44;')} ({format_number(score)})".lstrip()


def parse(name: str, data: bytes) -> TopicSpec:
    """Reads the specification in a file. Raises FormatError; `name` is the file's name in errors."""
    title_line, sections = _split(name, data)
    title, description = title_line
    line, lines = _take(name, sections, "Metadata")
    properties: dict[str, str] = {}
    for row in read_table(name, lines, _METADATA):
        key = row.text("Property").lower()
        if key not in _PROPERTIES or key in properties:
            raise row.error("Property", f"each of {', '.join(_PROPERTIES)} once")
        properties[key] = row.raw("Value")
    if missing := [key for key in _PROPERTIES if key not in properties]:
        raise FormatError(f"{name}:{line}", f"the property {missing[0]!r} is missing", "Add a row for it.")

    sources = _read_sources(name, sections)
    _, lines = _take(name, sections, "Keywords")
    keywords = tuple(
        Keyword(row.text("Keyword"), row.value("Score", read_number, "a number"))
        for row in read_table(name, lines, _KEYWORDS)
    )
    _, lines = _take(name, sections, "Related topics")
    related = tuple(map(_read_related, read_table(name, lines, _RELATED[:1], _RELATED[1:])))
    for heading, (line, _) in sections.items():
        expected = "Metadata, Sources, Keywords, Related topics and one “Chunks: …” for each source"
        raise FormatError(
            f"{name}:{line}", f"the section {heading!r} is not part of a specification", f"Expected {expected}."
        )
    return TopicSpec(
        id=_identity(properties["id"]),
        title=title,
        description=description,
        chunking=unescape(properties["chunking"]),
        model=unescape(properties["model"]),
        sources=sources,
        keywords=keywords,
        related=related,
    )


def _split(name: str, data: bytes) -> tuple[tuple[str, str], dict[str, _Section]]:
    """Splits a file into title and description, and the sections by their headings."""
    title: str | None = None
    paragraphs: list[list[str]] = [[]]
    sections: dict[str, _Section] = {}
    lines: list[tuple[int, str]] | None = None
    for line_number, line in numbered_lines(data, name):
        if title is None:
            if line.startswith("# "):
                title = unescape(line[2:].strip(" \t").removesuffix(SPEC_TITLE))
            elif line.strip():
                raise FormatError(
                    f"{name}:{line_number}", "the file does not begin with its title", "Expected “# Title”."
                )
        elif line.startswith("## "):
            heading = unescape(line[3:])
            if heading in sections:
                raise FormatError(f"{name}:{line_number}", f"the section {heading!r} is there twice", "Remove one.")
            lines = []
            sections[heading] = (line_number, lines)
        elif lines is not None:
            lines.append((line_number, line))
        elif line.strip():
            paragraphs[-1].append(unescape(line))
        elif paragraphs[-1]:
            paragraphs.append([])
    if title is None:
        raise FormatError(f"{name}:1", "the file is empty", "Delete it and build again.")
    description = "\n\n".join(" ".join(paragraph) for paragraph in paragraphs if paragraph)
    return (title, description), sections


def _take(name: str, sections: dict[str, _Section], heading: str) -> _Section:
    try:
        return sections.pop(heading)
    except KeyError:
        raise FormatError(
            name, f"the section “## {heading}” is missing", "Add it, or delete the file and build again."
        ) from None


def _read_sources(name: str, sections: dict[str, _Section]) -> tuple[SpecSource, ...]:
    _, lines = _take(name, sections, "Sources")
    sources = []
    for row in read_table(name, lines, _SOURCES, (_VERSION,)):
        source = SpecSource(name=row.text("Source"), title=row.text("Title"), sha256=row.text("SHA-256"), chunks=())
        line, lines = _take(name, sections, _heading("Chunks", source.stem))
        chunks = tuple(map(_read_chunk, read_table(name, lines, _CHUNKS)))
        if [chunk.index for chunk in chunks] != list(range(len(chunks))):
            raise FormatError(
                f"{name}:{line}", "the chunks are not numbered 0, 1, 2, … in order", "Restore their rows."
            )
        if row.value("Chunks", read_count, "a whole number") != len(chunks):
            raise row.error("Chunks", f"{len(chunks)}, the number of rows at line {line}")
        conceptual = row.value("Conceptual baseline", _optional(read_count), "0")
        if conceptual not in (None, 0):
            raise row.error("Conceptual baseline", "0")
        technical = row.value("Technical baseline", _optional(read_count), "the index of a chunk, or nothing")
        if technical is not None and not 0 <= technical < len(chunks):
            raise row.error("Technical baseline", "the index of a chunk, or nothing")
        _, lines = sections.pop(_heading("Enrichment", source.stem), (0, []))
        chunks = _with_enriched(name, lines, chunks)
        _, lines = sections.pop(_heading("Units", source.stem), (0, []))
        units = _read_units(name, lines, len(chunks))
        version = row.value("Version", _read_version, f"{VERSION_DIGITS} hexadecimal digits, or nothing")
        read = replace(source, chunks=chunks, baseline_technical=technical, version=version, units=units)
        sources.append(read)
    return tuple(sources)


def _with_enriched(name: str, lines: list[tuple[int, str]], chunks: tuple[SpecChunk, ...]) -> tuple[SpecChunk, ...]:
    """Returns the chunks with what the table of a language model's words says of them."""
    said: dict[int, SaidOfChunk] = {}
    for row in read_table(name, lines, ("Index",), (*_ENRICHED.values(), _IMAGES.title())) if lines else ():
        index = row.value("Index", read_count, "a whole number")
        if index >= len(chunks) or index in said:
            raise row.error("Index", "the index of a chunk, once")
        values: dict[str, Fact] = {field: row.text(_ENRICHED[field]) for field in _ENRICHED_TEXTS}
        values |= {field: _read_items(row.raw(_ENRICHED[field])) for field in _ENRICHED_LISTS}
        values[_IMAGES] = _read_items(row.raw(_IMAGES.title()))
        said[index] = {field: value for field, value in values.items() if value}
    return tuple(replace(chunk, enriched=said.get(chunk.index, {})) for chunk in chunks) if said else chunks


def _read_units(name: str, lines: list[tuple[int, str]], chunks: int) -> tuple[PlacedUnit, ...]:
    """Returns the units whose slices stand in a table; the others follow from the chunks, whatever it counts."""
    found: list[PlacedUnit] = []
    for row in read_table(name, lines, _UNITS[:-1], (*_UNITS[-1:], _NAMES)) if lines else ():
        level = row.value("Level", read_count, "a whole number")
        slices = row.value("Slices", read_slices, "slices such as “4:120-980; 5-8, 9:0-20”, or nothing")
        if wrong := next(filter(None, (misplaced(own, chunks) for own in slices)), ""):
            raise row.error("Slices", f"slices of the {chunks} chunks in order: {wrong}")
        if slices and row.text("Type") in DERIVED:
            raise row.error("Slices", f"nothing for a {row.text('Type')}, which follows from the chunks")
        if slices and row.value("Count", read_count, "a whole number") != len(slices):
            raise row.error("Count", f"{len(slices)}, the number of its slices")
        names = _read_items(row.raw(_NAMES)) or ("",) * len(slices)
        if len(names) != len(slices):
            raise row.error(_NAMES, f"{len(slices)} names with commas between, or nothing")
        found += (PlacedUnit(row.text("Type"), level, *own) for own in zip(slices, names, strict=True))
    return tuple(found)


def _read_items(raw: str) -> tuple[str, ...]:
    return tuple(unescape(item.strip(" \t")) for item in raw.split(",") if item.strip())


def _read_related(row: Row) -> RelatedTopic:
    """Reads a row of related topics. One written by hand needs only the topic's id; without a similarity it gets the
    greatest one."""
    identity = _identity(row.raw("Topic"))
    if not row.raw("Topic"):
        raise row.error("Topic", "a topic's id, `.` for the root")
    similarity = row.value("Similarity", _optional(_read_similarity), "a number from -1 to 1, or nothing")
    return RelatedTopic(
        id=identity,
        title=row.text("Title"),
        similarity=1.0 if similarity is None else similarity,
        shared=_read_keywords(row, "Shared keywords"),
    )


def _read_chunk(row: Row) -> SpecChunk:
    code = row.text("Code").lower()
    if code not in ("yes", "no"):
        raise row.error("Code", "yes or no")
    return SpecChunk(
        index=row.value("Index", read_count, "a whole number"),
        title=row.text("Title"),
        section_path=tuple(unescape(heading) for heading in row.raw("Section path").removeprefix(">").split(">"))
        if row.raw("Section path")
        else (),
        is_code=code == "yes",
        tokens=row.value("Tokens", read_count, "a whole number"),
        sha256=row.text("SHA-256"),
        similarity_conceptual=row.value("Conceptual", _read_similarity, "a number from -1 to 1"),
        similarity_technical=row.value("Technical", _optional(_read_similarity), "a number from -1 to 1, or nothing"),
        keywords=_read_keywords(row, "Keywords"),
        prompt_hashes=row.value("Prompts", _read_hashes, "hashes of 16 hexadecimal digits with spaces between"),
    )


def _read_keywords(row: Row, column: str) -> tuple[Keyword, ...]:
    keywords = []
    for item in row.raw(column).split(",") if row.raw(column) else ():
        match = _SHARED.fullmatch(item.strip(" \t"))
        try:
            if not match or read_number(match[2]) < 0:
                raise ValueError(item)
            keywords.append(Keyword(unescape(match[1]), read_number(match[2])))
        except ValueError:
            raise row.error(column, "keywords such as “cache (7), chunk (9)”") from None
    return tuple(keywords)


def _read_similarity(text: str) -> float:
    value = read_number(text)
    if not -1 <= value <= 1:
        raise ValueError(text)
    return value


def _read_hashes(text: str) -> tuple[int, ...]:
    hashes = text.split()
    if not all(map(_HEX_16.fullmatch, hashes)):
        raise ValueError(text)
    return tuple(sorted(int(value, 16) for value in hashes))


def _read_version(text: str) -> str:
    if text and not _HEX_VERSION.fullmatch(text):
        raise ValueError(text)
    return text


def _identity(raw: str) -> str:
    return "" if raw == "." else unescape(raw)


def _optional(read: Callable[[str], _T]) -> Callable[[str], _T | None]:
    return lambda text: read(text) if text else None
