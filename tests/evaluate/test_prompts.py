"""`infograph eval --prompts`: figures that can be worked out by hand, over a tree of three pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from infograph.config import load
from infograph.errors import ConfigError
from infograph.evaluate.prompts import RADII, THRESHOLDS, TOP_KS, PromptFigures, measure_prompts, report_prompts
from infograph.progress import Silent

PAGES = {
    "cache.md": "# Cache\n\nThe embedding cache is cleared by removing its folder.\n",
    "bread.md": "# Bread\n\nBake the loaf for an hour at two hundred degrees.\n",
    "river.md": "# River\n\nThe river flows from the mountain to the sea.\n",
}
ASKED = {
    "How do I clear the embedding cache?": "cache.md",
    "How do I clear the embeddings cache?": "cache.md",
    "How long do I bake a loaf of bread?": "bread.md",
    "Where does the river flow to the sea?": "river.md",
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("prompts")
    for name, text in PAGES.items():
        (root / name).write_text(text, "utf-8")
    rows = [
        {"id": str(number), "question": question, "gold": [{"file": file, "start": 10, "end": 20}]}
        for number, (question, file) in enumerate(ASKED.items())
    ]
    (root / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return root


@pytest.fixture(scope="module")
def figures(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> PromptFigures:
    settings = load(str(tree), flags={"model": "static", "cache": str(tmp_path_factory.mktemp("c"))}, environment={})
    return measure_prompts(settings, (), Silent())


def test_every_choice_has_a_row(figures: PromptFigures) -> None:
    assert [(own.threshold, own.top_k) for own in figures.answers] == [(t, k) for t in THRESHOLDS for k in TOP_KS]
    assert [own.radius for own in figures.radii] == list(RADII)
    assert (figures.questions, figures.documents, figures.chunks) == (4, 3, 3)


def test_two_questions_of_one_hash_are_a_collision(figures: PromptFigures) -> None:
    assert figures.collisions == 2


def test_a_lower_threshold_gives_more_questions_a_chunk_and_a_smaller_k_fewer_wrong_ones(
    figures: PromptFigures,
) -> None:
    by_choice = {(own.threshold, own.top_k): own for own in figures.answers}
    assert by_choice[0.2, 1].matched >= by_choice[0.4, 1].matched >= by_choice[0.6, 1].matched
    assert by_choice[0.2, 1].precision >= by_choice[0.2, 3].precision
    assert by_choice[0.2, 1].recall == 1.0


def test_more_bits_cover_more_and_nothing_that_is_turned_around(figures: PromptFigures) -> None:
    for kind in ("opening", "shorter", "longer"):
        shares = [at.coverage[kind] for at in figures.radii]
        assert shares == sorted(shares)
    assert figures.radii[RADII.index(12)].coverage["opening"] == 1.0
    assert all(at.coverage["turned"] == 0.0 for at in figures.radii if at.radius <= 12)
    assert all(at.mistaken == 0.0 for at in figures.radii if at.radius <= 12)  # the same answer is no mistake


def test_every_search_has_a_mean_and_an_interval(figures: PromptFigures) -> None:
    assert list(figures.searches) == ["search", "raised", "before all others"]
    assert figures.searches["search"] == (1.0, 0.0, 0.0)


def test_the_tables_and_the_json(tree: Path, tmp_path: Path) -> None:
    settings = load(str(tree), flags={"model": "static", "cache": str(tmp_path)}, environment={})
    text = report_prompts(settings, (), Silent())
    assert text.startswith("4 questions (questions.jsonl) over 3 documents in 3 chunks, by static")
    assert "\n| threshold | top-k | matched | precision | recall |\n" in text
    assert "\n| bits | opening (" in text and "\n| raised | 1.000 | +0.000 to +0.000 |" in text
    assert json.loads(report_prompts(settings, (), Silent(), as_json=True))["questions"] == 4


def test_a_tree_without_questions_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.\n", "utf-8")
    with pytest.raises(ConfigError, match="has no questions"):
        measure_prompts(load(str(tmp_path), flags={"model": "static"}, environment={}), (), Silent())
