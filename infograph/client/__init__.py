"""Reads a tree that `infograph build` published, from its address or from its folder: search, topics, samples, chunks.

    from infograph.client import Client

    with Client("https://example.org/docs/") as client:
        context = client.retrieve("how do I clear the cache?", max_tokens=2000)

Everything that is read lies under the address that was given, and no redirect is followed; files are checked against
their SHA-256, and both their size and the time of a call have a limit. `infograph.js` gives the same answers.

In: the address or the folder of a published tree. Out: answers, as `types.py` has them. Never imported here: code that
builds (`infograph.pipeline`, the stages, `infograph.search.writing`), see `tests/client/test_client.py`.

    facade   Client, AsyncClient                     client.py
    logic    PublishedTree, Graph, retrieve          which files, and what follows from them; reads nothing itself
    readers  FolderSource, WebSource, Loop           files of a folder, of a web server; a server without `await`
    text     answers.py                              answers as text and as JSON
"""

from infograph.client.asks import Progress
from infograph.client.client import AsyncClient, Client
from infograph.client.errors import ClientError
from infograph.client.query import SearchArguments
from infograph.client.types import (
    Answer,
    Citation,
    Communities,
    Context,
    ContextPlan,
    Item,
    Passage,
    PublishedChunk,
    Related,
    Stats,
    Topic,
    TopicDocument,
    TopicEntry,
    Words,
)
from infograph.formats.index_json import EnrichedItem
from infograph.search.format.results import CommunityHit, Hit, MatchedQuestion, SaidRelation, Via

__all__ = [
    "Answer",
    "AsyncClient",
    "Citation",
    "Client",
    "ClientError",
    "Communities",
    "CommunityHit",
    "Context",
    "ContextPlan",
    "EnrichedItem",
    "Hit",
    "Item",
    "MatchedQuestion",
    "Passage",
    "Progress",
    "PublishedChunk",
    "Related",
    "SaidRelation",
    "SearchArguments",
    "Stats",
    "Topic",
    "TopicDocument",
    "TopicEntry",
    "Via",
    "Words",
]
