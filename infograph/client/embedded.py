"""Embeds a query with the model that a site's chunks were embedded with."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from infograph.client.asks import Asks, Work
from infograph.client.errors import ClientError
from infograph.errors import InfographError
from infograph.search.format.bundle_manifest import VectorParameters
from infograph.search.format.encoding import deflate
from infograph.search.format.layout import content_name
from infograph.search.format.projection import encode_map
from infograph.search.format.results import Remarks
from infograph.search.format.search_space import FALLBACK, load_space

if TYPE_CHECKING:
    from infograph.embedding.base import Embedder

PACKAGED = {"all-MiniLM-L6-v2": "all-MiniLM-L6-v2", FALLBACK: "static"}
"""Names of packaged models: in a manifest, and in a configuration."""
LONGEST_QUERY = 4096
"""Most characters that are embedded: more add nothing, and a page pasted in would take seconds."""
QUERIES_REMEMBERED = 64
"""Vectors that are kept, for the next page of an answer and for repeated queries."""

_LOADING = threading.Lock()
_LOADED: dict[str, Embedder] = {}


def vector_of(
    query: str, vectors: VectorParameters, rerank: bool | None, remarks: Remarks
) -> Asks[Sequence[float] | None]:
    """Returns the query's vector, where the head of the ranking is to be ordered by it. Loading the model is part of
    the call's time: where that is too short, the call fails, so that one question never has two answers.

    rerank: None: where the manifest says that it pays, and its model is installed here; True: raises ClientError
            `unknown` where it is not installed
    """
    if rerank is False or (rerank is None and not vectors.rerank):
        return None
    found = yield Work(lambda: _attempt(vectors.model, query))
    if not isinstance(found, InfographError):
        vector: Sequence[float] = found
        return vector
    if rerank:
        raise found
    if not isinstance(found, ClientError):  # it is installed, and damaged
        remarks.notes.append(f"not put in order by the site's model: {found}")
    return None


def embed_query(model: str, query: str) -> tuple[float, ...]:
    """Returns a query's vector, of unit length. The model is loaded once, in some tenths of a second, from files of
    the package.

    model: `name@revision`, as the site's manifest names it

    Raises ClientError `unknown` where this installation does not have that model, ModelError where it is damaged.
    """
    from infograph import embedding  # here, because most answers are given without a model

    name = model.partition("@")[0]
    if name not in PACKAGED:  # a site's word, which must not lead to a download or into a folder
        reason = f"the site's chunks were embedded with {model[:80]!r}, which is no model of this release"
    else:
        own = "@".join(embedding.identify(PACKAGED[name]))
        if own == model:
            # Half of a pair is no text.
            return _vector(name, query[:LONGEST_QUERY].encode("utf-8", "replace").decode())
        reason = f"the site's chunks were embedded with {model[:80]!r}, and this release has {own}"
    raise ClientError("unknown", "rerank", reason, "Install the release that built the site, or search without")


@cache
def own_map(model: str) -> tuple[str, bytes]:
    """Returns name and contents, inflated, of the bundle's file that maps vectors of a packaged model, as this release
    writes it: where a site has that name, the file need not be read from it.

    model: `name@revision`
    """
    data = encode_map(load_space().map(model.partition("@")[0]))
    return content_name("m", deflate(data)), data


def _attempt(model: str, query: str) -> tuple[float, ...] | InfographError:
    try:
        vector = embed_query(model, query)
        own_map(model)  # now, since it takes time, too
        return vector
    except InfographError as error:
        return error


@lru_cache(QUERIES_REMEMBERED)
def _vector(name: str, text: str) -> tuple[float, ...]:
    from infograph import embedding

    with _LOADING:  # by one thread: others wait instead of loading it, too
        if name not in _LOADED:
            embedder = embedding.load(PACKAGED[name], 1)
            embedder.embed(["."])  # what loads it
            _LOADED[name] = embedder
    return tuple(_LOADED[name].embed([text], kind="query")[0].tolist())
