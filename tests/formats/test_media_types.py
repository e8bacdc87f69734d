"""Media types by file name, and which of them are compressed."""

from __future__ import annotations

import pytest

from infograph.formats.media_types import is_compressible, media_type


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("index.json", "application/hal+json"),
        ("index-12.json", "application/hal+json"),
        ("manifest.json", "application/json"),
        ("search_index.json", "application/json"),
        ("index.schema.json", "application/schema+json"),
        ("a.MD", "text/markdown; charset=utf-8"),
        ("a.markdown", "text/markdown; charset=utf-8"),
        ("infograph.js", "text/javascript; charset=utf-8"),
        ("x.mjs", "text/javascript; charset=utf-8"),
        ("infograph.d.ts", "text/plain; charset=utf-8"),
        ("p-0123.z", "application/octet-stream"),
        ("llms.txt", "text/plain; charset=utf-8"),
        ("a.html", "text/html; charset=utf-8"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.svg", "image/svg+xml"),
        ("a.png", "image/png"),
        ("a.woff2", "font/woff2"),
        ("a.tar.gz", "application/octet-stream"),
        ("README", "application/octet-stream"),
        ("data:,x", "application/octet-stream"),
        ("js", "application/octet-stream"),
    ],
)
def test_media_types(name: str, expected: str) -> None:
    assert media_type(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("index.json", True), ("a.md", True), ("infograph.js", True), ("a.svg", True), ("p-0.z", False), ("a.png", False)],
)
def test_what_is_compressed_already_is_left_alone(name: str, expected: bool) -> None:
    assert is_compressible(media_type(name)) is expected
