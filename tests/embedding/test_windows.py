"""Windows tile a text, fit the model, and end where a reader would end them."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from infograph.embedding.windows import cut, cut_quality, pool, unit

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def tokens_of(text: str) -> tuple[list[tuple[int, int]], list[int | None]]:
    """Words of up to three letters a token, numbered as a tokenizer would."""
    offsets: list[tuple[int, int]] = []
    words: list[int | None] = []
    start = 0
    for number, word in enumerate(text.split()):
        start = text.index(word, start)
        for at in range(0, len(word), 3):
            offsets.append((start + at, start + min(at + 3, len(word))))
            words.append(number)
        start += len(word)
    return offsets, words


@given(st.lists(st.integers(0, 3), max_size=400), st.integers(1, 60))
def test_windows_tile_the_tokens_and_fit(quality: list[int], limit: int) -> None:
    windows = cut(quality, limit)
    assert windows[0][0] == 0
    assert windows[-1][1] == len(quality)
    assert all(end == start for (_, end), (start, _) in itertools.pairwise(windows))
    assert all(end - start <= limit for start, end in windows)
    assert all(end > start for start, end in windows) or not quality


@given(st.integers(1, 2000), st.integers(1, 300))
def test_windows_are_few_and_alike_where_any_cut_is_as_good(count: int, limit: int) -> None:
    sizes = [end - start for start, end in cut([1] * count, limit)]
    assert len(sizes) == -(-count // limit)
    assert max(sizes) - min(sizes) <= 1


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=120), st.integers(8, 40))
def test_no_word_is_cut_in_two(words: list[str], limit: int) -> None:
    text = " ".join(words)
    offsets, numbers = tokens_of(text)
    for start, _ in cut(cut_quality(text, offsets, numbers), limit)[1:]:
        assert numbers[start] != numbers[start - 1]


def test_whole_lines_stay_together_where_they_can() -> None:
    text = "\n".join(" ".join(WORDS[:6]) for _ in range(20))
    offsets, numbers = tokens_of(text)
    for start, _ in cut(cut_quality(text, offsets, numbers), 60)[1:]:
        assert text[offsets[start][0] - 1] == "\n"


def test_a_word_longer_than_a_window_is_cut_all_the_same() -> None:
    text = "x" * 3000
    offsets, numbers = tokens_of(text)
    assert [end - start for start, end in cut(cut_quality(text, offsets, numbers), 256)] == [250] * 4


def test_pooling_weighs_windows_by_their_tokens() -> None:
    across, up = np.eye(2, dtype=np.float32)
    pooled = pool(np.stack([across, up]), [300, 400])
    assert np.allclose(pooled, [0.6, 0.8])
    assert pool(across[None], [5]).tobytes() == across.tobytes()


def test_a_vector_of_zeros_stays_finite() -> None:
    assert not unit(np.zeros((1, 4))).any()
