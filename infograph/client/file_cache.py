"""Caches files on disk, so that only changed files are read again.

An entry is one line of JSON (address, ETag, SHA-256 of the rest) and then the file. An entry that is not whole is a
cache miss. The least recently read entries are removed when all together are too large.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 256 << 20
KEPT_SHARE = 0.75
"""Share of the size limit that is kept when entries are removed."""
LARGEST_ENTRY = 1 << 27


@dataclass(frozen=True, slots=True)
class Cached:
    """A cached file with its ETag."""

    body: bytes
    etag: str
    """ETag as the server sent it; empty where it sent none."""


class FileCache:
    """A folder of entries, which several processes may share. A file that cannot be written is not kept, which costs
    time and no answer."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most = most_bytes
        self._size: int | None = None
        """Bytes of all entries; None until they have been counted."""

    def get(self, address: str) -> Cached | None:
        path = self._path(address)
        try:
            with open(path, "rb") as file:
                head, body = file.readline(1 << 16), file.read(LARGEST_ENTRY)
            said = json.loads(head)
            sound = said["address"] == address and said["sha256"] == hashlib.sha256(body).hexdigest()
            found = Cached(body, str(said["etag"])) if sound else None
            os.utime(path)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found

    def put(self, address: str, body: bytes, etag: str) -> None:
        path = self._path(address)
        head = {"address": address, "etag": etag, "sha256": hashlib.sha256(body).hexdigest()}
        data = json.dumps(head).encode() + b"\n" + body
        with contextlib.suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(dir=path.parent, prefix="new-")
            try:
                with open(descriptor, "wb") as file:
                    file.write(data)
                os.replace(name, path)
            except OSError:
                os.unlink(name)
                raise
            self._grown(len(data))

    def _path(self, address: str) -> Path:
        digest = hashlib.sha256(address.encode()).hexdigest()
        return self._folder / digest[:2] / digest[2:34]

    def _grown(self, size: int) -> None:
        """Counts a new entry, and removes the least recently read ones when all are too large."""
        if self._size is not None and self._size + size <= self._most:
            self._size += size
            return
        entries = []
        for path in self._folder.glob("??/*"):
            with contextlib.suppress(FileNotFoundError):  # another process removes entries as well
                state = path.stat()
                entries.append((state.st_mtime_ns, state.st_size, path))
        self._size = sum(size for _, size, _ in entries)
        if self._size > self._most:
            for _, entry_size, path in sorted(entries):
                path.unlink(missing_ok=True)
                self._size -= entry_size
                if self._size <= self._most * KEPT_SHARE:
                    break
