"""What records say becomes metadata of chunks: whatever a person has written into them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from infograph.enrich.applied import applied, said_of
from infograph.formats.enrichment import EnrichmentFile, EnrichmentRecord
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


def test_related_keys_that_no_chunk_of_the_document_has_are_left_out() -> None:
    """A chunk that was edited has a new key: records of others still name the old one."""
    texts = {"Lathes turn gears.": "gear turning", "Gears mesh.": "gear mesh", "Oil it.": ""}
    chunks, records = [], []
    for index, (text, key) in enumerate(texts.items()):
        digest = hashlib.sha256(text.encode()).hexdigest()
        chunks.append(replace(CHUNK, index=index, text=text, sha256=digest))
        fields: dict[str, Any] = {"related_keys": ["Gear  Mesh", "gear grinding"]}
        records.append(
            EnrichmentRecord(digest, "metadata", "metadata-1", "m", index, fields | ({"key": key} if key else {}))
        )
    file = EnrichmentFile(source="a.md", records=tuple(records))
    found, missing = applied(chunks, file, "", "drop")
    said = [dict(chunk.facts) for chunk in found]
    assert [own.get("enriched_related_keys") for own in said] == [("Gear Mesh",)] * 3 and missing == 0

    found, missing = applied(chunks[2:], file, "", "drop")
    assert found[0].facts == () and missing == 1, "nothing is left of what was said of it"
