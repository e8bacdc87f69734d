"""How a run tells a person what it is doing. The command line draws it; a program may pass its own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Protocol

Advance = Callable[[float], None]
"""Called with the share done so far, from 0 to 1, never falling."""


class Reporter(Protocol):
    def phase(self, name: str, amount: str) -> contextlib.AbstractContextManager[Advance]:
        """A stretch of work, `name` saying what and `amount` how much, such as `155 documents`."""

    def say(self, message: str) -> None:
        """One line that a person should see while the run goes on."""


class Silent:
    """Says nothing: for programs and tests."""

    @contextlib.contextmanager
    def phase(self, name: str, amount: str) -> Iterator[Advance]:
        yield lambda share: None

    def say(self, message: str) -> None:
        return


def amount(number: int, noun: str) -> str:
    """A number with its noun: `1 document`, `3,667 documents`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
