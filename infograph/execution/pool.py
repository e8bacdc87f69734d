"""A pool of workers: hands out tasks, takes the answers, and goes on where a task takes its worker down.

A thread of this process owns one worker and hands it one task at a time. Where the workers run is not the pool's
business: as processes of this machine (`processes.py`), or on the machines of a cluster (`ray_worker.py`).
"""

from __future__ import annotations

import contextlib
import math
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from infograph.errors import InfographError
from infograph.execution import forked
from infograph.execution.pipe import packed
from infograph.execution.pool_worker import WATCH_SECONDS, Died, Hire, PoolWorker, WorkerLost, worker_name
from infograph.execution.processes import ProcessWorker
from infograph.progress import clock_time

if TYPE_CHECKING:
    from infograph.execution.spare import SpareWorker

_NO_TASK = -1
"""Position that goes with the error of a thread of this process, in place of a task's."""


LATE_SECONDS = 60.0
"""Seconds that a worker may take to begin before a person is told of it."""
_LOOK_SECONDS = 1.0
"""Seconds between looks for such workers."""

_AHEAD_BYTES = 16_384
"""Size of all tasks together that wait for one worker: those of topics are as large as their documents."""

_MOST_LOSSES = 5
"""Workers that are lost one after the other, without an answer between them, before their pool gives up."""


def _nobody(message: str) -> None:
    """Drops a message: no person waits for this pool."""


class Pool:
    """Runs tasks in worker processes, which live until the pool is closed and may remember what they did.

    module:  what every worker runs, see `serve` of `child.py`
    setup:   what every worker is told before its first task (pickled); None where that is not known yet, see `tell`
    jobs:    worker processes at most; each starts with its first task, or before with `start`
    seconds: longest processor time for one task
    hire:    starts a worker
    say:     tells a person of a worker that takes long to begin, which is waited for all the same
    spare:   gives its worker and takes one at the end
    """

    def __init__(
        self,
        module: str,
        setup: Any,
        jobs: int,
        seconds: float,
        hire: Hire = ProcessWorker,
        say: Callable[[str], None] = _nobody,
        spare: SpareWorker | None = None,
    ) -> None:
        self.jobs = jobs
        self._say = say
        self._told: set[PoolWorker] = set()
        self._module = module
        self._setup = setup
        self._seconds = seconds
        self._hire = hire
        self._spare = spare
        self._first: Callable[[], object] | None = None
        self._workers: dict[int, PoolWorker] = {}
        self._starts = [0] * jobs
        self._assigned: list[list[Any]] = [[] for _ in range(jobs)]
        """Tasks that each worker was assigned and has done, for the one that takes its place if it is lost."""
        self._behind: set[int] = set()
        """Workers that have not done the tasks of those whose place they took."""

    @property
    def forks(self) -> bool:
        """Whether a worker that starts now is a copy of this process."""
        return not self.elsewhere and forked.can_fork()

    @property
    def elsewhere(self) -> bool:
        """Whether the workers run on other machines, too."""
        return self._hire is not ProcessWorker

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the workers, but for one that may be kept, and waits for their end."""
        if self._spare is not None:
            for number in [number for number, worker in self._workers.items() if self._spare.keep(worker)]:
                del self._workers[number]
        for worker in self._workers.values():  # all are told before one is waited for
            worker.leave()
        for number in list(self._workers):
            self._workers.pop(number).close()

    def kill(self) -> None:
        """Ends the workers at once, whatever they do; may be called while another thread waits for an answer, which
        then is Died."""
        for worker in list(self._workers.values()):
            worker.kill()

    @property
    def running(self) -> int:
        """Number of worker processes that wait for tasks."""
        return len(self._workers)

    def start(self, preload: Callable[[], object] | None = None, first: Callable[[], object] | None = None) -> None:
        """Starts all workers and does not wait for them: the caller has something to do meanwhile.

        preload: imports and loads what workers need, called where they are copies of this process and spared it
        first:   called in each worker that is a copy of this process, in one that replaces another too, before its
                 setup comes: loads what this process does without
        """
        self._first = first
        if preload is not None and self.forks:
            preload()
        for number in range(self.jobs):
            self._start(number)

    def tell(self, setup: Any) -> None:
        """Tells the workers, those that run and those to come, what they must know before their first task."""
        self._setup = setup
        for worker in self._workers.values():
            worker.tell(setup)

    def _start(self, number: int) -> None:
        name = worker_name(number, self._starts[number])
        spare = self._spare.take(self._module, name) if self._spare is not None else None
        worker = spare or (
            self._hire(self._module, name) if self.elsewhere else ProcessWorker(self._module, name, self._first)
        )
        self._starts[number] += 1
        if self._setup is not None:
            worker.tell(self._setup)
        if self._assigned[number]:
            self._behind.add(number)
        self._workers[number] = worker

    def run(
        self,
        tasks: Sequence[Any],
        groups: Sequence[Sequence[int]],
        *,
        assigned: bool = False,
        seconds: float | None = None,
    ) -> Iterator[tuple[int, Any]]:
        """Yields (position of the task, its result or Died) in the order of completion. An error that a worker answers
        with is a result as any other; raises InfographError where a worker cannot be started or do any task.

        groups:   positions of tasks that one worker does in a row, together all tasks once
        assigned: the first worker does the first group, the second the second, and so on, and remembers that in later
                  runs; else the next worker that is free takes the next group
        seconds:  longest processor time for one of these tasks
        """
        seconds = self._seconds if seconds is None else seconds
        jobs = min(self.jobs, len(groups))
        waiting: list[queue.SimpleQueue[Sequence[int]]] = [queue.SimpleQueue() for _ in range(jobs if assigned else 1)]
        for number, group in enumerate(groups):
            waiting[number % len(waiting)].put(group)
        # Bounded, so that results the caller has not taken yet do not pile up in memory.
        done: queue.Queue[tuple[int, Any]] = queue.Queue(maxsize=256)
        if self.forks:  # before there are the threads below
            for number in set(range(jobs)).difference(self._workers):
                self._start(number)
        stop = threading.Event()
        threads = [
            threading.Thread(
                target=self._serve,
                args=(number, tasks, waiting[number % len(waiting)], seconds, done, stop, assigned),
                daemon=True,
            )
            for number in range(jobs)
        ]
        threads.append(threading.Thread(target=self._watch, args=(stop,), daemon=True))
        for thread in threads:
            thread.start()
        left = len(tasks)
        try:
            while left:
                position, result = self._next(done)
                if position == _NO_TASK:
                    raise result
                left -= 1
                yield position, result
        finally:
            stop.set()
            if left:
                self.kill()  # what they are doing is of no use
            with contextlib.suppress(queue.Empty):  # lets threads that wait for room see the stop
                while True:
                    done.get_nowait()
            for thread in threads:
                thread.join()
            if left:
                self.close()

    def _next(self, done: queue.Queue[tuple[int, Any]]) -> tuple[int, Any]:
        """Returns what comes next, and says meanwhile which workers take long to begin, each once."""
        while True:
            with contextlib.suppress(queue.Empty):
                return done.get(timeout=_LOOK_SECONDS)
            for worker in set(self._workers.values()) - self._told:
                if late := worker.late_start(LATE_SECONDS):
                    self._told.add(worker)
                    way_out = "Ctrl-C ends the run and publishes nothing; fewer workers (`--jobs`) need less"
                    self._say(f"still waiting for {late} to begin, {clock_time(LATE_SECONDS)} by now. {way_out}")

    def _serve(
        self,
        number: int,
        tasks: Sequence[Any],
        waiting: queue.SimpleQueue[Sequence[int]],
        seconds: float,
        done: queue.Queue[tuple[int, Any]],
        stop: threading.Event,
        assigned: bool,
    ) -> None:
        places = chain.from_iterable(_until_empty(waiting))
        coming = ((at, packed((seconds, tasks[at]))) for at in places)
        taken: deque[tuple[int, bytes]] = deque()
        losses = 0
        try:
            while not stop.is_set():
                if not taken and not _take(taken, coming, 1):
                    return
                if number not in self._workers:
                    self._start(number)
                if stop.is_set():  # looked at once the thread that sets it can see the worker
                    return
                try:
                    self._catch_up(number)
                    _take(taken, coming, self._workers[number].ahead)
                    result = self._workers[number].ask([message for _, message in taken], seconds)
                except WorkerLost as lost:
                    self._workers.pop(number).close()
                    losses += 1
                    if losses == _MOST_LOSSES:
                        reason = f"{losses} workers were lost one after the other: {lost}"
                        raise InfographError("ray", reason, "See `ray status`, or build without `--ray`.") from lost
                    continue
                losses = 0
                if isinstance(result, Died):
                    self._workers.pop(number)
                elif assigned and self._workers[number].may_be_lost:
                    self._assigned[number].append(tasks[taken[0][0]])
                _offer(done, (taken.popleft()[0], result), stop)
        except BaseException as error:  # noqa: BLE001 - handed to the caller, who raises it
            _offer(done, (_NO_TASK, error), stop)

    def _catch_up(self, number: int) -> None:
        """Has a worker do once more what was assigned to the one that it replaces; the answers are known. Raises
        WorkerLost."""
        if number not in self._behind:
            return
        for task in self._assigned[number]:
            if isinstance(self._workers[number].ask([packed((math.inf, task))], math.inf), Died):
                raise WorkerLost("it died of a task that another had done")
        self._behind.discard(number)

    def _watch(self, stop: threading.Event) -> None:
        while not stop.wait(WATCH_SECONDS):
            for worker in list(self._workers.values()):
                worker.expire()


def _until_empty(waiting: queue.SimpleQueue[Sequence[int]]) -> Iterator[Sequence[int]]:
    """Yields what is in the queue until it is empty."""
    with contextlib.suppress(queue.Empty):
        while True:
            yield waiting.get_nowait()


def _take(taken: deque[tuple[int, bytes]], coming: Iterator[tuple[int, bytes]], most: int) -> bool:
    """Takes tasks until there are so many, but more than two only while they are small; returns whether there was
    one."""
    before = len(taken)
    while len(taken) < most and (len(taken) < 2 or sum(len(message) for _, message in taken) < _AHEAD_BYTES):
        found = next(coming, None)
        if found is None:
            break
        taken.append(found)
    return len(taken) > before


def _offer(done: queue.Queue[tuple[int, Any]], item: tuple[int, Any], stop: threading.Event) -> None:
    """Puts an item into a queue, unless the stop comes before there is room."""
    while not stop.is_set():
        try:
            done.put(item, timeout=0.2)
            return
        except queue.Full:
            continue
