"""The retrievers that walk along a graph find what a client finds on the tree that a build publishes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from infograph import cli
from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.evaluate.published_graph import GRAPHS, hops_of

PAGES = {
    "alderson.md": "# Alderson Works\n\nThe company Alderson Works was founded by John Brigham in a small town.\n",
    "brigham.md": "# John Brigham\n\nAn engineer, John Brigham spent his last years at Cresswell House.\n",
    "cresswell.md": "# Cresswell House\n\nAn old mill, Cresswell House stands at the river Tamar.\n",
    "tamar.md": "# Tamar\n\nIt flows by Cresswell House to the sea. Salmon live in it.\n",
}
QUESTION = "Who founded Alderson Works?"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    pages = PAGES | {f"other-{n}.md": f"# Page {n}\n\nNothing of importance about weather {n}.\n" for n in range(12)}
    for name, text in pages.items():
        (folder / name).write_text(text, "utf-8")
    gold = [{"file": "alderson.md"}, {"file": "cresswell.md"}]
    (folder / "questions.jsonl").write_text(json.dumps({"question": QUESTION, "gold": gold}), "utf-8")
    return folder


def test_steps() -> None:
    assert [hops_of(name) for name in ("site", "links", *GRAPHS)] == [None, None, 1, 2]


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("graph", ["off", "terms"])
def test_a_walk_finds_what_a_client_finds(docs: Path, tmp_path: Path, graph: str) -> None:
    (tmp_path / "infograph.toml").write_text(f'[graph]\nentities = "{graph}"\n', "utf-8")
    asked = [argument for name in ("site", *GRAPHS) for argument in ("--retriever", name)]
    before = {path for path in tmp_path.rglob("*") if ".embedding-cache" not in path.parts}
    found = CliRunner().invoke(cli.main, ["eval", str(docs), "--model", "static", "--json", "--pages", *asked])
    assert found.exit_code == 0, found.output
    assert {path for path in tmp_path.rglob("*") if ".embedding-cache" not in path.parts} == before
    site, one, two = json.loads(found.stdout)["systems"]
    flags = {"model": "static", "graph.entities": "terms", "out": str(tmp_path / "site")}
    build(load(str(docs), flags=flags, environment={}))
    with Client(tmp_path / "site") as client:
        for hops, system in ((None, site), (1, one), (2, two)):
            hits = client.pages(QUESTION, graph=hops, links=hops is not None, rerank=False, prompts=False).hits
            reached = {"alderson.md", "cresswell.md"} <= {hit.page for hit in hits[:8]}
            assert system["metrics"]["all-gold@8"]["mean"] == reached
            assert system["AT1S"]["mean"] == pytest.approx(hits[0].score, abs=1e-6)
    assert [system["metrics"]["all-gold@8"]["mean"] for system in (site, one, two)] == [0, 1, 1]
    assert site["costs"]["requests"] < one["costs"]["requests"] <= two["costs"]["requests"]
    assert site["costs"]["cold KB"] < one["costs"]["cold KB"] <= two["costs"]["cold KB"]


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_a_corpus_that_a_build_does_not_take_is_named(docs: Path) -> None:
    (docs / "more.txt").write_text("Plain text, which only a question set has.\n", "utf-8")
    found = CliRunner().invoke(cli.main, ["eval", str(docs), "--model", "static", "--retriever", "graph:1", "-q"])
    assert found.exit_code == 1
    assert "`graph:1`: a build takes 16 of 17 documents" in found.output and "a tree of Markdown" in found.output
