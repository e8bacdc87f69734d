"""Sites with a fusion of their own: the same answers in Python and in JavaScript, and builds that follow the file."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from javascript import CLIENT, NODE, node_command, run_node

from infograph.build import build
from infograph.client import Client, ClientError
from infograph.client.embedded import embed_query
from infograph.config import load
from infograph.embedding import identify
from infograph.errors import ConfigError
from infograph.search.format.fusion_model import (
    FEATURES,
    FUSION_FORMAT,
    LEAF,
    QUERY_FEATURES,
    RIDGE,
    TREES,
    FusionFile,
    RegressionTree,
    fusion_bytes,
)

pytestmark = pytest.mark.usefixtures("in_this_process")

ROOT = Path(__file__).parents[2]
STATIC = "@".join(identify("static"))
QUERIES = {
    query: query.replace("modle", "model")
    for query in (
        "how do I install infograph?",
        "clear the embedding cache",
        "What is HAL in 3 words",
        "github pages underscore folders",
        "stripe_order",
        "instal the embeding modle",
        "zzz",
        "",
    )
}
"""Queries, and what is meant by them: the model is asked with that."""
SCRIPT = """
const { Client } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const client = new Client(process.argv[2], { timeout: 60_000 });
const found = [];
for (const [query, vector, options] of JSON.parse(text)) {
  const rerank = vector ? () => vector : undefined;
  found.push(await client.search(query, { ...options, rerank, limit: 40, collapse: false }));
}
console.log(JSON.stringify(found));
"""
TREE = RegressionTree((1, FEATURES.index("overlap"), LEAF, LEAF, LEAF), (0.5, 7.5, 0.2, 0.4, 1.0), (4, 3, 0, 0, 0))
RIDGE_FILE = FusionFile(FUSION_FORMAT, RIDGE, STATIC, QUERY_FEATURES, weights=(0.01, 0.3, -0.2, 0.1), bias=0.45)
TREES_FILE = FusionFile(FUSION_FORMAT, TREES, STATIC, FEATURES, base=0.1, trees=(TREE, TREE))


def built(folder: Path, fusion: str, out: Path) -> Path:
    flags = {"out": str(out), "cache": str(folder / "cache"), "model": "static", "search.fusion": fusion}
    build(load(str(folder / "docs"), flags=flags, environment={}))
    return out


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fused")
    shutil.copytree(ROOT / "sample-docs", folder / "docs")
    (folder / "ridge.json").write_bytes(fusion_bytes(RIDGE_FILE))
    (folder / "trees.json").write_bytes(fusion_bytes(TREES_FILE))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("said", ["rrf", "tm2c2:0.3", "ridge.json", "trees.json"])
def test_a_site_is_searched_by_its_fusion_alike_in_both_languages(
    documents: Path, said: str, tmp_path: Path, fault_server_module: Any
) -> None:
    fusion = str(documents / said) if said.endswith(".json") else said
    site = built(documents, fusion, tmp_path / "site")
    manifest = json.loads((site / "_search/manifest.json").read_bytes())
    assert manifest["fusion"]["kind"] == said.partition(".")[0].partition(":")[0]
    client = Client(site, timeout=60)
    calls = [
        (query, vector, options)
        for query in QUERIES
        for vector in (None, embed_query(STATIC, query))
        for options in ({}, {"path": "guide"})
    ]
    ours = [
        client.search(query, rerank=vector is not None, limit=40, collapse=False, **options)
        for query, vector, options in calls
    ]
    assert any(found.hits != plain.hits for plain, found in zip(ours[::4], ours[2::4], strict=True))
    for answer in ours:
        assert all(first.score >= second.score for first, second in pairwise(answer.hits[:10]))
        assert 0 <= answer.confidence <= 1 and (answer.confidence > 0) == bool(answer.hits)
        assert answer.missing == {}
    if NODE is None:
        pytest.skip("needs Node.js for the other half")
    meant = [(query, vector and embed_query(STATIC, QUERIES[query]), options) for query, vector, options in calls]
    with fault_server_module.running(site) as server:
        answers = run_node(SCRIPT, CLIENT, f"{server.url}site/", given=meant)
    for answer, theirs in zip(ours, answers, strict=True):
        assert [hit["href"] for hit in theirs["hits"]] == [hit.href for hit in answer.hits], answer.corrected
        assert [hit["score"] for hit in theirs["hits"]] == pytest.approx([hit.score for hit in answer.hits], abs=1e-6)
        assert theirs["confidence"] == pytest.approx(answer.confidence, abs=1e-6)
        assert theirs["missing"] == {}


@pytest.mark.slow
def test_another_fusion_is_another_build_and_equals_a_clean_one(documents: Path, tmp_path: Path) -> None:
    def files(site: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted((site / "_search").iterdir())}

    place = tmp_path / "fusion.json"
    place.write_bytes(fusion_bytes(TREES_FILE))
    first = files(built(documents, str(place), tmp_path / "a"))
    place.write_bytes(fusion_bytes(RIDGE_FILE))
    again = files(built(documents, str(place), tmp_path / "a"))
    clean = files(built(documents, str(place), tmp_path / "b"))
    assert first["manifest.json"] != again["manifest.json"] == clean["manifest.json"]
    assert {name for name in first if name.startswith("f-")} and not [name for name in clean if name.startswith("f-")]
    assert clean.keys() <= again.keys(), "but for a file of the publication before"


def javascript(url: str, asked: list[Any]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        node_command(SCRIPT, CLIENT, url), input=json.dumps(asked), capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_trees_that_are_lost_leave_the_sum(documents: Path, tmp_path: Path, fault_server_module: Any) -> None:
    site = built(documents, str(documents / "trees.json"), tmp_path / "site")
    (file,) = (site / "_search").glob("f-*.z")
    file.unlink()
    query = "clear the embedding cache"
    plain = Client(built(documents, "sum", tmp_path / "plain"), timeout=60).search(query, rerank=True, limit=40)
    mine = Client(site, timeout=60).search(query, rerank=True, limit=40)
    assert [(hit.page, hit.score) for hit in mine.hits] == [(hit.page, hit.score) for hit in plain.hits]
    assert list(mine.missing) == [file.name]
    if NODE is not None:
        with fault_server_module.running(site) as server:
            done = javascript(f"{server.url}site/", [(query, embed_query(STATIC, query), {})])
        (theirs,) = json.loads(done.stdout)
        assert list(theirs["missing"]) == [file.name]


@pytest.mark.slow
def test_a_site_whose_fusion_is_of_another_version_is_refused_and_named(
    documents: Path, tmp_path: Path, fault_server_module: Any
) -> None:
    site = built(documents, str(documents / "ridge.json"), tmp_path / "site")
    for path in (site / "_search").glob("manifest*.json"):
        manifest = json.loads(path.read_bytes())
        manifest["fusion"]["kind"] = "forest"
        path.write_text(json.dumps(manifest))
    with pytest.raises(ClientError, match=r"_search/manifest.*\.json") as caught:
        Client(site, timeout=60).search("clear the embedding cache", rerank=True)
    assert caught.value.code == "broken"
    if NODE is not None:
        with fault_server_module.running(site) as server:
            done = javascript(f"{server.url}site/", [("clear", embed_query(STATIC, "clear"), {})])
        assert done.returncode and 'there is no fusion "forest"' in done.stderr


@pytest.mark.slow
def test_a_fusion_of_another_model_is_refused(documents: Path, tmp_path: Path) -> None:
    place = tmp_path / "fusion.json"
    place.write_bytes(fusion_bytes(FusionFile(FUSION_FORMAT, RIDGE, "other@1", QUERY_FEATURES, weights=(0.0,) * 4)))
    with pytest.raises(ConfigError, match="was fitted to the cosines of other@1, and this tree is searched by static"):
        built(documents, str(place), tmp_path / "site")


@pytest.mark.parametrize("said", ["nowhere.json", "magic", "\0"])
def test_a_fusion_that_is_not_there_is_an_error_of_the_setting(tmp_path: Path, said: str) -> None:
    (tmp_path / "docs").mkdir()
    with pytest.raises(ConfigError, match=r"`search.fusion`: .* cannot be read"):
        load(str(tmp_path / "docs"), flags={"search.fusion": said}, environment={})
