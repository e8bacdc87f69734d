"""Two thousand queries with every option, over sites that were really built: both clients give the same answers.

TEST_TREES=… pytest -m slow -n 0 tests/client/test_every_option.py      the tree of fastapi in it, too
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client, ClientError
from infograph.client.embedded import embed_query
from infograph.client.options import CLASSES, LEVELS, PACKINGS, SOURCES
from infograph.config import load
from infograph.embedding import identify
from infograph.formats.chunk_file import split
from infograph.search.format.fusion_model import (
    FEATURES,
    FUSION_FORMAT,
    LEAF,
    TREES,
    FusionFile,
    RegressionTree,
    fusion_bytes,
)
from infograph.search.writing import bundle

NODE = shutil.which("node")
ROOT = Path(__file__).parents[2]
MODULE = ROOT / "infograph" / "web" / "infograph.js"
STATIC = "@".join(identify("static"))
QUERIES = 2000
RETRIEVALS = 200
FEWEST = QUERIES // 20
"""Queries that each option is part of, at the least."""
SCRIPT = """
const { Client } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const client = new Client(process.argv[2], { timeout: 60_000 });
const found = [];
for (const [method, query, { vector, ...options }] of JSON.parse(text)) {
  if (vector) options.rerank = () => vector;
  found.push(await client[method](query, options).catch(({ code, message }) => ({ code: code ?? message, message })));
}
console.log(JSON.stringify(found));
"""
TREE = RegressionTree((1, FEATURES.index("overlap"), LEAF, LEAF, LEAF), (0.5, 7.5, 0.2, 0.4, 1.0), (4, 3, 0, 0, 0))
FUSION = FusionFile(FUSION_FORMAT, TREES, STATIC, FEATURES, base=0.1, trees=(TREE, TREE))
ODD = ("", "…", "the of and", "東京タワー", "Größe", "\u0130stanbul", "a.b::c", "don’t", "²", "x" * 200)

Call = tuple[str, str, dict[str, Any]]
"""Method, query, options."""


class Drawn:
    """Draws calls over one site, always the same ones."""

    def __init__(self, site: Path) -> None:
        self._chance = random.Random(17)
        paths = sorted(path for path in site.rglob("_chunks/*.md"))
        self._paths = [path.relative_to(site).as_posix() for path in paths]
        self._texts = [split(path.read_bytes())[1].decode().split() for path in paths]
        words = sorted({word for text in self._texts for word in re.findall(r"\w+", " ".join(text))})
        self._words = [word for word in words if len(word) < 40]
        self._folders = sorted({path.partition("_chunks/")[0].rstrip("/") for path in self._paths})

    def call(self) -> Call:
        chance = self._chance
        options: dict[str, Any] = {}
        for name, share, draw in (
            ("limit", 0.5, lambda: chance.choice([0, 1, 2, 3, 8, 25, 60])),
            ("offset", 0.3, lambda: chance.choice([1, 2, 5, 20])),
            ("links", 0.3, lambda: False),
            ("graph", 0.5, lambda: chance.randint(0, 2)),
            ("exact", 0.3, lambda: True),
            ("collapse", 0.3, lambda: False),
            ("diversity", 0.2, lambda: chance.choice([0.1, 0.5, 1])),
            ("path", 0.25, self._path),
            ("filters", 0.2, self._filters),
            ("texts", 0.2, lambda: True),
        ):
            if chance.random() < share:
                options[name] = draw()
        query = self._query()
        if chance.random() < 0.15:  # by the words as they are: the model embeds what is meant
            options |= {"vector": embed_query(STATIC, query), "exact": True}
        kind = chance.choice(["search", "search", "pages"])
        if kind == "search" and chance.random() < 0.25:
            options["mode"] = chance.choice(["parent", "summary-first"])
        return kind, query, options

    def retrieval(self) -> Call:
        chance = self._chance
        options: dict[str, Any] = {"max_tokens": chance.choice([1, 40, 120, 500, 1000, 2000, 6000])}
        for name, share, draw in (
            ("question_class", 0.4, lambda: chance.choice(CLASSES)),
            ("level", 0.3, lambda: chance.choice(LEVELS)),
            ("packing", 0.5, lambda: chance.choice(PACKINGS)),
            ("sources", 0.5, lambda: chance.choice(SOURCES)),
            ("split", 0.4, lambda: True),
            ("graph", 0.2, lambda: chance.randint(0, 2)),
            ("exact", 0.2, lambda: True),
            ("path", 0.15, self._path),
            ("filters", 0.15, self._filters),
        ):
            if chance.random() < share:
                options[name] = draw()
        starts = ("", "", "What is ", "What is the difference between ", "Where is the author of ")
        return "retrieve", chance.choice(starts) + self._query(), options

    def _query(self) -> str:
        chance = self._chance
        kind = chance.random()
        if kind < 0.4:  # a few words in a row
            text = chance.choice(self._texts)
            start = chance.randrange(max(1, len(text)))
            return " ".join(text[start : start + chance.randint(1, 8)])
        if kind < 0.9:
            words = chance.choices(self._words, k=chance.randint(1, 7))
            if chance.random() < 0.3:  # a slip
                place = chance.randrange(len(words[0]) + 1)
                words[0] = words[0][:place] + chance.choice("aeiou") + words[0][place + chance.randrange(2) :]
            return " ".join(words)
        return " ".join([chance.choice(ODD), *chance.choices(self._words, k=chance.randint(0, 2))])

    def _path(self) -> str:
        if self._chance.random() < 0.7:
            return self._chance.choice(self._folders)
        return self._chance.choice(self._paths).replace("_chunks/", "").rpartition("-")[0] + ".md"

    def _filters(self) -> dict[str, Any]:
        headings = [word for text in self._chance.choices(self._texts, k=4) for word in text[1:2]]
        filters = {"index": [0, 1, 2], "title": headings, "section_path": headings, "tokens": {"gte": 20, "lt": 600}}
        names = self._chance.sample(sorted(filters), self._chance.randint(1, 2))
        return {name: filters[name] for name in names}


def ask_javascript(url: str, asked: list[Call]) -> list[Any]:
    assert NODE is not None
    command = [NODE, "--input-type=module", "-e", SCRIPT, "--", MODULE.as_uri(), url]
    run = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, encoding="utf-8", timeout=900, check=False
    )
    assert run.returncode == 0, run.stderr
    found: list[Any] = json.loads(run.stdout)
    return found


def same(ours: Any, theirs: Any, tolerance: float) -> bool:
    """As far as the other has it: what does not apply is left out there, and is None or empty here."""
    if isinstance(ours, float) and isinstance(theirs, int | float):
        return math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=tolerance)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return all(same(ours[key], theirs[key], tolerance) if key in theirs else not ours[key] for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(same(*pair, tolerance) for pair in zip(ours, theirs, strict=True))
    return bool(ours == theirs)


def python(client: Client, call: Call) -> Any:
    method, query, options = call
    given = {name: value for name, value in options.items() if name != "vector"}
    try:
        answer = getattr(client, method)(query, rerank="vector" in options, **given)
    except ClientError as error:
        return {"code": error.code}
    return json.loads(json.dumps({**asdict(answer), "stats": {}}))


@pytest.fixture(scope="module", params=["sample-docs", "sample-docs fused", "sample-docs weighed", "fastapi"])
def whole_site(request: pytest.FixtureRequest, once: Callable[..., Path]) -> Path:
    """A site with links and a graph; one that is fused by trees, and one whose look at the best weighs otherwise."""
    name, _, way = request.param.partition(" ")
    if name == "sample-docs":
        tree = ROOT / name
    elif trees := os.environ.get("TEST_TREES"):
        tree = Path(trees) / name
    else:
        pytest.skip("TEST_TREES does not say where the documentation trees are")

    def make(folder: Path) -> None:
        flags = {"graph.entities": "terms", "model": "static", "out": str(folder / "site")}
        if way == "fused":
            (folder / "fusion.json").write_bytes(fusion_bytes(FUSION))
            flags["search.fusion"] = str(folder / "fusion.json")
        with pytest.MonkeyPatch.context() as patch:
            if way == "weighed":
                patch.setattr(bundle, "WEIGHT", 7.25)
                patch.setattr(bundle, "FIELDS_SHARE", 0.875)
            build(load(str(tree), flags={**flags, "cache": str(folder / "cache")}, environment={}, project=folder))

    return once(f"{name}-{way}-with-everything", make) / "site"


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_both_clients_answer_alike(whole_site: Path, fault_server_module: Any, figure: Callable[[str], None]) -> None:
    draw = Drawn(whole_site)
    asked = [draw.call() for _ in range(QUERIES)]
    used = Counter(name for _, _, options in asked for name in options)
    assert all(used[name] >= FEWEST for name in ("limit", "offset", "links", "graph", "exact", "collapse"))
    assert all(used[name] >= FEWEST for name in ("diversity", "path", "filters", "vector"))
    seen: Counter[str] = Counter()
    fused = "fusion" in json.loads((whole_site / "_search/manifest.json").read_bytes())
    with fault_server_module.running(whole_site) as server, Client(f"{server.url}site/", timeout=60) as client:
        theirs = ask_javascript(f"{server.url}site/", asked)
        for call, other in zip(asked, theirs, strict=True):
            ours = python(client, call)
            assert same(ours, other, 1e-6 if fused or "vector" in call[2] else 1e-9), (call, ours, other)
            hits = ours.get("hits", ())
            seen.update({"answered": bool(hits), "refused": "code" in ours, "slips": bool(ours.get("corrected"))})
            seen["linked"] += any(hit["via"] for hit in hits)
            seen["walked"] += any(hit["path"] for hit in hits)
            seen["sections"] += any(hit["unit"] for hit in hits)
    assert seen["answered"] > QUERIES / 2 and not seen["refused"]
    assert min(seen["linked"], seen["walked"], seen["slips"], seen["sections"]) >= 20, seen
    figure(f"{QUERIES} queries over {whole_site.parent.name}: 0 differences; {dict(seen)}")


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_both_clients_retrieve_alike(whole_site: Path, fault_server_module: Any, figure: Callable[[str], None]) -> None:
    draw = Drawn(whole_site)
    asked = [draw.retrieval() for _ in range(RETRIEVALS)]
    seen: Counter[str] = Counter()
    fused = "fusion" in json.loads((whole_site / "_search/manifest.json").read_bytes())
    with fault_server_module.running(whole_site) as server, Client(f"{server.url}site/", timeout=60) as client:
        for call, other in zip(asked, ask_javascript(f"{server.url}site/", asked), strict=True):
            ours = python(client, call)
            assert same(ours, other, 1e-6 if fused else 1e-9), (call, ours, other)
            assert ours["tokens"] <= call[2]["max_tokens"]
            assert ours["tokens"] == sum(ours["plan"]["tokens"].values())
            seen.update([ours["plan"]["question_class"], ours["plan"]["level"], ours["plan"]["packing"]])
            seen["split"] += bool(ours["plan"]["names"])
            seen["excerpts"] += bool(ours["plan"]["tokens"]["excerpts"])
    assert min(seen[name] for name in (*CLASSES, *LEVELS, *PACKINGS, "split", "excerpts")) >= RETRIEVALS // 40, seen
    figure(f"{RETRIEVALS} retrievals over {whole_site.parent.name}: 0 differences; {dict(seen)}")
