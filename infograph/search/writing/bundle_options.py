"""The options that a bundle is made by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What a bundle is made by. Readers need `alpha` and `neighbour`, which are in the manifest."""

    alpha: float = 25.0
    """Weight of the dense sum beside BM25."""
    neighbour: float = 0.15
    """Share of the better neighbour's score."""
    most_sparse: int = 600
    """Postings of a term; a term in more chunks keeps its strongest."""
    most_dense: int = 128
    """Chunks in the dense list of a term that the site has."""
    most_dense_absent: int = 32
    """The same for a word that the site does not have: enough for `delete` to find what `remove` is said of."""
    least_dense: float = 0.055
    """Cosine of term and chunk below which a list has no chunk, `dense.near_values`."""
    least_dense_absent: float = 0.17
    """The same for a word that the site does not have."""
    posting_bytes: int = 6000
    """Bytes of a posting shard, before it is deflated, that the number of shards aims at."""
    document_bytes: int = 6000
    vector_bytes: int = 32768
    max_files: int = 2000
    model: str = "all-MiniLM-L6-v2"
    """Whose vectors the chunks' are, as `TermTable.projects` takes it."""
    revision: str = ""
    """Of the model: a reader that has another one cannot compare its queries."""


DEFAULTS = SearchOptions()
