"""Requests that the clients' logic yields, and the drivers that answer them: no logic knows how files are read.

asks = tree.search("clear the cache")
wanted = next(asks)                   the files that are needed first, to be read at the same time
wanted = asks.send([…])               sends what `accept` made of each file, or its ClientError

In place of files it may yield `Work`, and is sent its result, or `Kept`, which is only counted.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, TypeVar

from infograph.client.errors import ClientError
from infograph.client.types import Stats
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


class CallStage(StrEnum):
    """What a call spends its time on."""

    MANIFEST = "manifest"
    """Reading the manifest of the search bundle, or of the graph."""
    SEARCH = "search"
    """Reading other files of the search bundle, or of the graph."""
    TEXTS = "texts"
    """Reading chunks."""
    INDEXES = "indexes"
    """Reading indexes and communities."""
    MODEL = "model"
    """Embedding the question, or waiting for a language model."""
    COMPUTING = "computing"
    """Everything else: cutting the query, adding up scores, packing."""


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
    stage: CallStage = CallStage.INDEXES
    """What the time is counted as that it takes."""


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


@dataclass(frozen=True, slots=True)
class Kept:
    """Files that need not be read, since they are still in memory."""

    files: int


Asks = Generator[Sequence[File] | Work | Kept, Any, T]


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
    """Counts the files and the time of one call and reports progress."""

    tell: Callable[[Progress], None] | None
    done: int = 0
    known: int = 0
    bytes: int = 0
    requests: int = 0
    received: int = 0
    """Bytes that came, as they were sent."""
    cache_hits: int = 0
    _seconds: dict[CallStage, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    def wanted(self, files: Sequence[File]) -> None:
        self.known += len(files)

    def had(self, size: int) -> None:
        """Counts one file and its bytes."""
        self.done += 1
        self.bytes += size
        if self.tell:
            self.tell(Progress(self.done, self.known, self.bytes))

    def spent(self, stage: CallStage) -> None:
        """Counts the time since the last call of this method, or since the beginning, as that of a stage."""
        now = time.perf_counter()
        self._seconds[stage] = self._seconds.get(stage, 0.0) + now - self._since
        self._since = now

    def stats(self) -> Stats:
        """Returns what the call has cost so far."""
        spent = {str(stage): self._seconds[stage] * 1000 for stage in CallStage if stage in self._seconds}
        return Stats(requests=self.requests, bytes=self.received, cache_hits=self.cache_hits, milliseconds=spent)


def refused(error: FormatError | ClientError, place: str) -> ClientError:
    """Returns an error of `accept` as a ClientError."""
    return error if isinstance(error, ClientError) else ClientError("broken", place, error.reason, error.hint)


def drive(asks: Asks[T], read: Callable[[Sequence[File]], Sequence[Any]], seconds: float, tally: Tally) -> T:
    """Returns the answer, with a reader that blocks.

    seconds: time limit of the call
    """
    until = time.monotonic() + seconds * SPARE_SHARE
    dialogue = Dialogue(asks)
    for wanted in dialogue:
        tally.spent(CallStage.COMPUTING)
        if isinstance(wanted, Kept):
            tally.cache_hits += wanted.files
            continue
        dialogue.reply = _done(wanted, until) if isinstance(wanted, Work) else read(wanted)
        tally.spent(_stage(wanted))
    tally.spent(CallStage.COMPUTING)
    return dialogue.answer


async def drive_async(
    asks: Asks[T], read: Callable[[Sequence[File]], Awaitable[Sequence[Any]]], seconds: float, tally: Tally
) -> T:
    """Returns the answer, with a reader that is awaited.

    seconds: time limit of the call
    """
    until = time.monotonic() + seconds * SPARE_SHARE
    dialogue = Dialogue(asks)
    for wanted in dialogue:
        tally.spent(CallStage.COMPUTING)
        if isinstance(wanted, Kept):
            tally.cache_hits += wanted.files
            continue
        dialogue.reply = await (_done_async(wanted, until) if isinstance(wanted, Work) else read(wanted))
        tally.spent(_stage(wanted))
    tally.spent(CallStage.COMPUTING)
    return dialogue.answer


def _stage(wanted: Sequence[File] | Work) -> CallStage:
    """Returns the stage of what was waited for; files that are wanted at once are of one."""
    if isinstance(wanted, Work):
        return CallStage.MODEL
    return wanted[0].stage if wanted else CallStage.COMPUTING


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
