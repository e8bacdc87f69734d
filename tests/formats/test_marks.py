"""Files of ours are told from files of the same names that somebody else wrote."""

from __future__ import annotations

import hashlib

import pytest

from infograph.formats.marks import (
    HEAD_BYTES,
    NO_JEKYLL_TEXT,
    SPEC_TITLE,
    WEB_MARK,
    is_chunk_file,
    is_marked,
    is_root_index,
    is_specification,
    written_by_us,
)

CHUNK = b"---\ntitle: a\nsource: a.md\nchunk_type: structural\nsha256: 00\n---\ntext\n"
SHARD = f"_search/p-{hashlib.sha256(b'shard').hexdigest()[:16]}.z"


@pytest.mark.parametrize(
    ("path", "ours", "others"),
    [
        (".nojekyll", NO_JEKYLL_TEXT, b""),
        (".nojekyll", NO_JEKYLL_TEXT, NO_JEKYLL_TEXT + b"x"),
        ("_chunks/a-0.md", CHUNK, CHUNK.replace(b"source", b"sauce")),
        ("guide/_chunks/a-0.md", CHUNK, b"# A page"),
        ("index.json", b'{"build_id": "", "profile": "_schema/index.schema.json"}', b'{"build_id": ""}'),
        ("guide/index-2.json", b'"build_id" _schema/index.schema.json', b"_schema/index.schema.json"),
        ("guide/topic-spec.md", f"# Guide {SPEC_TITLE}\n".encode(), b"# Guide\n"),
        ("llms.txt", b"`stripe_order`", b"# Site"),
        ("_schema/index.schema.json", b"infograph", b"{}"),
        ("_search/manifest.json", b'{"largest_shard": 1}', b"{}"),
        ("infograph.js", b"/* " + WEB_MARK + b" */", b"export {}"),
        ("explorer.html", b"<!-- " + WEB_MARK + b" -->", b"<!doctype html>"),
        (SHARD, b"shard", b"shards"),
        ("guide/_keywords/words.md", b"# Keywords\n\n| Term | Type |", b"# Words"),
    ],
)
def test_a_file_is_told_by_the_mark_of_its_name(path: str, ours: bytes, others: bytes) -> None:
    assert written_by_us(path, ours)
    assert not written_by_us(path, others)


@pytest.mark.parametrize("path", ["index.json", "_chunks/a-0.md", "llms.txt", SHARD, "infograph.js", "topic-spec.md"])
def test_nothing_is_lost_with_an_empty_file(path: str) -> None:
    assert written_by_us(path, b"")


@pytest.mark.parametrize(
    ("data", "ours"),
    [
        (CHUNK, True),
        (CHUNK.replace(b"\n", b"\r\n"), True),
        (CHUNK.partition(b"\n---\n")[0] + b"\n", True),  # as much of it as was read
        (b"x" + CHUNK, False),
        (CHUNK[4:], False),
        (CHUNK.replace(b"title", b"name"), False),
        (b"---\ntitle: a\n---\n" + CHUNK, False),
        *((CHUNK.replace(b"\n" + key, b"\nx" + key), False) for key in (b"source", b"chunk_type", b"sha256")),
    ],
)
def test_a_chunk_file_is_told_by_its_front_matter(data: bytes, ours: bool) -> None:
    assert is_chunk_file(data) is ours


def test_marks_are_looked_for_at_the_start() -> None:
    title = SPEC_TITLE.encode()
    assert is_specification((HEAD_BYTES - len(title)) * b"x" + title)
    assert not is_specification((HEAD_BYTES - len(title) + 1) * b"x" + title)
    assert is_marked((100 - len(WEB_MARK)) * b" " + WEB_MARK)
    assert not is_marked((101 - len(WEB_MARK)) * b" " + WEB_MARK)


@pytest.mark.parametrize(
    ("data", "root"),
    [(b'{\n  "id": "",\n', True), (b'{"id":""}', True), (b'{"id": "a"}', False), (b' {"id": ""}', False)],
)
def test_the_index_of_a_root_has_no_id(data: bytes, root: bool) -> None:
    assert is_root_index(data) is root
