"""Worker processes that can be killed: a task that takes too long costs itself and nothing else.

Time is processor time where the system can limit it, so that a busy machine changes no output; a task that waits
for ever is ended by the clock.

Each worker is a plain `python -m MODULE` fed through pipes, so nothing of the parent (threads, open files, an unguarded
`__main__`) leaks into it; or, where that is as good and cheaper, a copy of the parent (`forked.py`). A thread of the
parent owns one worker and hands it one task at a time; `child.py` is the worker's side.
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from infograph.errors import InfographError
from infograph.execution.forked import Forked, can_fork
from infograph.execution.pipe import packed, receive, send

_NO_TASK = -1
"""Position that goes with the error of a thread of this process, in place of a task's."""

_WATCH_SECONDS = 0.1
"""Seconds between looks for tasks that take too long. One thread does it for all: a timer a task costs 0.1 ms each."""

_AHEAD_BYTES = 4096
"""Size of the largest task that is sent to a worker while it does another. It fits into every system's pipe: a process
that waits for room in one pipe while the other process waits for room in the way back would wait for ever."""

_PIPE_BYTES = 1 << 19
"""Size of the pipe for the answers of a worker; Linux gives 64 KB, less than one answer."""

_PATIENCE = 1 if sys.platform == "win32" else 10
"""Seconds by the clock for a second of processor time, which Windows has no timer for."""

_ONE_THREAD = dict.fromkeys(
    ("MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
"""Environment of a worker, which multiplies small matrices one after the other: threads would only wait for each other,
busily."""


@dataclass(frozen=True, slots=True)
class Died:
    """A worker ended without answering."""

    timed_out: bool
    exit_status: int


class Pool:
    """Runs tasks in worker processes, which live until the pool is closed and may remember what they did.

    module:  what every worker runs, see `serve` of `child.py`
    setup:   what every worker is told before its first task (pickled); None where that is not known yet, see `tell`
    jobs:    worker processes at most; each starts with its first task, or before with `start`
    seconds: longest processor time for one task; by the clock it may take `_PATIENCE` times that
    """

    def __init__(self, module: str, setup: Any, jobs: int, seconds: float) -> None:
        self.jobs = jobs
        self._module = module
        self._setup = setup
        self._seconds = seconds
        self._workers: dict[int, _Worker] = {}
        self._starts = [0] * jobs

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the workers and waits for their end."""
        for worker in self._workers.values():  # all are told before one is waited for
            worker.leave()
        for number in list(self._workers):
            self._workers.pop(number).close()

    @property
    def running(self) -> int:
        """Number of worker processes that wait for tasks."""
        return len(self._workers)

    def start(self, preload: Callable[[], object] | None = None) -> None:
        """Starts all workers and does not wait for them: the caller has something to do meanwhile.

        preload: imports and loads what workers need, called where they are copies of this process and spared it
        """
        if preload is not None and can_fork():
            preload()
        for number in range(self.jobs):
            self._start(number)

    def tell(self, setup: Any) -> None:
        """Tells the workers, those that run and those to come, what they must know before their first task."""
        self._setup = setup
        for worker in self._workers.values():
            worker.tell(setup)

    def _start(self, number: int) -> None:
        worker = _Worker(self._module, f"{number}-{self._starts[number]}")
        self._starts[number] += 1
        if self._setup is not None:
            worker.tell(self._setup)
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
        assigned: the first worker does the first group, the second the second, and so on; else the next worker that is
                  free takes the next group
        seconds:  longest processor time for one of these tasks
        """
        seconds = self._seconds if seconds is None else seconds
        jobs = min(self.jobs, len(groups))
        waiting: list[queue.SimpleQueue[Sequence[int]]] = [queue.SimpleQueue() for _ in range(jobs if assigned else 1)]
        for number, group in enumerate(groups):
            waiting[number % len(waiting)].put(group)
        # Bounded, so that results the caller has not taken yet do not pile up in memory.
        done: queue.Queue[tuple[int, Any]] = queue.Queue(maxsize=256)
        if can_fork():  # before there are the threads below
            for number in set(range(jobs)).difference(self._workers):
                self._start(number)
        stop = threading.Event()
        threads = [
            threading.Thread(
                target=self._serve,
                args=(number, tasks, waiting[number % len(waiting)], seconds, done, stop),
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
                position, result = done.get()
                if position == _NO_TASK:
                    raise result
                left -= 1
                yield position, result
        finally:
            stop.set()
            if left:
                for worker in list(self._workers.values()):  # what they are doing is of no use
                    worker.kill()
            with contextlib.suppress(queue.Empty):  # lets threads that wait for room see the stop
                while True:
                    done.get_nowait()
            for thread in threads:
                thread.join()
            if left:
                self.close()

    def _serve(
        self,
        number: int,
        tasks: Sequence[Any],
        waiting: queue.SimpleQueue[Sequence[int]],
        seconds: float,
        done: queue.Queue[tuple[int, Any]],
        stop: threading.Event,
    ) -> None:
        coming = chain.from_iterable(_until_empty(waiting))
        taken: deque[tuple[int, bytes]] = deque()
        try:
            while not stop.is_set():
                taken.extend((at, packed((seconds, tasks[at]))) for at in islice(coming, 2 - len(taken)))
                if not taken:
                    return
                if number not in self._workers:
                    self._start(number)
                if stop.is_set():  # looked at once the thread that sets it can see the worker
                    return
                result = self._workers[number].ask([message for _, message in taken], seconds)
                if isinstance(result, Died):
                    del self._workers[number]
                _offer(done, (taken.popleft()[0], result), stop)
        except BaseException as error:  # noqa: BLE001 - handed to the caller, who raises it
            _offer(done, (_NO_TASK, error), stop)

    def _watch(self, stop: threading.Event) -> None:
        while not stop.wait(_WATCH_SECONDS):
            for worker in list(self._workers.values()):
                worker.expire()


class _Worker:
    """One worker process and its pipes."""

    def __init__(self, module: str, name: str) -> None:
        self._name = name
        self._process: Forked | subprocess.Popen[bytes]
        try:
            self._process = Forked(module, _ONE_THREAD | os.environ) if can_fork() else _interpreter(module)
        except OSError as error:
            raise InfographError("", f"a worker process cannot be started: {error.strerror}") from error
        _widen(self._process.stdout)
        self._deadline = math.inf
        self._late = False
        self._sent = 0
        """Number of tasks that it was sent and has not answered."""
        self._lock = threading.Lock()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to: IO[bytes] = self._process.stdin
        self._from: IO[bytes] = self._process.stdout
        self._ready = False

    def tell(self, setup: Any) -> None:
        """Tells the worker what it must know before its first task."""
        with contextlib.suppress(BrokenPipeError):  # it ended at once, which the first task will find
            send(self._to, (self._name, setup))

    def _wait(self) -> None:
        """Waits until the worker is ready for tasks. Raises InfographError, the worker's own where it cannot do any."""
        try:
            answer = receive(self._from)
        except EOFError:
            reason = f"a worker process ended before its first task (status {self._process.wait()})"
            raise InfographError("", reason, "Its own message stands above.") from None
        if isinstance(answer, InfographError):
            raise answer
        self._ready = True

    def ask(self, messages: Sequence[bytes], seconds: float) -> Any:
        """Returns the answer to the first task of `messages`, or Died. The next task is sent along, so that the worker
        goes on while this process is busy with the answer; if it dies, only the first task was its fault."""
        if not self._ready:
            self._wait()
        self._deadline = time.monotonic() + seconds * _PATIENCE
        try:
            for message in messages[self._sent :]:
                if self._sent and len(message) > _AHEAD_BYTES:
                    break
                self._to.write(message)
                self._to.flush()
                self._sent += 1
            answer = receive(self._from)
        except (BrokenPipeError, EOFError):
            answer = None
        with self._lock:  # if it is being killed in this moment, then the answer comes too late
            self._deadline = math.inf
        if answer is None or self._late:
            self.close()
            status = self._process.wait()
            spent = sys.platform != "win32" and status == -signal.SIGPROF
            return Died(self._late or spent, status)
        self._sent -= 1
        return answer

    def expire(self) -> None:
        """Ends the worker if its task takes too long."""
        with self._lock:
            if time.monotonic() > self._deadline:
                self._late = True
                self._process.kill()

    def kill(self) -> None:
        """Ends the worker at once. The thread that waits for its answer learns of it, and closes it."""
        self._process.kill()

    def leave(self) -> None:
        """Tells the worker that there is nothing more to do."""
        with contextlib.suppress(BrokenPipeError):
            self._to.close()

    def close(self) -> None:
        """Tells the worker to end and waits for that."""
        self.leave()
        self._from.close()
        self._process.wait()


def _interpreter(module: str) -> subprocess.Popen[bytes]:
    """Starts an interpreter that runs a module. Raises OSError."""
    # This package before all others, and never the working directory (-P): it may be a tree of strangers.
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=_ONE_THREAD | os.environ | {"PYTHONPATH": path},
        start_new_session=True,  # Ctrl-C is for the parent: workers end when it closes their pipe
    )


def _widen(pipe: IO[bytes] | None) -> None:
    """Lets a pipe hold several answers where the system can, so that a worker need not wait until one is taken."""
    if pipe is not None and sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):  # this user has many wide pipes already
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _until_empty(waiting: queue.SimpleQueue[Sequence[int]]) -> Iterator[Sequence[int]]:
    """Yields what is in the queue until it is empty."""
    with contextlib.suppress(queue.Empty):
        while True:
            yield waiting.get_nowait()


def _offer(done: queue.Queue[tuple[int, Any]], item: tuple[int, Any], stop: threading.Event) -> None:
    """Puts an item into a queue, unless the stop comes before there is room."""
    while not stop.is_set():
        try:
            done.put(item, timeout=0.2)
            return
        except queue.Full:
            continue
