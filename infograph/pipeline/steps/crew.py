"""Who makes the files of topics: the worker processes where there are several, otherwise this one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from infograph.errors import InfographError
from infograph.execution.processes import Died, Pool
from infograph.pipeline.worker.topic_files import Count, Made, Step, TopicFiles


class Crew:
    """Does the steps of topics, those of one topic always in the same process.

    here: does the steps in this process
    pool: workers that do them instead, if there are at least two: with one nothing would be gained
    """

    def __init__(self, here: TopicFiles, pool: Pool | None) -> None:
        self._here = here
        self._pool = pool if pool is not None and pool.jobs > 1 else None
        self._loads = [0] * (self._pool.jobs if self._pool else 0)
        self._worker_of: dict[str, int] = {}

    def do(self, steps: Sequence[Step]) -> Iterator[Made]:
        """Does steps of different topics, in any order. Raises what a step raises, and InfographError that names the
        topic whose worker died."""
        if self._pool is None:
            yield from map(self._here.do, steps)
            return
        groups: list[list[int]] = [[] for _ in self._loads]
        for position in sorted(range(len(steps)), key=lambda position: (-_weight(steps[position]), position)):
            groups[self._assigned(steps[position])].append(position)
        for position, made in self._pool.run(steps, groups, assigned=True, seconds=math.inf):
            if isinstance(made, InfographError):
                raise made
            if isinstance(made, Died):
                reason = f"took its worker process down (status {made.exit_status})"
                hint = "It may need more memory than there is: build with `--jobs 1`, or divide the folder."
                raise InfographError(steps[position].topic or ".", reason, hint)
            yield made

    def _assigned(self, step: Step) -> int:
        """The worker of a step's topic: the one with least to do, where the topic has none yet."""
        if step.topic not in self._worker_of:
            number = min(range(len(self._loads)), key=self._loads.__getitem__)
            self._worker_of[step.topic] = number
            self._loads[number] += _weight(step)
        return self._worker_of[step.topic]


def _weight(step: Step) -> int:
    """How much work a topic is, at its first step: about its chunks."""
    return 1 + sum(len(document.chunks) for document in step.documents) if isinstance(step, Count) else 1
