from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from infograph.errors import ModelError
from infograph.search.format.forms import UNCHANGED, word_forms
from infograph.search.format.search_space import SearchSpace, load_space
from infograph.text.language import stemmer

FOLDER = Path(__file__).parents[3] / "infograph" / "search" / "model"


def unit_rows(count: int, width: int) -> np.ndarray:  # type: ignore[type-arg]
    rows = np.random.default_rng(0).normal(size=(count, width)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize(("model", "width"), [("all-MiniLM-L6-v2", 384), ("static-256", 256)])
def test_a_projection_depends_on_the_vector_alone(model: str, width: int) -> None:
    space, vectors = load_space(), unit_rows(40, width)
    together = space.project(model, vectors)
    assert together.dtype == np.int8
    assert together.min() >= -127
    assert np.array_equal(together, np.vstack([space.project(model, vectors[n : n + 1]) for n in range(40)]))


def test_vectors_of_other_models_keep_their_numbers() -> None:
    space, vectors = load_space(), unit_rows(40, 384)
    assert not space.projects("bge-small")
    with pytest.raises(ModelError, match="no map"):
        space.map("bge-small")
    kept = space.project("bge-small", vectors)
    lengths = np.linalg.norm(kept * space.unit("bge-small", 384), axis=1)
    assert kept.shape == vectors.shape and np.abs(lengths - 1).max() < 0.01
    own = kept / np.linalg.norm(kept.astype(np.float64), axis=1, keepdims=True)
    assert np.abs(own @ own.T - vectors @ vectors.T).max() < 0.01


def test_terms_are_sorted_and_distinct() -> None:
    terms = load_space().terms
    assert list(terms) == sorted(set(terms))


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "model")
    (tmp_path / "model" / "terms.txt").write_text("a\n")
    with pytest.raises(ModelError, match=r"terms\.txt is not the file that was packaged"):
        _ = SearchSpace(tmp_path / "model").terms


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "model")
    (tmp_path / "model" / "project-static-256.npy").unlink()
    with pytest.raises(ModelError, match=r"project-static-256\.npy cannot be read"):
        SearchSpace(tmp_path / "model").map("static-256")
    (tmp_path / "model" / "model.json").unlink()
    with pytest.raises(ModelError, match=r"model\.json cannot be read"):
        SearchSpace(tmp_path / "model")


def test_words_have_four_letters_or_more_and_stems_no_digit() -> None:
    space = load_space()
    assert min(map(len, space.words)) == 4 and {"spring", "professor"} <= set(space.words)
    assert list(space.words) == sorted(space.words)
    assert all(map(str.isalpha, (*space.words, *space.terms))) and {"con", "synchron"} <= set(space.terms)


def test_forms_are_those_of_the_words() -> None:
    space = load_space()
    found = word_forms(space.words, stemmer(space.language))
    assert list(space.forms.items()) == sorted(found.items())
    assert space.forms["spring"] == " s" and space.forms["aachen"] == UNCHANGED


def test_a_table_is_loaded_once_and_a_map_read_once() -> None:
    assert load_space() is load_space()
    assert load_space().map("static-256") is load_space().map("static-256")
