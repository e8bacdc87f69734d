"""Reads the texts of hits: all at once, so that a search with its texts is one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from infograph.client.asks import Asks
from infograph.client.errors import ClientError
from infograph.search.format.results import Hit, Remarks

if TYPE_CHECKING:
    from infograph.client.chunks import WantedChunk
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


def _texts_of(tree: PublishedTree, chunks: Sequence[WantedChunk], remarks: Remarks) -> Asks[list[str | None]]:
    had = yield from tree.chunks(chunks)
    texts: list[str | None] = []
    for (href, _), chunk in zip(chunks, had, strict=True):
        if isinstance(chunk, ClientError):
            remarks.missing[href] = str(chunk)
        texts.append(None if isinstance(chunk, ClientError) else chunk.readable)
    return texts
