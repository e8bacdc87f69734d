"""A source file that is read as often as somebody wants its text, and never held as a whole."""

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
"""Bytes read at once."""
_LONGEST_LINE = 16
"""Blocks without a line end in a row: a line is held as a whole."""


class TextFile:
    """The text of a large file, without its byte order mark: what `decode` makes of other files.

    All of it is looked at once, at the start, so that what is no text is an error before anything is made of it. The
    file stays open: one that replaces it meanwhile is another file.
    """

    def __init__(self, root: Path, path: str, limits: SourceLimits = DEFAULT_LIMITS) -> None:
        """Raises DocumentError, as `read_document` does."""
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
        """Bytes of the file."""
        self.sha256 = digest.hexdigest()
        """Of these bytes, 64 hex digits."""
        self.length = characters - len(self.prefix)
        """Characters after the prefix."""

    def __enter__(self) -> TextFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._descriptor)

    def lines(self) -> Iterator[str]:
        """The lines with their ends: a line feed, a carriage return or both. Whoever asks for the text again, or for
        its slices, ends what was asked for before."""
        with self._opened("") as file:
            try:
                yield from file
            except UnicodeDecodeError:
                raise self._changed() from None

    def slices(self, lengths: Iterable[int]) -> Iterator[str]:
        """Slices of so many characters, from the text's start. Raises DocumentError where it is shorter."""
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
        """Raises DocumentError when somebody wrote to the file since it was opened."""
        if self._stamped() != self._stamp:
            raise self._changed()

    def _opened(self, newline: str) -> TextIO:
        """From the text's start. Line ends are never translated: `newline` says which ones end a line."""
        os.lseek(self._descriptor, len(self.prefix.encode()), os.SEEK_SET)
        return open(self._descriptor, encoding="utf-8", newline=newline, closefd=False, buffering=_BLOCK)

    def status(self) -> os.stat_result:
        """Of the open file."""
        return os.fstat(self._descriptor)

    def _stamped(self) -> tuple[int, int]:
        status = self.status()
        return status.st_size, status.st_mtime_ns

    def _changed(self) -> DocumentError:
        return DocumentError(self.path, "was changed while it was read", "Build again when nothing writes to it.")
