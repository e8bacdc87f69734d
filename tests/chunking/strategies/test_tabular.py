"""Tables cut between rows. `cut` asserts that the pieces tile the file and that offsets, lines and tokens hold."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.strategies.tabular import TableProfile, Tabular, row_groups
from infograph.chunking.tables.columns import Column, has_header, summary
from infograph.chunking.tables.csv_records import preamble, records, sniff
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import ConfigError, Notice
from infograph.model import Chunk
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.text.lines import line_starts

Cut = Callable[..., tuple[Chunk, ...]]

COUNTER = WordPieceCounter()

SMALL = Tabular(maximum=60)

SALES = """region,date,product,amount,note
north,2021-01-01,apple,3,"said ""hi"", and
went"
north,2021-01-02,pear,4.5,
north,2021-01-03,fig,7,first
south,2021-01-04,apple,1,

south,2021-01-05,kiwi,19,second
east,2021-01-06,apple,2,
"""


def notices(text: str, options: Tabular = SMALL, path: str = "t.csv") -> tuple[Notice, ...]:
    return chunk_document(decode(path, text.encode()), (), options, StrategyTools(COUNTER)).notices


def embedded(chunk: Chunk) -> str:
    """The text embedded below the breadcrumb, which a table has where its rows are grouped."""
    return chunk.embed_text.split("\n\n", 1)[1] if chunk.section_path else chunk.embed_text


def lines_of(text: str) -> list[str]:
    return [text[start:end] for start, end in pairwise(line_starts(text))]


def test_the_header_is_repeated_and_the_table_is_summed_up_once(cut: Cut) -> None:
    first, second = cut(SALES, SMALL, "data/sales.csv")
    assert first.text.startswith("region,date") and second.text.startswith("south,2021-01-04")
    assert embedded(second) == "region,date,product,amount,note\n" + second.text
    assert embedded(first).splitlines()[:6] == [
        "Table of 6 rows and 5 columns.",
        "region: text, one of north, south, east",
        "date: date, 2021-01-01 to 2021-01-06",
        "product: text, one of apple, pear, fig, kiwi",
        "amount: number, 1 to 19",
        'note: text, one of said "hi", and went, first, second; 3 empty',
    ]
    assert embedded(first).endswith(first.text)
    facts = dict(second.facts)
    assert facts["columns"] == ("region", "date", "product", "amount", "note")
    assert (facts["first_row"], facts["last_row"]) == (4, 6)
    assert {chunk.chunk_type for chunk in (first, second)} == {"tabular"}
    assert notices(SALES) == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_line_ends_and_byte_order_marks(end: str, mark: str, delimiter: str, cut: Cut) -> None:
    rows = "".join(f'{n}{delimiter}"a {n}\n{delimiter}b"{delimiter}x{n % 3}\n' for n in range(40))
    source = mark + f"id{delimiter}name{delimiter}kind\n{rows}".replace("\n", end)
    chunks = cut(source, SMALL, "t.csv")
    assert len(chunks) > 3
    for chunk in chunks:
        assert dict(chunk.facts)["columns"] == ("id", "name", "kind")
        assert chunk.tokens <= 60
    assert notices(source) == ()
    assert dict(chunks[-1].facts)["last_row"] == 40


def test_a_tsv_file_needs_no_guess(cut: Cut) -> None:
    chunks = cut("a, b\tc, d\n1, 2\t3, 4\n", SMALL, "t.tsv")
    assert dict(chunks[0].facts)["columns"] == ("a, b", "c, d")
    assert set(Tabular.extensions) == {".csv", ".tsv"}


def test_rows_that_share_a_key_stay_together(cut: Cut) -> None:
    text = "city,year\n" + "".join(f"city {n // 7},{n}\n" for n in range(70))
    chunks = cut(text, Tabular(maximum=60, group_by="city"), "t.csv")
    for chunk in chunks:
        groups = dict(chunk.facts)["groups"]
        assert isinstance(groups, tuple) and len(groups) in (1, 2)
        rows = [line for line in chunk.text.splitlines() if line != "city,year"]
        assert len(rows) == 7 * len(groups) and not chunk.continues
        if len(groups) == 1:
            assert chunk.title == groups[0]


def test_a_group_too_large_is_cut_between_rows_and_says_so(cut: Cut) -> None:
    text = "city,year\nrome,1\n" + "".join(f"oslo,{n}\n" for n in range(60)) + "bonn,1\n"
    chunks = cut(text, Tabular(maximum=60, group_by="city"), "t.csv")
    assert [chunk.continues for chunk in chunks] == [False, False, *[True] * (len(chunks) - 2)]
    assert chunks[0].text == "city,year\nrome,1\n" and chunks[1].text.startswith("oslo,0\n")


def test_rows_as_sentences(cut: Cut) -> None:
    first, second = cut(SALES, Tabular(maximum=60, sentences=True), "t.csv")
    assert embedded(second).splitlines()[0] == "region: south; date: 2021-01-04; product: apple; amount: 1."
    assert 'note: said "hi", and went.\n' in embedded(first)
    assert "region,date" not in first.embed_text + second.embed_text


def test_ragged_rows_are_kept_and_told_of(cut: Cut) -> None:
    text = "a,b,c\n1,2,3\n4,5\n\n6,7,8,9\n" + "1,2,3\n" * 30 + "x\n" * 9
    cut(text, SMALL, "t.csv")
    (notice,) = notices(text)
    assert (notice.kind, notice.count) == ("ragged", 11)
    assert notice.message == "rows that have not 3 cells, kept: lines 3, 5, 36, 37, 38, … (11 in all)"
    said = embedded(cut("a,b\n1,2,extra\n3\n", Tabular(sentences=True), "t.csv")[0])
    assert "a: 1; b: 2; extra.\na: 3.\n" in said


def test_a_quote_that_never_closes_costs_one_line(cut: Cut) -> None:
    text = 'a,b\n1,2\n3,"open\n' + "5,6\n" * 50
    chunks = cut(text, SMALL, "t.csv")
    (notice,) = notices(text)
    assert (notice.kind, notice.message) == ("quotes", "quotes that do not close, taken as text: line 3")
    assert dict(chunks[-1].facts)["last_row"] == 52
    assert "a: whole number, 1 to 5" in embedded(chunks[0])


def test_a_header_with_a_quote_that_never_closes_is_told_of_too() -> None:
    assert [notice.message for notice in notices('a,"b\n1,2\n')] == ["quotes that do not close, taken as text: line 1"]


@pytest.mark.parametrize(
    "first, header",
    [
        ("name,age", True),
        (",name,age", True),
        ("country,2019,2020", True),
        ("2019,2020", False),
        ("north,3.5", False),
        ("north,2021-01-01", False),
        ("", False),
    ],
)
def test_a_header_has_no_numbers_or_dates(first: str, header: bool) -> None:
    assert has_header(first.split(",")) is header


def test_a_title_and_comments_above_the_header_are_no_header(cut: Cut) -> None:
    text = "Sales of 2021\n\n# made by hand, twice\ncity,year,sum\n" + "".join(f"oslo,{n},3\n" for n in range(40))
    chunks = cut(text, SMALL, "t.csv")
    assert dict(chunks[0].facts)["columns"] == ("city", "year", "sum")
    assert chunks[0].text.startswith("Sales of 2021\n\n# made by hand, twice\ncity,year,sum\noslo,0,3\n")
    assert all(embedded(chunk).startswith("city,year,sum\noslo") for chunk in chunks[1:])
    assert dict(chunks[-1].facts)["last_row"] == 40 and notices(text) == ()
    assert [chunk.text for chunk in cut(text, Tabular(maximum=18), "t.csv")][:2] == [
        "Sales of 2021\n\n",
        "# made by hand, twice\n",
    ]


def test_a_table_without_a_header(cut: Cut) -> None:
    rows = "".join(f"north,{n},2021-01-0{n % 9 + 1}\n" for n in range(40))
    for options in (SMALL, Tabular(maximum=60, header="no")):
        chunks = cut(rows, options, "t.csv")
        assert dict(chunks[0].facts)["columns"] == ("column 1", "column 2", "column 3")
        assert dict(chunks[-1].facts)["last_row"] == 40
        assert embedded(chunks[-1]) == chunks[-1].text
    assert dict(cut(rows, Tabular(maximum=60, header="yes"), "t.csv")[-1].facts)["last_row"] == 39


def test_a_row_longer_than_a_piece_is_cut_and_its_parts_say_so(cut: Cut) -> None:
    text = "id,text\n1,short\n2," + "many words " * 100 + "\n3,short\n"
    chunks = cut(text, SMALL, "t.csv")
    assert all(chunk.tokens <= 60 for chunk in chunks)
    assert [chunk.continues for chunk in chunks] == [False, False, *[True] * (len(chunks) - 3), False]
    assert all("id,text\n" in chunk.embed_text for chunk in chunks)
    assert {dict(chunk.facts)["first_row"] for chunk in chunks[1:-1]} == {2}


def test_a_header_longer_than_a_piece_is_not_repeated(cut: Cut) -> None:
    names = ",".join(f"column name {number}" for number in range(900))
    chunks = cut(f"{names}\n" + f"{'1,' * 899}1\n" * 3, SMALL, "t.csv")
    assert all(chunk.tokens <= 60 for chunk in chunks)
    assert all(len(chunk.embed_text) < 5000 for chunk in chunks)


@pytest.mark.parametrize("text", ["a,b\n", "a,b", "\n\na,b\n\n", "1", "  \n\n", '"'])
def test_tables_of_hardly_anything(text: str, cut: Cut) -> None:
    assert len(cut(text, SMALL, "t.csv")) == 1


def test_a_column_that_is_not_there_is_told_of() -> None:
    (notice,) = notices(SALES, Tabular(group_by="town"))
    assert notice.kind == "group-by" and "no column `town`; there are `region`, `date`" in notice.message


@pytest.mark.parametrize(
    "cells, said",
    [
        (["1", "02"], "x: text, one of 1, 02"),
        (["1_000", "2"], "x: text, one of 1_000, 2"),
        (["3", "3"], "x: whole number, 3"),
        (["10", "9", "-1"], "x: whole number, -1 to 10"),
        (["10", "9.50", "NA"], "x: number, 9.50 to 10; 1 empty"),
        (["inf", "1"], "x: text, one of inf, 1"),
        (["2021-01", "2020-12"], "x: date, 2020-12 to 2021-01"),
        (["2021-01-01", "5"], "x: text, one of 2021-01-01, 5"),
        (["", "null"], "x: no value"),
        ([str(n) + "a" for n in range(20)], "x: text, such as 0a, 1a, 2a"),
    ],
)
def test_types_and_ranges_of_columns(cells: list[str], said: str) -> None:
    for size in (1, 2, 100):  # in however many batches the cells come
        column = Column("x")
        for at in range(0, len(cells), size):
            column.add(cells[at : at + size])
        assert column.description() == said


CELL = st.text(st.sampled_from('ab1.,;"\r\n é'), max_size=6)


@given(rows=st.lists(st.lists(CELL, min_size=2, max_size=4), max_size=12), end=st.sampled_from(["\n", "\r\n", "\r"]))
@settings(max_examples=80, deadline=None)
def test_records_are_those_of_the_csv_module(rows: list[list[str]], end: str) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(rows)
    text = buffer.getvalue()
    found = list(records(lines_of(text), ","))
    assert [record.cells for record in found] == rows
    assert "".join(text[record.start : record.end] for record in found) == text
    assert not any(record.broken for record in found)


@given(text=st.text(st.sampled_from('a1,;"\n\r\t é'), max_size=200), group_by=st.sampled_from(["", "a", "column 1"]))
@example(text='"\n', group_by="")
@settings(max_examples=80, deadline=None)
def test_any_text_is_tiled(text: str, group_by: str, cut: Cut) -> None:
    for options in (Tabular(maximum=20, group_by=group_by), Tabular(maximum=20, sentences=True)):
        assert all(chunk.tokens <= options.maximum for chunk in cut(text, options, "t.csv"))


def test_the_delimiter_is_the_one_that_cuts_evenly() -> None:
    assert sniff(["a;b\n", "1,5;2\n", "2,5;3\n"]) == ";"
    assert sniff(["one, two\n", "three\n"]) == ","
    assert sniff([]) == ","


PAGE = "# Cities\n\nintro\n\n| City | Sold |\n| --- | ---: |\n{}\nafter\n".format(
    "".join(f"| city {n // 5} | {n} |\n" for n in range(60))
)


def test_a_large_table_of_a_page_has_its_header_its_summary_and_its_groups(cut: Cut) -> None:
    chunks = cut(PAGE, Tabular(maximum=100, group_by="City"))
    assert chunks[0].text.startswith("# Cities\n\nintro\n\n| City |")
    assert "Table of 60 rows and 2 columns.\nCity: text, such as city 0" in chunks[0].embed_text
    assert "Sold: whole number, 0 to 59\n" in chunks[0].embed_text
    for chunk in chunks[1:]:
        assert "Table of" not in chunk.embed_text
        assert chunk.text.splitlines()[0].endswith(("0 |", "5 |"))  # the first of five rows
        assert "| City | Sold |\n| --- | ---: |\n" in chunk.embed_text
    assert dict(chunks[1].facts)["columns"] == ("City", "Sold")


def test_the_rows_of_a_page_as_sentences() -> None:
    document = decode("a.md", b"# H\n\ntext\n\n| a \\| b | c |\n|---|---|\n| 1 |  |\n| x | y |\n\nafter\n")
    options = Tabular(sentences=True)
    (chunk,) = chunk_document(document, parse_blocks(document)[0], options, StrategyTools(COUNTER)).chunks
    assert chunk.embed_text == "H\n\n# H\n\ntext\n\n\na \\| b: 1.\na \\| b: x; c: y.\n\nafter\n"


@pytest.mark.parametrize("options", [{"maximum": 0}, {"header": "maybe"}, {"delimiter": ",,"}, {"delimiter": '"'}])
def test_impossible_options_are_errors(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"strategies\.tabular"):
        strategy("tabular", options)


def test_what_the_chunks_depend_on_is_in_the_key() -> None:
    made = [
        Tabular(),
        SMALL,
        Tabular(sentences=True),
        Tabular(group_by="a/b"),
        Tabular(header="no"),
        Tabular(delimiter=";"),
    ]
    keys = [each.key for each in made]
    assert re.fullmatch(r"tabular-[0-9a-f]{8}-750", strategy("tabular", {"delimiter": ";"}).key)
    assert keys[:3] == ["tabular-750", "tabular-60", "tabular-sentences-750"]
    assert len(set(keys)) == len(keys) and not any("/" in key for key in keys)


def generated(size: int) -> Iterator[str]:
    """Yields the rows of a table of the given length in characters."""
    yield "id,region,day,amount,comment\n"
    comment = "north and south meet where the long river bends " * 4
    number, made = 0, 0
    while made < size:
        line = f'{number},region {number % 97},2021-{number % 12 + 1:02}-11,{number % 1000}.5,"{comment}\nend"\n'
        made += len(line)
        number += 1
        yield from line.splitlines(keepends=True)


def stream(size: int) -> tuple[int, int]:
    """Cuts a generated table; returns the number of rows and how many bytes the peak memory of this process grew."""
    import resource

    counter = COUNTER
    list(row_groups(generated(1_000_000), Tabular(), counter, TableProfile()))  # what is loaded once
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    table, end, first = TableProfile(), 0, 0
    for piece in row_groups(generated(size), Tabular(), counter, table):
        if piece.start:
            assert piece.start == (end or piece.start)
            first, end = first or piece.start, piece.end
        else:
            assert piece.end == first
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert end >= size
    return table.rows, grown * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.slow
def test_a_gigabyte_is_cut_in_constant_memory() -> None:
    """The table is cut in a process of its own, whose memory peak excludes other tests. The counter's memo takes up
    to 60 MB."""
    code = f"import runpy; print(*runpy.run_path({__file__!r})['stream'](1_000_000_000))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rows, grown = map(int, done.stdout.split())
    assert rows > 3_000_000
    assert grown < 150_000_000


def test_a_few_megabytes_grow_nothing() -> None:
    pytest.importorskip("resource", reason="this platform does not say how much memory a process had")
    rows, grown = stream(3_000_000)
    assert rows > 10_000 and grown < 20_000_000


def test_a_row_that_ends_before_the_column_of_groups(cut: Cut) -> None:
    (chunk,) = cut("a,b\n1,x\n2\n3,x\n", Tabular(group_by="b"), "t.csv")
    assert chunk.text.endswith("2\n3,x\n")


@pytest.mark.parametrize(
    ("maximum", "rows"),
    [
        (5, [0, 1, 1, 1, 1, 1, 1]),  # the header has more than the half: it stands alone and is not repeated
        (6, [1, 1, 1, 1, 1, 1]),
        (8, [1, 1, 1, 1, 1, 1]),
        (9, [2, 2, 2]),
        (12, [3, 3]),
        (20, [5, 1]),
        (21, [6]),
    ],
)
def test_as_many_rows_as_fit_beside_the_header(maximum: int, rows: list[int], cut: Cut) -> None:
    text = "a,b\n" + "x,y\n" * 6  # 3 tokens each
    chunks = cut(text, Tabular(maximum=maximum, header="yes"), "t.csv")
    assert [chunk.text.count("x,y") for chunk in chunks] == rows
    for chunk in chunks[1:]:
        assert chunk.embed_text == ("a,b\n" if maximum > 5 else "") + chunk.text
    numbers = [(dict(chunk.facts).get("first_row"), dict(chunk.facts).get("last_row")) for chunk in chunks]
    ends = [sum(rows[: at + 1]) for at in range(len(rows))]
    assert numbers == [(end - count + 1, end) if count else (None, None) for end, count in zip(ends, rows, strict=True)]


@pytest.mark.parametrize(("tokens", "whole"), [(9, True), (10, False)])
def test_a_row_of_exactly_the_room_is_whole(tokens: int, whole: bool, cut: Cut) -> None:
    """The header has 3 of 12 tokens."""
    row = "x," + "w " * (tokens - 2) + "\n"
    chunks = cut(f"a,b\nu,v\n{row}u,v\n", Tabular(maximum=12, header="yes"), "t.csv")
    assert any(chunk.text == row for chunk in chunks) == whole
    assert any(chunk.continues for chunk in chunks) != whole


@pytest.mark.parametrize(
    ("groups", "maximum", "cuts"),
    [
        ("aabbcc", 12, ["aab", "bcc"]),
        ("aabbcc", 15, ["aabb", "cc"]),
        ("aaabbb", 15, ["aaa", "bbb"]),
        ("aaaaab", 12, ["aaa", "aab"]),
        ("abbbbb", 12, ["a", "bbb", "bb"]),
        ("ab b", 15, ["ab b"]),
    ],
)
def test_rows_of_one_group_stay_together_where_they_fit(groups: str, maximum: int, cuts: list[str], cut: Cut) -> None:
    """A row has 3 tokens, as has the header. A whole group goes to the next piece where it fits into one."""
    text = "k,n\n" + "".join(f"{key.strip() or 'z'},x\n" for key in groups)
    chunks = cut(text, Tabular(maximum=maximum, group_by="k", header="yes"), "t.csv")
    found = ["".join(line[0] for line in chunk.text.splitlines() if line != "k,n") for chunk in chunks]
    if cuts[0] == "aab":  # it would cut b
        cuts = ["aa", "bb", "cc"]
    assert found == [part.replace(" ", "z") for part in cuts]
    begun = [chunk.text.splitlines()[0 if number else 1][0] for number, chunk in enumerate(chunks)]
    assert [chunk.continues for chunk in chunks] == [
        number > 0 and found[number - 1][-1] == key for number, key in enumerate(begun)
    ]


def test_groups_are_named_once_in_order_and_a_single_one_is_the_title(cut: Cut) -> None:
    text = "k,n\n b  c ,1\nb c,2\na,3\n,4\n"
    (chunk,) = cut(text, Tabular(group_by="k"), "t.csv")
    assert dict(chunk.facts)["groups"] == ("b c", "a") and chunk.section_path == ()
    (chunk,) = cut("k,n\na,3\n,4\n", Tabular(group_by="k"), "t.csv")
    assert dict(chunk.facts)["groups"] == chunk.section_path == ("a",)
    (chunk,) = cut("k,n\n,3\n,4\n", Tabular(group_by="k"), "t.csv")
    assert "groups" not in dict(chunk.facts)


@pytest.mark.parametrize(("length", "repeated"), [(4000, True), (4001, False)])
def test_a_header_of_so_many_characters_is_not_repeated(length: int, repeated: bool, cut: Cut) -> None:
    header = f"{'x' * (length - 3)},b\n"
    last = cut(header + "u,v\n" * 1000, Tabular(maximum=4100, header="yes"), "t.csv")[-1]
    assert last.embed_text.startswith(header) == repeated
    assert ("columns" in dict(last.facts)) == (length - 2 <= 4000)


def test_names_of_columns_are_facts_up_to_so_many_characters(cut: Cut) -> None:
    for length, named in ((4000, True), (4001, False)):
        (chunk,) = cut(f"{'x' * (length - 1)},b\nu,v\n", Tabular(maximum=3000, header="yes"), "t.csv")
        assert ("columns" in dict(chunk.facts)) == named


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([f"v{n}" for n in range(8)], "one of v0, v1, v2, v3, v4, v5, v6, v7"),
        ([f"v{n}" for n in range(9)], "such as v0, v1, v2"),
        (["only", "only"], "only"),
        (["x" * 40], "x" * 40),
        (["x" * 41], "x" * 39 + "…"),
        (["x " * 30], "x " * 19 + "x…"),
    ],
)
def test_few_values_are_all_named_and_long_ones_cut(cells: list[str], said: str) -> None:
    for size in (1, 3, 100):
        column = Column("c")
        for at in range(0, len(cells), size):
            column.add(cells[at : at + size])
        assert column.description() == f"c: text, {said}"


def test_columns_are_told_of_as_long_as_there_is_room() -> None:
    """The description has room for 3,000 characters; further columns are only counted."""
    column = Column("n" * 40)
    assert len(column.description()) == 50
    for count in (60, 61, 70):
        lines = summary([column] * count, 5).splitlines()
        assert lines[0] == f"Table of 5 rows and {count} columns."
        assert lines[1:] == [column.description()] * 60 + [f"{count - 60} more columns"] * (count > 60)


@pytest.mark.parametrize(
    ("lines", "above"),
    [
        (["a,b\n", "1,2\n"], 0),
        (["Title\n", "a,b\n", "1,2\n"], 1),
        (["Title\n", "\n", "# x, y\n", "a,b,c\n", "1,2,3\n"], 2),
        (["# x\n", "a,b,c\n", "1,2,3\n", "1,2,3\n"], 1),
        (["a,b\n", "1,2,3\n", "1,2,3\n"], 0),  # no title: two cells
        (["# a,b\n", "1,2\n"], 0),  # as many cells as all
        (["a\n", "b\n"], 0),
        ([], 0),
    ],
)
def test_what_stands_above_a_table(lines: list[str], above: int) -> None:
    assert preamble(lines, ",") == above


@pytest.mark.parametrize(
    ("lines", "delimiter"),
    [
        (["a|b;c\n", "d|e\n", "f|g\n"], "|"),
        (["a\tb;c\n", "d\te;f\n"], ";"),  # both cut evenly: the likelier
        (["a;b\n", "c,d\n", "e,f\n"], ","),
        (['"a;b;c",d\n', '"e;f",g\n'], ","),
        (["a;b\n", "c;d;e\n", "f;g;h\n"], ";"),
    ],
)
def test_the_delimiter_that_cuts_most_records_alike(lines: list[str], delimiter: str) -> None:
    assert sniff(lines) == delimiter


def test_a_table_of_a_page_is_large_when_it_passes_the_limit(cut: Cut) -> None:
    table = "| a | b |\n|---|---|\n" + "| c | d |\n" * 4
    tokens = COUNTER.count([table])[0]
    assert "Table of" not in cut(table, Tabular(maximum=tokens))[0].embed_text
    first, second = cut(table, Tabular(maximum=tokens - 1))
    assert first.embed_text.startswith("Table of 4 rows and 2 columns.\na: text, c\nb: text, d\n| a | b |")
    assert second.embed_text == "| a | b |\n|---|---|\n" + second.text


def test_columns_are_facts_of_a_chunk_that_lies_within_a_table(cut: Cut) -> None:
    table = "| a | |\n|---|---|\n| c | d |\n"
    assert dict(cut(table, Tabular())[0].facts) == {"columns": ("a", "column 2")}
    for around in (f"text\n\n{table}", f"{table}\ntext\n"):
        assert cut(around, Tabular())[0].facts == ()


def test_two_tables_of_a_page_are_told_of_each_by_itself() -> None:
    one = "| a | b |\n|---|---|\n" + "| c | d |\n" * 3
    two = "| e |\n|---|\n" + "| f g |\n" * 2
    document = decode("a.md", f"{one}\n{two}\nend\n".encode())
    blocks = parse_blocks(document)[0]
    (chunk,) = chunk_document(document, blocks, Tabular(sentences=True), StrategyTools(COUNTER)).chunks
    assert chunk.embed_text.split() == ("a: c; b: d. " * 3 + "e: f g. " * 2 + "end").split()


def test_rows_as_sentences_say_the_header_nowhere_and_keep_what_else_is_repeated() -> None:
    """A piece that begins within a fence and continues with a table has the fence's opener."""
    document = decode("a.md", b"| a | b |\n|---|---|\n" + b"| c | d |\n" * 9)
    options = Tabular(maximum=40, sentences=True)
    chunks = chunk_document(document, parse_blocks(document)[0], options, StrategyTools(COUNTER)).chunks
    assert len(chunks) > 1 and not any("|" in chunk.embed_text for chunk in chunks)
    assert sum(chunk.embed_text.count("a: c; b: d.") for chunk in chunks) == 9
    document = decode("a.md", b"```py\n" + b"call(it)\n" * 11 + b"```\n\n| e |\n|---|\n| f |\n")
    chunks = chunk_document(document, parse_blocks(document)[0], options, StrategyTools(COUNTER)).chunks
    assert [chunk.text.split("\n")[0] for chunk in chunks] == ["```py", "call(it)"]
    assert chunks[1].embed_text.startswith("```py\ncall(it)\n")
    assert chunks[1].embed_text.endswith("```\n\n\ne: f.\n")


def test_a_row_of_exactly_the_room_is_a_sentence_and_a_longer_one_is_cut() -> None:
    for tokens, whole in ((9, True), (10, False)):
        document = decode("t.csv", ("a,b\nx," + "w " * (tokens - 2) + "\n").encode())
        options = Tabular(maximum=12, header="yes", sentences=True)
        chunks = chunk_document(document, (), options, StrategyTools(COUNTER)).chunks
        assert any("a: x; b: w w" in chunk.embed_text for chunk in chunks) == whole


@pytest.mark.parametrize("options", [{"maximum": 1}, {"delimiter": ""}, {"delimiter": "#"}, {"header": "yes"}])
def test_options_at_their_limits(options: dict[str, object]) -> None:
    assert strategy("tabular", options)


@pytest.mark.parametrize("count", [5, 6])
def test_the_first_lines_with_a_fault_are_named(count: int) -> None:
    (notice,) = notices("a,b\n" + "1\n" * count + "1,2\n" * 9)
    lines = ", ".join(map(str, range(2, 7)))
    assert notice.message.endswith(f"lines {lines}" + (", … (6 in all)" if count == 6 else ""))
    (notice,) = notices("a,b\n" + '"1"x,2\n' * count)
    assert notice.message.endswith(f"lines {lines}" + (", … (6 in all)" if count == 6 else ""))
