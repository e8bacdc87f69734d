"""Units that only the text of a document shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from infograph.chunking.chunker import chunk_document
from infograph.chunking.document_units import placed_units
from infograph.chunking.interface import Strategy, StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.strategies.hierarchical import Hierarchical
from infograph.chunking.strategies.tabular import Tabular
from infograph.model import Chunk, is_markdown
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.text.edits import TextEdit
from infograph.text.units import PlacedUnit, misplaced

Units = tuple[tuple[Chunk, ...], tuple[PlacedUnit, ...]]
Find = Callable[..., Units]
AssertLinear = Callable[..., None]
TABLE = "| Key | Value |\n| --- | --- |\n" + "".join(f"| ключ {n} | {'a value to read ' * 12}|\n" for n in range(40))
FILLER = "Nothing but words to read here. " * 200


@pytest.fixture
def find(tools: StrategyTools) -> Find:
    """Returns a function that cuts a file and finds its units, each of which is well placed."""

    def found(text: str, own: Strategy | None = None, path: str = "a.md", edits: tuple[TextEdit, ...] = ()) -> Units:
        document = replace(decode(path, text.encode()), edits=edits)
        blocks = parse_blocks(document)[0] if is_markdown(path) else ()
        chunks = chunk_document(document, blocks, own or strategy(), tools).chunks
        units = placed_units(document, blocks, chunks)
        assert not [wrong for unit in units if (wrong := misplaced(unit.slices, len(chunks)))]
        return chunks, units

    return found


def shown(chunks: tuple[Chunk, ...], unit: PlacedUnit) -> list[str]:
    """The text of each slice, all of which are of bytes."""
    return [chunks[at].readable.encode()[start:end].decode() for at, start, end in unit.slices]


def test_a_table_is_one_unit_however_it_is_cut(find: Find) -> None:
    chunks, (first, second) = find(
        f"# Top\n\n{FILLER}\n\n## One\n\n{TABLE}\n\nAfter.\n\n- x\n\n  | a |\n  | - |\n  | b |\n"
    )
    assert (first.type, first.level, second.type) == ("table", 2, "table")
    assert len(first.slices) > 1, "it is larger than a chunk"
    assert "".join(shown(chunks, first)) == TABLE.rstrip()
    assert shown(chunks, second)[0].split() == ["|", "a", "|", "|", "-", "|", "|", "b", "|"]


def test_an_image_goes_with_its_caption_and_the_sentences_around(find: Find) -> None:
    own = "An owl sits here.\n\n![owl](o.png)\n*It sits.*\n\nIt sees you. "
    chunks, (image,) = find(f"# A\n\n{FILLER}\n\n# B\n\nFirst. {own}Last.\n")
    assert (image.type, image.level) == ("image", 1)
    assert shown(chunks, image) == [own]
    chunks, (_, image) = find("# A\n\nAn owl.\n\n| a |\n| - |\n\n![owl](o.png)\n")
    assert shown(chunks, image) == ["An owl.\n\n", "![owl](o.png)"], "what stands between is left out"


def test_a_figure_is_one_image(find: Find) -> None:
    figure = '<figure>\n<img src="owl.png" alt="An owl">\n<figcaption>It sits.</figcaption>\n</figure>'
    chunks, (image,) = find(f"# A\n\n{figure}\n")
    assert shown(chunks, image) == [figure]


def test_bytes_are_those_that_a_reader_sees(find: Find) -> None:
    text = "# A\n\n{{secret}} Ёжик.\n\n| a |\n| - |\n| {{b}}é |\n\nEnd.\n"
    edits = tuple(TextEdit(text.index(own), text.index(own) + len(own), "ß") for own in ("{{secret}}", "{{b}}"))
    chunks, (table,) = find(text, edits=edits)
    assert shown(chunks, table) == ["| a |\n| - |\n| ßé |"]


def test_what_a_reader_does_not_see_is_no_unit(find: Find) -> None:
    text = "# A\n\nSome words.\n\n| a |\n| - |\n\nEnd.\n"
    start = text.index("| a")
    assert find(text, edits=(TextEdit(start, text.index("End"), ""),))[1] == ()


def test_parents_have_levels_from_the_largest_on(find: Find) -> None:
    text = "".join(f"\n## Part {n}\n\n{'Some words that fill it up. ' * 30}\n" for n in range(8))
    chunks, units = find(f"# Top\n{text}", Hierarchical((1200, 500, 200)))
    assert {(unit.type, unit.level) for unit in units} == {("parent", 1), ("parent", 2)}
    ranges = {unit.slices[0] for unit in units}
    assert ranges == {own for chunk in chunks for own in chunk.parents if own[1] - own[0] > 1}
    for unit in units:
        ((first, end),) = unit.slices
        at = len(chunks[first].parents) - unit.level
        assert {chunk.parents[at] for chunk in chunks[first:end]} == {(first, end)}


def test_the_outline_of_a_source_file_is_its_signatures(find: Find) -> None:
    pytest.importorskip("tree_sitter_python")
    body = "".join(f"    ж{n} = {n}\n" for n in range(300))
    head = '"""Dogs. Гав."""\n\nclass Dog(Animal):\n    """A dog."""\n\n    def bark(self, loud: bool) -> str:\n'
    text = f"{head}{body.replace('    ', '        ')}\n\nasync def call(\n    name,\n):\n{body}"
    chunks, (outline,) = find(text, strategy("code"), "dog.py")
    assert (outline.type, outline.level) == ("outline", 0)
    wanted = ["class Dog(Animal):", "def bark(self, loud: bool) -> str:", "async def call(\n    name,\n):"]
    assert shown(chunks, outline) == wanted
    assert len(chunks) > 2
    assert find(text, strategy("fixed"), "dog.py")[1] == (), "it was not cut at scopes"


def test_a_file_that_is_a_table_is_one_unit(find: Find) -> None:
    chunks, units = find("a,b\n1,2\n", path="x.csv")
    assert units == (PlacedUnit("table", 0, ((0, len(chunks)),)),)
    assert find("")[1] == ()


CITIES = [("Oslo", 1), ("Rome", 2), ("Oslo", 3), ("Oslo", 4), ("", 5), ("Rome", 6)]


@pytest.mark.parametrize("maximum", [15, 750])
def test_all_rows_of_one_key_are_a_unit_with_the_header(find: Find, maximum: int) -> None:
    text = "city,year\n" + "".join(f"{city},{year}\n" for city, year in CITIES)
    chunks, (table, *rows) = find(text, Tabular(maximum, group_by="city"), "t.csv")
    assert table.type == "table" and (len(chunks) > 1) == (maximum < 750)
    assert [(unit.type, unit.level, unit.name) for unit in rows] == [("rows", 0, "Oslo"), ("rows", 0, "Rome")]
    assert "".join(shown(chunks, rows[0])) == "city,year\nOslo,1\nOslo,3\nOslo,4\n"
    assert "".join(shown(chunks, rows[1])) == "city,year\nRome,2\nRome,6\n"
    assert find(text, Tabular(maximum), "t.csv")[1] == (table,), "nobody named a column"


def test_rows_of_one_key_in_a_page_are_those_of_one_table(find: Find) -> None:
    table = "| City | Year |\n| - | - |\n" + "".join(f"| {city} | {year} |\n" for city, year in CITIES)
    other = "| a |\n| - |\n| Oslo |\n"
    text = f"# A\n\n{table}\nWords.\n\n## B\n\n{other}\n{table}"
    for maximum in (20, 750):
        chunks, units = find(text, Tabular(maximum, group_by="City"))
        rows = [unit for unit in units if unit.type == "rows"]
        assert [unit.name for unit in rows] == ["Oslo", "Rome"] * 2
        assert [unit.level for unit in rows] in ([1, 1, 1, 1], [1, 1, 2, 2]), "as the headings of their chunks"
        for unit in rows:
            lines = [f"| {city} | {year} |" for city, year in CITIES if city == unit.name]
            assert "".join(shown(chunks, unit)).splitlines() == ["| City | Year |", "| - | - |", *lines]


def test_a_row_that_is_cut_is_whole_in_its_unit(find: Find) -> None:
    long = "x," + "a word " * 90 + "\n"
    chunks, (_, rows) = find(f"k,v\n{long}x,2\n", Tabular(40, group_by="k", header="yes"), "t.csv")
    assert len(chunks) > 2 and "".join(shown(chunks, rows)) == f"k,v\n{long}x,2\n"


def test_rows_that_a_reader_does_not_see_are_left_out(find: Find) -> None:
    text = "# A\n\n| k |\n| - |\n| x |\n| {{y}} |\n"
    at = text.index("{{y}}")
    chunks, units = find(text, Tabular(group_by="k"), edits=(TextEdit(at, at + 5, "x"),))
    assert [unit.name for unit in units if unit.type == "rows"] == ["x", "{{y}}"], (
        "keys are what the table is grouped by"
    )
    assert "".join(shown(chunks, units[-1])) == "| k |\n| - |\n| x |"


def test_time_is_linear(assert_linear: AssertLinear, tools: StrategyTools) -> None:
    part = "# A\n\nA word. ![b](c.png) Another.\n\n| a |\n| - |\n| b |\n\n"

    def found(size: int) -> None:
        document = decode("a.md", (part * (size // len(part) + 1)).encode())
        blocks = parse_blocks(document)[0]
        assert placed_units(document, blocks, chunk_document(document, blocks, strategy(), tools).chunks)

    assert_linear(found, 1 << 17)
