"""Options for making a bundle."""

from __future__ import annotations

from dataclasses import dataclass

from infograph.formats.search_fields import SearchField
from infograph.search.format.fusion_model import FusionFile
from infograph.search.format.rerank_policy import RerankFile


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Options of a bundle. Readers need `neighbour`, which is in the manifest."""

    neighbour: float = 0.15
    """Share of the better neighbour's score."""
    most_postings: int = 600
    """Most postings of a term; a term in more chunks keeps its strongest."""
    posting_bytes: int = 3000
    """Bytes of a posting shard, before deflation, that the number of shards aims at; the same for the two below."""
    document_bytes: int = 1500
    vector_bytes: int = 32768
    max_files: int = 2000
    model: str = "all-MiniLM-L6-v2"
    """Name of the model of the chunks' vectors, as `SearchSpace.projects` takes it."""
    revision: str = ""
    """Revision of the model: a reader that has another one cannot compare its queries."""
    fusion: FusionFile | None = None
    """How words and cosine become one score; None for their sum."""
    rerank: RerankFile | None = None
    """When a second look at the first chunks pays on this tree; None where it was not measured."""
    fields: tuple[SearchField, ...] = ()
    """Fields that a search can be narrowed by."""


DEFAULTS = SearchOptions()
