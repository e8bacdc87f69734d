"""Results as text: what an agent is told that gets nothing."""

from __future__ import annotations

import pytest

pytest.importorskip("mcp", reason="needs pip install infograph[mcp]")

from infograph.integrations.mcp.results import SearchResult
from infograph.integrations.mcp.texts import search_text


@pytest.mark.parametrize("whole", [False, True])
def test_an_offset_behind_the_last_hit_is_not_the_fault_of_the_words(whole: bool) -> None:
    behind, nothing = (search_text(SearchResult(hits=[], total=n, confidence=0.0), whole) for n in (1200, 0))
    assert behind == "No hits from this offset on, 1,200 before it: search again with a smaller one."
    assert nothing.startswith("Nothing found. Try other words")
