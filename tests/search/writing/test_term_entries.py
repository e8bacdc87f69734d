"""How long the lists of a site may be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from infograph.search.writing.bundle_options import DEFAULTS, SearchOptions
from infograph.search.writing.term_entries import _caps


@pytest.mark.parametrize(
    ("chunks", "caps"),
    [
        (0, (0, 0)),
        (1, (0, 0)),
        (3, (0, 0)),
        (4, (1, 0)),
        (15, (2, 0)),
        (16, (4, 1)),
        (31, (4, 1)),
        (256, (64, 16)),
        (511, (64, 16)),
        (512, (128, 32)),
        (100_000, (128, 32)),
    ],
)
def test_a_small_site_has_short_lists(chunks: int, caps: tuple[int, int]) -> None:
    assert _caps(DEFAULTS, chunks) == caps
    assert _caps(replace(DEFAULTS, most_dense=3, most_dense_absent=1), chunks) == (min(3, caps[0]), min(1, caps[1]))


def test_the_options_that_were_measured() -> None:
    """Every bundle that says nothing else is made with them."""
    assert SearchOptions() == DEFAULTS
    assert (DEFAULTS.alpha, DEFAULTS.neighbour, DEFAULTS.most_sparse) == (25.0, 0.15, 600)
    assert (DEFAULTS.most_dense, DEFAULTS.most_dense_absent) == (128, 32)
    assert (DEFAULTS.least_dense, DEFAULTS.least_dense_absent) == (0.055, 0.17)
    assert (DEFAULTS.posting_bytes, DEFAULTS.document_bytes, DEFAULTS.vector_bytes) == (6000, 6000, 32768)
    assert (DEFAULTS.max_files, DEFAULTS.model, DEFAULTS.revision) == (2000, "all-MiniLM-L6-v2", "")
