"""Records of a table: together they are the text, and a line of white space is none."""

from __future__ import annotations

import pytest

from infograph.chunking.records import records


@pytest.mark.parametrize("blank", ["\n", "  \n", "\t\r\n"])
def test_a_blank_line_belongs_to_the_record_before_it(blank: str) -> None:
    lines = ["a,b\n", blank, "1,2\n", blank]
    found = list(records(lines, ","))
    assert [record.cells for record in found] == [["a", "b"], ["1", "2"]]
    assert [(record.start, record.end) for record in found] == [
        (0, len("".join(lines[:2]))),
        (len("".join(lines[:2])), len("".join(lines))),
    ]


def test_every_line_with_broken_quotes_is_a_record() -> None:
    found = list(records(['"a"x,1\n', '"b"y,2\n', "c,3\n"], ","))
    assert [(record.cells[1], record.broken) for record in found] == [("1", True), ("2", True), ("3", False)]
