"""One behaviour: both clients, asked the same over the same server, answer the same."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from javascript import CLIENT, WEB, needs_node, run_node

from infograph.build import build
from infograph.client import Client, ClientError
from infograph.client.answers import as_json
from infograph.client.embedded import embed_query
from infograph.config import load
from infograph.enrich.sections import sections_of
from infograph.errors import FormatError
from infograph.formats.chunk_file import parse as parse_chunk
from infograph.formats.enrichment import EnrichmentFile, EnrichmentRecord, render
from infograph.search.format.bundle_manifest import UnknownFormatError, read_manifest
from infograph.search.format.layout import joined_names

SCRIPT = """
const { Client } = await import(process.argv[1]);
let text = "";
for await (const part of process.stdin) text += part;
const client = new Client(process.argv[2], { timeout: 60_000 });
const found = [];
// What JSON has no words for.
const odd = (_, value) => (value?.source ? new Function(`return ${value.source}`)() : value);
for (const [method, what, { vector, call, ...options }] of JSON.parse(text, odd)) {
  if (vector) Object.assign(options, { rerank: () => vector });
  const { text, n, order } = options;
  const own = { highlight: [text], passage: [text], topic: [], topics: [], read: [], sample: [n, order] }[method];
  const given = own ? [...own, ...(call ? [call] : [])] : [{ ...options, ...call }];
  if (method === "new") {
    try {
      found.push(new Client(what, options) && null);
    } catch ({ code, message }) {
      found.push({ code: code ?? message, message });
    }
    continue;
  }
  found.push(await client[method](what, ...given).catch(({ code, message }) => ({ code: code ?? message, message })));
}
console.log(JSON.stringify(found));
"""

Call = tuple[str, Any, dict[str, Any]]
"""Method, its first argument, its options."""


MARKUP = [
    "](\ufeff)",
    "](a\x1cb)",
    "*\x85a*",
    "_a\ufeff_",  # spaces of one language only
    "```",
    "~~~",
    "# ",
    "**",
    "*a b*",
    "_a_",
    "`",
    "``",
    "`a*b`",
    "\\*",
    "&lt;",
    "<b>",
    "<!--",
    "-->",
    "[x](y)",
    "> - ",
]
MARKUP += [
    "| a | b |",
    "|---|",
    "\\|",
    ":::",
    ".",
    "!",
    "。",
    "\u2028",
    "\x1c",
    "\ufeff",
    "\xa0",
    "😀",
    "𠀀𠀁",
    "\ue000",
    "\r\n\n",
]


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
        {},
        {"limit": 3},
        {"offset": 2, "limit": 4},
        {"limit": 0},
        {"links": False},
        {"prompts": False},
        {"limit": 30, "collapse": False},
        {"path": "guide"},
        {"path": "/reference/cli.md/"},
        {"path": "reference", "filters": {"index": [0, 1, 2]}},
        {"filters": {"section_path": "Builds"}},
        {"filters": {"title": ["Watch", "Options"], "anchor": "x"}},
        {"path": "./reference//formats/."},
        {"path": "./"},
        {"filters": {"nothing": 1}},
    ]
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
        marks = [*words, *odd, *MARKUP]
        text = "".join(word + chance.choice("  \n") for word in chance.choices(marks, k=chance.randint(0, 150)))
        found.append(("passage", " ".join(chance.choices(words + odd, k=4)), {"text": text}))
    for words_asked, options in (("build a graph", {"path": "publishing"}), ("cache", {"filters": {"index": [1, 2]}})):
        vector = embed_query(model, words_asked)
        found += [(method, words_asked, {**options, "vector": vector}) for method in ("search", "pages")]
    found += [("topic", id, {}) for id in ("", "guide", "nowhere")]
    return found


def plain(value: Any) -> Any:
    """With what is odd as it is in Python."""
    if isinstance(value, dict):
        return {name: plain(own) for name, own in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    return value.python if isinstance(value, Odd) else value


def python(client: Client, call: Call) -> Any:
    method, what, options = plain(call)
    if method in ("search", "pages"):  # here a model may be asked unless told, there only where one is given
        options = {"rerank": "vector" in options, **{name: own for name, own in options.items() if name != "vector"}}
    try:
        if method == "new":
            return Client(what, **options).close()
        answer = getattr(client, method)(what, **options)
    except ClientError as error:
        return {"code": error.code, "message": str(error)}
    if method in ("highlight", "passage"):
        return answer
    return [asdict(one) for one in answer] if isinstance(answer, list) else {**asdict(answer), "stats": {}}


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
    *(
        (method, "cache", {name: value})
        for method in ("search", "pages")
        for name in ("limit", "offset", "diversity")
        for value in NUMBERS[:-1]
    ),
    *((method, "cache", {"limit": value}) for method in ("complete", "correct", "match") for value in NUMBERS[:-1]),
    *(("match", "How?", {"distance": value}) for value in NUMBERS[:-1] if value is not None),
    *(("search", "cache", {"path": value}) for value in (5, [], ["guide"], True)),
    *(("match", "How?", {"distance": value}) for value in (64, 65, 1000)),
]

NO_VALUES = (None, True, {}, {"a": 1}, [0, None], [[1]], [True])


class Odd:
    """A value that JSON has no words for: in JavaScript, and what is most like it in Python."""

    def __init__(self, javascript: str, python: object) -> None:
        self.javascript = javascript
        self.python = python

    def __repr__(self) -> str:
        return self.javascript


ODD = (
    None,
    True,
    False,
    0,
    1,
    5,
    65,
    -1,
    0.5,
    2.5,
    "",
    "5",
    "odd",
    [],
    ["cache"],
    [["page", "x"]],
    {},
    {"limit": 5},
    Odd("NaN", math.nan),
    Odd("-Infinity", -math.inf),
    Odd("5n", Decimal(5)),
    Odd("Symbol()", object()),
    Odd("() => 5", lambda: 5),
    Odd("/5/", re.compile("5")),
    Odd("new Map([['page', 'x']])", [("page", "x")]),
    Odd("new Set([5])", {5}),
    Odd("new Date(0)", date(1970, 1, 1)),
    Odd("new Uint8Array(5)", b"5"),
    Odd("Object.assign(new Error(), { cause: 5 })", ValueError(5)),
    Odd("(() => { const round = []; round.push(round); return round; })()", object()),
)


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


TAKES: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "count": is_whole,
    "bits": lambda value: value is None or (is_whole(value) and value <= 64),
    "share": lambda value: is_number(value) and 0 <= value <= 1,
    "answer": lambda value: isinstance(value, bool),
    "order": lambda value: value in ("conceptual", "technical"),
    "filters": lambda value: value is None or isinstance(value, dict),
    "seconds": lambda value: is_number(value) and value > 0,
    "rerank": lambda value: value is None or value is False or callable(getattr(value, "python", value)),
    "nothing": lambda value: False,
}
"""What an option of a kind does take of `ODD`: all else is refused."""


def refused(kind: str) -> list[Any]:
    return [value for value in ODD if not TAKES[kind](value)]


# Each names the option, what it has to be, and the value, in both clients.
REFUSED: list[tuple[str, Call]] = [
    *(
        (name, (method, value, options))
        for method, name, options in (
            ("search", "query", {}),
            ("pages", "query", {}),
            ("complete", "prefix", {}),
            ("correct", "word", {}),
            ("match", "question", {}),
            ("highlight", "query", {"text": "x"}),
            ("passage", "query", {"text": "x"}),
            ("topic", "id", {}),
            ("topics", "id", {}),
            ("sample", "topic", {"n": 3, "order": "technical"}),
        )
        for value in refused("text")
    ),
    *(
        (name, (method, what, {**options, name: value}))
        for method, what, options, kinds in (
            *(
                (
                    method,
                    "cache",
                    {},
                    {
                        "limit": "count",
                        "offset": "count",
                        "path": "text",
                        "filters": "filters",
                        "collapse": "answer",
                        "diversity": "share",
                        "exact": "answer",
                        "links": "answer",
                        "prompts": "answer",
                    },
                )
                for method in ("search", "pages")
            ),
            ("complete", "ca", {}, {"limit": "count"}),
            ("correct", "cahce", {}, {"limit": "count"}),
            ("match", "How?", {}, {"topic": "text", "limit": "count", "distance": "bits"}),
            ("highlight", "cache", {}, {"text": "text"}),
            ("passage", "cache", {}, {"text": "text"}),
            ("sample", "guide", {"n": 3, "order": "technical"}, {"n": "count", "order": "order"}),
        )
        for name, kind in kinds.items()
        for value in refused(kind)
    ),
    *(("filters.index", ("search", "cache", {"filters": {"index": value}})) for value in NO_VALUES),
    *(
        ("filters.page", ("search", "cache", {"filters": {"page": value}}))
        for value in ODD
        if isinstance(value, Odd) and not isinstance(value.python, set)
    ),
    *(("timeout", ("new", "SITE", {"timeout": value})) for value in refused("seconds")),
]


def ask_javascript(url: str, asked: list[Call]) -> list[Any]:
    found: list[Any] = run_node(SCRIPT, CLIENT, url, given=asked, default=lambda odd: {"source": odd.javascript})
    return found


@pytest.mark.slow
@needs_node
def test_documents_of_any_name(tmp_path: Path, quick: Any, fault_server_module: Any) -> None:
    """Hugo's `_index`, HAL's own names, and those that JavaScript takes for numbers and puts first."""
    names = ["_index", "_links", "_templates", "__proto__", "constructor", "page", "10", "9", "2024-01", "B", "é"]
    text = "".join(f"## Part {n}\n\n{'Text of it. ' * 90}\n\n" for n in range(4))
    for name in names:
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\n{text}")
    build(load(str(tmp_path), environment={}))
    asked: list[Call] = [("sample", "", {"n": n, "order": "conceptual"}) for n in (3, 8, 100)]
    with fault_server_module.running(tmp_path) as server, Client(f"{server.url}site/", timeout=60) as client:
        whole, *samples = ask_javascript(f"{server.url}site/", [("topic", "", {}), *asked])
        assert len(names) == len(whole["documents"]) and sorted(client.topic("").documents) == sorted(
            whole["documents"]
        )
        for call, theirs in zip(asked, samples, strict=True):
            hrefs = [hit["href"] for hit in python(client, call)]
            assert hrefs and hrefs == [hit["href"] for hit in theirs]


SAID: dict[str, Any] = {
    "title": "42",
    "summary": 'Says "much", [all] of it: über \\ and so on.',
    "keywords": ["text of it", "x, y"],
    "entities": [{"name": "Kettle (the)", "type": "TECH"}],
    "questions": ["What, if any, is it?", "[Why]?"],
    "key": "the text part",
    "propositions": [{"claim": "Text of Kettle (the) x is here.", "start": 8, "end": 31}],
}


@pytest.mark.slow
@needs_node
def test_what_a_model_said_is_the_same_in_chunks_and_items(
    tmp_path: Path, quick: Any, fault_server_module: Any
) -> None:
    root = tmp_path
    more = "Lathes turn gears and drills. " * 200
    (root / "page.md").write_text(f"# Page\n\nText of it. Kettle (the) x, y. ![](<a (1).gif>)\n\n## More\n\n{more}\n")
    gif = b"GIF89a" + bytes([40, 0, 40, 0])
    (root / "a (1).gif").write_bytes(gif)
    (root / "other.md").write_text("# Other\n\nNothing is said of it.\n")
    build(load(str(root), environment={}))
    files = [root / f"_chunks/page-{number}.md" for number in range(len(list(root.glob("_chunks/page-*.md"))))]
    chunks = [parse_chunk(f"_chunks/{path.name}", path.read_bytes()).chunk for path in files]
    document = sections_of(chunks)[0]
    (root / "_enrichment").mkdir()
    claims = [{"claim": SAID["propositions"][0]["claim"], "source": "Text of it. Kettle (the)"}]
    own, whole = SAID | {"propositions": claims}, {"summary": "All (1), of it."}
    records = (
        EnrichmentRecord(chunks[0].readable_sha256, "metadata", "metadata-1", "a: model", 0, own),
        EnrichmentRecord(document.readable_sha256, "summaries", "summaries-1", "b", 0, whole),
        EnrichmentRecord(hashlib.sha256(gif).hexdigest(), "captions", "captions-1", "b", 0, {"description": "(1), 2"}),
    )
    (root / "_enrichment/page.json").write_bytes(render(EnrichmentFile("page.md", records=records)))
    build(load(str(root), environment={}))
    asked: list[Call] = [("read", f"_chunks/{name}-0.md", {}) for name in ("page", "other")]
    with fault_server_module.running(tmp_path) as server, Client(f"{server.url}site/", timeout=60) as client:
        topic, page, other = ask_javascript(f"{server.url}site/", [("topic", "", {}), *asked])
        ours = [client.read(what).enriched for _, what, _ in asked]
        item = client.topic("").documents["page"].items[0].enriched
    assert ours[1] is None and "enriched" not in other
    assert as_json(ours[0]) == page["enriched"] == as_json(item) == topic["documents"]["page"]["items"][0]["enriched"]
    sections = [{"chunks": len(chunks), "summary": "All (1), of it."}]
    images = [{"image": "a%20%281%29.gif", "description": "(1), 2"}]
    assert page["enriched"] == {**SAID, "by": "a: model, b", "sections": sections, "images": images}


@pytest.mark.slow
@needs_node
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


@needs_node
def test_a_refusal_names_the_option_the_value_and_what_is_allowed(server: Any) -> None:
    url = f"{server.url}site/"
    asked = [(method, url if what == "SITE" else what, options) for _, (method, what, options) in REFUSED]
    with Client(url, timeout=60) as client:
        for (name, _), call, theirs in zip(REFUSED, asked, ask_javascript(url, asked), strict=True):
            ours = python(client, call)
            for answer in (ours, theirs):
                assert isinstance(answer, dict) and answer.get("code") == "unknown", (call, ours, theirs)
                assert answer["message"].startswith(f"{name}: has to be "), (call, answer)
                assert answer["message"].rpartition(", not ")[2], (call, answer)
            # Each shows a value, and names yes and no, as its own language does; the other counts milliseconds.
            said, other = (answer["message"].rpartition(", not ")[0].lower() for answer in (ours, theirs))
            assert said == other.replace("milliseconds", "seconds")


@needs_node
def test_what_only_javascript_is_told_is_refused_too(server: Any) -> None:
    """With each call: a time limit, what gives it up, a function that embeds. And nothing is asked of the server."""
    calls_there: list[Call] = [
        ("search", "cache", {}),
        ("pages", "cache", {}),
        ("complete", "ca", {}),
        ("correct", "cahce", {}),
        ("match", "How?", {}),
        ("highlight", "cache", {"text": "x"}),
        ("passage", "cache", {"text": "x"}),
        ("topic", "", {}),
        ("topics", "", {}),
        ("sample", "guide", {"n": 3, "order": "technical"}),
        ("read", "x", {}),
    ]
    made = [
        (name, (method, what, {**options, "call": {name: value}}))
        for method, what, options in calls_there
        for name, kind in (("timeout", "seconds"), ("signal", "nothing"))
        for value in refused(kind)
        if name != "signal" or value is not None
    ]
    made += [("rerank", ("search", "cache", {"rerank": value})) for value in refused("rerank")]
    url = f"{server.url}nowhere/"
    for (name, call), theirs in zip(made, ask_javascript(url, [call for _, call in made]), strict=True):
        assert theirs["code"] == "unknown", (call, theirs)
        assert theirs["message"].startswith(f"{name}: has to be "), (call, theirs)


@needs_node
def test_options_are_refused_before_anything_is_read(server: Any) -> None:
    url = f"{server.url}nowhere/"
    asked: list[Call] = [
        ("search", "cache", {"collapse": 5}),
        ("complete", 5, {}),
        ("correct", "x", {"limit": -1}),
        ("topic", 5, {}),
        ("match", "How?", {"distance": 65}),
        ("highlight", "cache", {"text": 5}),
        ("passage", "cache", {"text": 5}),
        ("topics", 5, {}),
        ("sample", "guide", {"n": -1, "order": "technical"}),
    ]
    with Client(url, timeout=60) as client:
        for call, theirs in zip(asked, ask_javascript(url, asked), strict=True):
            assert python(client, call)["code"] == theirs["code"] == "unknown", (call, theirs)


def test_numbers_without_end_are_numbers(folder: Client) -> None:
    """Of whole numbers that no float holds."""
    for options in ({"diversity": 10**400}, {"limit": -(10**400)}):
        with pytest.raises(ClientError, match="has to be"):
            folder.search("cache", **options)
    assert folder.search("cache", limit=10**400, offset=10**400).hits == ()


@pytest.mark.slow
@needs_node
def test_no_filters_are_given_as_none_or_nothing(server: Any) -> None:
    url = f"{server.url}site/"
    asked: list[Call] = [("search", "cache", {"filters": value}) for value in (None, {})]
    asked += [("search", "cache", {}), ("search", "cache", {"filters": {"index": []}})]
    with Client(url, timeout=60) as client:
        ours, theirs = [python(client, call)["hits"] for call in asked], ask_javascript(url, asked)
    assert [len(hits) for hits in ours] == [len(answer["hits"]) for answer in theirs] == [10, 10, 10, 0]


@needs_node
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
        ("chunks",),
        ("neighbour",),
        ("block",),
        ("group",),
        ("largest_shard",),
        ("bm25", "k1"),
        ("bm25", "b"),
        ("bm25", "average_length"),
        ("bm25", "identifier"),
        ("vectors", "weight"),
        ("vectors", "fields"),
        ("vectors", "dimension"),
        *(("links", name) for name in ("share", "leaders", "after")),
        *((table, "bits") for table in ("postings", "documents", "vector_shards")),
    ]
    made = [changed(manifest, path, value) for path in numbers for value in NUMBERS]
    for name, steps in (("counts", 8), ("lengths", 32), ("fields", 4)):
        rows = ([1] * (steps - 1), [1] * (steps + 1), [1] * (steps - 1) + [0], ["1"] * steps, {}, None, [1] * steps)
        made += [changed(manifest, ("bm25", name), row) for row in rows]
    names = joined_names(["p-0123456789abcdef.z"])
    tables = (
        {"bits": 0, "names": names},
        {"bits": 1, "names": names},
        {"bits": 0, "names": names[:-1]},
        {"bits": 0, "names": [names]},
        {"bits": 0, "names": 7},
        {"bits": 7, "directories": [""]},
        {"bits": 0},
        [],
    )
    made += [changed(manifest, ("postings",), table) for table in tables]
    made += [changed(manifest, ("links", "shards"), table) for table in tables]
    made += [changed(manifest, ("links",), value) for value in (5, "x", [], {}, True, None)]
    made += [changed(manifest, ("questions", "shards"), table) for table in tables]
    made += [changed(manifest, ("questions",), value) for value in (5, "x", [], {}, True, None)]
    made += [
        changed(manifest, ("questions", name), value) for name in ("count", "distance") for value in (*NUMBERS, 65)
    ]
    lists = (5, "x", [], {}, [1], ["x"], {"x": 1}, {"x": "y"}, {"x": ["y"]}, {"x": [1]})
    made += [changed(manifest, ("questions", name), value) for name in ("common", "turning") for value in lists]
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


@needs_node
def test_manifests_that_contradict_themselves_are_refused_alike(site: Path, tmp_path: Path) -> None:
    """By both clients, from files: what one takes for a manifest, the other does."""
    manifest = json.loads((site / "_search/manifest.json").read_bytes())
    made = odd_manifests(manifest)
    (tmp_path / "manifests.json").write_text(json.dumps([manifest, *made]), "utf-8")
    script = """
    const { Bundle } = await import(process.argv[1]);
    const { questionsOf } = await import(process.argv[3]); // which a search that asks for them calls
    const { readFileSync } = await import("node:fs");
    const codes = JSON.parse(readFileSync(process.argv[2], "utf-8")).map((manifest) => {
      try {
        new Bundle({}, manifest, {});
        return "questions" in manifest ? questionsOf(manifest) && null : null;
      } catch ({ code, message }) {
        return code ?? message;
      }
    });
    console.log(JSON.stringify(codes));
    """
    theirs = run_node(script, WEB / "bundle.js", str(tmp_path / "manifests.json"), WEB / "question.js")
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
        for a, b, one in zip(ours, theirs, (manifest, *made), strict=True)
        if a != b
    ]
    assert differing == []
    assert ours.count("broken") > 100


SLIPS = (
    "cahce's",
    "cahce’s",
    "CAHCE'S",
    "'cahce'",
    "“cahce”",
    "c'ahce",
    "cahce.",
    "ｃａｈｃｅ",
    "ca\u0301hce",
    "e" * 70,
    "don’t",
    "can't",
    "bu'ild's",
    "bu’ild’s",
    "'s",
    "ca'",
    "'",
    "",
    "a",
    "é",
    "the",
    "teh",
    "ﬁlse",
    "ﬁler",
    "doc\u00fcment",
    "docu\u0308ment",
    "CİTE",
    "cıte",
    "CITE",
    "ındex",
    "İNDEX",
    "INDEX",
    "buıld",
    "BUİLD",
    "BUILD",
    "ΑΣ",
    "東京",
    "use_stat",
    "useStat",
    "use-stat",
    "serach index",
    "l'indx",
    "x" + "\u0301" * 500 + "cahce",
    "\ud83d",
    "\ude00cahce",
    "p\u0131",
    "œuvre",
    "oeuvre",
    "ındœx",
    "straße",
    "đoc",
    "cæhce",
    "gøße",
)


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("words", [SLIPS[::4], pytest.param(SLIPS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_slips_are_the_same_however_they_are_written(server: Any, words: tuple[str, ...]) -> None:
    """With apostrophes of both kinds, ligatures, marks, and the capitals of Turkish."""
    url = f"{server.url}site/"
    asked: list[Call] = [("correct", word, {"limit": 20}) for word in words]
    asked += [("search", f"{word} xqzt", {}) for word in words] + [("complete", word, {}) for word in words]
    with Client(url, timeout=60) as client:
        ours = [python(client, call) for call in asked]
        for call, own, theirs in zip(asked, ours, ask_javascript(url, asked), strict=True):
            assert same(own, theirs), (call, own, theirs)
        cache = client.correct("cahce").terms
        for written in ("cahce's", "cahce’s", "CAHCE’S", "'cahce'", "ｃａｈｃｅ", "c'ahce", "the cahce"):
            assert client.correct(written).terms == cache != (), written
        assert client.correct("buıld").terms == client.correct("bu’ıld’s").terms != ()


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("part", ["directory", "backwards", "letters"])
def test_a_dictionary_may_lack_a_part(
    site: Path, changed: Callable[..., Path], fault_server_module: Any, part: str
) -> None:
    manifest = json.loads((site / "_search/manifest.json").read_bytes())
    del manifest["dictionary"][part]
    root = changed(**{"_search/manifest.json": json.dumps(manifest).encode()})
    asked: list[Call] = [(method, "cahce", {}) for method in ("correct", "complete", "search")]
    with fault_server_module.running(root) as server, Client(url := f"{server.url}site/", timeout=60) as client:
        for call, theirs in zip(asked, ask_javascript(url, asked), strict=True):
            assert same(python(client, call), theirs), call


@needs_node
@pytest.mark.parametrize("share", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 5))])
def test_the_same_answers(site: Path, server: Any, share: int) -> None:
    url = f"{server.url}site/"
    with Client(url, timeout=60) as client:
        terms = [term for prefix in "abcdefghi" for term, _ in client.complete(prefix, limit=8).terms]
        model = json.loads((site / "_search/manifest.json").read_bytes())["vectors"]["model"]
        asked = calls(terms, model)[share::5]
        for call, theirs in zip(asked, ask_javascript(url, asked), strict=True):
            ours = python(client, call)
            for answer in (ours, theirs) if call[0] == "topic" and "documents" in ours else ():
                for document in answer["documents"].values():
                    for item in document["items"]:  # each has them in its own way
                        item.pop("keywords", None), item.pop("prompt_hashes", None)
            for answer in (ours, theirs) if isinstance(ours, dict) and "code" in ours else ():
                answer.pop("message", None)  # each in its own words
            assert same(ours, theirs), (call, ours, theirs)
