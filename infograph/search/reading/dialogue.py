"""Drives a generator that yields what it wants to read and is sent what was read: the one loop for every reader.

The logic of a search does not know how files are read; a reader does not know what they are read for. A reader that
waits calls `Dialogue(asking).run(read)`. One that awaits, or is itself a generator, writes the same loop:

    dialogue = Dialogue(asking)
    for wanted in dialogue:
        dialogue.reply = await read(wanted)         or: yield from read(wanted)
    return dialogue.answer
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Generic, TypeVar

Wanted = TypeVar("Wanted")
Received = TypeVar("Received")
T = TypeVar("T")


class Dialogue(Generic[Wanted, Received, T]):
    """Iterates over what a generator wants. `reply` is to be set before each next step."""

    reply: Received | None
    """What was read, which is sent to the generator in the next step."""
    answer: T
    """Return value of the generator, once the iteration is over."""

    def __init__(self, asking: Generator[Wanted, Received, T]) -> None:
        self._asking = asking
        self.reply = None

    def __iter__(self) -> Dialogue[Wanted, Received, T]:
        return self

    def __next__(self) -> Wanted:
        reply, self.reply = self.reply, None
        try:
            return self._asking.send(reply)  # type: ignore[arg-type]  # None starts the generator
        except StopIteration as done:
            self.answer = done.value
            raise

    def run(self, read: Callable[[Wanted], Received]) -> T:
        """Runs the generator to its end and returns its answer; `read` blocks and returns what is wanted."""
        for wanted in self:
            self.reply = read(wanted)
        return self.answer
