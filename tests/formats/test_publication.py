"""The list of what is published to an object store."""

from __future__ import annotations

import json
import zlib

import pytest

from infograph.errors import FormatError
from infograph.formats.publication import Publication, dump_publication, read_publication

LISTED = Publication({"index.json": "ab", "_chunks/a.0123456789-0.md": ""}, [["a/index.json"], []], ["llms.txt"])


def test_a_list_is_read_as_it_was_written() -> None:
    assert read_publication(dump_publication(LISTED), "x") == LISTED
    assert LISTED.known == {"index.json", "_chunks/a.0123456789-0.md", "a/index.json", "llms.txt"}


def test_equal_lists_are_equal_bytes() -> None:
    turned = Publication(dict(reversed(LISTED.files.items())), LISTED.older, LISTED.pending)
    assert dump_publication(turned) == dump_publication(LISTED)


@pytest.mark.parametrize("cut", range(0, 60, 7))
def test_a_list_that_is_cut_off_is_none(cut: int) -> None:
    with pytest.raises(FormatError, match="is no list of published files"):
        read_publication(dump_publication(LISTED)[:cut], "x")


@pytest.mark.parametrize(
    "change",
    [
        {"files": {"../index.json": ""}},
        {"files": {"notes.txt": ""}},
        {"files": []},
        {"files": {"index.json": 1}},
        {"older": [["/etc/passwd"]]},
        {"pending": None},
        {"pending": ["a//index.json"]},
    ],
)
def test_what_infograph_does_not_write_is_never_removed(change: dict[str, object]) -> None:
    value = {"version": 1, "files": {}, "older": [], "pending": []} | change
    with pytest.raises(FormatError, match="lists what infograph does not write"):
        read_publication(zlib.compress(json.dumps(value).encode()), "x")


def test_a_later_form_says_so() -> None:
    with pytest.raises(FormatError, match="was written by a later release"):
        read_publication(zlib.compress(b'{"version": 2}'), "x")
