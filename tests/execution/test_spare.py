"""A worker between two pools: it is used again, never where it may be of no use, and never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from infograph.errors import InfographError
from infograph.execution.pool import Pool
from infograph.execution.pool_worker import Died
from infograph.execution.processes import ProcessWorker
from infograph.execution.spare import SpareWorker

PROGRAM = """
import os, sys, time
from infograph.errors import InfographError
from infograph.execution.child import serve_parent

rests = 0

def make(name, setup):
    if setup == "impossible":
        raise InfographError("setup", "is impossible")
    def work(task):
        if task == "hang":
            time.sleep(600)
        if task == "exit":
            os._exit(7)
        return os.getpid(), name, setup, task, rests
    return work

def rest():
    global rests
    rests += 1
    print("a stray print is no answer")

def main():
    serve_parent(make, rest)

if __name__ == "__main__":
    main()
"""


@pytest.fixture
def spare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SpareWorker]:
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr("infograph.execution.forked.can_fork", lambda: False)  # as in a process with threads
    place = SpareWorker("program")
    yield place
    place.close()


def pool(spare: SpareWorker, setup: object = "setup", jobs: int = 1, seconds: float = 60) -> Pool:
    return Pool("program", setup, jobs, seconds, spare=spare)


def asked(spare: SpareWorker, *tasks: str, setup: object = "setup") -> list[tuple[object, ...]]:
    with pool(spare, setup) as found:
        return [answer for _, answer in sorted(found.run(tasks, [range(len(tasks))]))]


def is_running(process: object) -> bool:
    assert isinstance(process, int)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_next_pool_has_the_worker_of_the_last_one(spare: SpareWorker) -> None:
    first, again = asked(spare, "a", "b", setup="one")
    third = asked(spare, "c", setup="two")[0]
    assert first[0] == again[0] == third[0]
    assert first[1:] == ("0-0", "one", "a", 0) and third[1:] == ("0-0", "two", "c", 1)
    assert spare.waits
    spare.close()
    assert not is_running(first[0]) and not spare.waits
    assert asked(spare, "d")[0][0] != first[0] and not spare.waits, "closed: none is kept any more"


def test_of_several_workers_one_is_kept(spare: SpareWorker) -> None:
    with pool(spare, jobs=2) as found:
        processes = {answer[0] for _, answer in found.run(["a", "b"], [[0], [1]], assigned=True)}
    assert len(processes) == 2 and sum(map(is_running, processes)) == 1
    assert asked(spare, "c")[0][0] in processes


@pytest.mark.parametrize("task", ["hang", "exit"])
def test_a_worker_that_hangs_or_dies_is_replaced(spare: SpareWorker, task: str) -> None:
    process = asked(spare, "a")[0][0]
    with pool(spare, seconds=0.02) as found:
        results = dict(found.run([task, "b"], [[0, 1]]))
    assert isinstance(results[0], Died) and results[0].timed_out == (task == "hang")
    assert not is_running(process) and results[1][0] != process
    assert asked(spare, "c")[0][0] == results[1][0], "the one that took its place is kept"


def test_a_worker_that_was_ended_while_it_waited_costs_no_task(spare: SpareWorker) -> None:
    process = asked(spare, "a")[0][0]
    assert isinstance(process, int)
    os.kill(process, signal.SIGKILL)
    assert asked(spare, "b")[0][3] == "b"


def test_a_worker_that_was_ended_before_it_was_ever_needed_costs_no_task(spare: SpareWorker) -> None:
    spare.prepare()
    worker = spare._worker
    assert worker is not None
    worker._process.kill()
    worker._process.wait()
    assert asked(spare, "b")[0][3] == "b"


def test_a_run_that_was_cut_short_leaves_no_worker(spare: SpareWorker) -> None:
    process = asked(spare, "a")[0][0]
    with pool(spare) as found:
        results = found.run(["b", "hang"], [[0, 1]])
        next(results)
        results.close()  # type: ignore[attr-defined]
    assert not is_running(process) and not spare.waits


def test_another_key_is_another_worker(spare: SpareWorker) -> None:
    spare.serve("one")
    process = asked(spare, "a")[0][0]
    spare.serve("one")
    assert asked(spare, "b")[0][0] == process
    spare.serve("two")
    assert not is_running(process)
    assert asked(spare, "c")[0][0] != process


def test_a_prepared_worker_has_loaded_nothing_and_serves_any_key(spare: SpareWorker) -> None:
    spare.prepare()
    assert spare.waits
    spare.serve("one")
    assert spare.waits
    spare.prepare()
    assert asked(spare, "a")[0][1:] == ("0-0", "setup", "a", 0)


def test_a_worker_of_another_module_is_none(spare: SpareWorker) -> None:
    asked(spare, "a")
    assert spare.take("other", "0-0") is None and spare.waits


def test_a_setup_that_is_impossible_is_the_workers_own_error(spare: SpareWorker) -> None:
    asked(spare, "a")
    with pytest.raises(InfographError, match="is impossible"):
        asked(spare, "b", setup="impossible")
    assert asked(spare, "c")[0][3] == "c"


def test_a_worker_that_nobody_needs_ends(spare: SpareWorker) -> None:
    place = SpareWorker("program", seconds=0.05)
    process = asked(place, "a")[0][0]
    until(lambda: not place.waits and not is_running(process))
    assert asked(place, "b")[0][0] != process
    place.close()


def test_a_worker_that_was_told_and_not_asked_is_not_kept(spare: SpareWorker) -> None:
    with pool(spare) as found:
        found.start()
    assert not spare.waits


def test_a_process_that_ends_takes_the_worker_with_it(spare: SpareWorker, tmp_path: Path) -> None:
    program = (
        "from infograph.execution.pool import Pool\n"
        "from infograph.execution.spare import SpareWorker\n"
        "import os\n"
        "spare = SpareWorker('program')\n"
        "with Pool('program', 'setup', 1, 60, spare=spare) as pool:\n"
        "    print(list(pool.run(['a'], [[0]]))[0][1][0], flush=True)\n"
        "os._exit(0)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    until(lambda: not is_running(int(ended.stdout)))


def test_only_a_process_of_this_machine_is_kept(spare: SpareWorker) -> None:
    class Elsewhere:
        may_be_lost = True

    assert not spare.keep(Elsewhere())  # type: ignore[arg-type]
    worker = ProcessWorker("program", "0-0")
    assert not spare.keep(worker), "it was not ready yet"
    worker.close()
