"""The rules of the default strategy, one by one. `words(n)` is n tokens."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from infograph.chunking.registry import strategy
from infograph.errors import ConfigError
from infograph.model import Chunk

Cut = Callable[..., tuple[Chunk, ...]]


def words(count: int) -> str:
    return "word " * (count - 1) + "word"


def section(level: int, name: str, tokens: int) -> str:
    """A section of a heading and one paragraph with the given number of tokens."""
    return f"{'#' * level} {name}\n\n{words(tokens)}\n\n"


def outline(chunks: tuple[Chunk, ...]) -> list[list[str]]:
    """The headings of each chunk."""
    return [[line.lstrip("# ") for line in chunk.text.splitlines() if line.startswith("#")] for chunk in chunks]


def test_below_250_a_heading_of_the_same_level_joins_and_from_250_it_seals(cut: Cut) -> None:
    body = section(2, "a", 120) + section(2, "b", 130) + section(2, "c", 250) + section(2, "d", 260)
    assert outline(cut(body)) == [["a", "b"], ["c"], ["d"]]


def test_no_deeper_than_the_deepest_seen_seals_at_250(cut: Cut) -> None:
    body = section(2, "a", 100) + section(4, "b", 160) + section(3, "c", 300)
    assert outline(cut(body)) == [["a", "b"], ["c"]]


def test_a_deeper_heading_seals_at_500_only(cut: Cut) -> None:
    assert outline(cut(section(2, "a", 300) + section(3, "b", 300))) == [["a", "b"]]
    assert outline(cut(section(2, "a", 510) + section(3, "b", 10) + section(2, "c", 300))) == [["a"], ["b", "c"]]


def test_nothing_passes_750_and_a_section_that_fits_stays_in_one_piece(cut: Cut) -> None:
    chunks = cut(section(2, "a", 200) + section(2, "b", 600) + section(2, "c", 300))
    assert outline(chunks) == [["a"], ["b"], ["c"]]
    assert max(chunk.tokens for chunk in chunks) <= 750


def test_a_section_longer_than_750_is_cut_between_its_blocks(cut: Cut) -> None:
    body = "## a\n\n" + "".join(f"{words(300)} {number}\n\n" for number in range(5))
    chunks = cut(body)
    assert [chunk.tokens for chunk in chunks] == [605, 602, 301]
    assert not any(chunk.continues for chunk in chunks)
    assert [chunk.section_path for chunk in chunks] == [("a",)] * 3


def test_a_chunk_from_the_h1_takes_only_one_h2_section(cut: Cut) -> None:
    body = "# t\n\nintro\n\n" + section(2, "overview", 30) + section(3, "more", 30) + section(2, "quick reference", 300)
    assert outline(cut(body)) == [["t", "overview", "more"], ["quick reference"]]


def test_a_title_in_the_front_matter_stands_for_the_h1(cut: Cut) -> None:
    body = "intro\n\n" + section(2, "a", 30) + section(2, "b", 300)
    chunks = cut("---\ntitle: The page\n---\n" + body)
    assert outline(chunks) == [["a"], ["b"]]
    assert (chunks[0].title, chunks[1].title) == ("The page", "b")
    assert outline(cut(body)) == [["a", "b"]]


def test_a_short_last_chunk_joins_the_one_before_where_both_fit(cut: Cut) -> None:
    assert outline(cut(section(2, "a", 400) + section(2, "b", 249 - 6))) == [["a", "b"]]
    assert outline(cut(section(2, "a", 400) + section(2, "b", 250))) == [["a"], ["b"]]
    assert outline(cut(section(2, "a", 700) + section(2, "b", 100))) == [["a"], ["b"]]


def test_a_heading_goes_with_what_follows_it(cut: Cut) -> None:
    """Even when the block below just fits alone, the heading goes with it; the two exceed the limit by the heading."""
    chunks = cut(section(2, "a", 240) + "## b\n\n### c\n\n```\n" + f"{words(10)}\n" * 74 + "```\n")
    assert outline(chunks) == [["a"], ["b", "c"]]
    assert not chunks[1].continues


def test_a_list_may_come_apart_between_items_only(cut: Cut) -> None:
    chunks = cut("## a\n\n" + "".join(f"- {words(100)}\n" for _ in range(12)))
    assert [chunk.tokens for chunk in chunks] == [710, 505]
    assert [chunk.continues for chunk in chunks] == [False, True]


def test_a_document_without_headings(cut: Cut) -> None:
    chunks = cut("".join(f"{words(300)}\n\n" for _ in range(4)))
    assert [(chunk.title, chunk.section_path, chunk.tokens) for chunk in chunks] == [
        ("page", (), 600),
        ("page", (), 600),
    ]
    assert [chunk.embed_text for chunk in chunks] == [chunk.text for chunk in chunks], "a file's name says too little"


def test_titles_and_paths(cut: Cut) -> None:
    long = f"### B\n\n{words(400)}\n\n{words(400)}\n\n"
    chunks = cut("# T\n\n" + section(2, "A *x*", 600) + long + section(2, "C", 100) + section(2, "D", 300))
    assert [(chunk.title, chunk.section_path) for chunk in chunks] == [
        ("T", ("T",)),
        ("B", ("T", "A x", "B")),
        ("B", ("T", "A x", "B")),  # the second half of B has no heading of its own
        ("C", ("T", "C")),
    ]
    for chunk in chunks:
        assert chunk.embed_text == " > ".join(chunk.section_path) + "\n\n" + chunk.text


def test_the_title_leads_the_breadcrumb_where_the_path_does_not_hold_it(cut: Cut) -> None:
    (chunk,) = cut("---\ntitle: Page\n---\n## A\n\ntext\n")
    assert (chunk.title, chunk.section_path) == ("Page", ("A",))
    assert chunk.embed_text == "Page > A\n\n## A\n\ntext\n"
    (chunk,) = cut("## A\n\ntext\n")
    assert chunk.embed_text == "page > A\n\n## A\n\ntext\n"
    (chunk,) = cut("---\ntitle: Page\n---\ntext\n")
    assert chunk.embed_text == "Page\n\ntext\n"
    chunks = cut(f"{words(600)}\n\n# Figure 1\n\n{words(600)}\n")
    assert [chunk.embed_text.partition("\n")[0][:8] for chunk in chunks] == ["word wor", "Figure 1"], "not its title"
    (chunk,) = cut("---\ntitle: Page\n---\n# H1\n\ntext\n")
    assert (chunk.title, chunk.embed_text) == ("H1", "H1\n\n# H1\n\ntext\n")


def test_is_code_counts_lines_inside_fences_with_the_fence_lines(cut: Cut) -> None:
    assert cut("```\na\n```\nb\nc\n")[0].is_code  # 3 of 5
    assert not cut("```\na\n```\nb\nc\nd\n")[0].is_code  # 3 of 6
    assert not cut("```\na\n```\n\n\n\n")[0].is_code  # blank lines after a fence are lines outside of it
    assert cut("- x\n\n  ```\n  a\n  ```\n")[0].is_code
    assert not cut("    indented\n    code\n")[0].is_code


@pytest.mark.parametrize("options", [{"minimum": 10, "deeper": 20, "maximum": 30}, {"maximum": 500, "deeper": 400}])
def test_limits_are_options_and_stand_in_the_key(options: dict[str, int], cut: Cut) -> None:
    made = strategy("semantic-250-750", options)
    assert made.key in ("semantic-10-30", "semantic-250-400-500")
    assert len(cut("".join(f"{words(25)}\n\n" for _ in range(40)), made)) >= 1000 // options["maximum"]


def test_a_chunk_that_begins_within_the_section_of_the_h1_is_no_overview(cut: Cut) -> None:
    """Such a chunk may take more than one H2 section."""
    body = f"# t\n\n{words(700)}\n\n{words(100)}\n\n" + section(2, "a", 50) + section(2, "b", 50)
    assert outline(cut(body)) == [["t"], ["a", "b"]]


def test_a_chunk_that_begins_within_a_section_has_seen_its_level(cut: Cut) -> None:
    """A heading no deeper ends the chunk at the minimum, a deeper one does not."""
    long = f"### a\n\n{words(700)}\n\n{words(300)}\n\n"
    assert outline(cut(long + section(3, "b", 300))) == [["a"], [], ["b"]]
    assert outline(cut(long + section(4, "b", 300))) == [["a"], ["b"]]
    assert outline(cut(f"## z\n\n{long}" + section(3, "b", 300))) == [["z", "a"], [], ["b"]]


@pytest.mark.parametrize(("tokens", "ends"), [(249, False), (250, True)])
def test_the_minimum_is_enough_for_a_heading_of_the_same_level(cut: Cut, tokens: int, ends: bool) -> None:
    body = f"## a\n\n{words(tokens - 3)}\n\n" + section(2, "b", 300)
    assert (outline(cut(body)) == [["a"], ["b"]]) == ends


@pytest.mark.parametrize(("tokens", "ends"), [(499, False), (500, True)])
def test_the_middle_limit_is_enough_for_a_deeper_heading(cut: Cut, tokens: int, ends: bool) -> None:
    body = f"## a\n\n{words(tokens - 3)}\n\n" + section(3, "b", 20) + section(2, "c", 300)
    assert (outline(cut(body)) == [["a"], ["b", "c"]]) == ends


@pytest.mark.parametrize(("tokens", "together"), [(750, True), (751, False)])
def test_exactly_the_maximum_is_one_chunk(cut: Cut, tokens: int, together: bool) -> None:
    two = f"## a\n\n{words(97)}\n\n## b\n\n{words(tokens - 103)}\n\n"
    assert (outline(cut(two)) == [["a", "b"]]) == together
    one = f"## a\n\n{words(97)}\n\n{words(tokens - 100)}\n\n"
    assert (len(cut(one)) == 1) == together
    last = section(2, "a", tokens - 252) + section(2, "b", 246)
    assert (outline(cut(last)) == [["a", "b"]]) == together, "a short last chunk joins the one before"


def test_a_short_chunk_is_filled_up_from_a_section_that_has_to_be_cut_in_any_case(cut: Cut) -> None:
    long = "## b\n\n" + f"{words(400)}\n\n" * 2
    assert [chunk.tokens for chunk in cut(section(2, "a", 247) + long)] == [250, 403, 400]
    assert [chunk.tokens for chunk in cut(section(2, "a", 246) + long)] == [249 + 403, 400]


def test_headings_in_a_row_begin_a_chunk_together(cut: Cut) -> None:
    body = section(2, "a", 300) + "## b\n\n### c\n\n" + section(4, "d", 300)
    assert outline(cut(body)) == [["a"], ["b", "c", "d"]]


def test_an_h2_before_the_h1_makes_no_overview(cut: Cut) -> None:
    body = section(2, "z", 20) + section(1, "t", 20) + section(2, "a", 20) + section(2, "b", 20)
    assert outline(cut(body)) == [["z", "t", "a", "b"]]


def test_the_overview_ends_at_the_second_h2_also_below_another_heading(cut: Cut) -> None:
    body = "# t\n\nintro\n\n" + section(2, "a", 20) + "## b\n\n### c\n\ntext\n\n" + section(2, "d", 300)
    assert outline(cut(body)) == [["t", "a"], ["b", "c", "d"]]


def test_a_section_of_several_blocks_that_fits_stays_in_one_piece(cut: Cut) -> None:
    """The section's first block would fit into the previous chunk, which is below the minimum."""
    chunks = cut(section(2, "a", 200) + f"## b\n\n{words(300)}\n\n{words(300)}\n\n" + section(2, "c", 300))
    assert [chunk.tokens for chunk in chunks] == [203, 603, 303]


def test_any_heading_is_deeper_than_text_without_one(cut: Cut) -> None:
    body = section(1, "t", 100) + section(1, "u", 300)
    assert outline(cut(f"{words(300)}\n\n{body}")) == [["t"], ["u"]]
    assert outline(cut(f"{words(500)}\n\n{body}")) == [[], ["t", "u"]]


def in_words(**options: object) -> object:
    return strategy("semantic-250-750", {"tokens": "words", **options})


@pytest.mark.parametrize("count", [3, 192, 193, 577])
def test_in_words_a_chunk_ends_at_a_heading_from_the_rounded_minimum(cut: Cut, count: int) -> None:
    body = f"## First\n\n{words(count - 2)}\n\n## Next\n\n{words(300)}\n"
    chunks = cut(body, in_words())
    assert any(chunk.text.startswith("## Next") for chunk in chunks) == (int(count * 1.3) >= 250)


@pytest.mark.parametrize("count", [1, 576, 577, 578, 579])
def test_in_words_a_chunk_has_at_most_the_rounded_maximum(cut: Cut, count: int) -> None:
    assert len(cut(words(count), in_words())) == (1 if int(count * 1.3) <= 750 else 2)


def test_in_words_code_is_cut_later(cut: Cut) -> None:
    code = "".join(f"## Part {n}\n\n```cs\nvar x{n} = Map[{n}].Get<string>(a, b); // {{}}\n```\n\n" for n in range(60))
    pieces, of_words = cut(code), cut(code, in_words())
    assert len(of_words) < len(pieces)
    assert all(chunk.tokens is not None for chunk in of_words), "chunk files state WordPiece tokens in any case"


def test_in_words_data_without_spaces_is_cut_too(cut: Cut) -> None:
    assert len(cut("x" * 200_000, in_words())) > 3


def test_the_unit_is_in_the_key() -> None:
    assert strategy("semantic-250-750", {"tokens": "words"}).key == "semantic-250-750-words"
    assert strategy("semantic-250-750", {"tokens": "wordpiece"}).key == strategy().key
    with pytest.raises(ConfigError, match="Valid: `wordpiece`, `words`"):
        strategy("semantic-250-750", {"tokens": "letters"})
