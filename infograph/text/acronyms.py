"""Short forms that a text defines beside what they are short for: `CORS (cross-origin resource sharing)`, or the other
way round."""

from __future__ import annotations

import re

UPPER = "A-ZÀ-ÖØ-ÞΑ-ΩА-Я"
"""Capital letters, as a class of a regular expression."""
_SHORT_THEN_LONG = re.compile(rf"\b([{UPPER}][{UPPER}\d]{{1,9}})s?[ ]\(([^()\n]{{4,100}})\)")
_LONG_THEN_SHORT = re.compile(rf"\(([{UPPER}][{UPPER}\d]{{1,9}})s?\)")


def acronyms_in(prose: str) -> dict[str, str]:
    """Returns the short forms that a text defines, each with what it is short for."""
    found: dict[str, str] = {}
    for match in _SHORT_THEN_LONG.finditer(prose):
        if long := _spelled_out(match[1], match[2]):
            found.setdefault(match[1], long)
    for match in _LONG_THEN_SHORT.finditer(prose):
        if long := _spelled_out(match[1], prose[max(0, match.start() - 120) : match.start()], last=True):
            found.setdefault(match[1], long)
    return found


def _spelled_out(short: str, text: str, *, last: bool = False) -> str:
    """Returns the words of a text whose initials are those of a short form; empty where they are not."""
    words = re.findall(r"[^\W_]+", text.rpartition("\n")[2] if last else text)
    letters = short.lower()
    words = words[-len(letters) :] if last else words
    initials = "".join(word[0].lower() for word in words)
    return " ".join(words) if initials == letters and len(letters) > 1 else ""
