"""What a table is said to be."""

from __future__ import annotations

import pytest

from infograph.chunking.columns import summary


@pytest.mark.parametrize(("rows", "said"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
def test_rows_are_counted_in_words(rows: int, said: str) -> None:
    assert summary([], rows) == f"Table of {said} and 0 columns.\n"
