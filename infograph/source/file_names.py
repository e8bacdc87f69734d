"""Which names of files outputs can carry, and which documents would have the same outputs."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from infograph.errors import DocumentError
from infograph.model import placed, stem_of

_LONGEST_STEM = 240
"""Longest stem of a document in bytes. Chunk files are `{stem}-{n}.md`, and file systems take names of 255."""


def without_collisions(documents: list[str], errors: list[DocumentError]) -> Iterator[str]:
    """Yields the documents whose outputs cannot collide with another's; of two that do, the later becomes an error.

    Two names collide when they are equal after NFC and case folding, on any level: a file system may not tell them
    apart. So do two documents of one directory with the same stem: their chunk files would have the same names.
    """
    directories: dict[str, str] = {}
    topics: dict[str, tuple[str, str | None]] = {}
    stems: dict[str, str] = {}
    for path in documents:
        topic, name = placed(path)
        if topic not in topics:
            topics[topic] = fold(topic), _taken(topic, directories)
        folded, first = topics[topic]
        if first is not None:
            reason = f"its directory's name differs from `{first}` only in letter case or Unicode form"
            errors.append(DocumentError(path, reason, "Rename one of the two directories"))
            continue
        other = stems.setdefault(f"{folded}/{fold(stem_of(name))}", path)
        if other != path:
            reason = f"its chunks would have the names of those of `{other}`"
            hint = "Rename one of the two (letter case, Unicode form and suffix do not count)"
            errors.append(DocumentError(path, reason, hint))
            continue
        yield path


def _taken(topic: str, directories: dict[str, str]) -> str | None:
    """The directory seen earlier that collides with `topic` or with a directory above it; None without one."""
    parts = topic.split("/") if topic else []
    for end in range(1, len(parts) + 1):
        directory = "/".join(parts[:end])
        first = directories.setdefault(fold(directory), directory)
        if first != directory:
            return first
    return None


def fold(text: str) -> str:
    """Returns what is equal for names that a file system may not tell apart."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def unusable(name: str) -> str | None:
    """Why outputs cannot carry the name of a document; None when they can."""
    if not is_utf8(name):
        return "the file's name is not UTF-8"
    if not name.isprintable() and any(character < " " or character == "\x7f" for character in name):
        return "a control character in the file's name"
    if len(name) * 4 > _LONGEST_STEM and len(stem_of(name).encode()) > _LONGEST_STEM:
        return f"the file's name is longer than {_LONGEST_STEM} bytes"
    return None


def is_utf8(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)
