"""Options for making a bundle."""

from __future__ import annotations

from dataclasses import dataclass

from infograph.search.format.fusion_model import FusionFile
from infograph.search.format.rerank_policy import RerankFile


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Options of a bundle. Readers need `alpha` and `neighbour`, which are in the manifest."""

    alpha: float = 25.0
    """Weight of the dense sum beside BM25."""
    neighbour: float = 0.15
    """Share of the better neighbour's score."""
    most_sparse: int = 600
    """Most postings of a term; a term in more chunks keeps its strongest."""
    most_dense: int = 128
    """Most chunks in the dense list of a term that the site has."""
    most_dense_absent: int = 32
    """Most chunks in the dense list of a word that the site does not have: enough for `delete` to find pages that say
    `remove`."""
    least_dense: float = 0.055
    """Cosine of term and chunk below which a dense list has no chunk, see `dense.near_values`."""
    least_dense_absent: float = 0.17
    """Cosine below which the dense list of a word that the site does not have has no chunk."""
    posting_bytes: int = 6000
    """Bytes of a posting shard, before deflation, that the number of shards aims at; the same for the two below."""
    document_bytes: int = 6000
    vector_bytes: int = 32768
    max_files: int = 2000
    model: str = "all-MiniLM-L6-v2"
    """Name of the model of the chunks' vectors, as `TermTable.projects` takes it."""
    revision: str = ""
    """Revision of the model: a reader that has another one cannot compare its queries."""
    fusion: FusionFile | None = None
    """How words and cosine become one score; None for their sum."""
    rerank: RerankFile | None = None
    """When a second look at the first chunks pays on this tree; None where it was not measured."""


DEFAULTS = SearchOptions()
