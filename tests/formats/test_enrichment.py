"""Files of records: read back as they were written, and refused with the place at fault."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.formats.enrichment import (
    Breakpoints,
    EnrichmentFile,
    EnrichmentRecord,
    digest_of,
    holding,
    parse,
    render,
)

A, B = "a" * 64, "b" * 64
RECORD = EnrichmentRecord(A, "metadata", "metadata-1", "m", 2, {"title": "T", "keywords": ["é", "x"]})
FILE = EnrichmentFile("page.md", "d" * 64, "structural", 2, (RECORD, replace(RECORD, task="context", pinned=True)))
_texts = st.text(st.characters(blacklist_categories=["Cs"]), max_size=20)


def test_a_file_reads_back_in_one_order() -> None:
    data = render(FILE)
    assert render(parse("f", data)) == data
    assert render(replace(FILE, records=FILE.records[::-1])) == data
    assert json.loads(data)["records"][0]["task"] == "context"
    assert '    "keywords": ["é", "x"],\n    "title": "T"\n' in data.decode()


@given(st.dictionaries(_texts, _texts | st.lists(_texts)), _texts, st.booleans(), st.integers(0, 999))
def test_whatever_is_recorded_reads_back(fields: dict[str, Any], text: str, pinned: bool, chunk: int) -> None:
    record = EnrichmentRecord(A, text, text, text, chunk, fields, text, pinned)
    assert parse("f", render(EnrichmentFile(text, records=(record,)))).records == (record,)


def test_places_read_back_and_hold_for_their_text_alone() -> None:
    found = Breakpoints(digest_of("é body"), ((3, "body"), (5, 'a "word"')), "p", "m", pinned=True)
    file = replace(FILE, breakpoints=found)
    data = render(file)
    assert parse("f", data) == replace(file, records=parse("f", data).records)
    assert render(parse("f", data)) == data
    assert (file.breaks("é body"), file.breaks("other"), FILE.breaks("é body")) == ((3, 5), None, None)
    assert replace(file, breakpoints=replace(found, failed="why")).breaks("é body") is None
    for broken in ({"places": 1}, {"places": [{"at": -1}]}, {"places": [{"at": True}]}, {"places": [], "pinned": 1}):
        with pytest.raises(FormatError, match="f: breakpoints"):
            parse("f", json.dumps({**json.loads(data), "breakpoints": broken}).encode())


def test_a_pinned_record_counts_before_the_last_one() -> None:
    last = replace(RECORD, fields={"title": "last"})
    pinned = replace(RECORD, pinned=True)
    assert EnrichmentFile("x", records=(RECORD, last)).by_text() == {(A, "metadata"): last}
    file = EnrichmentFile("x", records=(pinned, last))
    assert (file.by_text(), file.doubled()) == ({(A, "metadata"): pinned}, [last])
    assert holding(file, [B, A, A], "metadata") == [None, pinned, pinned]
    assert FILE.doubled() == []


def broken(**changes: Any) -> bytes:
    value = json.loads(render(FILE))
    for name, change in changes.items():
        target = value if name in value else value["records"][1]
        target[name] = change
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "f: is not JSON"),
        (b"[]", "f: holds no `records`"),
        (b"[" * 100_000, "f: is not JSON"),
        (broken(format=2), "f: has the format 2, and this release reads 1. Install a newer infograph"),
        (broken(format="x"), "f: has the format 'x'"),
        (broken(source=1), "f: `source` is no text"),
        (broken(text_sha256="a"), r"f: records\[1\]: `text_sha256` is not 64"),
        (broken(fields=[]), r"f: records\[1\]: `fields` is no object"),
        (broken(pinned="yes"), r"f: records\[1\]: `pinned` is neither"),
        (broken(chunk=-1), r"f: records\[1\]: `chunk` is no whole number"),
        (broken(records=[3]), r"f: records\[0\]: is no object"),
    ],
)
def test_a_broken_file_says_where(data: bytes, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        parse("f", data)
