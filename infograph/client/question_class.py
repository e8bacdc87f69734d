"""Tells what kind of question a question is, by the rules that stand in `infograph/web/classes.js` for both clients.

factoid        one fact: a number, a date, a name, yes or no
analytical     how, why or what, answered in one place
comparative    two things side by side
exploratory    a survey, or a few words about no particular thing
multi-hop      a thing that is named by way of another one, so that one page alone does not answer
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

MOST_CHARACTERS = 1000
"""Characters of a question that are looked at."""
MOST_NAMES = 4
"""Most names of a question that are searched for each."""

_RULES = Path(__file__).parents[1] / "web" / "classes.js"
_ASKING = frozenset(
    [
        "a",
        "according",
        "an",
        "and",
        "are",
        "as",
        "at",
        "between",
        "both",
        "by",
        "can",
        "compare",
        "did",
        "do",
        "does",
        "explain",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "if",
        "in",
        "is",
        "of",
        "on",
        "or",
        "the",
        "to",
        "under",
        "was",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whom",
        "whose",
        "why",
        "with",
    ]
)
_NAME = re.compile(r"[A-Z0-9][A-Za-z0-9'.&-]*(?: (?:(?:of|the|de|von|du|van|la) )*[A-Z0-9][A-Za-z0-9'.&-]*)*")
_ENDS = "?.,'"


class QuestionClass(NamedTuple):
    """The class of a question, and why it is that one."""

    name: str
    reason: str
    """What the question does that puts it there, such as `asks which`."""


def classify(question: str) -> QuestionClass:
    """Returns the class of a question, by the first rule that holds."""
    text = question[:MOST_CHARACTERS].strip(" \t\r\n").lower()
    return next(QuestionClass(name, reason) for name, reason, pattern in _rules() if pattern.search(text))


def names_in(question: str) -> tuple[str, ...]:
    """Returns what a question names: its runs of words with a capital or a digit in front, four at most, in order.
    Words that questions begin with are none of them."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(question[:MOST_CHARACTERS]):
        words = match[0].split(" ")
        while match.start() == 0 and words and words[0].lower() in _ASKING:
            words = words[1:]
        name = " ".join(words).rstrip(_ENDS)
        if len(name) > 2:
            found[name] = None
    return tuple(found)[:MOST_NAMES]


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Returns the rules in their order: class, reason, pattern. ASCII alone, as JavaScript takes the patterns."""
    _, _, value = _RULES.read_text("utf-8").partition("export const RULES = ")
    rows = json.loads(value.rstrip().removesuffix(";"))
    return tuple((row["class"], row["ask"], re.compile(row["pattern"], re.ASCII)) for row in rows)
