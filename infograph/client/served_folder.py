"""Answers requests for the files of a folder as a plain web server would.

href ─Scope.resolve▶ URL ─ServedFolder.get▶ Reply
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from infograph.client.scope import RefusedError, Scope
from infograph.errors import ConfigError
from infograph.formats.names import INDEX


class NoReplyError(Exception):
    """A request that got no usable answer: no connection, too slow, too large, cut off."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer of a server to one request."""

    status: int
    body: bytes = b""
    media_type: str = ""
    """Media type without parameters; empty where a folder is read."""
    allow_origin: str = ""
    """Value of the header Access-Control-Allow-Origin."""


NOT_FOUND = Reply(404)


def _open_without_waiting(path: str, flags: int) -> int:
    """Opens a file without blocking, as a FIFO otherwise would."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


class ServedFolder:
    """Serves the files of a folder as a plain web server would."""

    def __init__(self, root: Path, base: str, largest: int) -> None:
        """Takes the folder and the limits of a reply.

        base:    URL the folder stands for, as absolute links in it say
        largest: most bytes of a file
        """
        self.scope = Scope(base)
        self._root = Path(os.path.realpath(root))
        self._largest = largest

    def get(self, url: str) -> Reply:
        segments = self.scope.segments(url)
        if os.name == "nt" and any(re.search(r'[\\:*?"<>|]', segment) for segment in segments):
            return NOT_FOUND
        path = Path(os.path.realpath(self._root.joinpath(*segments)))
        if not path.is_relative_to(self._root):
            raise RefusedError(f"{url} is a symbolic link out of the tree", outside=False)
        try:
            with open(path, "rb", opener=_open_without_waiting) as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return NOT_FOUND
                body = file.read(self._largest + 1)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return NOT_FOUND
        except OSError as error:
            raise NoReplyError(f"cannot be read: {error.strerror}") from None
        if len(body) > self._largest:
            raise NoReplyError(f"is larger than {self._largest} bytes")
        return Reply(200, body)

    def close(self) -> None:
        """Closes nothing, since no file stays open."""


def root_folder(target: str) -> Path:
    """Returns the folder that a path names, itself or by the `index.json` in it. Raises ConfigError."""
    path = Path(target)
    if path.name == INDEX:
        path = path.parent
    if "://" in target or not path.is_dir():
        raise ConfigError(target, "is neither a folder nor an http(s) address", "Name the published tree's root.")
    return path
