"""What records say becomes metadata of chunks: whatever a person has written into them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from infograph.enrich import applied as reading
from infograph.enrich.applied import applied, said_of
from infograph.enrich.cleaning import all_plain, clean
from infograph.enrich.fields import normal_key
from infograph.formats.enrichment import EnrichmentFile, EnrichmentRecord
from infograph.model import Chunk

TEXT = "Lathes turn gears."
DIGEST = hashlib.sha256(TEXT.encode()).hexdigest()
CHUNK = Chunk("a.md", 0, 1, "T", ("T",), TEXT, TEXT, (1, 1), (0, 9), 1, False, "structural", DIGEST)


def facts(fields: dict[str, Any]) -> dict[str, Any]:
    return said([fields])[0]


def said(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is said of a chunk by each record, which are looked at together."""
    found = [[EnrichmentRecord(DIGEST, "metadata", "metadata-1", "m", 0, fields)] for fields in records]
    return [dict(own) for own in said_of([CHUNK] * len(found), found, "drop")]


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


_SIGNS = [*'aA. <[:/"\n\u200bé\u0301', "www.", "x.com", "//", "b c", "(d)", "](", "javascript:", "x" * 70, "\ud800"]
_SAID = st.lists(st.sampled_from(_SIGNS), max_size=6).map("".join)
_ODD = st.one_of(st.none(), st.integers(), st.booleans(), st.just({"a": "b"}), st.just(["<b>"]), st.just([["a"]]))
_MAYBE = st.one_of(_SAID, _SAID, _SAID, _ODD)
_LIST = st.one_of(st.lists(_SAID, max_size=3), st.lists(_MAYBE, max_size=10), _MAYBE)
_ENTITY = st.fixed_dictionaries({"name": _SAID, "type": st.sampled_from(["ORG", "TECH"])})
_RECORD = st.fixed_dictionaries(
    {},
    optional={
        "title": _MAYBE,
        "summary": st.one_of(_SAID.map(lambda text: text * 40), _MAYBE),
        "key": _MAYBE,
        "keywords": _LIST,
        "related_keys": _LIST,
        "entities": st.one_of(
            st.lists(_ENTITY, max_size=3),
            st.lists(st.one_of(_ENTITY, st.fixed_dictionaries({"name": _MAYBE, "type": _MAYBE}), _MAYBE), max_size=3),
            _MAYBE,
        ),
        "unverified": st.one_of(st.lists(_MAYBE, max_size=2), _MAYBE),
        "propositions": st.just([{"claim": "no", "source": "no"}]),
        "context": _MAYBE,
        "other": _MAYBE,
    },
)


@given(st.lists(_RECORD, min_size=1, max_size=4))
@example([{"keywords": [""]}])
@example([{"summary": "//\najavascript:" * 40}])
@example([{"keywords": ["", ""]}, {"entities": [{"name": "", "type": "ORG"}]}])
def test_records_are_published_as_if_each_text_were_cleaned(records: list[dict[str, Any]]) -> None:
    expected = []
    for fields in records:
        found = reading._cleaned(CHUNK, fields, reading._dropped(fields, "drop"))
        if key := normal_key(str(found.pop("enriched_key", ""))):
            found["enriched_key"] = key
        expected.append(found | {"enriched_by": "m"} if found else {})
    assert said(records) == expected
    for own in expected:  # and each of these is clean
        for name, value in own.items():
            for text in (value,) if isinstance(value, str) else value:
                assert clean(text, 500, reading._shown(CHUNK)) == text, (name, text)


def test_usual_records_are_taken_as_they_stand() -> None:
    fields = {
        "title": "Größe",
        "keywords": ["a", "a", "b"],
        "entities": [{"name": "Gear", "type": "TECH"}],
        "key": "a b",
    }
    found, texts = reading._as_written(fields, ["b"])
    assert found == {
        "enriched_title": "Größe",
        "enriched_keywords": ("a",),
        "enriched_entities": ("Gear (TECH)",),
        "enriched_key": "a b",
    }
    assert all_plain(texts)
    for odd in (
        {"title": "x" * 81},
        {"keywords": [7]},
        {"keywords": {"a": 1}},
        {"entities": [{"name": "a", "type": "?"}]},
    ):
        found, texts = reading._as_written(odd, ())
        assert found is None or not all_plain(texts)
