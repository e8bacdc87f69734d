"""Rows as Parquet, a row group after the other: the extra `infograph[parquet]`.

Texts are UTF-8, whole numbers 64 bits, objects JSON as text, vectors lists of fixed length of 32-bit numbers. The
file's own metadata says under `infograph` which format this is, and of which model and dimension the vectors are.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from infograph.errors import FormatError, missing_extra
from infograph.export.columns import (
    COLUMNS,
    FLAG,
    FORMAT,
    OBJECT,
    PAIRS,
    REAL,
    REALS,
    TEXT,
    TEXTS,
    VECTOR_COLUMNS,
    WHOLE,
    WHOLES,
    ExportColumn,
    ExportRow,
    VectorColumn,
)

SUFFIX = ".parquet"
_OURS = b"infograph"
"""Key of the schema's metadata that says which export it is."""
_GROUP = 1024
"""Rows of a row group, which is what of an export is in memory."""


def libraries(place: str) -> tuple[Any, Any]:
    """Returns pyarrow and its module for Parquet, tens of megabytes that no other command loads. Raises ConfigError
    where they are not installed.

    place: the file that wants them
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise missing_extra("parquet", place, "needs pyarrow", error) from None
    return pyarrow, pyarrow.parquet


def encode_parquet(rows: Iterable[ExportRow], vectors: VectorColumn | None, place: str) -> Iterator[bytes]:
    """Yields the bytes of a file, part by part. Raises ConfigError without pyarrow.

    place: the file, for that error
    """
    arrow, parquet = libraries(place)
    columns = (*COLUMNS, *(VECTOR_COLUMNS if vectors else ()))
    said: dict[str, Any] = {"format": FORMAT}
    if vectors:
        said |= {"vector_model": vectors.model, "dimension": vectors.dimension}
    fields = [arrow.field(column.name, _type(arrow, column.type, vectors)) for column in columns]
    schema = arrow.schema(fields, metadata={_OURS: orjson.dumps(said)})
    sink = _Sink()
    with parquet.ParquetWriter(arrow.PythonFile(sink, mode="w"), schema, compression="zstd") as writer:
        waiting = iter(rows)
        while group := list(islice(waiting, _GROUP)):
            arrays = [_array(arrow, column, field.type, group) for column, field in zip(columns, fields, strict=True)]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema), row_group_size=_GROUP)
            yield sink.taken()
    yield sink.taken()


def is_parquet(path: Path) -> bool:
    """Whether a file is an export, by what its footer says of its schema. Raises ConfigError without pyarrow."""
    arrow, parquet = libraries(str(path))
    try:
        return _OURS in (parquet.read_schema(path).metadata or {})
    except (arrow.ArrowException, OSError):
        return False


def read_parquet(path: Path, names: Sequence[str]) -> Iterator[ExportRow]:
    """Yields the rows of a file with the columns that are named, some in memory at a time. Raises FormatError for one
    that is no export, ConfigError without pyarrow."""
    arrow, parquet = libraries(str(path))
    try:
        file = parquet.ParquetFile(path)
        for batch in file.iter_batches(batch_size=_GROUP, columns=list(names)):
            if batch.schema.names != list(names):
                raise FormatError(str(path), f"has not the columns {', '.join(names)}", "Export the tree again.")
            yield from batch.to_pylist()
    except arrow.ArrowException as error:
        raise FormatError(str(path), f"not a Parquet file: {error}", "Export the tree again.") from None


def _type(arrow: Any, kind: str, vectors: VectorColumn | None) -> Any:
    simple = {TEXT: arrow.string(), WHOLE: arrow.int64(), REAL: arrow.float64(), FLAG: arrow.bool_()}
    simple[OBJECT] = arrow.string()
    if kind in simple:
        return simple[kind]
    if kind == PAIRS:
        return arrow.list_(arrow.list_(arrow.int64()))
    if kind in (TEXTS, WHOLES, REALS):
        return arrow.list_(simple[{TEXTS: TEXT, WHOLES: WHOLE, REALS: REAL}[kind]])
    assert vectors is not None
    return arrow.list_(arrow.float32(), vectors.dimension)


def _array(arrow: Any, column: ExportColumn, kind: Any, group: Sequence[ExportRow]) -> Any:
    values: Iterable[Any] = (row[column.name] for row in group)
    if column.type == OBJECT:
        values = (orjson.dumps(value).decode() for value in values)
    return arrow.array(list(values), type=kind)


class _Sink(io.RawIOBase):
    """A file that is only written: what was written is taken out again."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        part = bytes(data)
        self._parts.append(part)
        self._size += len(part)
        return len(part)

    def tell(self) -> int:
        return self._size

    def taken(self) -> bytes:
        """Returns what was written since the last time."""
        found = b"".join(self._parts)
        self._parts.clear()
        return found
