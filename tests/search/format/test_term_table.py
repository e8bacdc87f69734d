from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from infograph.errors import ModelError
from infograph.search.format.term_table import TermTable, load_table

FOLDER = Path(__file__).parents[3] / "infograph" / "search" / "model"


def unit_rows(count: int, width: int) -> np.ndarray:  # type: ignore[type-arg]
    rows = np.random.default_rng(0).normal(size=(count, width)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize(("model", "width"), [("all-MiniLM-L6-v2", 384), ("static-256", 256)])
def test_a_projection_depends_on_the_vector_alone(model: str, width: int) -> None:
    table, vectors = load_table(), unit_rows(40, width)
    together = table.project(model, vectors)
    assert together.dtype == np.int8
    assert together.min() >= -127
    assert np.array_equal(together, np.vstack([table.project(model, vectors[n : n + 1]) for n in range(40)]))


def test_other_models_have_no_projection() -> None:
    assert not load_table().projects("bge-small")
    with pytest.raises(ModelError, match="no map"):
        load_table().project("bge-small", unit_rows(1, 384))


def test_words_of_like_meaning_have_like_rows() -> None:
    rows = load_table().rows(["delet", "remov", "banana", "server"]).astype(float)
    cosine = rows @ rows.T / np.sqrt(np.outer((rows * rows).sum(1), (rows * rows).sum(1)))
    assert cosine[0, 1] > 0.5
    assert cosine[0, 1] > 2 * abs(cosine[0, 3])


def test_a_term_without_a_row_is_a_word_piece_or_nothing() -> None:
    table = load_table()
    piece = next(word for word in ("zebra", "cathedral", "volcano") if word not in table.terms)
    known, unknown, empty = table.rows([piece, "getchilditemxyz", ""])
    assert known.any()
    assert not unknown.any()
    assert not empty.any()
    assert table.rows([]).shape == (0, table.dimension)


def test_terms_are_sorted_and_distinct() -> None:
    terms = load_table().terms
    assert list(terms) == sorted(set(terms))


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "model")
    (tmp_path / "model" / "terms.txt").write_text("a\n")
    with pytest.raises(ModelError, match=r"terms\.txt is not the file that was packaged"):
        TermTable(tmp_path / "model").rows(["a"])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "model")
    (tmp_path / "model" / "rows.npy").unlink()
    with pytest.raises(ModelError, match=r"rows\.npy cannot be read"):
        TermTable(tmp_path / "model").rows(["delet"])
    (tmp_path / "model" / "model.json").unlink()
    with pytest.raises(ModelError, match=r"model\.json cannot be read"):
        TermTable(tmp_path / "model")


def test_words_that_may_be_next_to_another_have_four_to_eight_letters() -> None:
    words = load_table().words
    assert {len(word) for word in words} == {4, 5, 6, 7, 8}
    assert list(words) == sorted(words)


def test_the_row_of_a_word_piece_is_that_of_its_static_vector_by_the_map() -> None:
    table = load_table()
    terms = set(table.terms)
    pieces = [word for word in table.words if word not in terms][:2000]
    static, weights = table._static
    sums = static[[table._tokens[piece] for piece in pieces]].astype(np.float64) @ weights / 256
    expected = np.clip(np.rint(sums), -127, 127)
    assert np.array_equal(table.rows(pieces), expected)
    mixed = table.rows([pieces[0], table.terms[3], "getchilditemxyz", pieces[1], table.terms[0]])
    own = table.rows([table.terms[3], table.terms[0]])
    assert np.array_equal(mixed, np.array([expected[0], own[0], np.zeros(256), expected[1], own[1]]))


def test_a_table_is_loaded_once_and_a_map_read_once() -> None:
    assert load_table() is load_table()
    assert load_table().map("static-256") is load_table().map("static-256")
