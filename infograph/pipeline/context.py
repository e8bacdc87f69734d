"""Values that are fixed for one run of the pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.pipeline.memory.state import State
    from infograph.pipeline.plan import Plan
    from infograph.progress import Reporter
    from infograph.source.discovery import Discovery


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
