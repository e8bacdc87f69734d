"""Reads the manifest of a packaged model, `model.json` beside its weights, and verifies the model's files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infograph.errors import REINSTALL, ModelError
from infograph.files.packaged import model_directory

FILE = "model.json"


@dataclass(frozen=True, slots=True)
class ModelManifest:
    name: str
    revision: str
    """First 12 hex digits of the SHA-256 of the weights that the packaged ones were made from."""
    dimension: int
    max_tokens: int
    """Tokens of the longest window, special tokens included."""
    files: Mapping[str, str]
    """SHA-256 of each file of the model."""


def read_manifest(name: str) -> ModelManifest:
    """Returns the manifest of a packaged model. Raises ModelError when it is missing or broken."""
    path = model_directory(name) / FILE
    try:
        data = json.loads(path.read_bytes())
        return ModelManifest(data["name"], data["revision"], data["dimension"], data["max_tokens"], data["files"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(str(path), f"the packaged model's manifest cannot be read ({error!r})", REINSTALL) from error


def verified(manifest: ModelManifest, file: str) -> Path:
    """Returns the path of a packaged model's file. Raises ModelError when its SHA-256 differs from the shipped file's.

    A damaged model would still compute vectors, but wrong ones.
    """
    path = model_directory(manifest.name) / file
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
