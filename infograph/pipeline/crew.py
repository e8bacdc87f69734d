"""Distributes the tasks of topics among worker processes, where there are several."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from infograph.errors import InfographError
from infograph.execution.pool import Pool
from infograph.execution.pool_worker import Died
from infograph.pipeline.held import chunks_of
from infograph.pipeline.worker.topic_files import CountTerms, Made, TopicFiles, TopicTask


class Crew:
    """Runs the tasks of topics, those of one topic always in the same process.

    here: does the tasks in this process
    pool: workers that do them instead, if there are at least two
    beside: one worker is enough if it runs already: this process has something else to do meanwhile
    """

    def __init__(self, here: TopicFiles, pool: Pool | None, *, beside: bool = False) -> None:
        self._here = here
        enough = pool is not None and (pool.jobs > 1 or (beside and pool.running > 0))
        self._pool = pool if enough else None
        self._loads = [0] * (self._pool.jobs if self._pool else 0)
        self._worker_of: dict[str, int] = {}

    def do(self, tasks: Sequence[TopicTask]) -> Iterator[Made]:
        """Runs tasks of different topics and yields their results in any order. Raises what a task raises, and an
        InfographError that names the topic whose worker died."""
        if self._pool is None:
            yield from map(self._here.do, tasks)
            return
        groups: list[list[int]] = [[] for _ in self._loads]
        for position in sorted(range(len(tasks)), key=lambda position: (-_weight(tasks[position]), position)):
            groups[self._assigned(tasks[position])].append(position)
        for position, made in self._pool.run(tasks, groups, assigned=True, seconds=math.inf):
            if isinstance(made, InfographError):
                raise made
            if isinstance(made, Died):
                reason = f"took its worker process down (status {made.exit_status})"
                hint = "It may need more memory than there is: build with `--jobs 1`, or divide the folder."
                raise InfographError(tasks[position].topic or ".", reason, hint)
            yield made

    def _assigned(self, task: TopicTask) -> int:
        """Returns the worker of a task's topic; a topic without one gets the worker with the least work."""
        if task.topic not in self._worker_of:
            number = min(range(len(self._loads)), key=self._loads.__getitem__)
            self._worker_of[task.topic] = number
            self._loads[number] += _weight(task)
        return self._worker_of[task.topic]


def _weight(task: TopicTask) -> int:
    """Estimates the work of a topic from its first task: about the number of its chunks."""
    return 1 + chunks_of(task.documents) if isinstance(task, CountTerms) else 1
