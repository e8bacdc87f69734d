"""What a model is shown of a community, and what is taken of its answer."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from infograph.enrich.communities import AskedCommunity, cleaned, community_prompt, judged
from infograph.formats.community_records import CommunityRecord

ASKED = AskedCommunity(
    "0123456789abcdef",
    ("Watt Governor", "Savery Pump", "Phantom Edge"),
    (("Watt Governor", "Savery Pump"), ("Watt Governor", "Phantom Edge")),
    ("A watt governor turns.", "A Savery Pump lifts."),
    ("a.md", "b.md"),
)
ANSWER = {"title": "Old machines", "summary": "Governors turn. Pumps lift. Both are old.", "names": ["savery pump"]}


def judge(**changes: Any) -> tuple[Any, Any]:
    return judged(json.dumps(ANSWER | changes), ASKED.said)


def test_names_that_no_passage_has_are_not_shown() -> None:
    said = ASKED.said
    assert said.names == ("Watt Governor", "Savery Pump")
    assert said.related == (("Watt Governor", "Savery Pump"),)
    prompt = community_prompt(said, 32_768)
    assert "Phantom" not in prompt.text and "- Watt Governor and Savery Pump" in prompt.text
    assert prompt.schema["required"] == ["title", "summary", "names"]


def test_what_pages_state_of_two_names_is_shown_where_a_passage_has_both() -> None:
    rows = (("Watt Governor", "steers the", "Savery Pump"), ("Savery Pump", "is by", "Phantom Edge"))
    text = community_prompt(replace(ASKED, stated=rows).said, 32_768).text
    assert "- Watt Governor steers the Savery Pump\n" in text
    assert "Phantom" not in text
    assert "as a model has read them" not in community_prompt(ASKED.said, 32_768).text


def test_passages_are_redacted_and_cut_to_what_an_endpoint_reads() -> None:
    long = AskedCommunity("0" * 16, ("gear",), (), ("gear " * 20_000, "gear " * 20_000), ("a.md",))
    assert len(community_prompt(long, 32_768).text) < 20_000
    assert len(community_prompt(long, 1_000).text) < 5_000
    assert "gear" not in community_prompt(long, 1_000, lambda text: text.replace("gear", "…")).text


def test_an_answer_is_taken_and_names_of_its_own_are_dropped() -> None:
    assert judge() == ({**ANSWER, "names": ["Savery Pump"]}, ())
    assert judge(names=["Phantom Edge", "watt governor"])[0]["names"] == ["Watt Governor"]
    value, violations = judge(summary="See https://evil.example/x <b>now</b>. It turns. It lifts.")
    assert value["summary"] == "See now. It turns. It lifts." and not violations


@pytest.mark.parametrize("changes", [{"title": ""}, {"summary": None}, {"summary": 3 * ["x"]}])
def test_an_answer_without_a_title_or_summary_is_to_be_mended(changes: dict[str, Any]) -> None:
    value, violations = judge(**changes)
    assert value is None and violations


def test_no_json_at_all() -> None:
    assert judged("They are machines.", ASKED) == (None, ("the answer holds no JSON object",))


def test_a_record_is_cleaned_whoever_wrote_it() -> None:
    record = CommunityRecord(
        "0" * 16, "p", "a\u200bmodel", "<i>Old</i> [machines](javascript:x)", "They  turn.\n\nhttps://evil.example"
    )
    found = cleaned(record)
    assert (found.title, found.summary, found.model) == ("Old machines", "They turn.", "amodel")
    assert cleaned(CommunityRecord("0" * 16, "p", "", "<b></b>", "Said.")).summary == ""
    assert cleaned(CommunityRecord("0" * 16, "p", "", "T", "S.", failed="no")).title == ""
    assert cleaned(CommunityRecord("0" * 16, "p", "", "T", "S.")).model == "unknown"
