"""Rows of a table by their key."""

from __future__ import annotations

import pytest

from infograph.chunking.interface import ChunkPiece
from infograph.chunking.tables import keyed_rows
from infograph.chunking.tables.keyed_rows import HEADER, RowKeys, key_of, moved
from infograph.model import KeyedRows


def test_a_key_is_a_cell_that_says_something() -> None:
    assert key_of(" b  c ") == "b c"
    assert key_of(" ") is key_of(None) is None


def test_neighbours_of_one_key_are_one() -> None:
    keys = RowKeys()
    rows = [(HEADER, 10, 14), ("a", 14, 18), ("a", 18, 22), (None, 22, 25), ("a", 25, 29), ("b", 29, 30)]
    found = keys.keyed(2, 10, rows)
    assert found == (
        KeyedRows(2, HEADER, 0, 4),
        KeyedRows(2, "a", 4, 12),
        KeyedRows(2, "a", 15, 19),
        KeyedRows(2, "b", 19, 20),
    )
    assert keys.known == {(2, "a"), (2, "b")} and keys.runs == 4
    assert moved(found, 3)[0] == KeyedRows(2, HEADER, 3, 7)


@pytest.mark.parametrize(("name", "most"), [("MOST_KEYS", 2), ("MOST_RUNS", 4)])
def test_a_column_that_names_its_rows_groups_none(monkeypatch: pytest.MonkeyPatch, name: str, most: int) -> None:
    monkeypatch.setattr(keyed_rows, name, most)
    keys = RowKeys()
    piece = ChunkPiece(0, 9, keyed=keys.keyed(0, 0, [("a", 0, 1), ("b", 1, 2)]))
    assert keys.kept([piece]) == [piece] and not list(keys.notices("a.csv", "k"))
    keys.keyed(0, 0, [("c", 2, 3), ("a", 3, 4), ("b", 4, 5)])
    assert keys.keyed(0, 0, [("a", 5, 6)]) == ()
    assert keys.kept([piece]) == [piece._replace(keyed=())]
    (notice,) = keys.notices("a.csv", "k")
    assert (notice.path, notice.kind) == ("a.csv", "group-by") and notice.message.startswith(
        "the rows of `k` are no units"
    )
