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
  found.push(await answer.catch(({ code }) => ({ code })));
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


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_the_same_answers(site: Path, server: Any) -> None:
    assert NODE is not None
    url = f"{server.url}site/"
    with Client(url, timeout=60) as client:
        terms = [term for prefix in "abcdefghi" for term, _ in client.complete(prefix, limit=8).terms]
        model = json.loads((site / "_search/manifest.json").read_bytes())["vectors"]["model"]
        asked = calls(terms, model)
        run = subprocess.run(
            [NODE, "--input-type=module", "-e", SCRIPT, "--", MODULE.as_uri(), url],
            input=json.dumps(asked), capture_output=True, text=True, encoding="utf-8", timeout=120, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
        for call, theirs in zip(asked, json.loads(run.stdout), strict=True):
            ours = python(client, call)
            for answer in (ours, theirs) if call[0] == "topic" and "documents" in ours else ():
                for document in answer["documents"].values():
                    for item in document["items"]:  # each has them in its own way
                        item.pop("keywords", None), item.pop("prompt_hashes", None)
            for item in (*ours, *theirs) if call[0] == "match" else ():
                item.pop("keywords", None), item.pop("prompt_hashes", None)
            assert same(ours, theirs), (call, ours, theirs)
