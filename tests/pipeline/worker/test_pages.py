"""Which model's queries a tree is searched by."""

from __future__ import annotations

import json
from pathlib import Path

from infograph import embedding
from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.embedding.model_manifest import MINILM, MINILM_INT8
from infograph.pipeline.worker.pages import search_model, searched
from infograph.search.format.search_space import FALLBACK


def test_whole_numbers_are_searched_by_queries_in_float32() -> None:
    whole = embedding.load(MINILM_INT8, 1)
    assert search_model(*embedding.identify(MINILM_INT8), "packaged") == MINILM
    assert searched(whole, 1, "own") == (MINILM, whole)


def test_a_model_of_the_same_name_in_another_revision_is_searched_by_the_packaged_one() -> None:
    for name in (MINILM, MINILM_INT8):
        assert search_model(name, "0" * 12, "own") == FALLBACK
    assert search_model("letters", "0" * 12, "packaged") == FALLBACK
    assert search_model("letters", "0" * 12, "own") == "letters"


def test_a_tree_of_whole_numbers_says_both_models_and_is_put_in_order(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in (("cache", "Vectors are kept in a folder."), ("serve", "A web server answers on a port.")):
        (docs / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n")
    build(load(str(docs), flags={"model": MINILM_INT8}, environment={}))
    said = json.loads((docs / "_search" / "manifest.json").read_bytes())["vectors"]["model"]
    assert said == "@".join(embedding.identify(MINILM)), "readers of any release and machine have it"
    assert "@".join(embedding.identify(MINILM_INT8)) in (docs / "topic-spec.md").read_text()
    hits = Client(docs, timeout=60).search("where vectors are kept", rerank=True).hits
    assert hits[0].title == "Cache"
