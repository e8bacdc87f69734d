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


def test_time_is_linear(assert_linear: AssertLinear, tools: StrategyTools) -> None:
    part = "# A\n\nA word. ![b](c.png) Another.\n\n| a |\n| - |\n| b |\n\n"

    def found(size: int) -> None:
        document = decode("a.md", (part * (size // len(part) + 1)).encode())
        blocks = parse_blocks(document)[0]
        assert placed_units(document, blocks, chunk_document(document, blocks, strategy(), tools).chunks)

    assert_linear(found, 1 << 17)
