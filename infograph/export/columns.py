"""The columns of an export: one definition, which the writers follow and the reference is tested against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

FORMAT = 1
"""Version of the columns: another number where one of them gets another meaning."""

ExportRow = dict[str, Any]
"""A chunk: values by the names of columns, in their order; None where nothing is known."""

TEXT, WHOLE, REAL, FLAG = "text", "integer", "number", "flag"
TEXTS, WHOLES, REALS, PAIRS = "texts", "integers", "numbers", "pairs of integers"
OBJECT, VECTOR = "object", "vector"


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column of an export."""

    name: str
    type: str
    """Kind of its values: one of those above."""
    meaning: str
    """Meaning of a value, for the reference."""


COLUMNS = (
    ExportColumn("id", TEXT, "path of the chunk file without a version: the same in every build of the same layout"),
    ExportColumn("href", TEXT, "address of the chunk file, relative to the root of the tree"),
    ExportColumn("document", TEXT, "path of the source file"),
    ExportColumn("topic", TEXT, "id of the topic; empty for the root"),
    ExportColumn("index", WHOLE, "number of the chunk in its document, from 0"),
    ExportColumn("count", WHOLE, "number of chunks of the document"),
    ExportColumn("title", TEXT, "the chunk's own heading, or that of its section"),
    ExportColumn("section_path", TEXTS, "headings above the chunk's start, outermost first"),
    ExportColumn("page_title", TEXT, "title of the page; from the search bundle"),
    ExportColumn("page_url", TEXT, "address of the rendered page, as the site has it; from the search bundle"),
    ExportColumn("anchor", TEXT, "anchor of the heading in that page; from the search bundle"),
    ExportColumn("text", TEXT, "exact slice of the source"),
    ExportColumn("readable", TEXT, "the slice as a reader of the page sees it; null where that is `text`"),
    ExportColumn("embed_text", TEXT, "what was embedded: the slice below its headings"),
    ExportColumn("tokens", WHOLE, "number of tokens, as the strategy counts them"),
    ExportColumn("is_code", FLAG, "whether more than half of the lines lie in code fences"),
    ExportColumn("chunk_type", TEXT, "kind of the chunk, as its strategy calls it"),
    ExportColumn("lines", WHOLES, "first and last line in the source, from 1"),
    ExportColumn("bytes", WHOLES, "first byte in the source, and the byte after the last one"),
    ExportColumn("sha256", TEXT, "SHA-256 of `text` in UTF-8, 64 hex digits"),
    ExportColumn("simhash", TEXT, "SimHash of the chunk's terms, 16 hex digits; from the search bundle"),
    ExportColumn(
        "parents", PAIRS, "larger units that the chunk lies in: number of their first chunk, and after the last"
    ),
    ExportColumn("previous", TEXT, "`id` of the chunk before it in the document; null for the first"),
    ExportColumn("next", TEXT, "`id` of the chunk after it; null for the last"),
    ExportColumn("similarity_conceptual", REAL, "cosine with the document's first chunk"),
    ExportColumn("similarity_technical", REAL, "cosine with the document's quick reference, where there is one"),
    ExportColumn("keywords", TEXTS, "keywords in it, the highest score first"),
    ExportColumn("keyword_scores", REALS, "score of each of them"),
    ExportColumn("prompt_hashes", TEXTS, "SimHashes of the questions that it answers, 16 hex digits each"),
    ExportColumn("questions", TEXTS, "questions that it answers, the best first; from the search bundle"),
    ExportColumn("metadata", OBJECT, "all other keys of the chunk file's front matter, see chunk files"),
    ExportColumn("fields", OBJECT, "values of `search.fields`; a text field has a list; from the search bundle"),
)
"""Columns of every export, in their order."""

VECTOR_COLUMNS = (
    ExportColumn("vector_model", TEXT, "model of the vector as `name@revision`; with `search:` before it, projected"),
    ExportColumn("vector", VECTOR, "unit vector, 32-bit numbers; null for a chunk whose vector was not found"),
)
"""Columns that follow where there are vectors."""


@dataclass(frozen=True, slots=True)
class VectorColumn:
    """What all vectors of an export have in common."""

    model: str
    """Model of the vectors, see the column `vector_model`."""
    dimension: int
    """Number of components."""
