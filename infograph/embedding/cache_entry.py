"""Encodes and decodes one entry of the embedding cache: the vectors of one source file. Pure: no reading, no writing.

    {strategy}/{model}/{first 16 hex digits of the source's SHA-256}/
        metadata.json    source, model and strategy of the vectors, and the hash of each file
        chunk-0.bin …    one vector each: float32, little endian, nothing else

An entry is valid only when every byte of it is as it was written, by the same version of infograph, from the same
model. Anything else is a cache miss: the texts are embedded again. Vectors are looked up by the SHA-256 of the
embedded text, so that the entry of a file's earlier state still serves every text that did not change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from infograph import __version__

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

METADATA = "metadata.json"
FORMAT = 1
"""Version of the layout."""
_DTYPE = "<f4"
_LONGEST_SEGMENT = 100
"""Most characters of a path segment: some file systems end at 143 bytes."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The values that vectors depend on besides the text."""

    model: str
    revision: str
    dimension: int
    strategy: str
    """Cache key of the strategy that cut the texts."""


def entry_path(strategy: str, model: str, file_hash: str) -> PurePosixPath:
    """Returns the folder of an entry, relative to the cache folder.

    file_hash: SHA-256 of the source file in hex
    """
    return PurePosixPath(_segment(strategy), _segment(model), file_hash[:16])


def encode(
    identity: Identity, file_hash: str, keys: Sequence[str], vectors: NDArray[np.float32], *, size: int | None = None
) -> dict[str, bytes]:
    """Returns the files of an entry by name.

    keys:    SHA-256 of each embedded text in hex, in the order of the chunks
    vectors: [chunks, dimension]
    size:    bytes of the source file, for information only; the hash is what is checked
    """
    if vectors.shape != (len(keys), identity.dimension):
        raise ValueError(f"{len(keys)} texts of {identity.dimension} dimensions, but vectors {vectors.shape}")
    files = {_vector_name(index): row.astype(_DTYPE).tobytes() for index, row in enumerate(vectors)}
    chunks = [{"text": key, "vector": _sha256(data)} for key, data in zip(keys, files.values(), strict=True)]
    source: dict[str, Any] = {"sha256": file_hash}
    if size is not None:
        source["size"] = size
    files[METADATA] = _sealed({**_expected(identity), "source": source, "chunks": chunks})
    return files


def decode(read: Callable[[str], bytes | None], identity: Identity, file_hash: str) -> dict[str, NDArray[np.float32]]:
    """Returns the vectors of an entry by the SHA-256 of their texts; empty when the entry is invalid.

    read: returns the bytes of a file of the entry, None when it is missing
    """
    import numpy as np

    data = read(METADATA)
    metadata = _unsealed(data) if data is not None else None
    if metadata is None or any(metadata.get(name) != value for name, value in _expected(identity).items()):
        return {}
    vectors = {}
    try:
        if metadata["source"]["sha256"] != file_hash:
            return {}
        for index, chunk in enumerate(metadata["chunks"]):
            data = read(_vector_name(index))
            if data is None or len(data) != 4 * identity.dimension or _sha256(data) != chunk["vector"]:
                return {}
            vectors[chunk["text"]] = np.frombuffer(data, _DTYPE).astype(np.float32)
    except (KeyError, TypeError):  # a valid checksum over an invalid form: written by hand
        return {}
    return vectors


def _expected(identity: Identity) -> dict[str, Any]:
    """Returns the metadata that a valid entry must have."""
    return {
        "format": FORMAT,
        "tool": f"infograph {__version__}",
        "model": identity.model,
        "revision": identity.revision,
        "dimension": identity.dimension,
        "dtype": "float32",
        "strategy": identity.strategy,
    }


def _sealed(fields: dict[str, Any]) -> bytes:
    """Returns JSON in one fixed form that carries its own checksum."""
    seal = _sha256(_render(fields))
    return _render({**fields, "sha256": seal})


def _unsealed(data: bytes) -> dict[str, Any] | None:
    """Returns the fields when the bytes are exactly the output of `_sealed`, else None; this also validates their
    form."""
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    fields.pop("sha256", None)
    return fields if _sealed(fields) == data else None


def _render(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, indent=1).encode() + b"\n"


def _vector_name(index: int) -> str:
    return f"chunk-{index}.bin"


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _segment(name: str) -> str:
    """Returns a name as one path segment that is valid on every file system.

    Different names have different segments; where a file system folds case, the entry's
    metadata tells them apart.
    """
    segment = quote(name, safe=" +,=@()").replace("~", "%7E")
    if segment.startswith("."):
        segment = "%2E" + segment[1:]
    if segment.endswith((".", " ")):
        segment = f"{segment[:-1]}%{ord(segment[-1]):02X}"
    if len(segment) > _LONGEST_SEGMENT or not segment:
        segment = f"{segment[: _LONGEST_SEGMENT - 17]}-{_sha256(name.encode())[:16]}"
    return segment
