"""Media types, encodings and ETags."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.commands.serving.representation import (
    ByteRange,
    accepts_gzip,
    asked_range,
    represent,
    unchanged,
)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("gzip", True),
        ("", False),
        ("identity", False),
        ("gzip, deflate, br", True),
        ("gzip;q=0", False),
        ("*", True),
        ("*;q=0", False),
        ("gzip;q=0, *", False),
        ("br;q=1.0, GZIP;q=0.5", True),
        ("gzip ; q=0.001", True),
        ("x-gzip", True),
        ("gzip;q=x", False),
        ("gzipped", False),
    ],
)
def test_accept_encoding(header: str, expected: bool) -> None:
    assert accepts_gzip(header) is expected


def test_if_none_match() -> None:
    for header in ('"a"', 'W/"a"', '"b", "a"', '"b" , W/"a"', "*", ' "x,y", "a" '):
        assert unchanged('"a"', header), header
    for header in (None, "", '"b"', "a", '"a-gzip"', '"a", but not'[1:]):
        assert not unchanged('"a"', header), header


@settings(deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["a.md", "index.json", "a.z", "a.png"]), st.booleans())
def test_a_representation_is_of_these_bytes(data: bytes, name: str, gzipped: bool) -> None:
    found = represent(data, name, "gzip" if gzipped else "identity")
    assert (gzip.decompress(found.body) if found.encoding else found.body) == data
    assert found == represent(data, name, "gzip" if gzipped else "identity")
    assert len(found.body) <= len(data)
    if found.encoding:
        assert found.etag != represent(data, name, "").etag and found.varies


def test_compressed_bytes_do_not_depend_on_the_time() -> None:
    assert represent(b"x" * 1000, "a.md", "gzip").body[4:8] == bytes(4), "the time of compression (RFC 1952, MTIME)"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("bytes=0-9", (0, 10)),
        (" Bytes= 0-9 ", (0, 10)),
        ("bytes=0-99", (0, 20)),
        ("bytes=19-", (19, 20)),
        ("bytes=-5", (15, 20)),
        ("bytes=-99", (0, 20)),
        ("bytes=20-", (20, 20)),
        ("bytes=-0", (20, 20)),
        ("bytes=0-0", (0, 1)),
        ("bytes=5-4", None),
        ("bytes=0-1,3-4", None),
        ("lines=0-1", None),
        ("bytes=", None),
        ("bytes=-", None),
        ("bytes=a-b", None),
        ("", None),
        (None, None),
    ],
)
def test_ranges(asked: str | None, expected: tuple[int, int] | None) -> None:
    assert asked_range(20, '"x"', asked, None) == (ByteRange(*expected) if expected else None)


@given(st.integers(0, 50), st.integers(0, 60), st.integers(0, 60))
def test_a_range_lies_within_the_body(size: int, first: int, last: int) -> None:
    for asked in (f"bytes={first}-{last}", f"bytes={first}-", f"bytes=-{last}"):
        found = asked_range(size, '"x"', asked, None)
        assert found is None or 0 <= found.start <= found.end <= size
