"""A part of an index that is encoded ahead is, byte for byte, what it would have been inside."""

from __future__ import annotations

from typing import Any

import pytest

from infograph.index.encoding import encode, encode_document, encoded_size

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
