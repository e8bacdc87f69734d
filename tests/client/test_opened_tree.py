"""What is kept of a tree in memory."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import pytest

from infograph.client import opened_tree
from infograph.client.asks import File, Kept
from infograph.client.place import Place
from infograph.client.tree import PublishedTree

BASE = "https://example.org/docs/"


@pytest.fixture
def published() -> PublishedTree:
    return PublishedTree(Place(BASE, BASE))


def chunk(text: bytes, digest: str) -> bytes:
    return b'---\ntitle: A\nsha256: "%s"\n---\n%s' % (digest.encode(), text)


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
    monkeypatch.setattr(opened_tree, "REMEMBERED", 2)
    assert asked(published, "a") == ["a"]
    assert asked(published, "b") == ["b"]
    assert asked(published, "a") == []
    assert asked(published, "c") == ["c"]
    assert asked(published, "a", "c") == []
    assert asked(published, "b") == ["b"]
    assert asked(published, "c", "b") == []
    assert asked(published, "a") == ["a"]
