"""Fixtures: an export of a tree as a list of rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from infograph.client import Client
from infograph.export.run import ExportRequest, export_tree

Exported = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def exported(tmp_path: Path) -> Exported:
    """exported(tree, vectors="none", …): the rows of a tree, by the options of `ExportRequest`."""

    def rows(tree: Path | str, **options: Any) -> list[dict[str, Any]]:
        out = tmp_path / "exported.jsonl"
        with Client(tree) as client:
            export_tree(client, str(out), ExportRequest(tree=str(tree), **options))
        return [orjson.loads(line) for line in out.read_bytes().splitlines()]

    return rows
