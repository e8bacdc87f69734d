"""Parquet: the same rows as JSON Lines, with types, a row group at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from infograph.client import Client
from infograph.errors import ConfigError, FormatError
from infograph.export import parquet as module
from infograph.export.columns import COLUMNS, OBJECT, VECTOR_COLUMNS, VectorColumn
from infograph.export.parquet import encode_parquet, read_parquet
from infograph.export.run import ExportRequest, export_tree

arrow = pytest.importorskip("pyarrow", reason="needs pip install 'infograph[parquet]'")
parquet = pytest.importorskip("pyarrow.parquet")


def test_the_rows_are_those_of_json_lines(manual: Path, tmp_path: Path) -> None:
    with Client(manual) as client:
        for suffix in (".jsonl", ".parquet"):
            export_tree(client, str(tmp_path / f"out{suffix}"), ExportRequest(tree=str(manual)))
    lines = [orjson.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.schema.names == [column.name for column in (*COLUMNS, *VECTOR_COLUMNS)]
    assert table.schema.field("vector").type == arrow.list_(arrow.float32(), 256)
    said = json.loads(table.schema.metadata[b"infograph"])
    assert said == {"format": 1, "vector_model": lines[0]["vector_model"], "dimension": 256}
    rows = table.to_pylist()
    for row, line in zip(rows, lines, strict=True):
        for column in COLUMNS:
            value = json.loads(row[column.name]) if column.type == OBJECT else row[column.name]
            assert value == line[column.name], column.name
        assert np.array_equal(np.float32(row["vector"]), np.float32(line["vector"]))


def row(number: int, vector: Any) -> dict[str, Any]:
    own: dict[str, Any] = {column.name: None for column in COLUMNS} | {"metadata": {}, "fields": {}}
    return own | {"id": str(number), "vector_model": "m@1", "vector": vector}


def test_it_is_written_in_groups_as_rows_come(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "_GROUP", 3)
    given = 0

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal given
        for number in range(8):
            given += 1
            yield row(number, None if number == 4 else np.full(2, number, np.float32))

    parts = encode_parquet(rows(), VectorColumn("m@1", 2), "out.parquet")
    first = next(parts)
    assert given == 3 and first
    place = tmp_path / "out.parquet"
    place.write_bytes(first + b"".join(parts))
    file = parquet.ParquetFile(place)
    assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)] == [3, 3, 2]
    found = [own["vector"] for own in read_parquet(place, ["vector"])]
    assert found == [None if number == 4 else [number, number] for number in range(8)]


def test_no_rows_give_a_file_with_columns(tmp_path: Path) -> None:
    place = tmp_path / "out.parquet"
    place.write_bytes(b"".join(encode_parquet([], None, "out.parquet")))
    assert parquet.read_table(place).num_rows == 0
    assert list(read_parquet(place, ["id"])) == []


def test_what_is_no_export_is_named(tmp_path: Path) -> None:
    place = tmp_path / "out.parquet"
    place.write_bytes(b"PAR1 and no more of it")
    with pytest.raises(FormatError, match=r"out\.parquet: not a Parquet file"):
        list(read_parquet(place, ["id"]))
    parquet.write_table(arrow.table({"a": [1]}), place)
    with pytest.raises(FormatError, match="has not the columns id"):
        list(read_parquet(place, ["id"]))


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"out\.parquet: needs pyarrow .*pip install 'infograph\[parquet\]'"):
        next(encode_parquet([], None, "out.parquet"))


def test_nothing_else_loads_the_library() -> None:
    code = "import sys, infograph.export.run, infograph.cli; assert 'pyarrow' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
