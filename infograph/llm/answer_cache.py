"""Raw answers of models, kept on this machine: what was paid for once is not asked again.

`{folder}/{task}/{model}/{digest of the request}.json`, each sealed with a checksum; one that is torn counts as absent.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infograph.config.settings import Settings
from infograph.errors import LockedError, OutputError
from infograph.files.disk import read_file
from infograph.files.lock import take_lock
from infograph.formats.names import LLM_CACHE
from infograph.llm.wire import Call, ModelAnswer, Usage
from infograph.remote.transport import as_json

LARGEST = 1 << 24
"""Most bytes of a kept answer that are read."""
STEPS = "endpoint.json"
"""File that says by which step each endpoint is asked for JSON."""
_WRITING = threading.Lock()


def request_digest(task: str, prompt_version: str, call: Call) -> str:
    """Returns the SHA-256 of all that an answer depends on."""
    value = {
        "task": task,
        "prompt_version": prompt_version,
        "model": call.model,
        "parameters": {"temperature": call.temperature, "max_tokens": call.max_tokens},
        "messages": [call.system, call.shared, call.text, *map(list, call.turns)],
        "schema": call.schema,
    }
    if call.images:
        value["images"] = [image.sha256 for image in call.images]
    return hashlib.sha256(as_json(value)).hexdigest()


class AnswerCache:
    """Answers by the digest of their request."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: set[str] = set()
        self._steps: dict[str, str] | None = None

    def get(self, task: str, call: Call, digest: str) -> ModelAnswer | None:
        """Returns the kept answer to a request."""
        value = _unsealed(read_file(self._folder / _name(task, call.model, digest), LARGEST))
        try:
            return ModelAnswer(value["text"], value["model"], Usage(**value["usage"])) if value else None
        except (KeyError, TypeError):
            return None

    def put(self, task: str, call: Call, digest: str, answer: ModelAnswer) -> None:
        """Keeps an answer, on disk when this returns. Raises OSError."""
        used = {name: getattr(answer.usage, name) for name in Usage.__slots__}
        value = {"text": answer.text, "model": answer.model, "usage": used}
        self._write(_name(task, call.model, digest), _sealed(value))

    def step(self, endpoint: str) -> str | None:
        """Returns the step that an endpoint and model were found to take."""
        if self._steps is None:
            read = _unsealed(read_file(self._folder / STEPS, LARGEST)) or {}
            self._steps = {key: step for key, step in read.items() if isinstance(step, str)}
        return self._steps.get(endpoint)

    def keep_step(self, endpoint: str, step: str) -> None:
        """Remembers that step. Raises OSError."""
        with _WRITING:
            self._steps = {**(self._steps or {}), endpoint: step}
            self._write(STEPS, _sealed(self._steps))

    def _write(self, name: str, data: bytes) -> None:
        folder = os.path.join(self._folder, os.path.dirname(name))
        if folder not in self._made:
            os.makedirs(folder, exist_ok=True)
            ignore_all(self._folder)
            self._made.add(folder)
        place = os.path.join(self._folder, name)
        temporary = f"{place}.{threading.get_ident()}.tmp"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            os.replace(temporary, place)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def ignore_all(folder: Path) -> None:
    """Has git ignore all that a folder holds. Raises OSError."""
    ignore = folder / ".gitignore"
    if not ignore.exists():
        with contextlib.suppress(FileExistsError), ignore.open("x") as file:
            file.write("*\n")


def _name(task: str, model: str, digest: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip(".-")[:80] or "model"
    return f"{task}/{plain}/{digest}.json"


def _sealed(value: Mapping[str, Any]) -> bytes:
    text = as_json(value)
    return hashlib.sha256(text).hexdigest().encode() + b"\n" + text


def _unsealed(data: bytes | None) -> dict[str, Any] | None:
    digest, _, text = (data or b"").partition(b"\n")
    if hashlib.sha256(text).hexdigest().encode() != digest:
        return None
    value = json.loads(text)
    return value if isinstance(value, dict) else None


def cache_folder(settings: Settings) -> Path:
    """Returns the folder of raw answers: beside the embedding cache."""
    return settings.cache.parent / LLM_CACHE


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps two runs from asking the same at once. Raises LockedError, OutputError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise OutputError(str(folder), f"cannot be written: {error.strerror}") from error
    try:
        ignore_all(folder)
        if not take_lock(descriptor, wait=False):
            hint = "Wait for it or stop it: both would pay for the same answers."
            raise LockedError(str(folder), "another command that asks a language model is at work on this tree", hint)
        yield
    finally:
        os.close(descriptor)
