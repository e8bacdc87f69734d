"""A process under watch: it is ended when nothing is heard of it, whatever it does then."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infograph.errors import InfographError
from infograph.execution.pool_worker import Died
from infograph.execution.watched import WatchedProcess

PATIENCE = 60.0
"""Seconds until a test gives up; never a measure."""

WORKER = """
import multiprocessing, os, re, signal, time
from infograph.errors import InfographError
from infograph.execution.child import serve_watcher


def make(name, setup, say):
    if setup == "none":
        raise InfographError("worker", "cannot do any task")

    def do(task):
        if task == "pid":
            return os.getpid()
        if task == "sleep":
            time.sleep(10**6)
        if task == "lock":  # a loop of C that holds the interpreter's lock: no thread of this process runs any more
            re.match("(a|aa)+$", "a" * 200 + "b")
        if task == "child":  # one that holds the pipe, too
            if not os.fork():
                time.sleep(10**6)
            time.sleep(10**6)
        if task == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if task == "slowly":
            for done in range(8):
                time.sleep(0.4)
                say(done, 8)
        return task

    return do


if __name__ == "__main__":
    serve_watcher(make)
"""


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WatchedProcess]:
    (tmp_path / "watched_worker.py").write_text(WORKER)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    monkeypatch.setattr("infograph.execution.forked.can_fork", lambda: False)
    process = WatchedProcess("watched_worker", None)
    yield process
    process.close()


def unheard(*values: object) -> None:
    """What is said is no matter."""


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_it_answers_from_one_process_until_it_is_closed(worker: WatchedProcess) -> None:
    first = worker.ask("pid", math.inf, unheard)
    assert worker.ask("pid", PATIENCE, unheard) == first != os.getpid()
    assert worker.ask("a word", PATIENCE, unheard) == "a word"
    worker.close()
    worker.close()
    assert gone(first)
    assert worker.ask("pid", PATIENCE, unheard) != first


@pytest.mark.parametrize("task", [pytest.param("sleep", marks=pytest.mark.slow), "lock", "child"])
def test_one_that_hangs_is_ended_and_another_takes_its_place(task: str, worker: WatchedProcess) -> None:
    pid = worker.ask("pid", PATIENCE, unheard)
    began = time.monotonic()
    died = worker.ask(task, 0.2, unheard)
    assert died == Died(True, -signal.SIGKILL)
    assert 0.2 <= time.monotonic() - began < PATIENCE
    assert gone(pid)
    assert worker.ask("a word", PATIENCE, unheard) == "a word"


def test_one_that_dies(worker: WatchedProcess) -> None:
    assert worker.ask("die", PATIENCE, unheard) == Died(False, -signal.SIGKILL)


@pytest.mark.slow
def test_a_word_in_the_middle_gives_it_the_whole_time_again(worker: WatchedProcess) -> None:
    worker.ask("pid", PATIENCE, unheard)
    said: list[tuple[Any, ...]] = []
    assert worker.ask("slowly", 2.0, lambda *values: said.append(values)) == "slowly"
    assert said == [(done, 8) for done in range(8)]


def test_one_that_can_do_no_task_says_why(tmp_path: Path, worker: WatchedProcess) -> None:
    other = WatchedProcess("watched_worker", "none")
    answer = other.ask("pid", PATIENCE, unheard)
    other.close()
    assert isinstance(answer, InfographError) and "cannot do any task" in str(answer)


def test_another_thread_ends_it_for_good(worker: WatchedProcess) -> None:
    pid = worker.ask("pid", PATIENCE, unheard)
    threading.Timer(0.1, worker.kill).start()
    assert worker.ask("sleep", math.inf, unheard) == Died(False, -signal.SIGKILL)
    assert gone(pid) and isinstance(worker.ask("a word", PATIENCE, unheard), Died)


def test_an_interrupt_leaves_no_process_behind(worker: WatchedProcess) -> None:
    pid = worker.ask("pid", PATIENCE, unheard)
    main = threading.main_thread().ident
    assert main is not None
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where a shell has put us aside
    timer = threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            worker.ask("sleep", math.inf, unheard)
    finally:
        signal.signal(signal.SIGINT, before)
    assert gone(pid)
