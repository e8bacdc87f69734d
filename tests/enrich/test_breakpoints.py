"""What a model is asked to cut, and which answers are taken."""

from __future__ import annotations

import pytest

from infograph.enrich.breakpoints import breakpoint_prompt, judged, shown, united, wanted_chunks, windows


@pytest.mark.parametrize(
    ("words", "chunks"), [(0, (2, 3)), (1400, (2, 4)), (5200, (2, 8)), (5900, (3, 9)), (20_000, (17, 23))]
)
def test_a_chunk_a_thousand_words_and_three_either_way(words: int, chunks: tuple[int, int]) -> None:
    assert wanted_chunks(words) == chunks


def test_the_prompt_numbers_the_parts_between_two_lines_of_a_code() -> None:
    prompt = breakpoint_prompt(
        "A  page", ["One. ", "Two key=1.\n", "Three.\n"], lambda text: text.replace("key=1", "[x]")
    )
    assert "Title: A page\n\n[0] One.\n[1] Two [x].\n[2] Three.\n" in prompt.text
    assert "3 numbered parts and 4 words" in prompt.text
    assert "2 to 3 passages" in prompt.text
    assert prompt.schema["properties"]["breakpoints"]["items"] == {"type": "integer", "minimum": 1, "maximum": 2}


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ('{"breakpoints": [2, 5]}', (2, 5)),
        ('Sure: {"breakpoints": [2, 2, 5],}', (2, 5)),
        ("2, 5", (2, 5)),
        ('{"breakpoints": "2, 5"}', (2, 5)),
        ("[2, 5]", (2, 5)),
    ],
)
def test_answers_that_are_taken(answer: str, numbers: tuple[int, ...]) -> None:
    assert judged(answer, 9, 2, 4) == (numbers, ())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("I cannot", "no JSON object"),
        ('{"cuts": [2]}', "missing, or no list"),
        ('{"breakpoints": [0, 2]}', "has 0, and the parts go from 1 to 8"),
        ('{"breakpoints": [2, 9]}', "has 9"),
        ('{"breakpoints": [true]}', "has True"),
        ('{"breakpoints": [5, 2]}', "not ascending"),
        ('{"breakpoints": []}', "0 breakpoints make 1 passages, not 2 to 4"),
        ('{"breakpoints": [1, 2, 3, 4]}', "4 breakpoints make 5 passages"),
    ],
)
def test_answers_that_are_sent_back(answer: str, said: str) -> None:
    found, violations = judged(answer, 9, 2, 4)
    assert found is None
    assert said in violations[0]


def test_a_long_document_is_read_in_windows_that_overlap() -> None:
    assert windows([10] * 20, 1000) == [(0, 20)]
    found = windows([10] * 40, 150)
    assert found == [(0, 15), (10, 25), (20, 35), (30, 40)]
    assert windows([999] * 9, 10)[-1][1] == 9  # parts that are too long by themselves are read all the same
    assert united([[3, 13], [14, 22]]) == (3, 13, 22)
    assert united([[3, 4, 9]]) == (3, 4, 9)


def test_a_record_shows_how_a_place_goes_on() -> None:
    assert shown("## Filters\n\nClean  them. " + "x" * 99).startswith("## Filters Clean them. x")
    assert len(shown("word " * 99)) <= 60
