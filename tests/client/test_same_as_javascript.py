"""One behaviour: both clients, asked the same over the same server, answer the same."""

from __future__ import annotations

import json
import math
import random
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from infograph.client import Client, ClientError
from infograph.client.embedded import embed_query
from infograph.errors import FormatError
from infograph.search.manifest import UnknownFormatError, read_manifest

NODE = shutil.which("node")
MODULE = Path(sys.modules["update_queries"].ROOT) / "infograph" / "web" / "infograph.js"
SCRIPT = """
const { Client } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const client = new Client(process.argv[2], { timeout: 60_000 });
const found = [];
for (const [method, what, { vector, ...options }] of JSON.parse(text)) {
  if (vector) Object.assign(options, { rerank: () => vector });
  const answer = method === "highlight" ? client.highlight(what, options.text) : client[method](what, options);
  found.push(await answer.catch(({ code, message }) => ({ code: code ?? message })));
}
console.log(JSON.stringify(found));
"""

Call = tuple[str, str, dict[str, Any]]
"""Method, its first argument, its options."""


def calls(words: list[str], model: str) -> list[Call]:
    chance = random.Random(1)
    odd = [
        "",
        "…",
        "the",
        "naïve",
        "東京タワー",
        "JsonSerializerContext",
        "a.b::c",
        "don’t",
        "Größe",
        "_x",
        "ﬁle",
        "ΑΣ",
        "the of",
        "²",
    ]
    some: list[dict[str, Any]] = [
        {}, {"limit": 3}, {"offset": 2, "limit": 4}, {"limit": 0}, {"path": "guide"}, {"path": "/reference/cli.md/"},
        {"path": "reference", "filters": {"index": [0, 1, 2]}}, {"filters": {"section_path": "Builds"}},
        {"filters": {"title": ["Watch", "Options"], "anchor": "x"}}, {"filters": {"nothing": 1}},
    ]  # fmt: skip
    found: list[Call] = []
    for options in some * 3:
        query = " ".join(chance.choices(words + odd, k=chance.randint(0, 6)))
        found += [(method, query, options) for method in ("search", "pages")]
    marks = "e" + "\u0301\u0316" * 100_000 + " cache"  # to normalise such a run takes the square of its length
    found += [("search", marks, {"limit": 3}), ("match", marks, {"limit": 3})]
    for word in chance.sample(words, 12) + odd:
        place = chance.randrange(len(word) + 1)
        found.append(("complete", word[:place], {"limit": chance.randint(0, 12)}))
        found.append(("correct", word[:place] + chance.choice("aeiou") + word[place + 1 :], {}))
        found.append(("match", f"How do I {word}?", {"distance": 24, "limit": 5}))
    for _ in range(40):
        text = "".join(word + chance.choice(" -.'_’\n") for word in chance.choices(words + odd, k=12))
        found.append(("highlight", " ".join(chance.choices(words + odd, k=4)), {"text": text}))
    for words_asked, options in (("build a graph", {"path": "publishing"}), ("cache", {"filters": {"index": [1, 2]}})):
        vector = embed_query(model, words_asked).vector
        found += [(method, words_asked, {**options, "vector": vector}) for method in ("search", "pages")]
    found += [("topic", id, {}) for id in ("", "guide", "nowhere")]
    return found


def python(client: Client, call: Call) -> Any:
    method, what, options = call
    options = {"rerank" if name == "vector" else name: value for name, value in options.items()}
    try:
        answer = getattr(client, method)(what, **options)
    except ClientError as error:
        return {"code": error.code}
    if method == "highlight":
        return answer
    return [asdict(one) for one in answer] if isinstance(answer, list) else asdict(answer)


def same(ours: Any, theirs: Any) -> bool:
    """As far as the other has it: what does not apply is left out there, and is None or empty here."""
    if isinstance(ours, float) and isinstance(theirs, int | float):
        return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return all(same(ours[key], theirs[key]) if key in theirs else not ours[key] for key in ours)
    if isinstance(ours, list | tuple) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return bool(ours == theirs)


NUMBERS = (-1, -5, 0.5, "3", None, True, [], {}, 1e300)
"""What a number of a manifest, or an option, may turn out to be."""

# Without the last one, which is a whole number to JavaScript.
OPTIONS: list[Call] = [
    *((method, "cache", {name: value}) for method in ("search", "pages") for name in ("limit", "offset", "diversity")
      for value in NUMBERS[:-1]),
    *((method, "cache", {"limit": value}) for method in ("complete", "correct", "match") for value in NUMBERS[:-1]),
    *(("match", "How?", {"distance": value}) for value in NUMBERS[:-1]),
    *(("search", "cache", {"path": value}) for value in (5, [], ["guide"], True)),
]  # fmt: skip


def ask_javascript(url: str, asked: list[Call]) -> list[Any]:
    assert NODE is not None
    run = subprocess.run(
        [NODE, "--input-type=module", "-e", SCRIPT, "--", MODULE.as_uri(), url],
        input=json.dumps(asked), capture_output=True, text=True, encoding="utf-8", timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    found: list[Any] = json.loads(run.stdout)
    return found


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_options_that_are_none_are_refused_alike(server: Any) -> None:
    url = f"{server.url}site/"
    refused = 0
    with Client(url, timeout=60) as client:
        for call, theirs in zip(OPTIONS, ask_javascript(url, OPTIONS), strict=True):
            ours = python(client, call)
            codes = [answer.get("code") if isinstance(answer, dict) else None for answer in (ours, theirs)]
            assert codes[0] == codes[1] and codes[0] in (None, "unknown"), (call, ours, theirs)
            refused += codes[0] is not None
    assert refused >= 0.8 * len(OPTIONS)


def changed(manifest: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    if not path:
        return value  # type: ignore[no-any-return]
    return {**manifest, path[0]: changed(manifest.get(path[0], {}), path[1:], value)}


def odd_manifests(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    numbers = [
        ("chunks",), ("neighbour",), ("block",), ("group",), ("largest_shard",), ("bm25", "k1"), ("bm25", "b"),
        ("bm25", "average_length"), ("dense", "alpha"), ("dense", "unit"), ("vectors", "weight"),
        ("vectors", "dimension"),
        *((table, "bits") for table in ("postings", "documents", "vector_shards")),
    ]  # fmt: skip
    made = [changed(manifest, path, value) for path in numbers for value in NUMBERS]
    for name, steps in (("counts", 8), ("lengths", 32)):
        rows = ([1] * (steps - 1), [1] * (steps + 1), [1] * (steps - 1) + [0], ["1"] * steps, {}, None, [1] * steps)
        made += [changed(manifest, ("bm25", name), row) for row in rows]
    tables = ({"bits": 1, "names": [""]}, {"bits": 7, "directories": [""]}, {"bits": 0, "names": [7]}, {"bits": 0}, [])
    made += [changed(manifest, ("postings",), table) for table in tables]
    texts = (("language",), ("stop_words",), ("vectors", "model"), ("vectors", "map"), ("dictionary", "directory"))
    made += [changed(manifest, path, value) for path in texts for value in (7, None, ["a"], {})]
    return [*made, changed(manifest, ("bm25", "k1"), 1e308), {}]


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_manifests_that_contradict_themselves_are_refused_alike(site: Path, tmp_path: Path) -> None:
    """By both clients, from files: what one takes for a manifest, the other does."""
    manifest = json.loads((site / "_search/manifest.json").read_bytes())
    made = odd_manifests(manifest)
    (tmp_path / "manifests.json").write_text(json.dumps([manifest, *made]), "utf-8")
    script = """
    const { Bundle } = await import(process.argv[1]);
    const { readFileSync } = await import("node:fs");
    const codes = JSON.parse(readFileSync(process.argv[2], "utf-8")).map((manifest) => {
      try {
        return new Bundle({}, manifest, {}) && null;
      } catch ({ code, message }) {
        return code ?? message;
      }
    });
    console.log(JSON.stringify(codes));
    """
    bundle = MODULE.parent / "bundle.js"
    command = [str(NODE), "--input-type=module", "-e", script, "--", bundle.as_uri(), str(tmp_path / "manifests.json")]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=True)
    theirs = json.loads(run.stdout)
    ours = []
    for one in (manifest, *made):
        try:
            read_manifest(json.dumps(one).encode())
        except UnknownFormatError:
            ours.append("version")
        except FormatError:
            ours.append("broken")
        else:
            ours.append(None)
    assert ours[0] is None
    differing = [
        (a, b, {key: value for key, value in one.items() if value != manifest.get(key)})
        for a, b, one in zip(ours, theirs, (manifest, *made), strict=True) if a != b
    ]  # fmt: skip
    assert differing == []
    assert ours.count("broken") > 100


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_the_same_answers(site: Path, server: Any) -> None:
    url = f"{server.url}site/"
    with Client(url, timeout=60) as client:
        terms = [term for prefix in "abcdefghi" for term, _ in client.complete(prefix, limit=8).terms]
        model = json.loads((site / "_search/manifest.json").read_bytes())["vectors"]["model"]
        asked = calls(terms, model)
        for call, theirs in zip(asked, ask_javascript(url, asked), strict=True):
            ours = python(client, call)
            for answer in (ours, theirs) if call[0] == "topic" and "documents" in ours else ():
                for document in answer["documents"].values():
                    for item in document["items"]:  # each has them in its own way
                        item.pop("keywords", None), item.pop("prompt_hashes", None)
            for item in (*ours, *theirs) if call[0] == "match" else ():
                item.pop("keywords", None), item.pop("prompt_hashes", None)
            assert same(ours, theirs), (call, ours, theirs)
