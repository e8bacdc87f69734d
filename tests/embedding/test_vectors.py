"""Each distinct text is embedded only once."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

import infograph.embedding.vectors as vectors_module
from infograph.embedding.vectors import TEXTS_AT_ONCE, Texts, Vectors


def of(name: str, *texts: str, earlier: str | None = None) -> Texts:
    return Texts(digest(name), list(texts), digest(earlier) if earlier else None)


def digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def embed(vectors: Vectors, files: list[Texts]) -> dict[int, np.ndarray]:
    vectors.plan(files)
    return dict(vectors.run(files, lambda share: None))


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_equal_texts_are_embedded_once(cache: Path, words_model) -> None:
    vectors = Vectors(words_model, cache, "s")
    found = embed(vectors, [of("a", "one", "two"), of("b", "two", "three", "three")])
    assert words_model.seen == ["one", "two", "three"]
    assert (vectors.counts.embedded, vectors.counts.cached, vectors.counts.shared) == (3, 0, 2)
    assert np.array_equal(found[0][1], found[1][0])
    assert [matrix.shape for matrix in found.values()] == [(2, 32), (3, 32)]


def test_a_second_run_embeds_nothing(cache: Path, words_model) -> None:
    first = embed(Vectors(words_model, cache, "s"), [of("a", "one", "two")])
    words_model.seen.clear()
    vectors = Vectors(words_model, cache, "s")
    assert np.array_equal(embed(vectors, [of("a", "one", "two")])[0], first[0])
    assert words_model.seen == [] and vectors.counts.cached == 2


def test_an_edited_file_embeds_what_is_new_in_it(cache: Path, words_model) -> None:
    embed(Vectors(words_model, cache, "s"), [of("a", "one", "two")])
    words_model.seen.clear()
    embed(Vectors(words_model, cache, "s"), [of("a2", "one", "three", earlier="a")])
    assert words_model.seen == ["three"]


@pytest.mark.parametrize("change", ["model", "strategy"])
def test_others_do_not_share(cache: Path, words_model, change: str) -> None:
    embed(Vectors(words_model, cache, "s"), [of("a", "one")])
    words_model.seen.clear()
    if change == "model":
        words_model.revision = "2"
    embed(Vectors(words_model, cache, "other" if change == "strategy" else "s"), [of("a", "one")])
    assert words_model.seen == ["one"]


def test_looking_leaves_no_trace(cache: Path, words_model) -> None:
    embed(Vectors(words_model, cache, "s", remember=False), [of("a", "one")])
    assert not cache.exists()


def test_a_model_quicker_than_a_disk_is_not_remembered(cache: Path, words_model) -> None:
    words_model.cached = False
    embed(Vectors(words_model, cache, "s"), [of("a", "one")])
    assert not cache.exists()


def test_files_without_text_and_more_texts_than_a_slice(cache: Path, words_model) -> None:
    words_model.cached = False
    files = [of("none"), of("many", *(f"word{n}" for n in range(TEXTS_AT_ONCE + 3))), of("last", "word1", "new")]
    found = embed(Vectors(words_model, cache, "s"), files)
    assert [found[n].shape[0] for n in range(3)] == [0, TEXTS_AT_ONCE + 3, 2]
    assert len(words_model.seen) == TEXTS_AT_ONCE + 4
    assert np.array_equal(found[2][0], found[1][1])


def test_progress_rises_to_one(cache: Path, words_model) -> None:
    shares: list[float] = []
    vectors = Vectors(words_model, cache, "s")
    files = [of("a", "one", "two"), of("b", "three")]
    vectors.plan(files)
    list(vectors.run(files, shares.append))
    assert shares == sorted(shares) and shares[-1] == 1.0


def test_texts_are_embedded_and_remembered_a_slice_at_a_time(
    cache: Path, words_model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupted build loses at most one slice: a full slice is embedded before more texts are read."""
    monkeypatch.setattr(vectors_module, "TEXTS_AT_ONCE", 2)
    files = [of("a", "one"), of("b", "two"), of("c", "three"), of("d", "four", "five", "six"), of("e", "seven")]
    vectors = Vectors(words_model, cache, "s")
    vectors.plan(files)
    seen = [(position, len(words_model.seen)) for position, _ in vectors.run(files, lambda share: None)]
    assert seen == [(0, 2), (1, 2), (2, 6), (3, 6), (4, 7)]


def test_an_interrupted_run_keeps_the_slices_it_has_done(
    cache: Path, words_model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_module, "TEXTS_AT_ONCE", 1)
    files = [of("a", "one"), of("b", "two")]
    vectors = Vectors(words_model, cache, "s")
    vectors.plan(files)
    running = vectors.run(files, lambda share: None)
    next(running)
    running.close()
    again = Vectors(words_model, cache, "s")
    assert again.plan(files) == 1 and again.counts.cached == 1


def test_each_text_is_counted_once_by_where_its_vector_came_from(cache: Path, words_model) -> None:
    embed(Vectors(words_model, cache, "s"), [of("a", "one", "two")])
    vectors = Vectors(words_model, cache, "s")
    assert vectors.plan([of("a", "one", "two"), of("b", "two", "new", "new"), of("c", "new", "one")]) == 1
    assert (vectors.counts.cached, vectors.counts.embedded, vectors.counts.shared) == (4, 1, 2)


@pytest.mark.parametrize("texts", [("",), ("", "one"), ("one", ""), ()])
def test_progress_of_texts_without_characters(cache: Path, words_model, texts: tuple[str, ...]) -> None:
    shares: list[float] = []
    vectors = Vectors(words_model, cache, "s")
    files = [of("a", *texts)]
    vectors.plan(files)
    list(vectors.run(files, shares.append))
    assert shares == sorted(shares) and shares[:1] >= [0] * bool(texts) and shares[-1:] == [1.0] * bool(texts)


def test_the_entry_of_the_earlier_state_is_asked_for_what_is_not_in_the_new_one(cache: Path, words_model) -> None:
    embed(Vectors(words_model, cache, "s"), [of("old", "one", "two")])
    embed(Vectors(words_model, cache, "s"), [of("new", "three")])
    words_model.seen.clear()
    vectors = Vectors(words_model, cache, "s")
    embed(vectors, [of("new", "one", "three", earlier="old")])
    assert words_model.seen == [] and vectors.counts.cached == 2


def test_questions_are_embedded_as_questions(cache: Path, words_model, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: list[str] = []
    embed_texts = words_model.embed

    def remember(texts: list[str], *, kind: str, **more: object) -> np.ndarray:
        kinds.append(kind)
        return embed_texts(texts, kind=kind, **more)

    monkeypatch.setattr(words_model, "embed", remember)
    vectors = Vectors(words_model, cache, "s")
    assert vectors.of_questions(digest("q"), ["who", "why"]).shape == (2, 32)
    embed(vectors, [of("a", "one")])
    assert kinds == ["query", "document"]


def test_a_cache_that_cannot_be_written_costs_time_and_is_told_once(cache: Path, words_model) -> None:
    cache.write_text("a file where the folder should be")
    vectors = Vectors(words_model, cache, "s")
    found = embed(vectors, [of("a", "one"), of("b", "two")])
    assert [matrix.shape for matrix in found.values()] == [(1, 32), (1, 32)]
    assert vectors.failure is not None
