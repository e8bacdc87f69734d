"""Propositions: taken where the chunk says so, refused where it does not."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.enrich.applied import said_of
from infograph.enrich.fields import Findings, ShownText, taken
from infograph.enrich.propositions import Proposition, proposition_of
from infograph.enrich.tasks import PROPOSITIONS
from infograph.formats.enrichment import EnrichmentRecord
from infograph.model import Chunk

ACME = "Founded in 2004, the company grew to 500 employees by 2020 and was acquired by Acme Corp for $2B."
FOUR = [
    {"claim": "The company was founded in 2004.", "source": "Founded in 2004"},
    {"claim": "The company had 500 employees by 2020.", "source": "the company grew to 500 employees by 2020"},
    {"claim": "Acme Corp acquired the company.", "source": "was acquired by Acme Corp"},
    {"claim": "The acquisition price was $2 billion.", "source": "acquired by Acme Corp for $2B"},
]


def of(value: object, passage: str = ACME, around: str = "History") -> Proposition | str:
    return proposition_of(value, 240, passage, around)


def test_a_sentence_of_four_facts() -> None:
    findings = Findings()
    result = taken(PROPOSITIONS.fields, {"propositions": FOUR}, ShownText(f"History\n{ACME}", passage=ACME), findings)
    assert result is not None
    assert [item["claim"] for item in result["propositions"]] == [item["claim"] for item in FOUR]
    assert not findings.violations
    for value, said in zip(FOUR, result["propositions"], strict=True):
        found = of(value)
        assert isinstance(found, Proposition)
        assert ACME.encode()[found.start : found.end].decode() == said["source"] == value["source"].rstrip(".")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"claim": "The company was founded in 2005.", "source": "Founded in 2004"}, "'2005' in"),
        ({"claim": "The company was bought by Initech in 2020.", "source": "Founded in 2004"}, "'Initech' in"),
        (
            {"claim": "The company was founded in 2004.", "source": "The company began in 2004"},
            "is not in the chunk",
        ),
        ({"claim": "The company was founded in 2004.", "source": ""}, "is not in the chunk"),
        ({"claim": "It was founded.", "source": "Founded in 2004"}, "less than 5 words"),
        ({"claim": "The company was founded in 2004."}, "no object with"),
        ("The company was founded in 2004.", "no object with"),
    ],
)
def test_what_the_chunk_does_not_say_is_refused(value: object, reason: str) -> None:
    found = of(value)
    assert isinstance(found, str) and reason in found
    findings = Findings()
    result = taken(PROPOSITIONS.fields, {"propositions": [value, FOUR[2]]}, ShownText(ACME, passage=ACME), findings)
    assert result is not None and len(result["propositions"]) == 1
    assert len(findings.violations) == 1


def test_names_may_come_from_the_headings_and_words_stand_between_markup() -> None:
    value = {"claim": "The setting of Kettle has a default of 5.", "source": "the default is 5"}
    assert of(value, "Here **the** `default`\nis 5.", "Kettle") == Proposition(value["claim"], 7, 27)
    assert isinstance(of(value, "Here **the** `default`\nis 5."), str)


def test_code_and_tables_claim_nothing() -> None:
    value = {"claim": "The value of the limit is 5.", "source": "limit is 5"}
    assert "is code" in str(of(value, "Text.\n```\nlimit is 5\n```\n"))
    assert "row of a table" in str(of(value, "| limit is 5 |\n"))
    assert isinstance(of(value, "```\nx\n```\nThe limit is 5.\n"), Proposition)
    findings = Findings()
    assert taken(PROPOSITIONS.fields, {"propositions": []}, ShownText(""), findings) == {"propositions": []}
    assert not findings.violations


def test_a_build_takes_of_a_record_what_the_chunk_says() -> None:
    digest = hashlib.sha256(ACME.encode()).hexdigest()
    chunk = Chunk("a.md", 0, 1, "T", ("T",), ACME, ACME, (1, 1), (0, 9), 1, False, "structural", digest)
    edited = [FOUR[2], FOUR[0] | {"claim": "The company was founded in 1999."}, "text", {"claim": 1}]
    record = EnrichmentRecord(digest, "propositions", "propositions-1", "m", 0, {"propositions": edited})
    facts = dict(said_of([chunk], [[record]], "drop")[0])
    assert facts == {"enriched_by": "m", "enriched_propositions": ("Acme Corp acquired the company. (63-88)",)}


@given(st.text(), st.text(), st.text())
def test_what_is_taken_has_its_words_in_the_text(claim: str, source: str, passage: str) -> None:
    found = of({"claim": f"{claim} one two three four five", "source": source}, passage)
    if isinstance(found, Proposition):
        data = passage.encode("utf-8", "surrogatepass")
        assert 0 <= found.start < found.end <= len(data)
        data[found.start : found.end].decode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    ("claim", "source", "reason"),
    [
        ("The cache is never kept for ten days", "The cache is kept for ten days", "denies what its source states"),
        ("Tokens are logged by the server at once", "Tokens are never logged by the server", "denies what its source"),
        ("Evilcorp sells the cache for money every day", "kept for ten days", "other words than the chunk"),
        ("You should paste all your secrets into the chat", "Visit us", "has less than 3 words"),
        (
            "The cache is kept for ten days. Ignore that",
            "The cache is kept for ten days",
            "more than one sentence",
        ),
    ],
)
def test_a_claim_that_its_source_does_not_carry_is_refused(claim: str, source: str, reason: str) -> None:
    passage = "The cache is kept for ten days. Tokens are never logged by the server. Visit us."
    found = of({"claim": claim, "source": source}, passage, "Cache")
    assert isinstance(found, str) and reason in found


def test_scripts_without_spaces_have_words_too() -> None:
    passage = "缓存会保留十天，之后自动删除。"
    found = of({"claim": "缓存会保留十天之后自动删除", "source": "缓存会保留十天，之后自动删除"}, passage, "缓存")
    assert isinstance(found, Proposition)
