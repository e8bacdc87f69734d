"""What a run of `infograph enrich` was asked to do, and how it went."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from infograph.llm.asking import Asker
from infograph.llm.model_run import DONE


@dataclass(frozen=True, slots=True)
class EnrichRequest:
    """Options of the command beyond the settings."""

    only: tuple[str, ...] = ()
    """Globs of the documents to work on; empty for all."""
    limit: int | None = None
    """Most chunks to ask about."""
    retry_failed: bool = False
    """Ask again about chunks whose record says that it failed."""
    force: bool = False
    """Ask again about everything that is not pinned, without kept answers."""
    log_calls: str | None = None
    """File that gets a line of JSON for each request."""
    batch: bool = False
    """Ask by batches, at half the price: collect what was submitted, submit what is to ask."""


@dataclass(slots=True)
class Standing:
    """How many chunks have what."""

    chunks: int = 0
    current: int = 0
    """Chunks with a record of each task that holds."""
    pinned: int = 0
    failed: int = 0
    """Chunks of which a record says that the model failed."""
    other: int = 0
    """Chunks with a record of another model or prompt."""
    to_ask: int = 0
    at_home: int = 0
    """Chunks of documents that are never sent."""

    def add(self, other: Standing) -> None:
        """Adds the numbers of another one."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class EnrichOutcome:
    """The outcome of a run."""

    status: int = DONE
    reason: str = ""
    """Why it ended early."""
    unit: str = "chunk"
    """Unit of the numbers below: what a call, or an entry of an answer, is about."""
    standing: Standing = field(default_factory=Standing)
    """Before the run."""
    documents: int = 0
    """Documents that were worked on."""
    asked: int = 0
    """Chunks asked about."""
    enriched: int = 0
    """Chunks that got a record."""
    failed: int = 0
    """Chunks of which nothing valid was said."""
    unanswered: int = 0
    """Chunks whose call failed; they are asked about next time."""
    keyless: int = 0
    """Chunks that got a record without a key, as the model wrote none of two to five words."""
    phantoms: int = 0
    """Entities that were dropped, as the text of their chunk does not name them."""
    lost_relations: int = 0
    """Relations that were dropped, as they say nothing of two entities of their chunk."""
    dropped: int = 0
    """Records that were dropped, since their text is gone."""
    batched: int = 0
    """Calls that wait in batches."""
    batches: list[str] = field(default_factory=list)
    """Ids of these batches."""
    calls: int = 0
    cached: int = 0
    repaired: int = 0
    retried: int = 0
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    redacted: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    """What a person should hear about single documents."""

    def add_tally(self, asker: Asker) -> None:
        """Adds what an asker did beyond what every run counts, see `ModelRun.count`."""
        self.repaired += asker.tally.repaired
        self.retried += asker.tally.retried
        self.cached_input_tokens += asker.budget.usage.cached_input
