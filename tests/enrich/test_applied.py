"""What records say becomes metadata of chunks: whatever a person has written into them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.enrich import applied as reading
from infograph.enrich.applied import applied, said_of
from infograph.enrich.cleaning import clean
from infograph.enrich.fields import normal_key
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


_SAID = st.lists(st.sampled_from([*'aA. <[:/"\n\u200b', "www.", "x.com", "//", "b c", "(d)"]), max_size=6).map("".join)
_RECORD = st.fixed_dictionaries(
    {},
    optional={
        "title": _SAID,
        "summary": _SAID.map(lambda text: text * 40),
        "key": _SAID,
        "keywords": st.lists(st.one_of(_SAID, st.none()), max_size=3),
        "related_keys": st.lists(_SAID, max_size=3),
        "entities": st.lists(
            st.fixed_dictionaries({"name": _SAID, "type": st.sampled_from(["ORG", "x", 1])}), max_size=3
        ),
        "unverified": st.lists(_SAID, max_size=2),
        "propositions": st.just([{"claim": "no", "source": "no"}]),
        "context": st.one_of(_SAID, st.integers()),
    },
)


@given(_RECORD)
def test_a_record_is_published_as_if_each_text_were_cleaned(fields: dict[str, Any]) -> None:
    def cleaned(text: str, most: int) -> str:
        return clean(text, most, reading._shown(CHUNK))

    expected = reading._read_all(CHUNK, fields, frozenset(fields.get("unverified", ())), cleaned)
    if key := normal_key(str(expected.pop("enriched_key", ""))):
        expected["enriched_key"] = key
    assert facts(fields) == (expected | {"enriched_by": "m"} if expected else {})
