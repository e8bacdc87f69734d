"""The options of a bundle that nothing else is said of."""

from __future__ import annotations

from infograph.search.writing.bundle_options import DEFAULTS, SearchOptions


def test_the_options_that_were_measured() -> None:
    """Every bundle that says nothing else is made with them."""
    assert SearchOptions() == DEFAULTS
    assert (DEFAULTS.neighbour, DEFAULTS.most_postings) == (0.15, 600)
    assert (DEFAULTS.posting_bytes, DEFAULTS.document_bytes, DEFAULTS.vector_bytes) == (3000, 3000, 32768)
    assert (DEFAULTS.max_files, DEFAULTS.model, DEFAULTS.revision) == (2000, "all-MiniLM-L6-v2", "")
