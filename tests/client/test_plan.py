"""How a budget is filled for a question."""

from __future__ import annotations

import pytest

from infograph.client.options import CLASSES, LEVELS
from infograph.client.plan import FEWEST_CANDIDATES, MOST_CANDIDATES, planned
from infograph.client.question_class import table


def test_every_class_has_a_way() -> None:
    assert tuple(table().ways) == ("factoid", "analytical", "comparative", "exploratory", "multi-hop") == CLASSES
    assert {way.level for way in table().ways.values()} == set(LEVELS)


@pytest.mark.parametrize(
    ("question", "level", "characters", "share"),
    [
        ("How many shards are there?", "passages", 600, 0.3),
        ("How do I clear the cache?", "passages", 600, 0.3),
        ("search box", "passages", 900, 0.3),
        ("MkDocs versus Docusaurus", "chunks", 600, 0.3),
        ("Where was the author of the tokenizer born?", "chunks", 600, 0.0),
    ],
)
def test_the_class_says_the_way(question: str, level: str, characters: int, share: float) -> None:
    plan = planned(question, 2000, None, None, None, False)
    assert (plan.level, plan.characters, plan.share, plan.packing) == (level, characters, share, "greedy")
    assert plan.reasons[0].startswith(f"{plan.question_class}: it ")
    assert (plan.names, dict(plan.tokens)) == ((), {})


def test_what_is_asked_for_stands_above_the_class() -> None:
    plan = planned("MkDocs versus Docusaurus", 2000, "factoid", "passages", "knapsack", True)
    assert (plan.question_class, plan.level, plan.packing) == ("factoid", "passages", "knapsack")
    assert plan.reasons == ("factoid: asked for", "passages: asked for", "knapsack: asked for")
    assert plan.names == (), "a question for one fact is not split"
    plan = planned("MkDocs versus Docusaurus", 2000, None, "chunks", "knapsack", True)
    assert (plan.packing, plan.reasons[1:]) == ("greedy", ("chunks: asked for",)), "whole chunks are taken best first"
    assert plan.names == ("MkDocs", "Docusaurus")


@pytest.mark.parametrize(
    ("tokens", "candidates"), [(1, 8), (1000, 8), (1124, 8), (1125, 9), (2000, 16), (5000, 40), (10**9, 40)]
)
def test_pieces_come_from_as_many_hits_as_have_room(tokens: int, candidates: int) -> None:
    assert planned("How?", tokens, "analytical", None, None, False).candidates == candidates
    assert planned("How?", tokens, "multi-hop", None, None, False).candidates == MOST_CANDIDATES >= FEWEST_CANDIDATES
