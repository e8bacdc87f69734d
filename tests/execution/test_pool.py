"""Workers: one that hangs or dies costs one task, one that is lost costs none; nothing is left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from infograph.errors import InfographError
from infograph.execution import forked
from infograph.execution.forked import can_fork
from infograph.execution.pool import Pool
from infograph.execution.pool_worker import Died, WorkerLost
from infograph.execution.processes import ProcessWorker

PROGRAM = """
import ctypes, os, sys, time
from infograph.execution.child import end_with_parent, serve
from infograph.execution.pipe import receive, send

remembered = []

def work(task):
    if task.startswith("remember"):
        remembered.append(task)
        return tuple(remembered)
    if task == "hang":
        time.sleep(600)
    if task == "wait":
        time.sleep(1)
    if task.startswith("gate "):
        _, gate, task = task.split(" ", 2)
        while not os.path.exists(gate):
            time.sleep(0.01)
    if task == "spin":
        while True:
            pass
    if task == "exit":
        os._exit(7)
    if task == "crash":
        ctypes.string_at(0)
    if task == "print":
        print("astray")
    if task == "error":
        return ValueError(task)
    return (os.getpid(), task)

def main():
    end_with_parent()
    incoming, outgoing = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    number, setup = receive(incoming)
    if setup.startswith("slow "):
        setup = setup.removeprefix("slow ")
        while not os.path.exists(setup + ".gate"):
            time.sleep(0.01)
    if setup == "stillborn":
        sys.exit(3)
    with open(setup, "a") as file:
        file.write(f"{os.getpid()}\\n")
    send(outgoing, "ready")
    serve(incoming, outgoing, work)

if __name__ == "__main__":
    main()
"""


COPIES_ALONE = "TESTS_OF_COPIES_ALONE"
"""Set where this file runs in a process without threads but for those that it starts and joins itself."""


def _can_fork_soon() -> bool:
    """Whether a copy is whole once the system has forgotten the threads that were joined."""
    until = time.monotonic() + 5
    while not can_fork() and time.monotonic() < until:
        time.sleep(0.01)
    return can_fork()


@pytest.fixture(params=["interpreters", "copies"])
def program(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Workers run PROGRAM; each adds its process number to the file returned. They are interpreters of their own, or
    copies of this process: see `test_copies_where_this_process_has_threads`."""
    if request.param == "interpreters":
        monkeypatch.setattr("infograph.execution.forked.can_fork", lambda: False)
    elif not (can_fork() or (COPIES_ALONE in os.environ and _can_fork_soon())):
        pytest.skip("this process has threads")
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "program", raising=False)
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tmp_path}/program.py"\n')
    (tmp_path / "python").chmod(0o755)
    monkeypatch.setattr("infograph.execution.processes.sys.executable", str(tmp_path / "python"))
    return tmp_path / "started"


def each(tasks: list[str]) -> list[list[int]]:
    return [[position] for position in range(len(tasks))]


def is_running(process: int) -> bool:
    try:
        return (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def assert_all_gone(started: Path) -> None:
    processes = [int(line) for line in started.read_text().split()]
    assert processes
    assert not [process for process in processes if is_running(process)]


def test_every_task_once(program: Path) -> None:
    tasks = [f"task {n}" for n in range(40)]
    with Pool("program", str(program), 2, 60) as pool:
        results = dict(pool.run(tasks, each(tasks)))
    assert {position: result[1] for position, result in results.items()} == dict(enumerate(tasks))
    assert_all_gone(program)


def test_tasks_of_a_group_go_to_one_worker(program: Path) -> None:
    tasks = ["a", "b", "c", "d"]
    with Pool("program", str(program), 2, 60) as pool:
        results = dict(pool.run(tasks, [[0, 2], [1, 3]]))
    assert results[0][0] == results[2][0] and results[1][0] == results[3][0]


def test_workers_live_on_and_a_worker_gets_what_is_assigned_to_it(program: Path) -> None:
    tasks = ["a", "b", "c", "d", "e", "f"]
    with Pool("program", str(program), 3, 60) as pool:
        first, second = (dict(pool.run(tasks, [[0, 3], [1, 4], [2, 5]], assigned=True)) for _ in range(2))
        assert pool.running == 3
    assert first == second
    assert len({process for process, _ in first.values()}) == 3 == len(program.read_text().split())
    assert_all_gone(program)


def test_workers_may_start_before_there_are_tasks(program: Path) -> None:
    with Pool("program", str(program), 2, 60) as pool:
        pool.start()
        assert pool.running == 2
        assert [result[1] for _, result in pool.run(["a"], [[0]])] == ["a"]
    with Pool("program", "stillborn", 1, 60) as pool:
        pool.start()
        with pytest.raises(InfographError, match=r"ended before its first task \(status 3\)"):
            list(pool.run(["a"], [[0]]))
    assert_all_gone(program)


def test_workers_may_start_before_anybody_knows_what_to_tell_them(program: Path) -> None:
    with Pool("program", None, 2, 60) as pool:
        pool.start()
        pool.tell(str(program))
        assert {result[1] for _, result in pool.run(["a", "b"], [[0], [1]])} == {"a", "b"}
        assert [type(result) for _, result in pool.run(["exit"], [[0]])] == [Died]
        assert [result[1] for _, result in pool.run(["c"], [[0]])] == ["c"], "one that starts later is told too"
    with Pool("program", None, 2, 60) as pool:  # they were told nothing
        pool.start()
    assert_all_gone(program)


def test_a_worker_that_died_is_replaced_in_the_next_run(program: Path) -> None:
    with Pool("program", str(program), 1, 60) as pool:
        assert [type(result) for _, result in pool.run(["exit"], [[0]])] == [Died]
        assert pool.running == 0
        assert [result[1] for _, result in pool.run(["a"], [[0]])] == ["a"]
    assert_all_gone(program)


def test_a_task_that_hangs_is_killed_and_the_rest_is_done(program: Path) -> None:
    tasks = ["a", "hang", "b", "c"]
    with Pool("program", str(program), 1, 0.2) as pool:
        results = dict(pool.run(tasks, [[0, 1, 2, 3]]))
    assert isinstance(results[1], Died) and results[1].timed_out
    assert [results[n][1] for n in (0, 2, 3)] == ["a", "b", "c"]
    assert_all_gone(program)


def test_time_is_processor_time(program: Path) -> None:
    tasks = ["spin", "wait", "a"]
    with Pool("program", str(program), 1, 0.3) as pool:
        results = dict(pool.run(tasks, [[0, 1, 2]]))
    assert isinstance(results[0], Died) and results[0].timed_out
    assert [results[n][1] for n in (1, 2)] == ["wait", "a"]


@pytest.mark.parametrize("task", ["hang", "spin"])
def test_workers_end_with_a_parent_that_is_killed(program: Path, task: str) -> None:
    code = (
        "import sys, infograph.execution.pool as pool; sys.executable = sys.argv[1]\n"
        "sys.path.insert(0, sys.argv[2]); forks = sys.argv[3] == 'True'; pool.forked.can_fork = lambda: forks\n"
        "list(pool.Pool('program', sys.argv[4], 1, 600).run([sys.argv[5]], [[0]]))"
    )
    folder, forks = program.parent, forked.can_fork()
    arguments = [os.fspath(folder / "python"), os.fspath(folder), str(forks), os.fspath(program), task]
    real = os.fspath(Path(sys.prefix, "bin/python"))
    with subprocess.Popen([real, "-c", code, *arguments], stderr=subprocess.PIPE) as parent:
        wait_for(lambda: program.exists() and bool(program.read_text()))
        parent.kill()
        wait_for(lambda: not any(map(is_running, map(int, program.read_text().split()))))
        assert parent.stderr is not None and parent.stderr.read() == b""


def wait_for(true: Callable[[], bool]) -> None:
    while not true():  # a test that hangs is ended from outside
        time.sleep(0.02)


@pytest.mark.parametrize(("way", "status"), [("exit", 7), ("crash", -11)])
def test_a_worker_that_dies_costs_one_task(program: Path, way: str, status: int) -> None:
    tasks = ["a", way, "b"]
    with Pool("program", str(program), 1, 60) as pool:
        results = dict(pool.run(tasks, each(tasks)))
    assert results[1] == Died(timed_out=False, exit_status=status)
    assert [results[n][1] for n in (0, 2)] == ["a", "b"]


def test_a_task_sent_ahead_is_not_lost_with_the_worker(program: Path) -> None:
    tasks = ["one", "exit", "two", "crash", "exit", "three"]
    with Pool("program", str(program), 1, 60) as pool:
        results = dict(pool.run(tasks, [range(len(tasks))]))
    assert {tasks[at] for at, result in results.items() if isinstance(result, Died)} == {"exit", "crash"}
    assert [results[at][1] for at in (0, 2, 5)] == ["one", "two", "three"]


def test_an_error_that_a_worker_answers_with_is_a_result(program: Path) -> None:
    tasks = ["a", "error", "b"]
    with Pool("program", str(program), 1, 60) as pool:
        results = dict(pool.run(tasks, each(tasks)))
        assert pool.running == 1
    assert repr(results[1]) == "ValueError('error')"
    assert [results[n][1] for n in (0, 2)] == ["a", "b"]


def test_tasks_and_answers_longer_than_a_pipe(program: Path) -> None:
    tasks = [str(n) * size for n, size in enumerate([1 << 20, 5, 1 << 20, 1 << 20, 4000, 5000, 1 << 20] * 3)]
    with Pool("program", str(program), 2, 60) as pool:
        results = dict(pool.run(tasks, [range(10), range(10, 21)]))
    assert [results[at][1] for at in range(21)] == tasks


def test_a_stray_print_is_no_answer(program: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Pool("program", str(program), 1, 60) as pool:
        assert [result[1] for _, result in pool.run(["print"], [[0]])] == ["print"]
    assert "astray" in capfd.readouterr().err


def _interrupt_in_the_loop(run: Callable[[], object]) -> None:
    for _ in run():  # type: ignore[attr-defined]
        raise KeyboardInterrupt


def test_an_exception_in_the_caller_leaves_no_process_behind(program: Path) -> None:
    tasks = ["a", "hang", "hang"]
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        _interrupt_in_the_loop(lambda: Pool("program", str(program), 2, 300).run(tasks, each(tasks)))
    assert_all_gone(program)
    assert time.monotonic() - begun < 150, "it waited for the tasks that hang"


def test_results_nobody_takes_do_not_block_the_end(program: Path) -> None:
    tasks = [f"task {n}" for n in range(2000)]
    running = Pool("program", str(program), 2, 60).run(tasks, each(tasks))
    next(running)
    running.close()  # type: ignore[attr-defined]
    assert_all_gone(program)


def test_a_worker_that_cannot_start_is_one_error(program: Path) -> None:
    tasks = ["a", "b", "c"]
    with pytest.raises(InfographError, match=r"a worker process ended before its first task \(status 3\)"):
        list(Pool("program", "stillborn", 2, 60).run(tasks, each(tasks)))


def test_workers_that_take_long_to_begin_are_named_and_waited_for(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that hung at its start was waited for without a word."""
    monkeypatch.setattr("infograph.execution.pool.LATE_SECONDS", 0.2)
    monkeypatch.setattr("infograph.execution.pool._LOOK_SECONDS", 0.05)
    said: list[str] = []

    def say(message: str) -> None:
        said.append(message)
        if len(said) == 2:
            Path(f"{program}.gate").touch()

    with Pool("program", f"slow {program}", 2, 60, say=say) as pool:
        results = dict(pool.run(["a", "b"], [[0], [1]], assigned=True))
    assert {results[0][1], results[1][1]} == {"a", "b"} and len(said) == 2
    processes = {re.match(r"still waiting for worker process (\d+) \(it may wait", line)[1] for line in said}  # type: ignore[index]
    assert processes == set(program.read_text().split())
    assert all("Ctrl-C ends the run and publishes nothing" in line for line in said)


def test_a_python_that_is_not_there_is_one_error(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infograph.execution.processes.sys.executable", os.fspath(program.parent / "nowhere"))
    monkeypatch.setattr("infograph.execution.forked.can_fork", lambda: False)
    with pytest.raises(InfographError, match="a worker process cannot be started: No such file"):
        list(Pool("program", str(program), 1, 60).run(["a"], [[0]]))


class LosableWorker(ProcessWorker):
    """A process whose end by SIGKILL is no fault of its task: as if its machine had ended."""

    may_be_lost = True

    def ask(self, messages: Sequence[bytes], seconds: float) -> object:
        answer = super().ask(messages, seconds)
        if answer == Died(timed_out=False, exit_status=-signal.SIGKILL):
            raise WorkerLost("its machine ended")
        return answer


def kill_all(program: Path) -> None:
    for process in map(int, program.read_text().split()):
        if is_running(process):
            os.kill(process, signal.SIGKILL)


def test_a_worker_that_is_lost_costs_no_task(program: Path) -> None:
    names = [f"task-{n}" for n in range(60)]
    gate = program.parent / "gate"
    tasks = names[:20] + [f"gate {gate} {name}" for name in names[20:]]  # none is done before workers were killed
    results = {}
    with Pool("program", str(program), 2, 60, LosableWorker) as pool:
        for position, result in pool.run(tasks, each(tasks)):
            results[position] = result
            if len(results) == 10 or position % 20 == 10:
                kill_all(program)
                gate.touch()
    assert {position: result[1] for position, result in results.items()} == dict(enumerate(names))
    assert len(program.read_text().split()) > 2
    assert_all_gone(program)


def test_who_takes_the_place_of_a_lost_worker_knows_what_was_assigned_to_it(program: Path) -> None:
    first, second = ["remember a", "remember b", "remember c"], ["remember d", "remember e", "remember f"]
    with Pool("program", str(program), 2, 60, LosableWorker) as pool:
        dict(pool.run(first, [[0, 2], [1]], assigned=True))
        dict(pool.run(["task"], [[0]]))  # which nobody has to remember
        kill_all(program)
        results = dict(pool.run(second, [[0], [1, 2]], assigned=True))
    assert results == {
        0: ("remember a", "remember c", "remember d"),
        1: ("remember b", "remember e"),
        2: ("remember b", "remember e", "remember f"),
    }


def test_a_task_dies_of_itself_where_workers_can_be_lost(program: Path) -> None:
    with Pool("program", str(program), 1, 60, LosableWorker) as pool:
        dict(pool.run(["remember a"], [[0]], assigned=True))
        assert dict(pool.run(["exit"], [[0]], assigned=True)) == {0: Died(timed_out=False, exit_status=7)}
        assert dict(pool.run(["remember b"], [[0]], assigned=True)) == {0: ("remember a", "remember b")}


def test_workers_that_are_lost_again_and_again_are_one_error(program: Path) -> None:
    class NeverThere(LosableWorker):
        def ask(self, messages: Sequence[bytes], seconds: float) -> object:
            raise WorkerLost("no way to it")

    with pytest.raises(InfographError, match="5 workers were lost one after the other: no way to it"):
        list(Pool("program", str(program), 1, 60, NeverThere).run(["a"], [[0]]))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or can_fork(), reason="the tests above have seen copies")
def test_all_of_this_holds_for_copies() -> None:
    """In a process without threads, which that of the tests may have."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", "copies", __file__]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1", COPIES_ALONE: "1"}
    )
    assert done.returncode == 0 and "skipped" not in done.stdout, done.stdout
