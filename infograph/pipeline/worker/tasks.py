"""What a worker process is told, and what it answers: the values that go through its pipe."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.config.settings import ChunkSettings, UserTable
from infograph.errors import InfographError, Notice
from infograph.files.stamps import Stamp
from infograph.model import Site
from infograph.pipeline.memory.records import DocumentRecord
from infograph.pipeline.staging import Staged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.pipeline.worker.topic_files import Manner
    from infograph.search.writing.page_index import PageIndex


CUTTING_MODEL = "static"
"""Whose vectors a strategy cuts by that needs some: every sentence is embedded, which must not take long."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What every task has in common."""

    root: Path
    out: Path
    strategy: str
    routes: UserTable
    options: UserTable
    chunks: ChunkSettings
    source_version: str | None
    limit_bytes: int
    limit_blocks: int
    language: str
    technical_baseline: str
    build: str
    """See `Output.build`."""
    model: str = ""
    """Embed with this model at once; without one the texts are in the results."""
    files_only: bool = False
    """Make chunk files and nothing else: the results have neither records nor texts."""
    vectors_of: frozenset[str] = frozenset()
    """Topics whose vectors are in the results too: their questions are matched to them."""
    manner: Manner | None = None
    """How the files of topics are made, for a worker that makes them too."""
    search: str = ""
    """Index documents for search, whose dense part goes by this model's vectors; empty: do not."""
    site: Site = field(default_factory=Site)
    """Where search leads to."""
    dry: bool = False
    """Write nothing; say what would change."""


@dataclass(slots=True)
class Result:
    """What became of one document."""

    path: str
    stamp: Stamp | None = None
    """Of the bytes that were read; None when they may still change under the same stamp."""
    error: InfographError | None = None
    notices: list[Notice] = field(default_factory=list)
    chunks: int = 0
    record: DocumentRecord | None = None
    embed_texts: list[str] = field(default_factory=list)
    """Empty where the worker has embedded them."""
    digests: tuple[bytes, ...] = ()
    """Of the texts that it has embedded."""
    vectors: NDArray[np.float32] | None = None
    """Theirs, where they are asked for."""
    staged: list[Staged] = field(default_factory=list)
    written: int = 0
    """Bytes of chunk files staged."""
    page: PageIndex | None = None
    """For search; without vectors where the worker has embedded nothing."""
