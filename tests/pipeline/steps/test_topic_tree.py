"""Which topics are made again when another one changes: no more than it moved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from infograph.build import build
from infograph.config import load
from infograph.formats.keyword_table import render_words
from infograph.model import KeywordRow
from infograph.pipeline.memory.topics import TopicGraph, TopicRecord
from infograph.pipeline.steps import topic_tree
from infograph.pipeline.steps.topic_tree import keeps_table

ROW = KeywordRow("kettle", "word", 3, 1.0, 2.0, 6.0)
RECORD = TopicRecord("Kettles", "", {"a/kettle.md": ""}, ["Kettle"], 1, None, [("kettle", 6.0)])


def written(out: Path, *rows: KeywordRow) -> Path:
    (out / "a" / "_keywords").mkdir(parents=True)
    (out / "a" / "_keywords" / "words.md").write_bytes(render_words("Kettles", rows))
    return out


def test_a_table_without_the_terms_stays(tmp_path: Path) -> None:
    out = written(tmp_path, ROW)
    assert keeps_table(out, "a", RECORD, {"water"})
    assert not keeps_table(out, "a", RECORD, {"water", "kettle"})


def test_a_table_with_rows_set_by_hand_is_made_again(tmp_path: Path) -> None:
    out = written(tmp_path, ROW, KeywordRow("water", "word", 9, 1.0, 1.0, 0.0, pinned=True))
    assert not keeps_table(out, "a", RECORD, {"water"})


def test_a_table_that_is_gone_is_made_again(tmp_path: Path) -> None:
    assert not keeps_table(tmp_path, "a", RECORD, {"water"})


def test_the_topics_that_have_terms() -> None:
    np = pytest.importorskip("numpy")
    places = {"a": [0, 2], "b": [1], "c": [0], "gone": [0], "fresh": [0]}
    graph = TopicGraph(
        topics=dict.fromkeys("abc", RECORD) | {"fresh": RECORD},
        names=["kettle", "tea", "water"],
        known={topic: np.array(found, np.int32) for topic, found in places.items()},
        fresh={"fresh": "kettle"},
    )
    assert dict(graph.having(["water", "kettle", "absent"])) == {"a": {"kettle", "water"}, "c": {"kettle"}}
    assert not dict(graph.having(["zebra"]))


def test_a_term_that_became_common_makes_only_tables_again_that_have_it(
    tmp_path: Path, write_tree: Callable[..., Path], snapshot: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = " ".join(f"`word{n}`" for n in range(40))
    pages = {f"t{n}/page.md": f"# Page {n}\n\n{words} `own{n}`\n" for n in range(12)}
    pages["t0/page.md"] += "\n`kettle`\n"
    pages["t1/page.md"] += "\n" + "`kettle` " * 50 + "\n"
    settings = {"keywords.per_topic": 1, "model": "static"}

    def built(root: Path) -> None:
        build(load(str(root), flags=settings, environment={}))

    root = write_tree(tmp_path / "docs", pages)
    built(root)
    counted: list[str] = []
    count = topic_tree._count

    def counting(crew: object, work: dict[str, object]) -> dict[str, str]:
        counted.extend(work)
        return count(crew, work)  # type: ignore[arg-type]

    monkeypatch.setattr(topic_tree, "_count", counting)
    (root / "t2" / "page.md").write_text(pages["t2/page.md"] + "\n`kettle`\n")  # in three of twelve: no longer rare
    built(root)
    assert sorted(counted) == ["t1", "t2"], "t0 has the term, and not in its table"
    again = write_tree(tmp_path / "again", {path: (root / path).read_text() for path in pages})
    built(again)
    assert snapshot(root) == snapshot(again)
