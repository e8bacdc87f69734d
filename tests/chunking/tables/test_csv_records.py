"""Records tile the text of a table, and a line of white space is no record."""

from __future__ import annotations

import pytest

from infograph.chunking.tables.csv_records import records


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


def test_every_record_knows_the_line_it_begins_in() -> None:
    lines = ["\n", "a,b\n", "\n", '1,"x\n', 'y"\n', '2,"never\n', "3,z\n", "\n"]
    found = list(records(lines, ","))
    assert [(record.line, record.text) for record in found] == [
        (1, "a,b\n"),
        (3, '1,"x\ny"\n'),
        (5, '2,"never\n'),
        (6, "3,z\n"),
    ]
    text = "".join(lines)
    assert [record.start for record in found[1:]] == [record.end for record in found[:-1]]
    assert found[-1].end == len(text)
    assert [text[record.start :].startswith(record.text) for record in found] == [True] * len(found)


def test_lines_after_broken_quotes_are_read_anew() -> None:
    """Quotes that close further down belong to other records."""
    found = list(records(['"a,1\n', 'b,"x\n', 'y"z\n', "c,2\n"], ","))
    assert [record.cells[0] for record in found][-1] == "c"
    assert [record.broken for record in found][-1] is False and found[0].broken
