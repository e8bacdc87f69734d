"""Propositions of a chunk: statements of one claim each, taken only where the chunk says what they say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from infograph.enrich.cleaning import clean

LEAST_WORDS = 5
"""Words below which a claim says too little to be found by itself."""
LEAST_SOURCE_WORDS = 3
"""Words below which a quoted source is no statement that a claim could be taken from."""
LEAST_SHARE = 0.3
"""Least share of a claim's longer words that the chunk or its headings have: a claim says the same in other words."""
_LONGEST_SOURCE = 2000
"""Most characters of a quoted source that are looked for."""

_WORD = re.compile(r"\w+")
UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts without spaces, of which two are about a word."""
_ENDED = re.compile(r"[.!?]\s+[A-Z]|[。！？].")
"""The end of a sentence with another one behind it."""
_NEGATION = re.compile(r"\b(?:no|not|never|none|nor|neither|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_STEM = 5
"""Letters by which words count as one, whatever their endings."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<![.!?:] )(?<!^)\b[A-Z]\w+")
"""A word with a capital letter that begins no sentence."""
_TABLE = re.compile(r"[ \t]*\|")
_FENCE = re.compile(r"^[ \t]*(?:`{3}|~{3})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Proposition:
    """A claim, and the half-open range of bytes of the chunk's readable text, in UTF-8, that it is taken from."""

    claim: str
    start: int
    end: int


def proposition_of(value: object, most: int, passage: str, around: str) -> Proposition | str:
    """Returns a proposition of an answer, or of a record; why there is none where it is refused.

    value:   an object with `claim` and `source`, the words of the chunk that the claim is taken from
    most:    characters of a claim
    passage: text of the chunk
    around:  the headings that it stands below, whose names a claim may use
    """
    if not isinstance(value, Mapping) or not all(isinstance(value.get(key), str) for key in ("claim", "source")):
        return "an entry is no object with `claim` and `source`"
    shown = f"{around}\n{passage}"
    claim = clean(value["claim"], most, shown)
    if _length(claim) < LEAST_WORDS:
        return f"{claim[:60]!r} has less than {LEAST_WORDS} words"
    if _ENDED.search(claim):
        return f"{claim[:60]!r} is more than one sentence"
    place = _place_of(value["source"][:_LONGEST_SOURCE], passage)
    if place is None:
        return f"the source of {claim[:60]!r} is not in the chunk, word for word"
    source = passage[place[0] : place[1]]
    if _length(source) < LEAST_SOURCE_WORDS:
        return f"the source of {claim[:60]!r} has less than {LEAST_SOURCE_WORDS} words"
    if len(_NEGATION.findall(claim)) != len(_NEGATION.findall(source)):
        return f"{claim[:60]!r} denies what its source states, or states what that denies"
    if _share(claim, shown) < LEAST_SHARE:
        return f"{claim[:60]!r} has other words than the chunk"
    line = passage[passage.rfind("\n", 0, place[0]) + 1 :]
    if _TABLE.match(line) or len(_FENCE.findall(passage[: place[0]])) % 2:
        return f"the source of {claim[:60]!r} is code, or a row of a table"
    if invented := _invented(claim, shown):
        return f"{invented[:40]!r} in {claim[:60]!r} is not in the chunk"
    start, end = (len(passage[:at].encode("utf-8", "surrogatepass")) for at in place)
    return Proposition(claim, start, end)


def _length(text: str) -> int:
    """Returns about how many words a text has, in scripts without spaces too."""
    return sum(max(1, len(UNSPACED.findall(word)) // 2) for word in _WORD.findall(text))


def _share(claim: str, shown: str) -> float:
    """Returns the share of a claim's words of four letters and more that a text has; 1 where it has none of them."""
    there = {word[:_STEM] for word in _WORD.findall(shown.casefold())}
    words = [word for word in _WORD.findall(claim.casefold()) if len(word) >= 4 and not UNSPACED.search(word)]
    return sum(word[:_STEM] in there for word in words) / len(words) if words else 1.0


def _place_of(source: str, passage: str) -> tuple[int, int] | None:
    """Returns where the words of a source stand in a row, whatever is between them; None where they do not."""
    wanted = _WORD.findall(source.casefold())
    there = list(_WORD.finditer(passage))
    words = [match[0].casefold() for match in there]
    for at in range(len(words) - len(wanted) + 1 if wanted else 0):
        if words[at] == wanted[0] and words[at : at + len(wanted)] == wanted:
            return there[at].start(), there[at + len(wanted) - 1].end()
    return None


def _invented(claim: str, shown: str) -> str:
    """Returns the first number or name of a claim that the text does not have; empty where it has all."""
    numbers, words = set(_NUMBER.findall(shown)), set(_WORD.findall(shown.casefold()))
    for number in _NUMBER.findall(claim):
        if number not in numbers:
            return str(number)
    return next((str(name) for name in _NAME.findall(claim) if name.casefold() not in words), "")
