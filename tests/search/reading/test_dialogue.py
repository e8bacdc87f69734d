"""The loop between a generator that wants files and a reader that gives them."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

import pytest

from infograph.search.reading.dialogue import Dialogue


def twice(first: str) -> Generator[str, int, list[int]]:
    """Wants two things, returns the replies."""
    one = yield first
    two = yield f"{first} {one}"
    return [one, two]


def nothing() -> Generator[str, int, str]:
    """Wants nothing."""
    return "known"
    yield


def test_a_reader_that_waits() -> None:
    asked: list[str] = []
    assert Dialogue(twice("a")).run(lambda wanted: asked.append(wanted) or len(asked)) == [1, 2]  # type: ignore[func-returns-value]
    assert asked == ["a", "a 1"]
    assert Dialogue(nothing()).run(lambda wanted: pytest.fail(wanted)) == "known"


def test_a_reader_that_awaits_and_one_that_yields() -> None:
    async def awaited() -> list[int]:
        dialogue = Dialogue(twice("a"))
        for wanted in dialogue:
            await asyncio.sleep(0)
            dialogue.reply = len(wanted)
        return dialogue.answer

    def through() -> Generator[int, int, list[int]]:
        dialogue = Dialogue(twice("a"))
        for wanted in dialogue:
            dialogue.reply = yield len(wanted)
        return dialogue.answer

    assert asyncio.run(awaited()) == [1, 3]
    assert Dialogue(through()).run(lambda size: size * 10) == [10, 40]


def test_an_error_of_the_reader_or_of_the_generator_ends_it() -> None:
    def broken() -> Generator[str, int, None]:
        yield "a"
        raise KeyError("b")

    with pytest.raises(ZeroDivisionError):
        Dialogue(twice("a")).run(lambda wanted: 1 // 0)
    with pytest.raises(KeyError, match="b"):
        Dialogue(broken()).run(len)
