"""LSS and the best weight of a question, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.fit.targets import best_alpha, lss, words_of

unit = st.floats(0, 1)


def subsequence(one: list[str], other: list[str]) -> int:
    """The length of the longest common subsequence, by the textbook."""
    rows = np.zeros((len(one) + 1, len(other) + 1), int)
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            rows[i, j] = rows[i - 1, j - 1] + 1 if a == b else max(rows[i - 1, j], rows[i, j - 1])
    return int(rows[-1, -1])


@given(st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), min_size=1, max_size=12))
def test_lss_is_the_share_of_the_answer_that_stands_in_order(chunk: list[str], answer: list[str]) -> None:
    assert lss(chunk, answer) == subsequence(chunk, answer) / len(answer)


def test_lss_of_words() -> None:
    chunk = words_of("Clear the CACHE: delete the folder `.cache`, then build.")
    assert lss(chunk, words_of("delete the folder, then build")) == 1
    assert lss(chunk, words_of("build, then delete")) == pytest.approx(1 / 3)
    assert lss(chunk, []) == lss([], chunk) == 0


@given(st.lists(st.tuples(unit, unit, unit), min_size=1, max_size=20))
def test_the_closed_form_is_what_a_fine_grid_finds(rows: list[tuple[float, float, float]]) -> None:
    similar, cosines, words = (np.array(column) for column in zip(*rows, strict=True))
    found = best_alpha(similar.tolist(), cosines.tolist(), words.tolist())
    if found is None:
        assert float(((cosines - words) ** 2).sum()) < 1e-9
        return
    grid = np.linspace(0, 1, 10_001)[:, None]
    errors = ((similar - (grid * cosines + (1 - grid) * words)) ** 2).sum(axis=1)
    own = float(((similar - (found * cosines + (1 - found) * words)) ** 2).sum())
    assert own <= errors.min() + 1e-12
    if float(((cosines - words) ** 2).sum()) > 1e-6:
        assert abs(found - float(grid[errors.argmin(), 0])) <= 1e-4


def test_a_question_whose_scores_agree_teaches_nothing() -> None:
    assert best_alpha([1.0, 0.0], [0.5, 0.25], [0.5, 0.25]) is None
    assert best_alpha([], [], []) is None
    assert best_alpha([1.0, 0.0], [1.0, 0.0], [0.0, 1.0]) == 1.0
    assert best_alpha([0.0, 1.0], [1.0, 0.0], [0.0, 1.0]) == 0.0
