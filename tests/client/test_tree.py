"""What is kept of a tree in memory, and which chunk file is the one that was asked for."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from infograph.client import tree
from infograph.client.asks import File, Freshness, Kept
from infograph.client.errors import ClientError
from infograph.client.place import Place
from infograph.client.tree import PublishedTree, read_chunk
from infograph.errors import FormatError

BASE = "https://example.org/docs/"


@pytest.fixture
def published() -> PublishedTree:
    return PublishedTree(Place(BASE, BASE))


def chunk(text: bytes, digest: str) -> bytes:
    return b'---\ntitle: A\nsha256: "%s"\n---\n%s' % (digest.encode(), text)


def test_a_chunk_of_other_bytes_than_utf8_is_refused_with_the_place() -> None:
    data = b"caf\xe9"
    with pytest.raises(FormatError, match="not UTF-8 at byte 3"):
        read_chunk("a.md", "", chunk(data, hashlib.sha256(data).hexdigest()))


def test_a_chunk_whose_digest_only_begins_alike_is_refused() -> None:
    digest = hashlib.sha256(b"text").hexdigest()
    assert read_chunk("a.md", "", chunk(b"text", digest)).text == "text"
    texts = (str(number).encode() for number in itertools.count())
    near = next(text for text in texts if hashlib.sha256(text).hexdigest().startswith(digest[:4]))
    with pytest.raises(ClientError, match="not the whole of it"):
        read_chunk("a.md", "", chunk(near, digest))
    assert read_chunk("a.md", digest[:32], chunk(b"text", digest)).sha256 == digest
    other = digest[:31] + ("0" if digest[31] != "0" else "1")
    with pytest.raises(ClientError, match="has changed"):
        read_chunk("a.md", other, chunk(b"text", digest))


def test_only_a_chunk_whose_digest_is_known_comes_from_a_cache_unasked(published: PublishedTree) -> None:
    assert published.chunk_file("a.md", "").freshness is Freshness.VALIDATED
    assert published.chunk_file("a.md", "0" * 32).freshness is Freshness.FOREVER


def asked(published: PublishedTree, *names: str) -> list[str]:
    """The files that have to be read for some, whose contents are their names."""
    files = [File(BASE + name, 100, bytes.decode) for name in names]
    asks: Generator[Sequence[File] | Kept, Any, list[Any]] = published._some(files)  # type: ignore[assignment]
    read: list[str] = []
    try:
        wanted = next(asks)
        while True:
            if isinstance(wanted, Kept):
                wanted = next(asks)
                continue
            read += [file.address.removeprefix(BASE) for file in wanted]
            wanted = asks.send([file.accept(file.address.removeprefix(BASE).encode()) for file in wanted])
    except StopIteration as done:
        assert done.value == list(names)
    return read


def test_the_files_that_were_read_last_are_kept(published: PublishedTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "REMEMBERED", 2)
    assert asked(published, "a") == ["a"]
    assert asked(published, "b") == ["b"]
    assert asked(published, "a") == []
    assert asked(published, "c") == ["c"]
    assert asked(published, "a", "c") == []
    assert asked(published, "b") == ["b"]
    assert asked(published, "c", "b") == []
    assert asked(published, "a") == ["a"]
