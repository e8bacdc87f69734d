"""Tells what kind of question a question is, by the table of both clients in `infograph/web/classes.js`.

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

_TABLE = Path(__file__).parents[1] / "web" / "classes.js"
_ENDS = "?.,'"


class Way(NamedTuple):
    """What a context for a class of questions is made of."""

    level: str
    """`passages`: pieces of chunks; `chunks`: whole ones."""
    characters: int
    """Most characters of a piece, where a chunk is taken in pieces."""
    share: float
    """Least share of the best score that a hit must have: room left in a budget is not filled with anything."""


class QuestionClass(NamedTuple):
    """The class of a question, and why it is that one."""

    name: str
    reason: str
    """What the question does that puts it there, such as `asks which`."""


class QuestionRules(NamedTuple):
    """What `classes.js` says."""

    ways: dict[str, Way]
    """By class of question."""
    name: re.Pattern[str]
    asking: frozenset[str]
    """Words that questions begin with, which are no name."""
    rules: tuple[tuple[str, str, re.Pattern[str]], ...]
    """Class, reason and pattern of each rule, in their order."""


def classify(question: str) -> QuestionClass:
    """Returns the class of a question, by the first rule that holds."""
    text = question[:MOST_CHARACTERS].strip(" \t\r\n").lower()
    return next(QuestionClass(name, reason) for name, reason, pattern in table().rules if pattern.search(text))


def names_in(question: str) -> tuple[str, ...]:
    """Returns what a question names: its runs of words with a capital or a digit in front, four at most, in order.
    Words that questions begin with are none of them."""
    found: dict[str, None] = {}
    for match in table().name.finditer(question[:MOST_CHARACTERS]):
        words = match[0].split(" ")
        while match.start() == 0 and words and words[0].lower() in table().asking:
            words = words[1:]
        name = " ".join(words).rstrip(_ENDS)
        if len(name) > 2:
            found[name] = None
    return tuple(found)[:MOST_NAMES]


@lru_cache(maxsize=1)
def table() -> QuestionRules:
    """Returns the table of both clients. Patterns are ASCII's, as JavaScript takes them."""
    value = json.loads(_TABLE.read_text("utf-8").partition("export const TABLE = ")[2].rstrip().removesuffix(";"))
    return QuestionRules(
        {name: Way(*way) for name, way in value["ways"].items()},
        re.compile(value["name"], re.ASCII),
        frozenset(value["asking"]),
        tuple((rule["class"], rule["ask"], re.compile(rule["pattern"], re.ASCII)) for rule in value["rules"]),
    )
