from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.text.inline import heading_text, shorten


@pytest.mark.parametrize(
    "source, text",
    [
        ("Plain  text", "Plain text"),
        ("*One* **two** ***three*** ~~four~~", "One two three four"),
        ("_One_ __two__ snake_case_name", "One two snake_case_name"),
        ("Use `git log` now", "Use git log now"),
        ("`List<T>` and `a_b_c`", "List<T> and a_b_c"),
        ("`` a`b ``", "a`b"),
        ("``a` b", "``a` b"),
        ("`a``b` c", "a``b c"),
        (r"\``a` b", "`a b"),
        ("`a\nb` c", "a b c"),
        ("[Link](https://x.org/a_(b)) to [ref][1]", "Link to ref"),
        ("![logo](a.png) [![badge](b.svg)](c) X", "logo badge X"),
        ("<Intro /> Hello <b>you</b>", "Hello you"),
        ("<https://example.org>", "https://example.org"),
        ("Setup {#setup}", "Setup"),
        ("Setup { #setup .class }", "Setup"),
        ("Setup {/*setup*/}", "Setup"),
        ("Braces {a} stay", "Braces {a} stay"),
        ("Use {name}", "Use {name}"),
        (r"A \* B \# C", "A * B # C"),
        ("AT&amp;T &lt;x&gt;", "AT&T <x>"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("C# & F#", "C# & F#"),
        ("1 < 2 > 0", "1 < 2 > 0"),
        ("", ""),
    ],
)
def test_markup_goes_and_text_stays(source: str, text: str) -> None:
    assert heading_text(source) == text


@given(st.text(alphabet="ab `*_[](){}<>\\!#&;~/\n\t\u2028", max_size=60))
def test_one_line_without_outer_space(source: str) -> None:
    text = heading_text(source)
    assert text == " ".join(text.split())


def test_a_very_long_heading_is_cut_off_and_costs_little() -> None:
    text = heading_text("*a _b " * 20_000)
    assert len(text) <= 300 and text.endswith("…")


def test_backticks_that_nothing_closes_stay_and_cost_little() -> None:
    """A hundred such headings would take an hour in cubic time."""
    for length in range(1_800, 1_900):
        assert heading_text("`" * length) == "`" * 299 + "…"
        assert heading_text("a " + "`" * length).startswith("a ``")
    runs = "".join("`" * length + "a" for length in range(1, 20))
    assert heading_text(runs) == runs


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("a  b\nc", "a b c"),
        ("exactly this", "exactly this"),
        ("word " * 60, "word word…"),
        ("word, word. " * 60, "word, word…"),
        ("x" * 30, "x" * 11 + "…"),
    ],
)
def test_shorten(text: str, short: str) -> None:
    assert shorten(text, 12) == short
