"""Which chunk is a document's technical baseline."""

from __future__ import annotations

import re
from collections.abc import Sequence

from infograph.errors import ConfigError

TITLES = (
    r"quick[ -]?ref(?:erence)?s?",
    r"quick[ -]?(?:look[ -]?up|guide)",
    r"cheat[ -]?sheets?",
    r"at a glance",
    r"references?(?: guide| card| sheet| table)?",
    r"apis?(?: docs| documentation| overview| summary| surface)?",
    r"(?:\w+ )?(?:api|class|cli|command(?:[ -]line)?|config(?:uration)?|function|language|method|option|parameter"
    r"|syntax|technical)s? (?:quick )?references?",
    r"(?:api|command|syntax|technical) (?:at a glance|summary)",
)
"""Titles that announce a quick reference, whole and without regard to case. `References` is among them although a
page may mean its literature by it: in the place of chunk 1, right after the overview, it does not."""

RULES = ("title", "first-code")
"""Names of the ways to find the technical baseline."""

_TITLE = re.compile("|".join(TITLES), re.IGNORECASE)
_SIMILAR = re.compile(r"\b(?:quick[ -]?reference|api[ -]?reference|cheat[ -]?sheet)\b", re.IGNORECASE)
"""These say it anywhere in a title: `The API reference of the client`."""


def technical_baseline(titles: Sequence[str], is_code: Sequence[bool] = (), rule: str = "title") -> int | None:
    """Index of the technical baseline among a document's chunks, or None.

    `title`: chunk 1, when its title says that it is a quick reference. `first-code`: that, else the first code chunk
    after chunk 0 (the conceptual baseline), for trees whose pages have no such heading.
    """
    if rule not in RULES:
        raise ConfigError("index.technical_baseline", f"there is no `{rule}`", "Valid: " + ", ".join(RULES))
    if len(titles) > 1 and is_quick_reference(titles[1]):
        return 1
    if rule == "first-code":
        return next((index for index, code in enumerate(is_code) if code and index), None)
    return None


def is_quick_reference(title: str) -> bool:
    title = " ".join(re.sub(r"[^\w\s-]", " ", title).split())
    return _TITLE.fullmatch(title) is not None or _SIMILAR.search(title) is not None
