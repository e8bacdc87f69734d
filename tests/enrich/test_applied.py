"""What records say becomes metadata of chunks: whatever a person has written into them."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from infograph.enrich.applied import said_of
from infograph.formats.enrichment import EnrichmentRecord
from infograph.model import Chunk

TEXT = "Lathes turn gears."
DIGEST = hashlib.sha256(TEXT.encode()).hexdigest()
CHUNK = Chunk("a.md", 0, 1, "T", ("T",), TEXT, TEXT, (1, 1), (0, 9), 1, False, "structural", DIGEST)


def facts(fields: dict[str, Any]) -> dict[str, Any]:
    return dict(said_of(CHUNK, [EnrichmentRecord(DIGEST, "metadata", "metadata-1", "m", 0, fields)], "drop"))


@pytest.mark.parametrize("odd", [["<script>x</script>"], {"a": "<script>x</script>"}, 7, None, True])
def test_entities_whose_names_are_no_texts_are_left_out(odd: Any) -> None:
    named, kept = {"name": odd, "type": "ORG"}, {"name": "Gear", "type": odd}
    found = facts({"title": "Turning", "entities": [named, kept], "unverified": [odd]})
    assert found == {"enriched_by": "m", "enriched_title": "Turning", "enriched_entities": ("Gear (CONCEPT)",)}


def test_one_text_with_markup_has_all_of_a_record_cleaned() -> None:
    found = facts({"title": "Turning", "keywords": ["gear", "<b>lathe</b> https://evil.example/"]})
    assert found["enriched_title"] == "Turning"
    assert found["enriched_keywords"][0] == "gear" and not set("<>/") & set("".join(found["enriched_keywords"]))
