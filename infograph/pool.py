"""Worker processes that can be killed: a document that takes too long costs itself and nothing else.

Each worker is a plain `python -m infograph.worker` fed through pipes, so nothing of the parent (threads,
open files, an unguarded `__main__`) leaks into it, on every platform alike. A thread of the parent owns
one worker, hands it one task at a time and kills it when the task outlasts its time.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import queue
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from infograph.errors import InfographError

LENGTH = struct.Struct("<Q")

_WATCH_SECONDS = 0.1
"""How often somebody looks for tasks that take too long. One thread for all: a timer a task costs 0.1 ms each."""


@dataclass(frozen=True, slots=True)
class Died:
    """A worker ended without answering."""

    timed_out: bool
    exit_status: int


class Pool:
    """Runs tasks in worker processes.

    setup:   what every worker is told before its first task (pickled)
    jobs:    worker processes at most
    seconds: longest time for one task
    """

    def __init__(self, setup: Any, jobs: int, seconds: float) -> None:
        self._setup = setup
        self._jobs = jobs
        self._seconds = seconds

    def run(self, tasks: Sequence[Any], groups: Sequence[Sequence[int]]) -> Iterator[tuple[int, Any]]:
        """Yields (position of the task, its result or Died) in the order of completion.

        groups: positions of tasks that one worker does in a row, together all tasks once
        """
        waiting: queue.SimpleQueue[Sequence[int]] = queue.SimpleQueue()
        for group in groups:
            waiting.put(group)
        # Bounded, so that results the caller has not taken yet do not pile up in memory.
        done: queue.Queue[tuple[int, Any]] = queue.Queue(maxsize=256)
        stop = threading.Event()
        workers: list[_Worker] = []
        threads = [
            threading.Thread(target=self._serve, args=(number, tasks, waiting, done, stop, workers), daemon=True)
            for number in range(min(self._jobs, len(groups)))
        ]
        threads.append(threading.Thread(target=_watch, args=(workers, stop), daemon=True))
        for thread in threads:
            thread.start()
        try:
            for _ in range(len(tasks)):
                position, result = done.get()
                if isinstance(result, BaseException):
                    raise result
                yield position, result
        finally:
            stop.set()
            for worker in workers:  # nobody waits for what they are doing
                worker.kill()
            with contextlib.suppress(queue.Empty):  # lets threads that wait for room see the stop
                while True:
                    done.get_nowait()
            for thread in threads:
                thread.join()

    def _serve(
        self,
        number: int,
        tasks: Sequence[Any],
        waiting: queue.SimpleQueue[Sequence[int]],
        done: queue.Queue[tuple[int, Any]],
        stop: threading.Event,
        workers: list[_Worker],
    ) -> None:
        worker: _Worker | None = None
        starts = 0
        try:
            while not stop.is_set():
                try:
                    group = waiting.get_nowait()
                except queue.Empty:
                    return
                for position in group:
                    if worker is None:
                        worker = _Worker((f"{number}-{starts}", self._setup))
                        workers.append(worker)
                        starts += 1
                    if stop.is_set():  # looked at after the worker can be seen by who sets it
                        return
                    result = worker.ask(tasks[position], self._seconds)
                    if isinstance(result, Died):
                        workers.remove(worker)
                        worker = None
                    _offer(done, (position, result), stop)
        except BaseException as error:  # noqa: BLE001 - handed to the caller, who raises it
            _offer(done, (-1, error), stop)
        finally:
            if worker is not None:
                worker.close()


def _watch(workers: list[_Worker], stop: threading.Event) -> None:
    while not stop.wait(_WATCH_SECONDS):
        for worker in list(workers):
            worker.expire()


class _Worker:
    def __init__(self, setup: Any) -> None:
        # This package before all others, and never the working directory (-P): it may be a tree of strangers.
        path = os.pathsep.join(filter(None, (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH"))))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "infograph.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": path},
                start_new_session=True,  # Ctrl-C is for the parent: workers end when it closes their pipe
            )
        except OSError as error:
            raise InfographError("", f"a worker process cannot be started: {error.strerror}") from error
        self._deadline = math.inf
        self._late = False
        self._lock = threading.Lock()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to: IO[bytes] = self._process.stdin
        self._from: IO[bytes] = self._process.stdout
        try:
            send(self._to, setup)
            answer = receive(self._from)
        except (BrokenPipeError, EOFError):
            self.close()
            raise InfographError(
                "", f"a worker process ended before its first task (status {self._process.wait()})",
                "Its own message stands above.",
            ) from None  # fmt: skip
        if isinstance(answer, InfographError):
            self.close()
            raise answer

    def ask(self, task: Any, seconds: float) -> Any:
        self._deadline = time.monotonic() + seconds
        try:
            send(self._to, task)
            answer = receive(self._from)
        except (BrokenPipeError, EOFError):
            answer = None
        with self._lock:  # if it is being killed in this moment, then the answer comes too late
            self._deadline = math.inf
        if answer is None or self._late:
            self.close()
            return Died(self._late, self._process.wait())
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

    def close(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._to.close()
        self._from.close()
        self._process.wait()


def send(stream: IO[bytes], message: Any) -> None:
    """Writes one length-prefixed message. The pipe joins our own processes only, hence pickle."""
    data = pickle.dumps(message, protocol=5)
    stream.write(LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Reads one message; EOFError at the end of the stream."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    data = stream.read(LENGTH.unpack(head)[0])
    if len(data) < LENGTH.unpack(head)[0]:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - see send


def _offer(done: queue.Queue[tuple[int, Any]], item: tuple[int, Any], stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            done.put(item, timeout=0.2)
            return
        except queue.Full:
            continue
