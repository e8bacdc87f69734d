"""What a pool asks of a worker, wherever that runs, and how a task ends that got no answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

WATCH_SECONDS = 0.1
"""Seconds between looks for tasks that take too long. One thread does it for all: a timer a task costs 0.1 ms each."""


@dataclass(frozen=True, slots=True)
class Died:
    """A worker ended without answering: its task's own fault."""

    timed_out: bool
    exit_status: int


class WorkerLost(Exception):
    """A worker is gone for a reason that has nothing to do with its task: its machine, or the way there."""


class PoolWorker(Protocol):
    """One worker: it does one task at a time, in the order given."""

    may_be_lost: bool
    """Whether `ask` may raise WorkerLost after a task was done: another machine may end, a process of this one dies of
    its task."""

    @property
    def ahead(self) -> int:
        """Number of tasks that `ask` wants to be given at most, at least one."""

    def tell(self, setup: Any) -> None:
        """Tells the worker what it must know before its first task; does not wait."""

    def ask(self, messages: Sequence[bytes], seconds: float) -> Any:
        """Returns the answer to the first task of `messages`, or Died. Raises InfographError where the worker can do no
        task at all, WorkerLost.

        messages: packed pairs of seconds and task; the others are what `ask` will be called with next, so that the
                  worker may go on while this process is busy with the answer
        """

    def expire(self) -> None:
        """Ends the worker if its task takes too long. Called every `WATCH_SECONDS`."""

    def late_start(self, seconds: float) -> str:
        """Returns what a worker is, and what it may lack, that has been waited for since so many seconds and has not
        begun; empty for any other. Called from another thread than `ask`."""

    def kill(self) -> None:
        """Ends the worker at once; who waits for its answer learns of it."""

    def leave(self) -> None:
        """Tells the worker that there is nothing more to do; does not wait."""

    def close(self) -> None:
        """Ends the worker and waits for its end."""


Hire = Callable[[str, str], PoolWorker]
"""Starts a worker, from the module that it runs and a name that no other of its pool has, see `worker_name`."""


def worker_name(number: int, before: int) -> str:
    """Returns the name of a worker.

    number: its place in the pool
    before: how many had that place before it
    """
    return f"{number}-{before}"


def replaces_another(name: str) -> bool:
    """Whether a worker of this name takes the place of another one."""
    return not name.endswith("-0")
