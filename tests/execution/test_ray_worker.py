"""Workers behind actors: several tasks travel at a time, and each costs what it would cost alone.

A stand-in for Ray runs the actors in this process, so that their calls can be counted.
"""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infograph.errors import InfographError
from infograph.execution import ray_worker
from infograph.execution.pool import Pool
from infograph.execution.pool_worker import Died
from infograph.execution.ray_worker import RayWorker

PROGRAM = """
import os
from infograph.execution.child import serve_parent
from infograph.errors import InfographError

def make(name, setup):
    if setup == "unable":
        raise InfographError("here", "has another version")
    return work

def work(task):
    if task == "exit":
        os._exit(7)
    if task == "large":
        return "x" * 100_000
    return task

def main():
    serve_parent(make)

if __name__ == "__main__":
    main()
"""


class LostError(Exception):
    """Stands for the error of an actor that is gone."""


class StandIn:
    """Runs the calls of actors as their answers are asked for."""

    def __init__(self) -> None:
        self.actors: list[Any] = []
        self.calls: list[int] = []
        """Number of tasks of each call."""
        self.answers: list[int] = []
        """Number of answers of each call."""
        self.losses: list[int] = []
        """Numbers of calls whose actor is lost."""

    def remote(self, **_options: Any) -> Any:
        def kind(actor: type) -> Any:
            return types.SimpleNamespace(remote=lambda *given: self._started(actor(*given)))

        return kind

    def _started(self, actor: Any) -> Any:
        self.actors.append(actor)
        return types.SimpleNamespace(
            actor=actor,
            tell=types.SimpleNamespace(remote=actor.tell),
            do=types.SimpleNamespace(remote=lambda messages, seconds: (actor, messages, seconds)),
        )

    def get(self, call: Any) -> Any:
        actor, messages, seconds = call
        self.calls.append(len(messages))
        if len(self.calls) in self.losses:
            raise LostError("its machine ended")
        answers = actor.do(messages, seconds)
        self.answers.append(len(answers.packed))
        return answers

    def kill(self, handle: Any) -> None:
        handle.actor._process.close()


@pytest.fixture
def ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    found = StandIn()
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", ""))))
    monkeypatch.setattr("infograph.execution.forked.can_fork", lambda: False)
    monkeypatch.setitem(sys.modules, "ray", found)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "ray.exceptions", types.SimpleNamespace(RayError=LostError))  # type: ignore[arg-type]
    yield found
    for actor in found.actors:
        actor._process.close()


def run(tasks: list[str], setup: str = "setup", jobs: int = 1) -> dict[int, Any]:
    with Pool("program", setup, jobs, 60, RayWorker) as pool:
        return dict(pool.run(tasks, [[position] for position in range(len(tasks))]))


def test_many_small_tasks_take_few_calls(ray: StandIn) -> None:
    tasks = [f"task {number}" for number in range(200)]
    assert run(tasks) == dict(enumerate(tasks))
    assert sum(ray.calls) == sum(ray.answers) == 200 and len(ray.calls) < 60 and max(ray.answers) > 4


def test_large_answers_do_not_wait_for_each_other(ray: StandIn) -> None:
    found = run([f"small {number}" for number in range(20)] + ["large"] * 20)
    assert len(found) == 40 and len(ray.calls) >= 20
    assert ray.answers[-10:] == [1] * 10


def test_a_task_that_takes_its_process_down_costs_itself_alone(ray: StandIn) -> None:
    tasks = [f"task {number}" for number in range(60)]
    tasks[30] = tasks[31] = "exit"
    died = Died(timed_out=False, exit_status=7)
    assert run(tasks) == dict(enumerate(tasks)) | {30: died, 31: died}
    assert len(ray.actors) == 3


@pytest.mark.parametrize("lost", [1, 2, 5, 9])
def test_what_an_actor_had_ahead_is_done_by_the_one_that_takes_its_place(ray: StandIn, lost: int) -> None:
    ray.losses = [lost]
    tasks = [f"task {number}" for number in range(100)]
    assert run(tasks) == dict(enumerate(tasks))
    assert len(ray.actors) == 2


def test_a_worker_that_can_do_no_task_ends_the_run(ray: StandIn) -> None:
    with pytest.raises(InfographError, match="has another version"):
        run(["a", "b", "c"], "unable")


def test_tasks_that_take_long_are_not_taken_ahead(ray: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_worker, "_AHEAD_SECONDS", 0.0)
    assert len(run([f"task {number}" for number in range(40)])) == 40
    assert max(ray.calls) == 1
