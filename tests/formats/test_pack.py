"""Packs of chunk files: what was put in comes out, and nothing else is taken for one."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.formats.names import PACKED, is_pack_name, is_versioned
from infograph.formats.pack import LARGEST_TABLE, MOST_CHUNKS, Pack, is_pack, packs, parse, render

FILES = st.lists(st.binary(min_size=1, max_size=60), min_size=1, max_size=40)
PLACE = "guide/_chunks/start-32.pack.txt"
WHOLE = render(32, [b"---\ntitle: a\n---\nA", b"---\ntitle: b\n---\nB\n"])
HEAD = b"infograph pack 1\n"


def reason_of(data: bytes) -> str:
    """Why it is refused, which is one line with the place and a way out."""
    with pytest.raises(FormatError) as caught:
        parse(PLACE, data)
    said = str(caught.value)
    assert said.startswith(f"{PLACE}: ") and said.count(PLACE) == 1 and "\n" not in said and caught.value.hint
    return caught.value.reason


@given(first=st.integers(0, 10**9), files=FILES)
@example(first=0, files=[b"infograph pack 1\n"])
@example(first=0, files=[b"\n\n", b"chunks 0: 1\n"])
def test_what_was_put_in_comes_out(first: int, files: list[bytes]) -> None:
    data = render(first, files)
    assert parse(PLACE, data) == Pack(first, tuple(files)) and is_pack(data)
    assert data.endswith(b"".join(files))
    for at, file in enumerate(files):
        assert parse(PLACE, data).file(PLACE, first + at) == file


@given(first=st.integers(0, 99), files=FILES)
def test_a_pack_that_is_cut_off_anywhere_is_refused(first: int, files: list[bytes]) -> None:
    data = render(first, files)
    for size in range(len(data)):
        assert reason_of(data[:size]).startswith("is cut off: it "), size


@given(files=FILES, more=st.binary(min_size=1, max_size=9))
def test_bytes_behind_the_last_chunk_are_refused(files: list[bytes], more: bytes) -> None:
    assert reason_of(render(0, files) + more).startswith("goes on behind its last chunk: it has ")


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (b"chunks 0: 2 0\n", "its table of chunks cannot be read"),  # a chunk of nothing
        (b"chunks 0: -1 3\n", "its table of chunks cannot be read"),  # one that overlaps the one before it
        (b"chunks 0: 02\n", "its table of chunks cannot be read"),
        (b"chunks 0: 1  1\n", "its table of chunks cannot be read"),
        (b"chunks 0: \xd9\xa2\n", "its table of chunks cannot be read"),  # a digit that is none of ASCII
        (b"chunks 0:\n", "its table of chunks cannot be read"),
        (b"chunks 00: 2\n", "its table of chunks cannot be read"),
        (b"chunks -1: 2\n", "its table of chunks cannot be read"),
        (b"chunks 0: 2\r\n", "its table of chunks cannot be read"),
        (b"chunks 0: 1e9\n", "its table of chunks cannot be read"),
        (b"chunks 0: 99999999999\n", "its table of chunks cannot be read"),
        (b"chunks 0: 9999999999\n", "is cut off: it has "),
        (b"chunks 0: 3 3 3\n", "is cut off: it has "),
        (b"chunks 0: 1\n", "goes on behind its last chunk"),
        (b"chunks 0:" + b" 1" * (MOST_CHUNKS + 1) + b"\n", f"has {MOST_CHUNKS + 1} chunks"),
        (b"chunks 0:" + b" 1" * LARGEST_TABLE + b"\n", "its table of chunks cannot be read"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(table: bytes, reason: str) -> None:
    assert reason in reason_of(HEAD + table + b"ab")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"---\ntitle: a\n---\nno pack\n", "is none of infograph's: no file of chunks"),
        (b"<!doctype html><title>404</title>", "is none of infograph's: no file of chunks"),
        (b"infograph pack 2\nchunks 0: 1\na", "is a file of chunks in an unknown form, 2"),
        (b"infograph pack 0\nchunks 0: 1\na", "is none of infograph's: no file of chunks"),
        (b"infograph pack 1\r\nchunks 0: 1\r\na", "is none of infograph's: no file of chunks"),
        (b"infograph pack 1\nchunks: 1\na", "is none of infograph's: its table of chunks cannot be read"),
    ],
)
def test_what_is_no_pack_is_refused(data: bytes, reason: str) -> None:
    assert reason in reason_of(data)


@given(st.binary(max_size=200), st.sampled_from([b"", HEAD, HEAD + b"chunks 0: 3", HEAD + b"chunks 7: 3 4\n"]))
def test_any_bytes_are_read_or_refused(data: bytes, start: bytes) -> None:
    try:
        found = parse(PLACE, start + data)
    except FormatError:
        return
    assert render(found.first, found.files) == start + data


@pytest.mark.parametrize("number", [0, 31, 34, -1])
def test_a_chunk_that_is_not_there_is_named(number: int) -> None:
    with pytest.raises(FormatError, match=re.escape(f"{PLACE}: has the chunks 32 to 33 and not {number}")):
        parse(PLACE, WHOLE).file(PLACE, number)


@pytest.mark.parametrize(("first", "files"), [(0, []), (0, [b"a", b""]), (-1, [b"a"])])
def test_no_pack_is_made_of_nothing(first: int, files: list[bytes]) -> None:
    with pytest.raises(ValueError, match="a pack holds chunk files"):
        render(first, files)


def test_a_document_is_put_into_packs_of_equal_numbers() -> None:
    files = [b"%d" % number for number in range(2 * PACKED + 1)]
    made = dict(packs("a.0123456789", 0, files))
    assert list(made) == [f"a.0123456789-{first}.pack.txt" for first in (0, PACKED, 2 * PACKED)]
    assert all(is_pack_name(name) and is_versioned(f"x/_chunks/{name}") for name in made)
    held = [parse(name, data) for name, data in made.items()]
    assert [one.first for one in held] == [0, PACKED, 2 * PACKED]
    assert [file for one in held for file in one.files] == files
    # A table of millions of rows comes in parts.
    parts = [*packs("a.0123456789", 0, files[:PACKED]), *packs("a.0123456789", PACKED, files[PACKED:])]
    assert dict(parts) == made
    with pytest.raises(ValueError, match="no pack begins with chunk 1"):
        next(packs("a", 1, files))
