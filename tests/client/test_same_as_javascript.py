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
  const { text, n, order } = options;
  const given = { highlight: [text], topic: [], topics: [], read: [], sample: [n, order] }[method] ?? [options];
  found.push(await client[method](what, ...given).catch(({ code, message }) => ({ code: code ?? message, message })));
}
console.log(JSON.stringify(found));
"""

Call = tuple[str, Any, dict[str, Any]]
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
        {"filters": {"title": ["Watch", "Options"], "anchor": "x"}}, {"path": "./reference//formats/."}, {"path": "./"},
        {"filters": {"nothing": 1}},
    ]  # fmt: skip
    found: list[Call] = []
    for options in some * 3:
        query = " ".join(chance.choices(words + odd, k=chance.randint(0, 6)))
        found += [(method, query, options) for method in ("search", "pages")]
    marks = "e" + "\u0301\u0316" * 100_000 + " cache"  # to normalise such a run takes the square of its length
    found += [("search", marks, {"limit": 3}), ("match", marks, {"limit": 3})]
    for word in chance.sample(words, 12) + odd:
        place = chance.randrange(len(word) + 1)
        slip = word[:place] + chance.choice("aeiou") + word[place + chance.randrange(2) :]
        found += [("search", f"{slip} {chance.choice(words)}", {"exact": exact}) for exact in (False, True)]
        found.append(("complete", word[:place], {"limit": chance.randint(0, 12)}))
        found.append(("correct", word[:place] + chance.choice("aeiou") + word[place + 1 :], {}))
        found.append(("match", f"How do I {word}?", {"distance": 24, "limit": 5}))
    for _ in range(40):
        text = "".join(word + chance.choice(" -.'_’\n") for word in chance.choices(words + odd, k=12))
        found.append(("highlight", " ".join(chance.choices(words + odd, k=4)), {"text": text}))
    for words_asked, options in (("build a graph", {"path": "publishing"}), ("cache", {"filters": {"index": [1, 2]}})):
        vector = embed_query(model, words_asked)
        found += [(method, words_asked, {**options, "vector": vector}) for method in ("search", "pages")]
    found += [("topic", id, {}) for id in ("", "guide", "nowhere")]
    return found


def python(client: Client, call: Call) -> Any:
    method, what, options = call
    if method in ("search", "pages"):  # here a model may be asked unless told, there only where one is given
        options = {"rerank": "vector" in options, **{name: own for name, own in options.items() if name != "vector"}}
    try:
        answer = getattr(client, method)(what, **options)
    except ClientError as error:
        return {"code": error.code, "message": str(error)}
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
    *(("match", "How?", {"distance": value}) for value in (64, 65, 1000)),
]  # fmt: skip

NO_TEXTS = (None, 5, True, ["cache"], {})
NO_FILTERS = (5, 0, True, False, "", "ab", [], ["page"], [["page", "x"]])
NO_VALUES = (None, True, 0.5, {}, {"a": 1}, [0, None], [[1]], [True])
# Each names the option, what it has to be, and the value, in both clients.
REFUSED: list[tuple[str, Call]] = [
    *((name, (method, value, options)) for method, name, options in (
        ("search", "query", {}), ("pages", "query", {}), ("complete", "prefix", {}), ("correct", "word", {}),
        ("match", "question", {}), ("highlight", "query", {"text": "x"}), ("topic", "id", {}), ("topics", "id", {}),
        ("sample", "topic", {"n": 3, "order": "technical"}),
    ) for value in NO_TEXTS),
    *(("text", ("highlight", "cache", {"text": value})) for value in NO_TEXTS),
    *(("topic", ("match", "How?", {"topic": value})) for value in NO_TEXTS),
    *(("filters", ("search", "cache", {"filters": value})) for value in NO_FILTERS),
    *(("filters.index", ("search", "cache", {"filters": {"index": value}})) for value in NO_VALUES),
    *(("path", ("pages", "cache", {"path": value})) for value in NO_TEXTS),
    *(("order", ("sample", "guide", {"n": 3, "order": value})) for value in (*NO_TEXTS, "odd")),
    *(("n", ("sample", "guide", {"n": value, "order": "technical"})) for value in (-1, 0.5, "3", None, True)),
    *(("limit", ("search", "cache", {"limit": value})) for value in (-1, 0.5, "3", None, True)),
    *(("limit", ("correct", "cahce", {"limit": value})) for value in (-1, 0.5, "3", None, True)),
    *(("diversity", ("search", "cache", {"diversity": value})) for value in (-0.5, 2, "1", None, True)),
    *(("distance", ("match", "How?", {"distance": value})) for value in (-1, 65, 0.5, None, True)),
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


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_a_refusal_names_the_option_the_value_and_what_is_allowed(server: Any) -> None:
    url = f"{server.url}site/"
    asked = [call for _, call in REFUSED]
    with Client(url, timeout=60) as client:
        for (name, call), theirs in zip(REFUSED, ask_javascript(url, asked), strict=True):
            ours = python(client, call)
            for answer in (ours, theirs):
                assert isinstance(answer, dict) and answer.get("code") == "unknown", (call, ours, theirs)
                assert answer["message"].startswith(f"{name}: has to be "), (call, answer)
                assert ", not " in answer["message"]
            # Each shows a value as its own language writes it.
            assert ours["message"].rpartition(", not ")[0] == theirs["message"].rpartition(", not ")[0]


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_no_filters_are_given_as_none_or_nothing(server: Any) -> None:
    url = f"{server.url}site/"
    asked: list[Call] = [("search", "cache", {"filters": value}) for value in (None, {})]
    asked += [("search", "cache", {}), ("search", "cache", {"filters": {"index": []}})]
    with Client(url, timeout=60) as client:
        ours, theirs = [python(client, call)["hits"] for call in asked], ask_javascript(url, asked)
    assert [len(hits) for hits in ours] == [len(answer["hits"]) for answer in theirs] == [10, 10, 10, 0]


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
@pytest.mark.parametrize("what", [None, 5, True, [], {}, {"href": 5}])
def test_what_is_nothing_to_read_is_refused_alike(server: Any, what: object) -> None:
    url = f"{server.url}site/"
    with Client(url, timeout=60) as client:
        assert python(client, ("read", what, {}))["code"] == "outside"
    (theirs,) = ask_javascript(url, [("read", what, {})])
    assert theirs["code"] == "outside"


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
    texts = (
        ("language",),
        ("stop_words",),
        ("vectors", "model"),
        ("vectors", "map"),
        ("dictionary", "directory"),
        ("dictionary", "backwards"),
        ("dictionary", "letters"),
    )
    made += [changed(manifest, path, value) for path in texts for value in (7, None, ["a"], {})]
    made += [changed(manifest, ("dictionary",), value) for value in (5, "x", [], [[]], True, None, {})]
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
            for answer in (ours, theirs) if isinstance(ours, dict) and "code" in ours else ():
                answer.pop("message", None)  # each in its own words
            assert same(ours, theirs), (call, ours, theirs)
