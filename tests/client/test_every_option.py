"""Thousands of queries with every option, over sites that were really built: both clients give the same answers.

Both read the site's folder through what they fetch with, and answer at the same time: chunks are read a hundred
thousand times, for which a server in Python took most of the time.

TEST_TREES=… pytest -m slow -n 0 tests/client/test_every_option.py      the tree of fastapi in it, too
PROOF=full                                                              twice as many, as each night
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2
import pytest
from javascript import CLIENT, needs_node, node_command

from infograph.build import build
from infograph.client import Client, ClientError
from infograph.client.embedded import embed_query
from infograph.client.options import CLASSES, LEVELS, MODES, PACKINGS, SOURCES
from infograph.client.query import RETRIEVE_DEFAULTS, SearchArguments
from infograph.config import load
from infograph.embedding import identify
from infograph.formats.chunk_file import split
from infograph.formats.names import unversioned
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

ROOT = Path(__file__).parents[2]
STATIC = "@".join(identify("static"))
ADDRESS = "https://site.example/docs/"
QUERIES = 2_000 if os.environ.get("PROOF") == "full" else 1_000
"""Of each of four sites."""
FEWEST = 0.05
"""Share of the queries that each option is part of, at the least."""
SCRIPT = """
import { readFile } from "node:fs/promises";
const [module, address, folder] = process.argv.slice(1);
const { Client } = await import(module);
const fetch = (from) =>
  readFile(folder + "/" + decodeURIComponent(new URL(from).pathname.slice(new URL(address).pathname.length))).then(
    (data) => new Response(data),
    () => new Response("", { status: 404 }),
  );
let text = "";
for await (const part of process.stdin) text += part;
const client = new Client(address, { timeout: 60_000, fetch });
const refused = ({ code, message }) => ({ code: code ?? message, message });
for (const [method, query, { vector, verdict, ...options }] of JSON.parse(text)) {
  if (vector) options.rerank = () => vector;
  if (verdict) options.rerank_with = () => verdict;
  const line = JSON.stringify(await client[method](query, options).catch(refused)) + "\\n";
  if (!process.stdout.write(line)) await new Promise((go) => process.stdout.once("drain", go));
}
"""
TREE = RegressionTree((1, FEATURES.index("overlap"), LEAF, LEAF, LEAF), (0.5, 7.5, 0.2, 0.4, 1.0), (4, 3, 0, 0, 0))
FUSION = FusionFile(FUSION_FORMAT, TREES, STATIC, FEATURES, base=0.1, trees=(TREE, TREE))
ODD = ("", "…", "the of and", "東京タワー", "Größe", "\u0130stanbul", "a.b::c", "don’t", "²", "x" * 200)

Call = tuple[str, str, dict[str, Any]]
"""Method, query, options."""


class Drawn:
    """Draws calls over one site, always the same ones."""

    _STARTS = ("", "", "What is ", "What is the difference between ", "Where is the author of ")

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
            ("prompts", 0.3, lambda: False),
            ("facets", 0.15, lambda: chance.sample(["language", "chunk_type", "is_code", "tags"], 2)),
        ):
            if chance.random() < share:
                options[name] = draw()
        query = self._query()
        if chance.random() < 0.15:  # by the words as they are: the model embeds what is meant
            options |= {"vector": embed_query(STATIC, query), "exact": True}
        kind = chance.choice(["search", "search", "pages"])
        if chance.random() < 0.2:
            options["verdict"] = chance.choice(["[3, 1, 2]", "[20]", "none of them"])
        if kind == "search" and "verdict" not in options and chance.random() < 0.4:
            options["mode"] = chance.choice(MODES)
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
            ("prompts", 0.3, lambda: False),
            ("path", 0.15, self._path),
            ("filters", 0.15, self._filters),
        ):
            if chance.random() < share:
                options[name] = draw()
        query = chance.choice(self._STARTS) + self._query()
        if "split" in options and chance.random() < 0.5:
            names = [word.capitalize() for word in chance.choices(self._words, k=2)]
            query = f"What is the difference between {names[0]} and {names[1]}?"
        if chance.random() < 0.15:
            options |= {"vector": embed_query(STATIC, query), "exact": True}
        return "retrieve", query, options

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
        stem = self._chance.choice(self._paths).replace("_chunks/", "").rpartition("-")[0]
        return unversioned(stem) + ".md"

    def _filters(self) -> dict[str, Any]:
        headings = [word for text in self._chance.choices(self._texts, k=4) for word in text[1:2]]
        filters = {
            "index": [0, 1, 2],
            "title": headings,
            "section_path": headings,
            "tokens": {"gte": 20, "lt": 600},
            "language": ["sh", "python", "toml"],
            "is_code": False,
            "chunk_type": {"exists": True},
            "not": {"language": "json"},
            "any": [{"is_code": True}, {"index": {"lt": 3}}],
        }
        names = self._chance.sample(sorted(filters), self._chance.randint(1, 2))
        return {name: filters[name] for name in names}


class Folder(httpx2.AsyncBaseTransport):
    """Answers requests with the files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        path = unquote(request.url.path).removeprefix(httpx2.URL(ADDRESS).path)
        try:
            return httpx2.Response(200, stream=httpx2.ByteStream((self._folder / path).read_bytes()))
        except FileNotFoundError:
            return httpx2.Response(404)


def ask_javascript(folder: Path, asked: list[Call]) -> Iterator[Any]:
    """Yields the answers of one client, which goes on meanwhile."""
    command = node_command(SCRIPT, CLIENT, ADDRESS, str(folder))
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8"
        ) as run,
    ):
        assert run.stdin is not None and run.stdout is not None
        run.stdin.write(json.dumps(asked))
        run.stdin.close()
        try:
            yield from map(json.loads, run.stdout)
        finally:
            run.kill()
            errors.seek(0)
            assert not (said := errors.read()), said.decode()


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
    given = {name: value for name, value in options.items() if name not in ("vector", "verdict")}
    if verdict := options.get("verdict"):
        given["rerank_with"] = lambda prompt: verdict
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


def used(asked: list[Call]) -> Counter[str]:
    """In how many calls each option is."""
    own = {"vector": "rerank", "verdict": "rerank_with"}
    return Counter(own.get(name, name) for _, _, options in asked for name in options)


@pytest.mark.slow
@needs_node
def test_both_clients_answer_alike(whole_site: Path, figure: Callable[[str], None]) -> None:
    draw = Drawn(whole_site)
    asked = [draw.call() for _ in range(QUERIES)]
    counts = used(asked)
    assert all(counts[name] >= FEWEST * QUERIES for name in SearchArguments.__annotations__), counts
    seen: Counter[str] = Counter()
    fused = "fusion" in json.loads((whole_site / "_search/manifest.json").read_bytes())
    with Client(ADDRESS, timeout=60, transport=Folder(whole_site)) as client:
        for call, other in zip(asked, ask_javascript(whole_site, asked), strict=True):
            ours = python(client, call)
            assert same(ours, other, 1e-6 if fused or "vector" in call[2] else 1e-9), (call, ours, other)
            hits = ours.get("hits", ())
            seen.update({"answered": bool(hits), "refused": "code" in ours, "slips": bool(ours.get("corrected"))})
            seen["linked"] += any(hit["via"] for hit in hits)
            seen["walked"] += any(hit["path"] for hit in hits)
            seen["sections"] += any(hit["unit"] for hit in hits)
            seen["known"] += any(hit["matched_question"] for hit in hits)
            seen["counted"] += any(ours.get("facets", {}).values())
    assert seen["answered"] > QUERIES / 2 and not seen["refused"]
    assert min(seen["linked"], seen["walked"], seen["slips"], seen["sections"], seen["counted"]) >= 20, seen
    figure(f"{QUERIES} queries over {whole_site.parent.name}: 0 differences; {dict(seen)}; {dict(counts)}")


@pytest.mark.slow
@needs_node
def test_both_clients_retrieve_alike(whole_site: Path, figure: Callable[[str], None]) -> None:
    draw = Drawn(whole_site)
    plain = whole_site.parent.name.endswith("--with-everything")  # others differ in the order of hits alone
    asked = [draw.retrieval() for _ in range(QUERIES if plain else QUERIES // 4)]
    counts = used(asked)
    assert all(counts[name] >= FEWEST * len(asked) for name in ("max_tokens", *RETRIEVE_DEFAULTS)), counts
    seen: Counter[str] = Counter()
    fused = "fusion" in json.loads((whole_site / "_search/manifest.json").read_bytes())
    with Client(ADDRESS, timeout=60, transport=Folder(whole_site)) as client:
        for call, other in zip(asked, ask_javascript(whole_site, asked), strict=True):
            ours = python(client, call)
            assert same(ours, other, 1e-6 if fused or "vector" in call[2] else 1e-9), (call, ours, other)
            assert ours["tokens"] <= call[2]["max_tokens"]
            assert ours["tokens"] == sum(ours["plan"]["tokens"].values())
            seen.update([ours["plan"]["question_class"], ours["plan"]["level"], ours["plan"]["packing"]])
            seen["split"] += bool(ours["plan"]["names"])
            seen["excerpts"] += bool(ours["plan"]["tokens"]["excerpts"])
            seen["nothing fits"] += bool(ours["more"] and not ours["passages"])
    names = (*CLASSES, *LEVELS, *PACKINGS, "split", "excerpts", "nothing fits")
    assert min(seen[name] for name in names) >= len(asked) // 40, seen
    figure(f"{len(asked)} retrievals over {whole_site.parent.name}: 0 differences; {dict(seen)}; {dict(counts)}")
