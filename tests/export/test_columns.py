"""The columns: as the reference says, and into databases by its listings, each run where its package is installed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph import embedding
from infograph.client import Client
from infograph.export.columns import COLUMNS, VECTOR_COLUMNS
from infograph.export.run import ExportRequest, export_tree

PAGE = (Path(__file__).parents[2] / "sample-docs/reference/formats/export.md").read_text("utf-8")
QUESTION = "how do I plug the kettle in"


def test_the_reference_says_what_the_columns_are() -> None:
    table = re.findall(r"^\| `(\w+)` \| ([\w ]+) \| (.*) \|$", PAGE, re.MULTILINE)
    assert table == [(column.name, column.type, column.meaning) for column in (*COLUMNS, *VECTOR_COLUMNS)]


def listing(start: str) -> str:
    """The listing below the paragraph that begins so."""
    match = re.search(rf"^{start}.*?\n```py\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert match
    return match[1]


@pytest.fixture
def run(manual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Runs a listing beside an export, and returns what it calls `best`."""
    monkeypatch.chdir(tmp_path)
    with Client(manual) as client:
        export_tree(client, "chunks.jsonl", ExportRequest(tree=str(manual)))
        pytest.importorskip("pyarrow", reason="needs pip install 'infograph[parquet]'")
        export_tree(client, "chunks.parquet", ExportRequest(tree=str(manual)))

    def best(code: str) -> Any:
        names: dict[str, Any] = {"question": embedding.load("static").embed([QUESTION], kind="query")[0]}
        exec(compile(code, "export.md", "exec"), names)
        return names["best"]

    return best


def expected(manual: Path) -> list[str]:
    """The ids of the five nearest chunks that are no code, by arithmetic."""
    import numpy as np
    import orjson

    rows = [orjson.loads(line) for line in Path("chunks.jsonl").read_bytes().splitlines()]
    vector = embedding.load("static").embed([QUESTION], kind="query")[0]
    scored = [(float(np.dot(np.float32(row["vector"]), vector)), row["id"]) for row in rows if not row["is_code"]]
    return [own for _, own in sorted(scored, reverse=True)[:5]]


def test_duckdb(run: Callable[[str], Any], manual: Path) -> None:
    pytest.importorskip("duckdb", reason="needs pip install duckdb")
    assert {own for own, *_ in run(listing("DuckDB"))} == set(expected(manual))


def test_lancedb(run: Callable[[str], Any], manual: Path) -> None:
    pytest.importorskip("lancedb", reason="needs pip install lancedb")
    assert {row["id"] for row in run(listing("LanceDB"))} == set(expected(manual))


def test_qdrant(run: Callable[[str], Any], manual: Path) -> None:
    pytest.importorskip("qdrant_client", reason="needs pip install qdrant-client")
    assert {point.payload["id"] for point in run(listing("Qdrant"))} == set(expected(manual))
