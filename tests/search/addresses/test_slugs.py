"""Slugs of single characters, where the rules of generators part; whole headings are compared with the generators."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from infograph.search.addresses import slugs


@pytest.mark.parametrize(
    ("mark", "kept"),
    [
        ("\u05b0", True),  # combining class 10, the lowest of vowels
        ("\u064b", True),  # 27
        ("\u0711", True),  # 36, the highest
        ("\u0c55", False),  # 84
        ("\u094d", False),  # 9, which silences a vowel
        ("\u0301", False),  # 230, an accent
        ("\u0903", True),  # 0, a vowel that stands by itself
        ("\ufe00", False),
        ("\ufe0f", False),  # 0, which chooses between emoji and text
    ],
)
def test_marks_that_are_alphabetic(mark: str, kept: bool) -> None:
    assert slugs.mdbook(f"a{mark}b") == (f"a{mark}b" if kept else "ab")


@pytest.mark.parametrize(
    ("sign", "circled"),
    [("Ⓐ", True), ("ⓩ", True), ("⑳", False), ("⓪", False), ("🄰", True), ("🆉", True), ("🄯", False), ("🆊", False)],
)
def test_letters_in_circles_and_squares(sign: str, circled: bool) -> None:
    assert slugs._circled(sign) is circled


@pytest.mark.parametrize(
    ("rule", "text", "slug"),
    [
        (slugs.github, "A b_c-d (e)! Ⅷ ² é ①", "a-b_c-d-e-ⅷ--é-"),
        (slugs.mdbook, "A\tb_c-d (e)! Ⅷ ² é", "a-b_c-d-e-ⅷ-²-é"),
        (slugs.goldmark, "A b_c-d (e)! ² é e\u0301", "a-b_c-d-e--é-e"),
        (slugs.goldmark_ascii, "É ß e\u0301 日", "e--e-"),
        (slugs.blackfriday, " A - b_c (²) ", "a-b-c-²"),
        (slugs.pymdownx, " A <b>c</b>  d-e_f! é ", "a-c--d-e_f-é"),
        (slugs.docutils, "1. A ß-Ø é! 2-", "a-sz-o-e-2"),
        (slugs.docutils, "123", ""),
        (slugs.vitepress, "1. Déjà vu — `a_b`!", "_1-deja-vu-—-a-b"),
        (lambda text: slugs.python_markdown(text, True), " É  a-_-b ! 日 ", "e-a-_-b"),
        (lambda text: slugs.python_markdown(text, False), " É  a-_-b ! 日 ", "é-a-_-b-日"),
        (slugs._lower, "İΣ", "iσ"),
    ],
)
def test_slugs_to_the_letter(rule: Callable[[str], str], text: str, slug: str) -> None:
    assert rule(text) == slug
