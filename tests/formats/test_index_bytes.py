"""A part of an index that is encoded ahead is, byte for byte, what it would have been inside."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from infograph.formats.index_bytes import build_id, encode, encode_document, encoded_size

VALUES: list[dict[str, Any]] = [
    {"source": "a.md"},
    {"source": "a.md", "items": [{"index": 0}, {"index": 1, "keywords": [{"name": "x"}]}]},
    {"source": "a.md", "stripe_order": [2, 1], "items": [], "more": {"deeper": {"list": [{}]}}},
]


@pytest.mark.parametrize("value", VALUES, ids=len)
def test_a_document_stands_at_its_depth(value: dict[str, Any]) -> None:
    def index(document: object) -> bytes:
        return encode({"build_id": "0" * 16, "_embedded": {"chunks": {"a": document}}}, "index.json")

    assert index(encode_document(value, "index.json")) == index(value)


@pytest.mark.parametrize("value", VALUES, ids=len)
def test_its_size_is_that_of_its_value(value: dict[str, Any]) -> None:
    assert encode_document(value, "index.json").size == encoded_size(value, "index.json")


def test_the_build_id_of_other_bytes_is_their_hash() -> None:
    """Of a file without the line, as a damaged one; a line further down is not the index's own."""
    for data in (b"", b"{}", b'{\n  "build_id": "short",\n}\n'):
        assert build_id(data) == hashlib.sha256(data).hexdigest()[:16]
    line = b'  "build_id": "0123456789abcdef",\n'
    assert build_id(b"a\n" + line + b"b\n" + line) == hashlib.sha256(b"a\nb\n" + line).hexdigest()[:16]


def test_a_line_for_each_thing_that_can_change() -> None:
    value = {"id": "a", "more": {"flat": {"x": 1}, "rows": [{"n": 1}, {"n": 2}], "none": [], "names": ["a", "b"]}}
    assert encode({"build_id": "0" * 16, **value}, "index.json").decode().splitlines()[2:] == [
        '  "id": "a",',
        '  "more": {',
        '    "flat": {"x":1},',
        '    "rows": [',
        '      {"n":1},',
        '      {"n":2}',
        "    ],",
        '    "none": [],',
        '    "names": ["a","b"]',
        "  }",
        "}",
    ]
