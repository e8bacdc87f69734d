"""The thread of a client ends with nothing left to do in it."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Generator
from typing import Any

import pytest

from infograph.client.asks import Tally, Work, drive_async
from infograph.client.errors import ClientError
from infograph.client.loop import Loop


def destroyed(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What asyncio complains of when a task is taken away before its end."""
    gc.collect()
    return [record.getMessage() for record in caplog.records if record.name == "asyncio"]


def test_a_call_ends_when_the_client_is_closed(caplog: pytest.LogCaptureFixture) -> None:
    loop, begun, ended, raised = Loop(), threading.Event(), threading.Event(), []

    async def call() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    def ask() -> None:
        try:
            loop.run(call())
        except RuntimeError as error:
            raised.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    assert begun.wait(120)
    loop.close()
    thread.join(120)
    assert ended.is_set()
    assert raised == ["the client was closed during the call"]
    assert destroyed(caplog) == []


def test_what_an_interrupted_call_left_ends_with_the_client(caplog: pytest.LogCaptureFixture) -> None:
    loop = Loop()

    async def call() -> None:
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        loop.run(call(), 0.01)
    loop.close()
    assert destroyed(caplog) == []


def test_generators_that_were_begun_are_closed(caplog: pytest.LogCaptureFixture) -> None:
    loop, closed = Loop(), threading.Event()

    async def numbers() -> Any:
        try:
            yield 1
            yield 2
        finally:
            closed.set()

    held = numbers()

    async def first() -> Any:
        return await anext(held)

    assert loop.run(first()) == 1
    loop.close()
    assert closed.is_set()
    assert destroyed(caplog) == []


def asked(work: Work) -> Generator[Any, Any, Any]:
    return (yield work)


def test_work_that_is_late_is_not_left_behind(caplog: pytest.LogCaptureFixture) -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    async def call() -> Any:
        work = Work(never, spare=True)
        return await drive_async(asked(work), lambda files: pytest.fail("reads nothing"), 0.01, Tally(None))

    found = asyncio.run(call())
    assert isinstance(found, ClientError) and found.code == "timeout"
    assert destroyed(caplog) == []


def test_a_call_that_is_cancelled_takes_its_work_along(caplog: pytest.LogCaptureFixture) -> None:
    ended, begun = [], asyncio.Event()

    async def never() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def call() -> None:
        work = Work(never, spare=True)
        driving = asyncio.create_task(
            drive_async(asked(work), lambda files: pytest.fail("reads nothing"), 600, Tally(None))
        )
        await begun.wait()
        driving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await driving
        assert ended == [True], "while the loop still runs"

    asyncio.run(call())
    assert destroyed(caplog) == []
