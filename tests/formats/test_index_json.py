"""The format of index.json: the examples of the specification, errors that name the place, the generated file."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest

import infograph.formats.index_json
from infograph.errors import FormatError
from infograph.formats.codec import dump
from infograph.formats.index_json import decode_index, generate, index_schema, schema_bytes

# "Index.json Schema Extensions" of the specification. Only the first two of its twelve items are spelled out there.
SPECIFICATION: dict[str, Any] = {
    "id": "libraries/system-text-json-source-generation",
    "title": "System.Text.Json Source Generation",
    "_links": {
        "self": {"href": "/libraries/system-text-json-source-generation/index.json"},
        "parent": {"href": "/libraries/index.json"},
    },
    "_embedded": {
        "topics": [],
        "chunks": {
            "golden-reference": {
                "source": "golden-reference.md",
                "count": 12,
                "baseline_conceptual": 0,
                "baseline_technical": 1,
                "stripe_order": [1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12],
                "stripe_order_technical": [2, 7, 11, 3, 8, 12, 4, 9, 5, 10, 6],
                "items": [
                    {
                        "index": 0,
                        "href": "_chunks/golden-reference-0.md",
                        "title": "Overview",
                        "is_code": False,
                        "similarity_conceptual": 1.0,
                        "similarity_technical": 0.75,
                        "prompt_hashes": [18446744073709551615, 12345678901234567890],
                        "keywords": [{"name": "source generation", "score": 7}, {"name": "compile-time", "score": 9}],
                    },
                    {
                        "index": 1,
                        "href": "_chunks/golden-reference-1.md",
                        "title": "Quick Reference",
                        "is_code": True,
                        "similarity_conceptual": 0.82,
                        "similarity_technical": 1.0,
                        "keywords": [{"name": "naming policies", "score": 4}],
                    },
                ],
            }
        },
    },
}

# The design's example, where every field of the format occurs but those of paging.
DESIGN: dict[str, Any] = {
    "id": "guide/getting-started",
    "title": "Getting started",
    "description": "First paragraph …",
    "build_id": "b1946ac92492d234",
    "_links": {
        "self": {"href": "index.json"},
        "profile": {"href": "../../_schema/index.schema.json"},
        "parent": {"href": "../index.json", "title": "Guide"},
        "search": {"href": "../../_search/manifest.json"},
        "topic-spec": {"href": "topic-spec.md", "type": "text/markdown"},
        "source": [{"name": "getting-started", "href": "getting-started.md", "type": "text/markdown"}],
        "related": [
            {"href": "../deploy/index.json", "title": "Deploy", "similarity": 0.781204, "authority": {"cache": 1.6}}
        ],
        "item": [
            {
                "name": "getting-started-0",
                "href": "_chunks/getting-started-0.md",
                "title": "Overview",
                "type": "text/markdown",
            }
        ],
    },
    "_embedded": {
        "topics": [],
        "chunks": {
            "_links": {"self": {"href": "index.json#chunks"}},
            "getting-started": {
                "source": "getting-started.md",
                "count": 12,
                "baseline_conceptual": 0,
                "baseline_technical": 1,
                "stripe_factor": 3,
                "stripe_factor_technical": 3,
                "stripe_order": [4, 9, 2, 7, 1, 5, 11, 3, 8, 10, 6],
                "stripe_order_technical": [5, 2, 9, 7, 11, 3, 8, 4, 10, 6],
                "items": [
                    {
                        "index": 0,
                        "href": "_chunks/getting-started-0.md",
                        "title": "Overview",
                        "section_path": ["Getting started"],
                        "is_code": False,
                        "tokens": 318,
                        "sha256": "e3b0" * 16,
                        "similarity_conceptual": 1.0,
                        "similarity_technical": 0.752113,
                        "keywords": [{"name": "cache", "score": 7}],
                        "prompt_hashes": [18446744073709551615],
                        "prompt_hashes_hex": ["ffffffffffffffff"],
                    }
                ],
            },
        },
    },
}


@pytest.mark.parametrize("example", [SPECIFICATION, DESIGN], ids=["specification", "design"])
def test_the_examples_round_trip(example: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(index_schema()).validate(example)
    assert dump(decode_index(orjson.dumps(example), "index.json")) == example


def test_the_design_fixes_the_order_of_keys() -> None:
    data = orjson.dumps(DESIGN)
    assert orjson.dumps(dump(decode_index(data, "index.json"))) == data


def test_typed_values() -> None:
    index = decode_index(orjson.dumps(SPECIFICATION), "index.json")
    document = index.embedded.chunks.documents["golden-reference"]
    assert document.items[0].prompt_hashes[0] == 2**64 - 1
    assert document.items[0].keywords[1].name == "compile-time"
    assert index.links.parent is not None
    assert index.links.parent.href == "/libraries/index.json"


def test_unknown_keys_and_hal_s_own_are_skipped() -> None:
    example = copy.deepcopy(DESIGN)
    example["later"] = {"x": 1}
    example["_links"]["license"] = {"href": "https://example.org"}
    example["_embedded"]["chunks"]["_templates"] = {"default": {}}
    example["_embedded"]["chunks"]["_index"] = example["_embedded"]["chunks"].pop("getting-started")
    jsonschema.Draft202012Validator(index_schema()).validate(example)
    assert list(decode_index(orjson.dumps(example), "i").embedded.chunks.documents) == ["_index"]


ITEM = ("_embedded", "chunks", "getting-started", "items", 0)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("title",), None, "i: title: expected a string, found null"),
        (("title",), 3, "i: title: expected a string, found an integer"),
        (("_embedded", "topics"), {}, "i: _embedded.topics: expected a list, found an object"),
        (
            (*ITEM, "tokens"),
            "9",
            r"i: _embedded.chunks.getting-started.items\[0\].tokens: expected an integer, found a",
        ),
        ((*ITEM, "tokens"), True, "tokens: expected an integer, found true or false"),
        ((*ITEM, "tokens"), -1, "tokens: -1 is out of range"),
        ((*ITEM, "sha256"), "E3B0", "sha256: 'E3B0' does not match"),
        ((*ITEM, "similarity_conceptual"), 1.5, "similarity_conceptual: 1.5 is out of range"),
        ((*ITEM, "prompt_hashes_hex"), ["0", "x\n"], r"prompt_hashes_hex\[0\]: '0' does not match"),
        (("_links", "item"), [{}], r"_links.item\[0\]: `href` is missing"),
    ],
)
def test_errors_name_the_place(path: tuple[str | int, ...], value: object, message: str) -> None:
    example: Any = copy.deepcopy(DESIGN)
    target = example
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value
    with pytest.raises(FormatError, match=message):
        decode_index(orjson.dumps(example), "i")
    assert not jsonschema.Draft202012Validator(index_schema()).is_valid(example)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "i: is not JSON"),
        (b"{", "i: is not JSON"),
        (b'{"a": NaN}', "i: is not JSON"),
        (b"[" * 5000, "i: is not JSON"),
        (b"\xff", "i: is not JSON"),
        (b"[]", "i: expected an object, found a list"),
        (b"{}", "i: `id` is missing"),
    ],
)
def test_what_is_no_index_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        decode_index(data, "i")


def test_a_whole_number_is_a_number() -> None:
    data = orjson.dumps(SPECIFICATION).replace(b"1.0", b"1")
    assert decode_index(data, "i").embedded.chunks.documents["golden-reference"].items[0].similarity_conceptual == 1.0


def test_the_schema_is_valid_and_generated() -> None:
    jsonschema.Draft202012Validator.check_schema(index_schema())
    path = Path(infograph.formats.index_json.__file__).with_name("index.schema.json")
    assert path.read_bytes() == generate() == schema_bytes(), (
        "run: python -m infograph.formats.index_json > infograph/formats/index.schema.json"
    )
