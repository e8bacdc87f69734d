"""Embeds a query with the model that a site's chunks were embedded with."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
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
    from infograph.embedding.base import Embedder, ModelOptions

PACKAGED = {"all-MiniLM-L6-v2": "all-MiniLM-L6-v2", FALLBACK: "static"}
"""Names of packaged models: in a manifest, and in a configuration."""
UNIT = 0.001
"""Most that the length of a vector differs from 1 which is taken as it is."""
LONGEST_QUERY = 4096
"""Most characters that are embedded: more add nothing, and a page pasted in would take seconds."""
QUERIES_REMEMBERED = 64
"""Vectors that are kept, for the next page of an answer and for repeated queries."""

_LOADING = threading.Lock()
_LOADED: dict[str, Embedder] = {}


QueryEmbedder = Callable[[str, str], Sequence[float]]
"""Returns the vector of a query, given it and the model of the site's chunks as `name@revision`."""
Rerank = bool | QueryEmbedder | None
"""The option `rerank` of a search."""


def vector_of(query: str, vectors: VectorParameters, rerank: Rerank, remarks: Remarks) -> Asks[Sequence[float] | None]:
    """Returns the query's vector, where the head of the ranking is to be ordered by it. Loading the model is part of
    the call's time: where that is too short, the call fails, so that one question never has two answers.

    rerank: None: where the manifest says that it pays, and its model is installed here; True: raises ClientError
            `unknown` where it is not installed; a function gives the vector, and raises what it raises
    """
    if callable(rerank):
        given = yield Work(partial(_given, rerank, query, vectors), spare=True)
        if isinstance(given, ClientError) and given.place == "work":
            raise ClientError(given.code, "rerank", given.reason, "Give the call more time")
        if isinstance(given, Exception):
            raise given
        own: Sequence[float] = given
        return own
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
        raise ClientError("unknown", "rerank", reason, "Give a function that embeds the query with it, or --embed-with")
    own = "@".join(embedding.identify(PACKAGED[name]))
    if own == model:
        # Half of a pair is no text.
        return _vector(name, query[:LONGEST_QUERY].encode("utf-8", "replace").decode())
    reason = f"the site's chunks were embedded with {model[:80]!r}, and this release has {own}"
    raise ClientError("unknown", "rerank", reason, "Install the release that built the site, or search without")


def model_embedder(model: str, options: ModelOptions | None = None) -> QueryEmbedder:
    """Returns what embeds queries with a model of this machine or a server, for `rerank` of a search: it is loaded with
    the first query, and refuses a site whose chunks another model embedded. A model of other packages runs in a process
    of its own, so that one that hangs keeps nobody waiting for longer than a call's time.

    model:   as `model` of the configuration names it
    options: the table `embedding` of the configuration, for a model of a server, and for how long one may take

    Raises ModelError for a model that does not exist; what is returned raises it where it cannot embed, `ModelStuck`
    where it hangs or takes its process down, and ClientError `unknown` for a site of another model.
    """
    from infograph import embedding
    from infograph.config.settings import EmbeddingSettings
    from infograph.execution.guarded_embedder import load_guarded

    own = "@".join(embedding.identify(model, options))
    loading = threading.Lock()
    loaded: list[Embedder] = []

    @lru_cache(QUERIES_REMEMBERED)
    def embed(query: str, wanted: str) -> tuple[float, ...]:
        if wanted != own:
            reason = f"the site's chunks were embedded with {wanted[:80]!r}, and not with {own}"
            raise ClientError("unknown", "rerank", reason, 'Build it with this model and `search.vectors = "own"`')
        with loading:
            if not loaded:
                loaded.append(load_guarded(model, 1, options or EmbeddingSettings()))
        text = query[:LONGEST_QUERY].encode("utf-8", "replace").decode()
        return tuple(loaded[0].embed([text], kind="query")[0].tolist())

    return embed


def _given(embed: QueryEmbedder, query: str, vectors: VectorParameters) -> list[float] | Exception:
    """Returns the vector that a function gives, or what it raises."""
    if not vectors.map:
        return ClientError("unknown", "rerank", "the site names no model", "Build it with a newer release")
    try:
        found = [float(own) for own in embed(query, vectors.model)]
    except (TypeError, ValueError):
        found = []
    except Exception as error:  # noqa: BLE001  # a caller's own, which goes back to the caller
        return error
    length = math.hypot(*found)
    if not found or not math.isfinite(length) or not length:
        return ClientError("unknown", "rerank", "has to give a vector, a list of finite numbers that are not all 0")
    return found if abs(length - 1) < UNIT else [own / length for own in found]


def is_packaged(model: str) -> bool:
    """Whether a model is one of the package, by its name or as `name@revision`."""
    return model.partition("@")[0] in PACKAGED


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
