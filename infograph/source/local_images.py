"""Finds and reads the images that a document shows, where they are files of its repository; no other is ever opened.

An image counts by what its bytes are, whatever its name: PNG, JPEG, GIF or WebP. SVG is none of them: it is a program
as much as a picture. No symlink is followed, and nothing is fetched.
"""

from __future__ import annotations

import hashlib
import posixpath
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from infograph.errors import DocumentError
from infograph.files.stamps import Stamp
from infograph.source.document import open_source
from infograph.source.limits import SourceLimits
from infograph.source.repository import MISSING, looked_at

MOST_BYTES = 1 << 20
"""Largest image that is read: what is sent of it is a third longer."""
MOST_PIXELS = 8_000
"""Most pixels of a side."""
LEAST_PIXELS = 16
"""Fewest pixels of a side: a smaller image is an icon or a spacer, of which there is nothing to say."""
_FOLDERS = ("static", "public", "assets", "src", "docs")
"""Folders that generators publish as the root of a site."""
_JPEG_ALONE = (0x01, *range(0xD0, 0xD9))
"""Marks of a JPEG that have no length."""
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True, slots=True)
class ImageKind:
    """What an image's first bytes say of it."""

    media_type: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class LocalImage:
    """An image of the repository that may be sent."""

    path: str
    """Path relative to the repository."""
    sha256: str
    """SHA-256 of its bytes, 64 hexadecimal digits."""
    kind: ImageKind


class ImageLostError(Exception):
    """Why an image is not read."""


class LocalImages:
    """Looks for the images of the documents of one tree."""

    def __init__(self, root: Path, repository: Path) -> None:
        """repository: folder that no image may lie outside of"""
        self._repository = repository
        self._root = "" if root == repository else root.relative_to(repository).as_posix()

    def find(self, document: str, link: str, looked: dict[str, Stamp]) -> LocalImage:
        """Returns the image that a link of a document means. Raises ImageLostError.

        document: path of the document, relative to the tree
        link:     as the document has it
        looked:   gets the stamp of each place that was looked at, by path relative to the repository
        """
        for path in _candidates(posixpath.join(self._root, document), self._root, link):
            if path not in looked:
                looked[path] = looked_at(self._repository, path)
            if looked[path] != MISSING:
                data = self.read(path)
                return LocalImage(path, hashlib.sha256(data).hexdigest(), _sendable(path, data))
        raise ImageLostError(f"{link[:80]}: no such file in the repository")

    def read(self, path: str) -> bytes:
        """Returns the bytes of an image. Raises ImageLostError.

        path: relative to the repository
        """
        try:
            with open(open_source(self._repository, path, SourceLimits(bytes=MOST_BYTES)), "rb") as file:
                data = file.read(MOST_BYTES + 1)
        except DocumentError as error:
            raise ImageLostError(f"{path}: {error.reason}") from None
        except OSError as error:
            raise ImageLostError(f"{path}: cannot be read: {error.strerror}") from None
        if len(data) > MOST_BYTES:
            raise ImageLostError(f"{path}: more than {MOST_BYTES >> 20} MiB")
        return data


def _sendable(path: str, data: bytes) -> ImageKind:
    """Returns what an image is. Raises ImageLostError for one that is not described."""
    kind = image_kind(data)
    if kind is None:
        raise ImageLostError(f"{path}: no PNG, JPEG, GIF or WebP")
    if not min(kind.width, kind.height) >= LEAST_PIXELS or max(kind.width, kind.height) > MOST_PIXELS:
        size = f"{kind.width} × {kind.height} pixels"
        raise ImageLostError(f"{path}: {size}, and {LEAST_PIXELS} to {MOST_PIXELS:,} a side are described")
    return kind


def is_remote(link: str) -> bool:
    """Whether a link leads to another machine, or to nothing that a file could be."""
    head = link.partition("/")[0]
    return ":" in head or link.startswith(("//", "#")) or "\\" in link or "\0" in link or not link


def _candidates(document: str, root: str, link: str) -> Iterator[str]:
    """Yields the files that a link may mean, relative to the repository, the likeliest first. Raises ImageLostError."""
    if is_remote(link):
        raise ImageLostError(f"{link[:80]}: not a file of the repository")
    target = unquote(link.partition("#")[0].partition("?")[0])
    if is_remote(target):
        raise ImageLostError(f"{link[:80]}: not a file of the repository")
    folder, rooted = posixpath.dirname(document), target.startswith("/")
    bases = [] if rooted else [folder, posixpath.splitext(document)[0]]  # with pretty addresses a page is a folder
    above = root
    while rooted:
        bases += [above, *(posixpath.join(above, name) for name in _FOLDERS)]
        if not above:
            break
        above = posixpath.dirname(above)
    seen = set()
    for base in bases:
        path = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
        outside = path.startswith(("../", "/")) or path in (".", "..") or ".git" in path.split("/")
        if not outside and path not in seen:
            seen.add(path)
            yield path


def image_kind(data: bytes) -> ImageKind | None:
    """Returns what an image is by its first bytes; None for what is no PNG, JPEG, GIF or WebP, or is torn."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR":
            return ImageKind("image/png", *struct.unpack_from(">II", data, 16))
        if data.startswith((b"GIF87a", b"GIF89a")):
            return ImageKind("image/gif", *struct.unpack_from("<HH", data, 6))
        if data.startswith(b"\xff\xd8\xff"):
            return _jpeg(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
    except struct.error:
        return None
    return None


def _jpeg(data: bytes) -> ImageKind | None:
    """Raises struct.error for a torn one."""
    at = 2
    while at < len(data):
        mark, kind = struct.unpack_from(">BB", data, at)
        if mark != 0xFF:
            return None
        if kind in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return ImageKind("image/jpeg", width, height)
        if kind == 0xFF:  # a byte that fills
            at += 1
        elif kind in _JPEG_ALONE:
            at += 2
        else:
            at += 2 + int(struct.unpack_from(">H", data, at + 2)[0])
    return None


def _webp(data: bytes) -> ImageKind | None:
    """Raises struct.error for a torn one."""
    form = data[12:16]
    if form == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return ImageKind("image/webp", width & 0x3FFF, height & 0x3FFF)
    if form == b"VP8L":
        bits = int(struct.unpack_from("<I", data, 21)[0])
        return ImageKind("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if form == b"VP8X":
        low, high = struct.unpack_from("<II", data, 24)
        width, height = low & 0xFFFFFF, (low >> 24 | high << 8) & 0xFFFFFF
        return ImageKind("image/webp", width + 1, height + 1)
    return None
