"""What a search is asked for: the text of a query, and the part of the ranking that it wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.search.format.results import Hit
from infograph.search.ranking.scoring import ChunkPlace

if TYPE_CHECKING:
    from infograph.search.format.filters import All
    from infograph.search.reading.graph_walk import GraphWalk

Passes = Callable[[ChunkPlace, Hit], bool]
"""Whether a chunk may be in the answer, by what is shown of it."""
Allows = Callable[[ChunkPlace], bool]
"""Whether a chunk may be in the answer, by itself."""


@dataclass(frozen=True, slots=True)
class Query:
    """Text of a query, and the part of the ranking that it wants."""

    text: str
    limit: int = 10
    offset: int = 0
    """Hits to leave out at the beginning."""
    one_per_page: bool = False
    """Whether only the best chunk of each page is listed."""
    passes: Passes | None = None
    path: str = ""
    """The folder, or document, that `passes` lets through, where it is one: it begins with a site's id in a
    federation."""
    filters: All | None = None
    """What fields the chunks must have, see `filtering.py`."""
    now: float = 0.0
    """Seconds since 1970, for a filter by `freshness`."""
    allows: Allows | None = None
    """Which chunks are ranked at all, as the search works it out of `filters`."""
    facets: tuple[str, ...] = ()
    """Fields whose values are counted over the ranking, see `facets.py`."""
    collapsed: bool = False
    """Whether near-duplicates are listed as `Hit.duplicates` of the best one, see `diversity.py`."""
    diversity: float = 0.0
    """0 to 1: weight of what the first hits say that is new, beside how well they answer."""
    vector: Sequence[float] | None = None
    """The query's vector, of unit length, by the model that the manifest names; the first chunks that pass are
    reranked by it and stand before all others."""
    exact: bool = False
    """Whether the words are searched for as they are, see `slips.py`."""
    hops: int | None = None
    """Steps along the graph of entities; None for none."""
    walk: GraphWalk | None = None
    """How to walk from the first chunks along the graph of entities, see `graph_walk.py`."""
    links: bool = True
    """Whether the links of the first pages are followed, see `linking.py`."""

    prompts: bool = False
    """Whether chunks that are said to answer a question like this one stand before all others, and those near such a
    question are raised, see `questions.py`."""

    def allowed(self, ranking: list[tuple[ChunkPlace, float]]) -> list[tuple[ChunkPlace, float]]:
        """Returns the chunks of a ranking that the filter allows."""
        return ranking if self.allows is None else [item for item in ranking if self.allows(item[0])]

    @property
    def first(self) -> int:
        """Place of the first wanted hit."""
        return max(0, self.offset)

    @property
    def end(self) -> int:
        """Place after the last wanted hit."""
        return self.first + max(0, self.limit)
