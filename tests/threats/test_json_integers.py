"""JSON that JavaScript reads as it was written: no integer past 2^53 that it needs, no number that JSON lacks, no depth
without end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from javascript import CLIENT, needs_node, run_node

from infograph.build import build
from infograph.config import load
from infograph.errors import FormatError
from infograph.formats.index_json import HAL_RESERVED, decode_index

UNSAFE = 9_007_199_254_740_993
"""2^53 + 1: the first integer that JavaScript's numbers skip."""

READS = """
import { readFile } from "node:fs/promises";
const { Client } = await import(process.argv[1]);
const root = process.argv[2];
const fetch = async (address) => {
  const data = await readFile(root + new URL(address).pathname).catch(() => null);
  return new Response(data, { status: data ? 200 : 404 });
};
const answer = async (ask) => {
  try {
    return await ask(new Client("https://example.org/", { fetch }));
  } catch (error) {
    return error.code;
  }
};
const topic = await answer((client) => client.topic("guide"));
const items = topic.documents ? Object.values(topic.documents).flatMap(({ items }) => items) : [];
console.log(JSON.stringify({
  code: typeof topic === "string" ? topic : "",
  hashes: items.flatMap((item) => (item.prompt_hashes_hex ?? []).map((hex) => BigInt(`0x${hex}`).toString())),
  root: await answer(async (client) => (await client.topic("")).id),
}));
"""


def by_node(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = run_node(READS, CLIENT, str(root))
    return found


@needs_node
def test_a_hash_past_the_safe_integers_is_equal_in_node(small_tree: Path) -> None:
    index = json.loads((small_tree / "guide/index.json").read_bytes())
    documents = [value for key, value in index["_embedded"]["chunks"].items() if key not in HAL_RESERVED]
    items = [item for document in documents for item in document["items"]]
    expected = [str(number) for item in items for number in item.get("prompt_hashes", ())]
    assert str(UNSAFE) in expected
    found = by_node(small_tree)["hashes"]
    print(f"{len(expected)} hashes, {len(set(expected) ^ set(found))} that differ")
    assert sorted(found) == sorted(expected)


def _integers(value: Any, key: str = "") -> list[tuple[str, int]]:
    if isinstance(value, dict):
        return [found for name, item in value.items() for found in _integers(item, name)]
    if isinstance(value, list):
        return [found for item in value for found in _integers(item, key)]
    return [(key, value)] if isinstance(value, int) and not isinstance(value, bool) else []


def test_no_other_integer_is_past_them(tmp_path: Path, write_tree: Any, library: dict[str, str], quick: Any) -> None:
    docs = write_tree(tmp_path / "docs", library)
    build(load(str(docs), environment={}))
    files = [path for path in docs.rglob("*.json") if ".infograph" not in path.parts and "_schema" not in path.parts]
    assert len(files) > 4

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    found = [pair for path in files for pair in _integers(json.loads(path.read_bytes(), parse_constant=refuse))]
    large = {key for key, number in found if abs(number) > 2**53}
    print(f"{len(found)} integers of {len(files)} files; past 2^53: {sorted(large)}")
    assert large == {"prompt_hashes"}


HOSTILE = {
    "deep lists": b"[" * 100_000,
    "deep lists that end": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "NaN": b'{"id": NaN}',
    "Infinity": b'{"id": 1e999, "x": -Infinity}',
    "no UTF-8": b'{"id": "\xff"}',
    "half a surrogate": b'{"id": "\\ud800"}',
    "empty": b"",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_index_is_an_error(data: bytes) -> None:
    with pytest.raises(FormatError):
        decode_index(data, "index.json")


@needs_node
@pytest.mark.parametrize("kind", ["deep lists that end", "NaN", "no UTF-8"])
def test_nor_does_node_take_it(tmp_path: Path, kind: str) -> None:
    (tmp_path / "index.json").write_bytes(HOSTILE[kind])
    assert by_node(tmp_path)["root"] == "broken"
