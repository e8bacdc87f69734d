"""Cells of a row, with or without the pipes around it."""

from __future__ import annotations

import pytest

from infograph.chunking.tables.markdown_tables import _cells


@pytest.mark.parametrize("row", ["| a | b |", "a | b", "| a | b", "a | b |", "  |a|b|\nmore"])
def test_outer_pipes_are_optional(row: str) -> None:
    assert _cells(row) == ["a", "b"]


def test_an_empty_cell_is_a_cell() -> None:
    assert _cells("| a | | b |") == ["a", "", "b"]
