"""Chunks made of pieces: offsets, titles, hashes and embedded texts."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from infograph.chunking.chunks import make_chunks, with_text
from infograph.chunking.interface import ChunkPiece, DocumentLayout
from infograph.chunking.tokens import WordPieceCounter
from infograph.model import Chunk
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.text.edits import TextEdit


def chunks(
    source: str, *pieces: ChunkPiece, path: str = "a.md", counter: WordPieceCounter | None = None
) -> tuple[Chunk, ...]:
    document = decode(path, source.encode())
    return make_chunks(DocumentLayout(document, parse_blocks(document)[0]), pieces, "test", counter)


def between(source: str, *places: int) -> list[ChunkPiece]:
    return [ChunkPiece(start, end) for start, end in zip((0, *places), (*places, len(source)), strict=True)]


@pytest.mark.parametrize("pieces", [[(0, 2)], [(1, 4)], [(0, 2), (3, 4)], [(0, 3), (2, 4)], [], [(0, 4), (4, 5)]])
def test_pieces_that_do_not_tile_are_refused(pieces: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match=r"a\.md: the pieces do not tile the document"):
        chunks("text", *(ChunkPiece(start, end) for start, end in pieces))


def test_lines_and_bytes_are_those_of_the_file() -> None:
    source = "---\ntitle: T\n---\nä\nb\n\nc"
    body = "ä\nb\n\nc"
    found = chunks(source, *between(body, 2, 5))
    assert [chunk.lines for chunk in found] == [(4, 4), (5, 6), (7, 7)]
    begin = len("---\ntitle: T\n---\n")
    assert [chunk.bytes for chunk in found] == [(begin, begin + 3), (begin + 3, begin + 6), (begin + 6, begin + 7)]
    assert [chunk.sha256 for chunk in found] == [hashlib.sha256(chunk.text.encode()).hexdigest() for chunk in found]
    (marked,) = chunks("\ufeffa\nb", ChunkPiece(0, 3))
    assert (marked.lines, marked.bytes) == ((1, 2), (3, 6))


def test_a_chunk_that_begins_inside_of_a_line_is_of_that_line() -> None:
    assert [chunk.lines for chunk in chunks("ab\ncd\n", *between("ab\ncd\n", 1, 4))] == [(1, 1), (1, 2), (2, 2)]


def test_the_path_are_the_headings_above_and_the_own_first() -> None:
    source = "x\n\n# A\n\n### B\n\ny\n\n## C\n\n## D\n"
    places = [source.index(mark) for mark in ("# A", "y", "## C", "## D")]
    found = chunks(source, *between(source, *places))
    assert [(chunk.title, chunk.section_path) for chunk in found] == [
        ("A", ()),  # the page's
        ("A", ("A",)),
        ("B", ("A", "B")),
        ("C", ("A", "C")),
        ("D", ("A", "D")),
    ]
    assert chunks(source, ChunkPiece(0, len(source)))[0].title == "A", "the first heading in it"


def test_headings_without_words_are_in_no_path() -> None:
    source = "# A\n\n##\n\nx\n\n### B\n\ny\n"
    found = chunks(source, *between(source, source.index("##"), source.index("### B")))
    assert [(chunk.title, chunk.section_path) for chunk in found] == [("A", ("A",)), ("A", ("A",)), ("B", ("A", "B"))]


def test_a_strategy_s_path_stands_for_the_headings() -> None:
    source = "# A\n\nx\n"
    (chunk,) = chunks(source, ChunkPiece(0, len(source), path=("f", "g")))
    assert (chunk.title, chunk.section_path, chunk.embed_text) == ("g", ("f", "g"), "A > f > g\n\n" + source)
    (chunk,) = chunks(source, ChunkPiece(0, len(source), path=()))
    assert (chunk.title, chunk.section_path, chunk.embed_text) == ("A", (), source)


@pytest.mark.parametrize(
    ("piece", "embedded"),
    [
        (ChunkPiece(0, 3, before="b\n", after="a\n"), "b\nx y\na\n"),  # on a line of its own
        (ChunkPiece(0, 4, before="b\n", after="a\n"), "b\nx y\na\n"),
        (ChunkPiece(0, 4, embed="other"), "other"),
        (ChunkPiece(0, 4, embed="", before="b"), "b"),
        (ChunkPiece(0, 4), "x y\n"),
    ],
)
def test_what_is_embedded(piece: ChunkPiece, embedded: str) -> None:
    source = "x y\n"[: piece.end]
    assert chunks(source, piece)[0].embed_text == embedded


def test_tokens_are_counted_where_the_strategy_has_not(counter: WordPieceCounter) -> None:
    source = "a b c d"
    pieces = (ChunkPiece(0, 2, tokens=9), ChunkPiece(2, 4), ChunkPiece(4, 7, tokens=0))
    assert [chunk.tokens for chunk in chunks(source, *pieces, counter=counter)] == [9, 1, 0]
    assert [chunk.counted for chunk in chunks(source, *pieces)] == [9, None, 0]


def test_facts_are_sorted_and_numbers_have_six_places() -> None:
    (chunk,) = chunks("x", ChunkPiece(0, 1, facts=(("b", 0.12345678), ("a", "y"), ("c", 3))))
    assert chunk.facts == (("a", "y"), ("b", 0.123457), ("c", 3))


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("```\na\n```\nb\nc\n", True),
        ("```\na\n```\nb\nc\nd\n", False),
        ("> ```\n> a\n> ```\n\n- ```\n  b\n  ```\n", True),
        ("```\na\n\n\n\n", False),  # never closed: the blank lines after it are no code
        ("```\n\n\n```\n", True),
    ],
)
def test_more_than_half_of_the_lines_in_fences_are_code(source: str, code: bool) -> None:
    assert chunks(source, ChunkPiece(0, len(source)))[0].is_code == code


def test_each_chunk_is_code_by_its_own_lines() -> None:
    source = "a\nb\n\n```\nc\nd\n```\n\ne\n"
    found = chunks(source, *between(source, source.index("```"), source.index("d"), source.index("e")))
    assert [chunk.is_code for chunk in found] == [False, True, True, False]
    found = chunks(source, *between(source, source.index("b"), source.index("d")))
    assert [chunk.is_code for chunk in found] == [False, False, False], "half is not more than half"


@pytest.mark.parametrize(("path", "code"), [("a.py", True), ("A.RS", True), ("a.csv", False), ("a.md", False)])
def test_a_source_file_is_code(path: str, code: bool) -> None:
    document = decode(path, b"x = 1\n")
    assert make_chunks(DocumentLayout(document, ()), [ChunkPiece(0, 6)], "test", None)[0].is_code == code


def test_what_says_nothing_goes_with_its_neighbour() -> None:
    body = "<div>\n\n# A\n\ntext\n\n</div>\n"
    edits = (TextEdit(0, 6, ""), TextEdit(19, 26, ""))
    document = replace(decode("a.md", body.encode()), edits=edits)
    layout = DocumentLayout(document, parse_blocks(document)[0])
    pieces = [ChunkPiece(0, 7), ChunkPiece(7, 19, tokens=3), ChunkPiece(19, 26)]
    assert with_text(layout, pieces) == [ChunkPiece(0, 26)]
    assert with_text(layout, pieces[:1]) == pieces[:1]
    assert with_text(layout, [piece._replace(embed="x") for piece in pieces])[0].end == 7
