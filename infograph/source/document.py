"""Reads one source file: a path goes in, a `Document` comes out."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.errors import DocumentError
from infograph.formats.search_fields import SearchField
from infograph.model import TABLES, Document, is_converted, is_markdown
from infograph.source.frontmatter import FrontMatter, front_matter
from infograph.source.limits import SourceLimits
from infograph.text.lines import line_ends

if TYPE_CHECKING:
    from infograph.source.conversion.reading import Conversions

BOM = "\ufeff"
DEFAULT_LIMITS = SourceLimits()


def decode(
    path: str, data: bytes, limits: SourceLimits = DEFAULT_LIMITS, fields: Sequence[SearchField] = ()
) -> Document:
    """Makes a document of a file's bytes; raises DocumentError.

    fields: that a search can be narrowed by, whose values are taken from the front matter

    Strict UTF-8. The byte order mark goes to the prefix, since before `# Title` it would hide the heading. Line
    ends stay as they are. An empty file is an empty document.
    """
    if len(data) > limits.bytes:
        raise too_big(path, len(data), limits)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = line_ends(data, 0, error.start) + 1
        raise utf8_error(path, line, error.reason, error.start) from None
    nul = data.find(0)
    if nul >= 0:
        raise nul_error(path, line_ends(data, 0, nul) + 1, nul)
    bom = BOM if text.startswith(BOM) else ""
    fenced = text.startswith(("---", "+++", "{"), len(bom)) and is_markdown(path)
    front = front_matter(path, text[len(bom) :], limits, fields) if fenced else FrontMatter()
    prefix = bom + front.source
    return Document(
        path=path,
        sha256=hashlib.sha256(data).hexdigest(),
        prefix=prefix,
        body=text[len(prefix) :],
        title=front.title,
        description=front.description,
        keywords=front.keywords,
        addresses=front.addresses,
        related=front.related,
        remarks=front.remarks,
        stays=front.stays,
        fields=front.fields,
    )


def read_document(
    root: Path,
    path: str,
    limits: SourceLimits = DEFAULT_LIMITS,
    conversions: Conversions | None = None,
    fields: Sequence[SearchField] = (),
) -> Document:
    """Reads `root / path`, at most one byte beyond the size limit, and decodes or converts it; raises DocumentError,
    and ConfigError where the package is missing that converts it.

    conversions: how files are converted; None: as without settings, and without a cache
    fields:      as `decode` takes them
    """
    descriptor = open_source(root, path, limits)
    try:
        data = _read(descriptor, limits.bytes + 1)
    except OSError as error:
        raise DocumentError(path, f"cannot be read: {error.strerror}") from error
    finally:
        os.close(descriptor)
    if not is_converted(path):
        return decode(path, data, limits, fields)
    from infograph.source.conversion.reading import Conversions  # most trees are Markdown

    conversions = conversions or Conversions()
    if not conversions.converts(path):  # plain text that an evaluation asks for
        return decode(path, data, limits)
    if limits.bytes < len(data):
        raise too_big(path, len(data), limits)
    return conversions.document(path, data)


def open_source(root: Path, path: str, limits: SourceLimits) -> int:
    """Opens `root / path` and returns the descriptor; raises DocumentError.

    The file, or a folder above it, may have been swapped since the tree was walked: no symlink below the root is
    followed, a FIFO does not block, and what was opened must be a regular file.
    """
    try:
        descriptor = _open_below(root, path)
    except OSError as error:
        raise DocumentError(path, f"cannot be opened: {error.strerror}") from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise DocumentError(path, "not a regular file")
        if status.st_size > limits.bytes:
            raise too_big(path, status.st_size, limits)
    except OSError as error:
        os.close(descriptor)
        raise DocumentError(path, f"cannot be read: {error.strerror}") from error
    except DocumentError:
        os.close(descriptor)
        raise
    return descriptor


def _open_below(root: Path, path: str) -> int:
    """Opens folder by folder, each from the one above it, since a check before opening would be too early.

    On platforms without `dir_fd`, only the file itself is known to be no link.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    *folders, name = path.split("/")
    if not folders or os.open not in os.supports_dir_fd:
        return os.open(root / path, flags)
    above = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            below = os.open(folder, flags | os.O_DIRECTORY, dir_fd=above)
            os.close(above)
            above = below
        return os.open(name, flags, dir_fd=above)
    finally:
        os.close(above)


def _read(descriptor: int, most: int) -> bytes:
    """Reads up to `most` bytes, so that a file that grows meanwhile cannot fill the memory."""
    parts = []
    while most > 0 and (part := os.read(descriptor, min(most, 1 << 20))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def too_big(path: str, size: int, limits: SourceLimits) -> DocumentError:
    """The error for a file above the size limit."""
    hint = "Raise `limits.bytes`, split the file or exclude it"
    if path.lower().endswith(TABLES):
        hint = (
            "Split the table between rows, exclude it, or raise both `limits.bytes` and `limits.seconds`: it makes "
            "hundreds of chunks a megabyte"
        )
    return DocumentError(path, f"{size} bytes, more than {limits.bytes}", hint)


def utf8_error(path: str, line: int, reason: str, place: int) -> DocumentError:
    """The error for bytes that are not UTF-8. `line` is 1-based, `place` the number of bytes before them."""
    return DocumentError(f"{path}:{line}", f"not UTF-8: {reason} at byte {place}", "Save the file as UTF-8")


def nul_error(path: str, line: int, place: int) -> DocumentError:
    """The error for a NUL character. `line` is 1-based, `place` the number of bytes before it."""
    hint = "Remove it, or exclude the file if it is not text"
    return DocumentError(f"{path}:{line}", f"a NUL character at byte {place}", hint)
