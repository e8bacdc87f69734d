"""Texts of a published tree for the retrievers of other frameworks: from threads and from event loops alike.

The adapters beside this module (`langchain`, `llama_index`, `haystack`) only turn `FoundText` into their own documents.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from infograph.client import Answer, Client, Context, Hit
from infograph.client.client import TIMEOUT, Source
from infograph.client.embedded import Rerank
from infograph.client.place import is_url
from infograph.search.format.filters import Filters

log = logging.getLogger(__name__)

Metadata = dict[str, str | int | float | bool]
"""What is known of a text, flat: vector stores and prompt templates take no lists."""


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text that answers a question."""

    id: str
    """Href of the chunk; of the first one, where there are several."""
    text: str
    score: float
    metadata: Metadata
    """`source`: the URL of the rendered page at the heading, or else the path of the source; `page`, `title`,
    `page_title`, `section_path`, `href`, `chunks` (number of chunks), `tokens`, `excerpt` (whether it is a part)."""


class TreeTexts:
    """One published tree, asked for texts.

    source:     URL or folder of the tree
    max_tokens: passages in at most this many tokens in place of the best chunks, as `Client.retrieve` gives them
    timeout:    seconds that a question may take
    cache:      folder in which downloaded files are kept
    path, filters, rerank: see `infograph.client.query.SearchArguments`

    What an answer lacks (files that could not be read) and its notes are logged as warnings. Raises ConfigError where
    `source` is no tree, ClientError where it cannot answer.
    """

    def __init__(
        self,
        source: Source,
        *,
        max_tokens: int | None = None,
        path: str = "",
        filters: Filters | None = None,
        rerank: Rerank = None,
        timeout: float = TIMEOUT,
        cache: Source | None = None,
    ) -> None:
        self._max_tokens = max_tokens
        self._how: dict[str, Any] = {"path": path, "filters": filters, "rerank": rerank}
        self._client = Client(source, timeout=timeout, cache=cache)
        # A folder is read in the thread that asks; a client over HTTP has a thread of its own for many calls at once.
        self._turns: AbstractContextManager[object] = nullcontext() if is_url(str(source)) else threading.Lock()

    def find(self, question: str, count: int) -> list[FoundText]:
        """Returns the best texts for a question: `count` of them, or those that fit `max_tokens`."""
        with self._turns:
            if self._max_tokens is not None:
                return _passages(self._client.retrieve(question, self._max_tokens, **self._how))
            return _chunks(self._client.search(question, limit=count, texts=True, **self._how))

    async def find_awaited(self, question: str, count: int) -> list[FoundText]:
        """Returns what `find` does, without keeping the event loop waiting."""
        return await asyncio.to_thread(self.find, question, count)

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()


def _chunks(answer: Answer) -> list[FoundText]:
    _log(answer.missing, answer.notes, answer.corrected)
    return [_found((hit,), hit.text or hit.snippet, hit.tokens, excerpt=not hit.text) for hit in answer.hits]


def _passages(context: Context) -> list[FoundText]:
    _log(context.missing, context.notes, context.corrected)
    return [_found(own.hits, own.text, own.tokens, excerpt=own.excerpt) for own in context.passages]


def _found(hits: tuple[Hit, ...], text: str, tokens: int, *, excerpt: bool) -> FoundText:
    first = hits[0]
    metadata: Metadata = {
        "source": first.url or first.page,
        "page": first.page,
        "title": first.title,
        "page_title": first.page_title,
        "section_path": " › ".join(first.section_path),
        "href": first.href,
        "chunks": len(hits),
        "tokens": tokens,
        "excerpt": excerpt,
    }
    return FoundText(first.href, text, max(hit.score for hit in hits), metadata)


def _log(missing: Mapping[str, str], notes: tuple[str, ...], corrected: Mapping[str, str]) -> None:
    for place, reason in missing.items():
        log.warning("the answer lacks %s: %s", place, reason)
    for word, instead in corrected.items():
        log.info("searched for %r instead of %r, which the site does not have", instead, word)
    for note in notes:
        log.warning("%s", note)
