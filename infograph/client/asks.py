"""Requests that the clients' logic yields, and the drivers that answer them: no logic knows how files are read.

asks = tree.search("clear the cache")
wanted = next(asks)                   the files that are needed first, to be read at the same time
wanted = asks.send([…])               sends what `accept` made of each file, or its ClientError

In place of files it may yield `Work`, and is sent its result.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from infograph.client.errors import ClientError
from infograph.errors import FormatError
from infograph.search.reading.dialogue import Dialogue

T = TypeVar("T")

_SETTLING = 0.1
"""Seconds in which a task that is cancelled should end."""


class Freshness(Enum):
    """Says when a cached file may be used."""

    FOREVER = "its digest is known: a cached one that `accept` takes is the one"
    VALIDATED = "a cached one is good if the server says so"
    RELOADED = "no cached one is good"


@dataclass(frozen=True, slots=True)
class File:
    """A file to read."""

    address: str
    most: int
    """Most bytes, decompressed."""
    accept: Callable[[bytes], Any]
    """Turns the bytes into a value. A file that it refuses by a FormatError, or a ClientError `broken`, is read a
    second time, past all caches: the site may have been published in between."""
    freshness: Freshness = Freshness.VALIDATED


@dataclass(frozen=True, slots=True)
class Work:
    """A computation that takes longer than an event loop may be kept waiting. Counts as part of a call's time."""

    do: Callable[[], Any]
    spare: bool = False
    """Whether an answer is possible without it. What it raises is sent in its place, and a ClientError `timeout` when
    it takes more than its share of the call's time; it then goes on in its thread. May return an awaitable, which the
    driver that is awaited waits for."""


SPARE_SHARE = 0.9
"""Share of a call's time, from its beginning, after which spare work is given up: an answer without it can be given."""

Asks = Generator[Sequence[File] | Work, Any, T]


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a call."""

    done: int
    """Files that were read."""
    known: int
    """Files that the call needs, as far as is known by now."""
    bytes: int
    """Bytes that were read, decompressed, cache hits included."""


@dataclass(slots=True)
class Tally:
    """Counts the files of one call and reports progress."""

    tell: Callable[[Progress], None] | None
    done: int = 0
    known: int = 0
    bytes: int = 0

    def wanted(self, files: Sequence[File]) -> None:
        self.known += len(files)

    def had(self, size: int) -> None:
        """Counts one file and its bytes."""
        self.done += 1
        self.bytes += size
        if self.tell:
            self.tell(Progress(self.done, self.known, self.bytes))


def refused(error: FormatError | ClientError, place: str) -> ClientError:
    """Returns an error of `accept` as a ClientError."""
    return error if isinstance(error, ClientError) else ClientError("broken", place, error.reason, error.hint)


def drive(asks: Asks[T], read: Callable[[Sequence[File]], Sequence[Any]], seconds: float) -> T:
    """Returns the answer, with a reader that blocks.

    seconds: time limit of the call
    """
    until = time.monotonic() + seconds * SPARE_SHARE
    return Dialogue(asks).run(lambda wanted: _done(wanted, until) if isinstance(wanted, Work) else read(wanted))


async def drive_async(asks: Asks[T], read: Callable[[Sequence[File]], Awaitable[Sequence[Any]]], seconds: float) -> T:
    """Returns the answer, with a reader that is awaited.

    seconds: time limit of the call
    """
    until = time.monotonic() + seconds * SPARE_SHARE
    dialogue = Dialogue(asks)
    for wanted in dialogue:
        dialogue.reply = await (_done_async(wanted, until) if isinstance(wanted, Work) else read(wanted))
    return dialogue.answer


def _done(work: Work, until: float) -> Any:
    if not work.spare:
        return work.do()
    doing = _begun(work)
    try:
        error = doing.exception(until - time.monotonic())
    except TimeoutError:
        return _late()
    return doing.result() if error is None else error


async def _done_async(work: Work, until: float) -> Any:
    if not work.spare:
        return await asyncio.to_thread(work.do)
    found = await _waited(asyncio.wrap_future(_begun(work)), until)
    return await _waited(asyncio.ensure_future(found), until) if inspect.isawaitable(found) else found


async def _waited(doing: asyncio.Future[Any], until: float) -> Any:
    """Returns the result of a future, or what it raised; a ClientError `timeout` where it comes too late."""
    try:
        await asyncio.wait({doing}, timeout=until - time.monotonic())
    finally:
        if not doing.done():  # too late, or the call itself is cancelled: what was begun is not left behind
            doing.cancel()
            await asyncio.wait({doing}, timeout=_SETTLING)
    if not doing.done() or doing.cancelled():
        return _late()
    error = doing.exception()
    return doing.result() if error is None else error


def _begun(work: Work) -> Future[Any]:
    """Starts work in a thread of its own, which is joined when the process ends: unloading a library in the middle of
    its work may crash."""
    thread = ThreadPoolExecutor(1, "infograph-work")
    try:
        return thread.submit(work.do)
    finally:
        thread.shutdown(wait=False)


def _late() -> ClientError:
    return ClientError("timeout", "work", f"not done within {SPARE_SHARE:.0%} of the call's time")
