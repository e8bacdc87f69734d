"""Reads the files of a tree from a folder, as a web server would serve them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from infograph.client.asks import Asks, File, Tally, drive, drive_async, refused
from infograph.client.errors import ClientError
from infograph.client.place import Place
from infograph.client.scope import RefusedError
from infograph.client.served_folder import NoReplyError, ServedFolder
from infograph.errors import FormatError

LARGEST = 1 << 26
"""Most bytes of any file."""

T = TypeVar("T")


class FolderSource:
    """Reads a folder, one file after the other; a call that takes too long ends between two of them."""

    def __init__(self, root: Path, place: Place, timeout: float) -> None:
        self._place = place
        self._timeout = timeout
        self._folder = ServedFolder(root, place.base, LARGEST)

    def answer(self, asks: Asks[T], tally: Tally) -> T:
        deadline = time.monotonic() + self._timeout
        return drive(asks, lambda files: self._read(files, tally, deadline), self._timeout, tally)

    async def answer_async(self, asks: Asks[T], tally: Tally) -> T:
        deadline = time.monotonic() + self._timeout
        return await drive_async(
            asks, lambda files: asyncio.to_thread(self._read, files, tally, deadline), self._timeout, tally
        )

    def _read(self, files: Sequence[File], tally: Tally, deadline: float) -> list[Any]:
        tally.wanted(files)
        found = []
        for file in files:
            if time.monotonic() > deadline:
                raise ClientError("timeout", self._place.shown, f"no answer within {self._timeout:g} s")
            try:
                found.append(self.one(file, tally))
            except ClientError as error:
                found.append(error)
        return found

    def one(self, file: File, tally: Tally) -> Any:
        """Returns what `accept` makes of a file. Raises ClientError."""
        where = self._place.relative(file.address)
        try:
            return file.accept(self._bytes(file, where, tally))
        except (FormatError, ClientError) as error:
            if refused(error, where).code != "broken":
                raise
        try:  # once more: it may have been written in between
            return file.accept(self._bytes(file, where, tally))
        except FormatError as error:
            raise refused(error, where) from None

    def _bytes(self, file: File, where: str, tally: Tally) -> bytes:
        tally.requests += 1
        try:
            reply = self._folder.get(file.address)
        except RefusedError as error:
            raise ClientError("outside", where, str(error)) from None
        except NoReplyError as error:
            raise ClientError("missing", where, str(error)) from None
        if reply.status != 200:
            raise ClientError("missing", where, f"there is no such file in {self._place.shown}")
        if len(reply.body) > file.most:
            raise ClientError("large", where, f"more than {file.most} bytes")
        tally.received += len(reply.body)
        tally.had(len(reply.body))
        return reply.body
