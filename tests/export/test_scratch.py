"""The table on disk: gone when it is closed, and a full disk is an error that names it."""

from __future__ import annotations

import os

import pytest

from infograph.errors import FormatError, OutputError
from infograph.export.scratch import Scratch


def test_rows_are_kept_until_it_is_closed() -> None:
    with Scratch("CREATE TABLE a (b INTEGER)") as scratch:
        folder = scratch._folder.name
        scratch.put("INSERT INTO a VALUES (?)", ((n,) for n in range(3)))
        scratch.do("DELETE FROM a WHERE b = 0")
        assert scratch.all("SELECT b FROM a") == list(scratch.each("SELECT b FROM a")) == [(1,), (2,)]
        assert scratch.one("SELECT b FROM a WHERE b = ?", (9,)) is None
    assert not os.path.exists(folder)


@pytest.mark.parametrize("rows", [[(1,), (1,)], [(1 << 63,)]])
def test_rows_that_contradict_each_other_are_the_bundles_fault(rows: list[tuple[int]]) -> None:
    with Scratch("CREATE TABLE a (n INTEGER PRIMARY KEY)") as scratch, pytest.raises(FormatError, match="contradict"):
        scratch.put("INSERT INTO a VALUES (?)", rows)


def test_what_the_database_refuses_names_the_place() -> None:
    with Scratch() as scratch, pytest.raises(OutputError, match=r"the temporary table cannot be kept: .*TMPDIR"):
        scratch.do("PRAGMA max_page_count = 1; CREATE TABLE")
