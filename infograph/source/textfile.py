"""Reads large source files part by part, any number of times, and never holds one as a whole."""

from __future__ import annotations

import codecs
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

from infograph.errors import DocumentError
from infograph.source.document import BOM, DEFAULT_LIMITS, nul_error, open_source, too_big, utf8_error
from infograph.source.limits import SourceLimits
from infograph.text.lines import line_ends

_BLOCK = 1 << 20
"""Number of bytes read at once."""
_LONGEST_LINE = 16
"""Limit on the length of a line in blocks, since a line is held as a whole."""


class TextFile:
    """The text of a large file without its byte order mark, as `decode` makes it of other files.

    The whole file is read once at the start, so that a file that is no text is an error before anything is made of it.
    It stays open: a file that replaces it meanwhile is not read.
    """

    def __init__(self, root: Path, path: str, limits: SourceLimits = DEFAULT_LIMITS) -> None:
        """Opens and checks the file; raises DocumentError as `read_document` does."""
        self.path = path
        self._descriptor = open_source(root, path, limits)
        try:
            self._stamp = self._stamped()
            self._survey(limits)
        except OSError as error:
            self.close()
            raise DocumentError(path, f"cannot be read: {error.strerror}") from error
        except BaseException:
            self.close()
            raise

    def _survey(self, limits: SourceLimits) -> None:
        """Reads the file once: checks it, and finds its size, length and digest."""
        digest = hashlib.sha256()
        decoder = codecs.getincrementaldecoder("utf-8")()
        size = characters = ended = unbroken = 0
        returned = False
        nul: DocumentError | None = None
        self.prefix = ""
        while True:
            block = os.read(self._descriptor, _BLOCK)
            begun = decoder.getstate()[0]  # of a character that ends in this block
            if returned and block.startswith(b"\n"):
                ended -= 1  # the line that the last block ended with its carriage return
            returned = block.endswith(b"\r")
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                line = ended + line_ends(block, 0, max(0, error.start - len(begun))) + 1
                raise utf8_error(self.path, line, error.reason, size - len(begun) + error.start) from None
            if nul is None and (place := block.find(0)) >= 0:
                nul = nul_error(self.path, ended + line_ends(block, 0, place) + 1, size + place)
            if not characters and text.startswith(BOM):
                self.prefix = BOM
            characters += len(text)
            size += len(block)
            if size > limits.bytes:
                raise too_big(self.path, size, limits)
            if not block:
                break
            unbroken = 0 if b"\n" in block or b"\r" in block else unbroken + 1
            if unbroken > _LONGEST_LINE:
                reason = f"a line longer than {_LONGEST_LINE * _BLOCK} bytes"
                raise DocumentError(f"{self.path}:{ended + 1}", reason, "Exclude the file if it is no table")
            digest.update(block)
            ended += line_ends(block)
        if nul is not None:
            raise nul
        self.size = size
        """Size of the file in bytes."""
        self.sha256 = digest.hexdigest()
        """SHA-256 of the file's bytes, 64 hex digits."""
        self.length = characters - len(self.prefix)
        """Number of characters after the prefix."""

    def __enter__(self) -> TextFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._descriptor)

    def lines(self) -> Iterator[str]:
        """Yields the lines with their ends: a line feed, a carriage return or both.

        Calling `lines` or `slices` again ends an iteration that is under way.
        """
        with self._opened("") as file:
            try:
                yield from file
            except UnicodeDecodeError:
                raise self._changed() from None

    def slices(self, lengths: Iterable[int]) -> Iterator[str]:
        """Yields slices of the given lengths in characters, from the text's start.

        Raises DocumentError where the text is shorter.
        """
        with self._opened("\n") as file:
            for length in lengths:
                try:
                    text = file.read(length)
                except UnicodeDecodeError:
                    raise self._changed() from None
                if len(text) < length:
                    raise self._changed()
                yield text

    def check(self) -> None:
        """Raises DocumentError when the file has changed since it was opened."""
        if self._stamped() != self._stamp:
            raise self._changed()

    def _opened(self, newline: str) -> TextIO:
        """Opens the text at its start. Line ends are never translated; `newline` tells which ones end a line."""
        os.lseek(self._descriptor, len(self.prefix.encode()), os.SEEK_SET)
        return open(self._descriptor, encoding="utf-8", newline=newline, closefd=False, buffering=_BLOCK)

    def status(self) -> os.stat_result:
        """The status of the open file."""
        return os.fstat(self._descriptor)

    def _stamped(self) -> tuple[int, int]:
        status = self.status()
        return status.st_size, status.st_mtime_ns

    def _changed(self) -> DocumentError:
        return DocumentError(self.path, "was changed while it was read", "Build again when nothing writes to it.")
