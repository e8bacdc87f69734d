"""Reads the texts of hits: all at once, so that a search with its texts is one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from infograph.client.asks import Asks
from infograph.client.errors import ClientError
from infograph.client.types import PublishedChunk
from infograph.search.format.results import Hit, Remarks

if TYPE_CHECKING:
    from infograph.client.tree import PublishedTree


def with_texts(tree: PublishedTree, hits: Sequence[Hit], remarks: Remarks) -> Asks[tuple[Hit, ...]]:
    """Returns hits with their texts, or those of their units; an empty one where it cannot be read, which the remarks
    then name."""
    chunks = [[(hit.href, hit.sha256)] if hit.unit is None else [(own, "") for own in hit.unit.hrefs] for hit in hits]
    texts = iter((yield from _texts_of(tree, [own for members in chunks for own in members], remarks)))
    found = []
    for hit, members in zip(hits, chunks, strict=True):
        own = [next(texts) for _ in members]
        found.append(replace(hit, text="" if None in own else "".join(filter(None, own))))
    return tuple(found)


def texts_of(tree: PublishedTree, hits: Sequence[Hit], remarks: Remarks) -> Asks[list[str | None]]:
    """Returns the text of each chunk as a reader sees it; None where it cannot be read, which the remarks then name."""
    return (yield from _texts_of(tree, [(hit.href, hit.sha256) for hit in hits], remarks))


def _texts_of(tree: PublishedTree, chunks: Sequence[tuple[str, str]], remarks: Remarks) -> Asks[list[str | None]]:
    """Returns the text of each chunk by its href and digest, which may be empty."""
    files = {}
    for href, digest in chunks:
        try:
            files[href] = tree.chunk_file(href, digest)
        except ClientError as error:
            remarks.missing[href] = str(error)
    had = dict(zip(files, (yield list(files.values())) if files else (), strict=True))
    texts: list[str | None] = []
    for href, _ in chunks:
        chunk = had.get(href)
        if isinstance(chunk, ClientError):
            remarks.missing[href] = str(chunk)
        texts.append(chunk.readable if isinstance(chunk, PublishedChunk) else None)
    return texts
