"""Decides how `retrieve` fills its budget: by the class of the question, unless its caller says otherwise.

    class          level       what is taken
    factoid        passages    the paragraphs of the best chunks that have most of the question's rare words
    analytical     passages    the same
    exploratory    passages    the same, in longer pieces
    comparative    chunks      whole chunks, the best first, and an excerpt of what does not fit
    multi-hop      chunks      the same, however far below the best they are

`benchmarks/retrieve_cover.py` measures each class under each level and packing; what is here is what paid there.
"""

from __future__ import annotations

from infograph.client.options import LEVELS, PACKINGS
from infograph.client.question_class import classify, names_in, table
from infograph.client.types import ContextPlan

PASSAGES, CHUNKS = LEVELS
GREEDY = PACKINGS[0]
MOST_CANDIDATES = 40
"""Most hits that are considered."""
TOKENS_EACH, FEWEST_CANDIDATES = 125, 8
"""Passages are chosen from as many hits as the budget has room for at this size, and from eight at the least."""


def planned(
    query: str, max_tokens: int, question_class: str | None, level: str | None, packing: str | None, split: bool
) -> ContextPlan:
    """Returns how to fill a budget for a question; None is what the class of the question says.

    split: search for each name of a comparative or multi-hop question, too
    """
    name, reason = (question_class, "") if question_class else classify(query)
    way = table().ways[name]
    own = level or way.level
    chosen = packing if packing and own == PASSAGES else GREEDY
    reasons = [f"{name}: it {reason}" if reason else f"{name}: asked for"]
    reasons += [f"{value}: asked for" for value in (level, packing) if value in (own, chosen)]
    names = names_in(query) if split and name in ("comparative", "multi-hop") else ()
    fitting = min(MOST_CANDIDATES, max(FEWEST_CANDIDATES, max_tokens // TOKENS_EACH))
    return ContextPlan(
        question_class=name,
        reasons=tuple(reasons),
        level=own,
        packing=chosen,
        names=names,
        candidates=MOST_CANDIDATES if own == CHUNKS else fitting,
        characters=way.characters,
        share=way.share,
    )
