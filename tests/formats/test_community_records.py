"""Records of communities: written and read back, one a line; what is no record is named with its line."""

from __future__ import annotations

import json

import pytest

from infograph.errors import FormatError
from infograph.formats.community_records import CommunityRecord, parse, render

ID, OTHER = "0123456789abcdef", "fedcba9876543210"
FULL = CommunityRecord(ID, "communities-1", "a-model", "Mills", "They grind. “Always”.", ("mill", "stone"))
FAILED = CommunityRecord(OTHER, "communities-1", "a-model", failed="no JSON")


def test_records_come_back_sorted() -> None:
    data = render([FAILED, FULL])
    assert parse("x", data) == {ID: FULL, OTHER: FAILED}
    assert [json.loads(line)["community"] for line in data.splitlines()] == [ID, OTHER]
    assert render(parse("x", data).values()) == data
    assert "“Always”".encode() in data
    assert parse("x", b"\n \n") == {}


def test_of_several_a_pinned_one_counts_else_the_last() -> None:
    first, last = (CommunityRecord(ID, "p", "m", title, "Said.") for title in ("One", "Two"))
    pinned = CommunityRecord(ID, "p", "m", "Kept", "Said.", pinned=True)
    assert parse("x", render([first]) + render([last]))[ID].title == "Two"
    assert parse("x", render([pinned]) + render([last]))[ID].title == "Kept"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "16 digits"),
        ({"community": "x"}, "16 digits"),
        ({"community": ID, "title": 3}, "`title` must be a text"),
        ({"community": ID, "names": "mill"}, "`names` must be a list"),
        ({"community": ID, "names": [1]}, "`names` must be a list"),
    ],
)
def test_what_is_no_record_is_named_with_its_line(value: object, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as raised:
        parse("communities.jsonl", render([FULL]) + json.dumps(value).encode())
    assert "communities.jsonl:2" in str(raised.value)


def test_no_json_and_too_much_of_it() -> None:
    with pytest.raises(FormatError, match="no record"):
        parse("x", b"{")
    with pytest.raises(FormatError, match="32 MiB"):
        parse("x", bytes((1 << 25) + 1))
