"""What the clients' logic yields, and who answers it: no logic knows how files are read.

asks = tree.search("clear the cache")
wanted = next(asks)                   the files that are needed first, to be read at the same time
wanted = asks.send([…])               for each file what `accept` made of it, or the ClientError that it cost

In place of files it may want `Work` done, and is sent what that gives.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from infograph.client.errors import ClientError
from infograph.errors import FormatError

T = TypeVar("T")


class Freshness(Enum):
    """How a file may come from a cache."""

    FOREVER = "its digest is known: a cached one that `accept` takes is the one"
    VALIDATED = "a cached one is good if the server says so"
    RELOADED = "no cached one is good"


@dataclass(frozen=True, slots=True)
class File:
    """A file to be read."""

    address: str
    most: int
    """Bytes, decompressed."""
    accept: Callable[[bytes], Any]
    """Makes of the bytes what is asked for. What it refuses by a FormatError, or a ClientError `broken`, is read a
    second time, past all caches: the site may have been published in between."""
    freshness: Freshness = Freshness.VALIDATED


@dataclass(frozen=True, slots=True)
class Work:
    """What takes a processor longer than an event loop may be kept waiting. Within a call's time, as files are."""

    do: Callable[[], Any]


Asks = Generator[Sequence[File] | Work, Any, T]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call is."""

    done: int
    """Files."""
    known: int
    """Files, as far as is known by now."""
    bytes: int
    """Read, from wherever; decompressed."""


@dataclass(slots=True)
class Tally:
    """Counts one call's files and tells who wants to know."""

    tell: Callable[[Progress], None] | None
    done: int = 0
    known: int = 0
    bytes: int = 0

    def wanted(self, files: Sequence[File]) -> None:
        self.known += len(files)

    def had(self, size: int) -> None:
        """One file, of so many bytes."""
        self.done += 1
        self.bytes += size
        if self.tell:
            self.tell(Progress(self.done, self.known, self.bytes))


def refused(error: FormatError | ClientError, place: str) -> ClientError:
    """What `accept` raised, as what a client raises."""
    return error if isinstance(error, ClientError) else ClientError("broken", place, error.reason, error.hint)


def drive(asks: Asks[T], read: Callable[[Sequence[File]], Sequence[Any]]) -> T:
    """The answer, by a reader that waits."""
    try:
        wanted = next(asks)
        while True:
            wanted = asks.send(wanted.do() if isinstance(wanted, Work) else read(wanted))
    except StopIteration as done:
        answer: T = done.value
        return answer


async def drive_async(asks: Asks[T], read: Callable[[Sequence[File]], Awaitable[Sequence[Any]]]) -> T:
    """The answer, by a reader that is waited for."""
    try:
        wanted = next(asks)
        while True:
            had = await (asyncio.to_thread(wanted.do) if isinstance(wanted, Work) else read(wanted))
            wanted = asks.send(had)
    except StopIteration as done:
        answer: T = done.value
        return answer
