"""Progress of a run, as it is reported. The command line draws it; a program may pass a reporter of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Protocol

Advance = Callable[[float], None]
"""Function that is called with the share of the work that is done, from 0 to 1, never falling."""


class Reporter(Protocol):
    """Receiver of the progress of a run."""

    def phase(self, name: str, amount: str) -> contextlib.AbstractContextManager[Advance]:
        """Context of one phase of the work; `name` says what is done and `amount` to how much: `155 documents`."""

    def say(self, message: str) -> None:
        """Shows one line to a person while the run goes on."""


class Silent:
    """Reporter that shows nothing, for programs and tests."""

    @contextlib.contextmanager
    def phase(self, name: str, amount: str) -> Iterator[Advance]:
        yield lambda share: None

    def say(self, message: str) -> None:
        return


def amount(number: int, noun: str) -> str:
    """A number with its noun: `1 document`, `3,667 documents`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
