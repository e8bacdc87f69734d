"""Reads the texts of hits: all at once, so that a search with its texts is one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from infograph.client.asks import Asks
from infograph.client.errors import ClientError
from infograph.search.format.results import Hit, Remarks

if TYPE_CHECKING:
    from infograph.client.tree import PublishedTree


def with_texts(tree: PublishedTree, hits: Sequence[Hit], remarks: Remarks) -> Asks[tuple[Hit, ...]]:
    """Returns hits with their texts; an empty one where it cannot be read, which the remarks then name."""
    texts = yield from texts_of(tree, hits, remarks)
    return tuple(replace(hit, text=text or "") for hit, text in zip(hits, texts, strict=True))


def texts_of(tree: PublishedTree, hits: Sequence[Hit], remarks: Remarks) -> Asks[list[str | None]]:
    """Returns the text of each chunk as a reader sees it; None where it cannot be read, which the remarks then name."""
    had = yield from tree.chunks([(hit.href, hit.sha256) for hit in hits])
    texts: list[str | None] = []
    for hit, chunk in zip(hits, had, strict=True):
        if isinstance(chunk, ClientError):
            remarks.missing[hit.href] = str(chunk)
        texts.append(None if isinstance(chunk, ClientError) else chunk.readable)
    return texts
