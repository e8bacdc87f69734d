"""Rows as JSON Lines: one object a chunk, with the columns in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson

from infograph.errors import FormatError
from infograph.export.columns import COLUMNS, ExportRow

SUFFIX = ".jsonl"
LONGEST_LINE = 1 << 22
"""Most bytes of a first line that is looked at."""


def encode_json_lines(rows: Iterable[ExportRow]) -> Iterator[bytes]:
    """Yields a line for each row."""
    for row in rows:
        yield orjson.dumps(row, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_APPEND_NEWLINE)


def is_json_lines(beginning: bytes) -> bool:
    """Whether a file that begins so is an export, by the columns of its first row; an empty one is, of a tree without
    chunks."""
    line, _, _ = beginning.partition(b"\n")
    try:
        row = orjson.loads(line) if line else None
    except orjson.JSONDecodeError:
        return False
    columns = [column.name for column in COLUMNS]
    return not beginning or (isinstance(row, dict) and list(row)[: len(columns)] == columns)


def read_json_lines(path: Path) -> Iterator[ExportRow]:
    """Yields the rows of a file, one in memory at a time. Raises FormatError for a line that is none, OSError."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise FormatError(f"{path}:{number}", f"not JSON: {error}", "Export the tree again.") from None
            if not isinstance(row, dict):
                raise FormatError(f"{path}:{number}", "not an object", "Export the tree again.")
            yield row
