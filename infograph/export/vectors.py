"""Where the vectors of chunks come from: the packaged table, a build's cache, a packaged model, the search bundle."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from infograph import embedding
from infograph.client.embedded import PACKAGED
from infograph.embedding import cache_entry
from infograph.embedding.model_manifest import MINILM_INT8
from infograph.errors import InfographError
from infograph.export.columns import VectorColumn
from infograph.export.scratch import Scratch
from infograph.files.disk import names_in, read_file
from infograph.formats.names import CACHE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder
    from infograph.search.format.bundle_manifest import BundleManifest

MODEL, SEARCH, NONE = KINDS = ("model", "search", "none")
"""Vectors that an export may have: those of the tree's model, those that searches compare, or none."""

TABLES = ("CREATE TABLE cached (digest BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID",)
"""Table that `load_cache` fills, by the SHA-256 of the embedded text."""
_NAMED = {**PACKAGED, MINILM_INT8: MINILM_INT8}
"""Names of the packaged models: in a tree's specifications, and in a configuration."""
_QUESTIONS = "questions"
"""Strategy under which the cache keeps the vectors of questions, which some models embed in another way."""


BundlePlace = tuple[int, int]
"""Place of a chunk in the search bundle: slot of its page, and number in the page."""


class WantedVector(NamedTuple):
    """A chunk whose vector is wanted."""

    embed_text: str
    place: BundlePlace | None
    """None where the search bundle does not know the chunk."""


class VectorSource(Protocol):
    """Gives the vectors of chunks."""

    @property
    def column(self) -> VectorColumn:
        """What all of them have in common."""

    def of(self, chunks: Sequence[WantedVector]) -> list[NDArray[np.float32] | None]:
        """Returns the unit vector of each chunk; None where there is none."""


@dataclass(slots=True)
class EmbeddedVectors:
    """Vectors that a model makes now: those of a build are equal, bit for bit."""

    embedder: Embedder

    @property
    def column(self) -> VectorColumn:
        return VectorColumn(f"{self.embedder.name}@{self.embedder.revision}", self.embedder.dimension)

    def of(self, chunks: Sequence[WantedVector]) -> list[NDArray[np.float32] | None]:
        return list(self.embedder.embed([chunk.embed_text for chunk in chunks]))


@dataclass(slots=True)
class CachedVectors:
    """Vectors from an embedding cache, which `load_cache` has read.

    rest: gives those that the cache does not have
    """

    scratch: Scratch
    column: VectorColumn
    rest: EmbeddedVectors | None = None

    def of(self, chunks: Sequence[WantedVector]) -> list[NDArray[np.float32] | None]:
        import numpy as np

        found: list[NDArray[np.float32] | None] = []
        for chunk in chunks:
            digest = hashlib.sha256(chunk.embed_text.encode("utf-8", "surrogatepass")).digest()
            row = self.scratch.one("SELECT vector FROM cached WHERE digest = ?", (digest,))
            found.append(None if row is None else np.frombuffer(row[0], "<f4"))
        lacking = [place for place, vector in enumerate(found) if vector is None]
        if self.rest is not None and lacking:
            for place, vector in zip(lacking, self.rest.of([chunks[place] for place in lacking]), strict=True):
                found[place] = vector
        return found


@dataclass(slots=True)
class SearchVectors:
    """The vectors of the search bundle, which `load_bundle` has read: fewer dimensions, a byte each."""

    scratch: Scratch
    column: VectorColumn

    def of(self, chunks: Sequence[WantedVector]) -> list[NDArray[np.float32] | None]:
        import numpy as np

        found: list[NDArray[np.float32] | None] = []
        for chunk in chunks:
            row = chunk.place and self.scratch.one(
                "SELECT vector FROM projected WHERE slot = ? AND number = ?", chunk.place
            )
            if not row:
                found.append(None)
                continue
            whole = np.frombuffer(row[0], np.int8).astype(np.float64)
            length = float(np.sqrt((whole * whole).sum()))
            found.append((whole / (length or 1.0)).astype(np.float32))
        return found


def search_vectors(scratch: Scratch, manifest: BundleManifest) -> SearchVectors:
    """Returns the vectors of a search bundle."""
    said = manifest.vectors
    return SearchVectors(scratch, VectorColumn(f"search:{said.model}", said.dimension))


def model_vectors(scratch: Scratch, model: str, cache: Path | None, *, embed: bool) -> VectorSource | str:
    """Returns the vectors of a tree's model; where there are none, the reason for a person.

    model: `name@revision`, as the specifications of the tree say
    cache: the embedding cache of the build, where there is one
    embed: whether a packaged model embeds what the cache does not have
    """
    name = model.partition("@")[0]
    own = packaged(model)
    if own is not None and not own.cached:  # a table: nothing is cached, and it takes no time
        return EmbeddedVectors(own)
    rest = EmbeddedVectors(own) if embed and own is not None else None
    dimension = load_cache(scratch, cache, model) if cache is not None else 0
    if rest is not None:
        return CachedVectors(scratch, rest.column, rest)
    if not dimension:
        if own is not None:
            way = f"`--embed` makes them by the packaged {name}"
        else:
            way = "`--embedding-cache` names another, and to embed by it now it would have to be packaged"
        where = f"{cache} has none" if cache is not None else "there is no embedding cache here"
        return f"no vectors of {model}: {where}; {way}, `--vectors search` takes those of the search bundle"
    return CachedVectors(scratch, VectorColumn(model, dimension))


def packaged(model: str) -> Embedder | None:
    """Returns the packaged model of this name and revision; None where this release has another, or none.

    No other is ever loaded: the name is a site's word, which must not lead to a download or into a folder.
    """
    name = _NAMED.get(model.partition("@")[0])
    if name is None or "@".join(embedding.identify(name)) != model:
        return None
    return embedding.load(name)


def cache_beside(tree: Path) -> Path | None:
    """Returns the embedding cache nearest to a built tree: in it, or in a folder above; None without one."""
    folders = (tree.resolve(), *tree.resolve().parents)
    return next((folder / CACHE for folder in folders if (folder / CACHE).is_dir()), None)


def load_cache(scratch: Scratch, cache: Path, model: str) -> int:
    """Reads all vectors of a model into the table `cached`, and returns their dimension; 0 where there are none.

    model: `name@revision`
    """
    name, _, revision = model.rpartition("@")
    if not cache.is_dir():
        raise InfographError(str(cache), "is no folder", "Name the embedding cache of the build.")
    dimension = 0
    for folder in _entries(cache, name):
        metadata = _json(read_file(folder / cache_entry.METADATA))
        own, strategy = metadata.get("dimension"), metadata.get("strategy")
        if not isinstance(own, int) or not isinstance(strategy, str) or strategy == _QUESTIONS:
            continue
        source = metadata.get("source")
        digest = source.get("sha256") if isinstance(source, dict) else None
        identity = cache_entry.Identity(name, revision, own, strategy)
        found = cache_entry.decode(lambda file, folder=folder: read_file(folder / file), identity, str(digest))  # type: ignore[misc]
        if found and dimension in (0, own):
            dimension = own
            rows = ((bytes.fromhex(key), vector.astype("<f4").tobytes()) for key, vector in found.items())
            scratch.put("INSERT OR IGNORE INTO cached VALUES (?, ?)", rows)
    return dimension


def _entries(cache: Path, name: str) -> Iterator[Path]:
    """Yields the folders of a model's entries, in one order on every machine."""
    for strategy in sorted(names_in(cache, "")):
        folder = cache_entry.entry_path(strategy, name, "-").parts[1]
        yield from (cache / strategy / folder / entry for entry in sorted(names_in(cache / strategy, folder)))


def _json(data: bytes | None) -> dict[str, Any]:
    try:
        found = json.loads(data or b"{}")
    except (ValueError, RecursionError):  # a damaged entry is none
        return {}
    return found if isinstance(found, dict) else {}
