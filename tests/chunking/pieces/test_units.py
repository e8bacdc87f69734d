"""The units of blocks: how blocks are split, and the text that the parts of a block repeat."""

from __future__ import annotations

import pytest

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.greedy_packing import counted_blocks
from infograph.chunking.pieces.units import Unit, _halves, join_glued, units
from infograph.chunking.tokens import WordPieceCounter
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode


@pytest.mark.parametrize("text", ["ab", "a" * 9, "a" + "\u0301" * 9, "ab\u0301", "\r\n", "\u200d" * 5])
def test_halves_are_two_and_none_is_empty(text: str) -> None:
    middle, end = _halves(text)
    assert 0 < middle < end == len(text)


def cut(text: str, limit: int, counter: WordPieceCounter) -> list[tuple[str, int]]:
    document = decode("a.md", text.encode())
    page = DocumentLayout(document, parse_blocks(document)[0])
    found = units(page, counted_blocks(page, counter), limit, counter)
    assert [unit.start for unit in found] == [0, *(unit.end for unit in found[:-1])] and found[-1].end == len(text)
    return [(text[unit.start : unit.end], unit.tokens) for unit in found]


def test_a_block_or_a_line_of_exactly_the_limit_is_whole(counter: WordPieceCounter) -> None:
    line = "one. two three. four five\n"  # 7 tokens
    assert cut(line, 7, counter) == [(line, 7)]
    assert len(cut(line, 6, counter)) > 1
    assert cut(line * 3, 7, counter) == [(line, 7)] * 3
    assert cut(line * 3, 21, counter) == [(line * 3, 21)]
    assert len(cut(line * 3, 20, counter)) == 3
    assert len(cut(line * 3, 6, counter)) > 3


def test_a_long_line_is_cut_at_sentences_then_at_words_and_parts_fill_a_quarter(counter: WordPieceCounter) -> None:
    short = "Go on. " * 6  # 3 tokens each
    assert cut(short, 12, counter) == [("Go on. ", 3)] * 6
    assert cut(short, 17, counter) == [("Go on. ", 3)] * 6
    assert cut("Go on. " * 12, 24, counter) == [("Go on. Go on. ", 6)] * 6
    long = "one two three four five six seven eight nine ten eleven."  # 12 tokens
    assert cut(f"{long} Go on.", 12, counter) == [(f"{long} ", 12), ("Go on.", 3)]
    assert cut(f"{long} Go on.", 11, counter)[:2] == [("one two ", 2), ("three four ", 2)]


def test_a_word_longer_than_the_limit_is_halved_until_it_fits(counter: WordPieceCounter) -> None:
    found = cut("?!" * 16, 4, counter)
    assert found == [("?", 1), ("!", 1)] * 16
    found = cut("?!" * 16, 8, counter)
    assert found == [("?!", 2)] * 16


def of(text: str, limit: int, counter: WordPieceCounter) -> list[Unit]:
    document = decode("a.md", text.encode())
    page = DocumentLayout(document, parse_blocks(document)[0])
    return units(page, counted_blocks(page, counter), limit, counter)


def test_the_lines_of_a_cut_fence_repeat_its_opener_and_its_closer(counter: WordPieceCounter) -> None:
    found = of("~~~~py x\n" + "call(it)\n" * 4 + "~~~~\n", 12, counter)
    assert [(unit.before, unit.after) for unit in found] == [
        ("", "~~~~\n"),
        *[("~~~~py x\n", "~~~~\n")] * 2,
        ("~~~~py x\n", ""),
    ]
    assert [unit.continues for unit in found] == [False, True, True, True]


def test_the_rows_of_a_cut_table_repeat_its_header(counter: WordPieceCounter) -> None:
    header = "| a | b |\n|---|---|\n"
    found = of(header + "| c | d |\n" * 4 + "\nafter\n", 20, counter)
    assert [(unit.before, unit.continues) for unit in found] == [
        ("", False),
        *[(header, True)] * 3,
        ("", False),
    ]


@pytest.mark.parametrize(("length", "repeated"), [(4000, True), (4001, False)])
def test_a_header_or_an_opener_that_is_too_long_is_not_repeated(
    length: int, repeated: bool, counter: WordPieceCounter
) -> None:
    rest = "|\n|---|\n"
    header = "| x" + " " * (length - len(rest) - 3) + rest
    row = of(header + "| c |\n" * 40, 60, counter)[-1]
    assert row.before == (header if repeated else "")
    opener = "```y" + " " * (length - 6) + "z\n"
    line = of(opener + "call(it)\n" * 40 + "```\n", 60, counter)[-1]
    assert line.before == (opener if repeated else "```\n")


def test_blank_lines_stay_with_the_line_before_them(counter: WordPieceCounter) -> None:
    found = cut("```\none two three four\n\n\nfive six seven eight\n\n```\n", 12, counter)
    assert [text for text, _ in found] == ["```\none two three four\n\n\n", "five six seven eight\n\n```\n"]


def test_what_is_glued_goes_with_what_follows_until_the_limit_is_passed() -> None:
    def parts(tokens: int) -> list[Unit]:
        return [Unit(at, at + 1, tokens, glued=True, before="b", after=str(at)) for at in range(4)] + [Unit(4, 5, 9)]

    assert [(unit.start, unit.end, unit.tokens) for unit in join_glued(parts(1), 3)] == [(0, 4, 4), (4, 5, 9)]
    assert [(unit.start, unit.end, unit.tokens) for unit in join_glued(parts(1), 4)] == [(0, 5, 13)]
    (unit,) = join_glued(parts(1), 4)
    assert (unit.before, unit.after, unit.glued, unit.whole_lines) == ("b", "", False, True)
    (unit,) = join_glued([Unit(0, 1, 1, glued=True), Unit(1, 2, 1, whole_lines=False)], 4)
    assert not unit.whole_lines


@pytest.mark.parametrize(
    ("below", "first"),
    [
        ("- one two three\n- four five six\n", "- one two three\n"),
        ("```\none two\n```\n", "```\none two\n```\n"),
        ("| a |\n|---|\n| b |\n", "| a |\n|---|\n| b |\n"),
    ],
)
def test_a_lead_in_stays_with_what_it_leads_to(below: str, first: str, counter: WordPieceCounter) -> None:
    text = f"One paragraph.\n\nDo this:\n\n{below}"
    assert cut(text, 20, counter)[1][0] == f"Do this:\n\n{first}"


def test_a_lead_in_stays_alone_where_both_do_not_fit(counter: WordPieceCounter) -> None:
    text = "Do this with all of these things here:\n\n- one two three four\n"
    assert len(cut(text, 13, counter)) == 2
    assert len(cut(text, 30, counter)) == 1
    assert len(cut("Do this:\n\nAnd text.\n", 30, counter)) == 2
