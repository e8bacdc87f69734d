"""Reads the manifest of a packaged model, a JSON file beside its weights, and verifies the model's files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infograph.errors import REINSTALL, ModelError
from infograph.files.packaged import model_directory

FILE = "model.json"
MINILM, MINILM_INT8 = "all-MiniLM-L6-v2", "all-MiniLM-L6-v2-int8"
_WITHIN = {MINILM_INT8: (MINILM, "int8.json")}
"""Models that are in the folder of another, whose weights they share: that one, and the name of their manifest."""


@dataclass(frozen=True, slots=True)
class ModelManifest:
    name: str
    folder: Path
    """Where the files are."""
    revision: str
    """First 12 hex digits of the SHA-256 of the weights that the packaged ones were made from; of a graph with other
    arithmetic over these weights, of the graph."""
    dimension: int
    max_tokens: int
    """Tokens of the longest window, special tokens included."""
    files: Mapping[str, str]
    """SHA-256 of each file of the model."""


def read_manifest(name: str) -> ModelManifest:
    """Returns the manifest of a packaged model. Raises ModelError when it is missing or broken."""
    folder, file = _WITHIN.get(name, (name, FILE))
    path = model_directory(folder) / file
    try:
        data = json.loads(path.read_bytes())
        rest = (data["revision"], data["dimension"], data["max_tokens"], data["files"])
        return ModelManifest(data["name"], path.parent, *rest)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(str(path), f"the packaged model's manifest cannot be read ({error!r})", REINSTALL) from error


def verified(manifest: ModelManifest, file: str) -> Path:
    """Returns the path of a packaged model's file. Raises ModelError when its SHA-256 differs from the shipped file's.

    A damaged model would still compute vectors, but wrong ones.
    """
    path = manifest.folder / file
    try:
        with open(path, "rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(str(path), f"cannot be read: {error.strerror or error}", REINSTALL) from error
    if digest != manifest.files.get(file):
        raise ModelError(str(path), "is not the file that was shipped (its SHA-256 differs)", REINSTALL)
    return path


def read_file(manifest: ModelManifest, file: str) -> bytes:
    """Returns the bytes of a packaged model's file, verified as by `verified`."""
    return verified(manifest, file).read_bytes()
