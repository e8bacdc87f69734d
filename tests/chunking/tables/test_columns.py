"""Descriptions of tables and columns."""

from __future__ import annotations

import pytest

from infograph.chunking.tables.columns import Column, has_header, sentence, summary


@pytest.mark.parametrize(("rows", "said"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
def test_rows_are_counted_in_words(rows: int, said: str) -> None:
    assert summary([], rows) == f"Table of {said} and 0 columns.\n"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["1", "2.5"], "number, 1 to 2.5"),
        (["1e3", "2"], "number, 2 to 1e3"),
        (["+3", "-0.5", "0"], "number, -0.5 to +3"),
        (["7", " 7 "], "whole number, 7"),
        (["1", "2021-01-01"], "text, one of 1, 2021-01-01"),
        (["2021-01-02", "x", "2021-01-01"], "text, one of 2021-01-02, x, 2021-01-01"),
        (["2021-01-01T10:00:00Z", "2021-01-01 09:30"], "date, 2021-01-01 09:30 to 2021-01-01T10:00:00Z"),
        (["5", "NA", "-", "n/a"], "whole number, 5; 3 empty"),
        (["a", "", "a", "b"], "text, one of a, b; 1 empty"),
        (["1e999", "2"], "text, one of 1e999, 2"),
        (["10", "9", "8", "7", "6", "5", "4", "3", "2", "1"], "whole number, 1 to 10"),
    ],
)
def test_a_column_is_of_the_type_that_all_of_its_values_have(cells: list[str], said: str) -> None:
    for size in (1, 2, 3, 100):  # in however many batches they come
        column = Column("c")
        for at in range(0, len(cells), size):
            column.add(cells[at : at + size])
        assert column.description() == f"c: {said}"


@pytest.mark.parametrize(
    ("cells", "header"),
    [
        (["2019", "name"], True),
        (["name", "2019", "", "2020"], True),
        (["1.5", "name"], False),
        (["3000", "name"], False),
        (["2019-01", "name"], False),
        (["", " "], False),
        (["name", ""], True),
    ],
)
def test_years_are_names_beside_others(cells: list[str], header: bool) -> None:
    assert has_header(cells) is header


@pytest.mark.parametrize(
    ("names", "cells", "said"),
    [
        (["a", "b"], ["1", " x  y "], "a: 1; b: x y."),
        (["a", "b"], ["", "2"], "b: 2."),
        (["a"], ["1", "2"], "a: 1; 2."),
        (["a", "b"], ["1"], "a: 1."),
        (["a"], [""], "."),
        (["", "b"], ["1", "2"], "1; b: 2."),
    ],
)
def test_a_row_as_a_sentence(names: list[str], cells: list[str], said: str) -> None:
    assert sentence(names, cells) == said
