"""The drivers of the clients' logic: work beside files, and how long an answer waits for it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from infograph.client.asks import Asks, File, Tally, Work, drive, drive_async, refused
from infograph.client.errors import ClientError
from infograph.errors import FormatError

Drive = Callable[[Asks[Any], float], Any]


def waiting(asks: Asks[Any], seconds: float) -> Any:
    return drive(asks, lambda files: [file.address for file in files], seconds, Tally(None))


def awaited(asks: Asks[Any], seconds: float) -> Any:
    async def read(files: Sequence[File]) -> list[str]:
        return [file.address for file in files]

    return asyncio.run(drive_async(asks, read, seconds, Tally(None)))


@pytest.fixture(params=[waiting, awaited])
def driven(request: pytest.FixtureRequest) -> Drive:
    found: Drive = request.param
    return found


def one(wanted: Any) -> Asks[Any]:
    return (yield wanted)


def test_files_are_read_and_work_is_done(driven: Drive) -> None:
    def asks() -> Asks[list[Any]]:
        return [(yield [File("a", 1, bytes), File("b", 1, bytes)]), (yield Work(lambda: 7)), (yield Work(int, True))]

    assert driven(asks(), 60) == [["a", "b"], 7, 0]


def test_work_that_an_answer_needs_is_waited_for(driven: Drive) -> None:
    assert driven(one(Work(lambda: time.sleep(0.3) or "done")), 0.1) == "done"


def test_spare_work_is_given_most_of_the_time(driven: Drive) -> None:
    """It is not waited for, and goes on."""
    ready, begun = threading.Event(), time.monotonic()

    def work() -> str:
        ready.wait(120)
        return "late"

    found = driven(one(Work(work, spare=True)), 0.5) if driven is waiting else None
    if driven is awaited:

        async def ask() -> Any:
            found = await drive_async(one(Work(work, spare=True)), None, 0.5, Tally(None))  # type: ignore[arg-type]
            ready.set()
            return found

        found = asyncio.run(ask())
    took = time.monotonic() - begun
    ready.set()
    assert isinstance(found, ClientError)
    assert str(found) == "work: not done within 90% of the call's time"
    assert found.code == "timeout"
    assert 0.4 < took < 100


def test_spare_work_that_begins_too_late_is_not_waited_for(driven: Drive) -> None:
    ready, done = threading.Event(), []

    def asks() -> Asks[Any]:
        yield Work(lambda: time.sleep(0.1))
        found = yield Work(lambda: ready.wait(120) and done.append("late"), spare=True)
        done.append("answered")
        ready.set()
        return found

    found = driven(asks(), 0.1)
    assert isinstance(found, ClientError) and found.code == "timeout"
    assert done[0] == "answered"


def test_an_error_of_a_format_is_one_of_the_client() -> None:
    own = ClientError("large", "a", "more than 1 bytes")
    assert refused(own, "b") is own
    other = refused(FormatError("a.json", "not JSON", "Build it again"), "b")
    assert (other.code, other.place, other.reason, other.hint) == ("broken", "b", "not JSON", "Build it again")
