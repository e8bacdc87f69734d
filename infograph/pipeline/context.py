"""Values that are fixed for one run of the pipeline."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.embedding.vectors import Texts
    from infograph.execution.pool import Pool
    from infograph.execution.spare import SpareWorker
    from infograph.pipeline.memory.state import State
    from infograph.pipeline.plan import Plan
    from infograph.progress import Reporter
    from infograph.search.writing.bundle_state import SearchState
    from infograph.search.writing.kept_state import KeptState
    from infograph.source.discovery import Discovery

LONG = 60.0
"""Seconds from which on a model takes long: a person is told so before it begins."""


class SlowModel(Exception):
    """The model would take longer than a build may wait for it; nothing is published.

    missing: number of distinct texts to embed
    seconds: how long that will take
    files:   the files that hold them, with all of their texts
    """

    def __init__(self, missing: int, seconds: float, files: Sequence[Texts]) -> None:
        super().__init__(missing, seconds)
        self.missing = missing
        self.seconds = seconds
        self.files = files


@dataclass(frozen=True, slots=True)
class BuildContext:
    """The values that a build has before its first step."""

    settings: Settings
    reporter: Reporter
    model: str
    """The embedding model as `name@revision`."""
    key: str
    """Digest of everything but the sources that the outputs depend on, see `keys.build_key`."""
    found: Discovery
    """The documents of the tree."""
    plan: Plan
    """The differences from the last build."""
    last: State | None
    """State of the last build; None where everything is made from the sources."""
    check: bool = False
    """Whether nothing is written, and the result only says what would change."""
    spare: SpareWorker | None = None
    """A worker that waits for builds, where one follows another."""
    kept: KeptState | None = None
    """The state of the search bundle, where builds follow one another in this process."""
    patience: float = math.inf
    """Most seconds that the model may take by its own estimate; SlowModel ends the build where that is more."""
    bundle_process: Pool | None = None
    """A process for the search bundle alone; None where that is brought up to date in this one."""
    early: Callable[[], SearchState | None] | None = None
    """Gives out, once, the state of the search bundle, of whatever key, where it is read already."""
