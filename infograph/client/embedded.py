"""A query's vector by the model that a site's chunks were embedded with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from infograph import embedding
from infograph.client.errors import ClientError
from infograph.search.table import FALLBACK

if TYPE_CHECKING:
    from infograph.embedding.base import Embedder

PACKAGED = {"all-MiniLM-L6-v2": "all-MiniLM-L6-v2", FALLBACK: "static"}
"""Models that queries are embedded with, by the name in a manifest to that in a configuration."""
LONGEST_QUERY = 4096
"""Characters that are embedded: what more there is says no more, and a page pasted in would take seconds."""


@dataclass(frozen=True, slots=True)
class EmbeddedQuery:
    """A query as a model sees it."""

    model: str
    """`name@revision`."""
    vector: tuple[float, ...]
    """Of unit length."""


def embed_query(model: str, query: str) -> EmbeddedQuery:
    """Embeds a query; loading the model takes a third of a second, once.

    model: `name@revision`, as the site's manifest names it

    Raises ClientError `unknown` where this installation does not have that model.
    """
    name = model.partition("@")[0]
    if name not in PACKAGED:  # a site's word, which must not lead to a download or into a folder
        reason = f"the site's chunks were embedded with {model[:80]!r}, which is no model of this release"
    else:
        embedder = _embedder(name)
        own = f"{name}@{embedder.revision}"
        if own == model:
            text = query[:LONGEST_QUERY].encode("utf-8", "replace").decode()  # half of a pair is no text
            return EmbeddedQuery(model, tuple(embedder.embed([text], kind="query")[0].tolist()))
        reason = f"the site's chunks were embedded with {model[:80]!r}, and this release has {own}"
    raise ClientError("unknown", "rerank", reason, "Install the release that built the site, or search without")


@cache
def _embedder(name: str) -> Embedder:
    return embedding.load(PACKAGED[name], 1)
