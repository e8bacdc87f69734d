"""Finds a sentence-transformers model as a folder, names it, and checks that it is safe to load.

Nothing of the model is executed or unpickled, here or later. A folder is refused when it asks for code of its own,
or has weights only as a pickle; from the hub neither is ever fetched.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infograph.errors import ModelError, missing_model_extra

_FETCHED = ["*.safetensors", "*.json", "*.jinja", "*.model", "*.txt"]
"""Patterns of the files fetched from the hub: no code, no pickles."""
_NOT_FETCHED = ["onnx/*", "openvino/*"]
_PICKLES = ("*.bin", "*.ckpt", "*.pickle", "*.pkl", "*.pt", "*.pth")


@dataclass(frozen=True, slots=True)
class ModelFolder:
    name: str
    """The folder's own name, or `ORGANISATION/NAME` on the hub. Never a path of this machine."""
    revision: str
    """12 hex digits: of the commit on the hub, or of the SHA-256 over the files that determine a local model's
    vectors."""
    path: Path


def find(model: str, *, local: bool) -> ModelFolder:
    """Returns the checked folder of a model. Raises ModelError when it is missing or unsafe.

    local: whether `model` is a path; otherwise it is a name on the Hugging Face hub, fetched when it is not in the
           hub's cache on this machine. A cached model is used as it is, without a check for a newer commit.
    """
    if local:
        path = Path(model).expanduser().resolve()
        if not path.is_dir():
            raise ModelError(model, "is not a folder", "Give the path of a sentence-transformers model.")
        _check(model, path)
        return ModelFolder(path.name, _fingerprint(path), path)
    name = model.removeprefix("sentence-transformers/") if model.count("/") == 2 else model
    path = _fetch(name)
    _check(name, path)
    return ModelFolder(name, path.name[:12], path)


def _fetch(name: str) -> Path:
    """Returns the snapshot of a hub model in the hub's cache: a folder named by its commit."""
    try:
        import huggingface_hub
    except ImportError as error:
        raise missing_model_extra(name) from error
    patterns: dict[str, Any] = {"allow_patterns": _FETCHED, "ignore_patterns": _NOT_FETCHED}
    try:
        found = Path(huggingface_hub.snapshot_download(name, local_files_only=True, **patterns))
        if any(found.glob("*.safetensors")):
            return found
    except huggingface_hub.errors.LocalEntryNotFoundError:
        pass  # not in the cache: fetch it
    try:
        return Path(huggingface_hub.snapshot_download(name, **patterns))
    except Exception as error:  # no network, no such name, no permission: the library's errors share no base class
        raise ModelError(
            f"model `{name}`",
            f"cannot be fetched from the Hugging Face hub ({type(error).__name__}: {_first_line(error)})",
            "Check the name, or fetch the model elsewhere and give its folder's path.",
        ) from error


def _check(place: str, folder: Path) -> None:
    """Raises ModelError when the folder holds no model, or one that only its own code or a pickle can load."""
    parts = list(_parts(place, folder))
    if not any((part / name).exists() for part in parts for name in ("config.json", "model.safetensors")):
        raise ModelError(place, "holds no sentence-transformers model (no config.json, no model.safetensors)")
    for part in parts:
        if any(part.glob("*.safetensors")):
            continue
        pickle = next((file for pattern in _PICKLES for file in sorted(part.glob(pattern))), None)
        if pickle:
            raise ModelError(
                place,
                f"has its weights only as a pickle ({pickle.relative_to(folder)}), which could run code",
                "Save it again with `model.save_pretrained(path, safe_serialization=True)`.",
            )
    for reference in _class_references(place, folder, parts):
        if not reference.startswith("sentence_transformers."):
            raise ModelError(
                place,
                f"asks for code of its own (`{reference}`), which infograph never runs",
                "Take a model made of the library's own modules.",
            )


def _parts(place: str, folder: Path) -> Iterator[Path]:
    """Yields the folder and those of its modules."""
    yield folder
    for module in _modules(place, folder):
        part = (folder / str(module.get("path", ""))).resolve()
        if part != folder.resolve():
            if not part.is_relative_to(folder.resolve()):
                raise ModelError(place, f"names a module outside its own folder (`{module.get('path')}`)")
            yield part


def _class_references(place: str, folder: Path, parts: list[Path]) -> Iterator[str]:
    """Yields every Python class that the library would import because the configuration names it.

    (`auto_map` is not among them: the library follows it only with `trust_remote_code`.)
    """
    for module in _modules(place, folder):
        yield str(module.get("type", ""))
    for part in parts:
        types = _json(place, part / "router_config.json", {}).get("types", {})
        yield from map(str, types.values() if isinstance(types, dict) else [types])


def _modules(place: str, folder: Path) -> list[dict[str, Any]]:
    modules = _json(place, folder / "modules.json", [])
    if not all(isinstance(module, dict) for module in modules):
        raise ModelError(place, "has a modules.json that is not of the form the library writes")
    return list(modules)


def _json(place: str, file: Path, empty: Any) -> Any:
    """Reads a JSON file of the same type as `empty`; returns `empty` where the file is missing."""
    try:
        data = json.loads(file.read_bytes())
    except FileNotFoundError:
        return empty
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(place, f"has a {file.name} that cannot be read ({_first_line(error)})") from error
    if not isinstance(data, type(empty)):
        raise ModelError(place, f"has a {file.name} that is not of the form the library writes")
    return data


def _fingerprint(folder: Path) -> str:
    """Returns the first 12 hex digits of the SHA-256 over the names and contents of all files that determine the
    vectors."""
    files = sorted(file for pattern in _FETCHED for file in folder.rglob(pattern) if file.is_file())
    states = [(str(file), status.st_size, status.st_mtime_ns) for file in files for status in [file.stat()]]
    return _hash(str(folder), tuple(states))


@functools.lru_cache(maxsize=8)
def _hash(folder: str, states: tuple[tuple[str, int, int], ...]) -> str:
    """Hashes files; cached by their states, since reading gigabytes takes seconds and `watch` asks at every save."""
    digest = hashlib.sha256()
    for path, size, _ in states:
        digest.update(f"{Path(path).relative_to(folder).as_posix()}\0{size}\0".encode())
        with open(path, "rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:12]


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
