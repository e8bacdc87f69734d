"""Quick references: which titles announce one, and where a document has one right after its overview.

Such a section is chunk 1, whatever its size: readers compare the other chunks with it (`stripe_order_technical`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.tokens import TokenCounter
from infograph.model import Block

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

_TITLE = re.compile("|".join(TITLES), re.IGNORECASE)
_SIMILAR = re.compile(r"\b(?:quick[ -]?reference|api[ -]?reference|cheat[ -]?sheet)\b", re.IGNORECASE)
"""Words that announce a quick reference anywhere in a title: `The API reference of the client`."""


def is_quick_reference(title: str) -> bool:
    """Whether a title announces a quick reference."""
    title = " ".join(re.sub(r"[^\w\s-]", " ", title).split())
    return _TITLE.fullmatch(title) is not None or _SIMILAR.search(title) is not None


def reference_borders(layout: DocumentLayout, limit: int, counter: TokenCounter) -> tuple[int, ...]:
    """Returns the offsets where the quick reference right after the overview begins and ends: chunks begin there.

    The overview is the title with its own text, or the text above the first heading. Headings without a text may stand
    between: `# Widget`, text, `## Reference`, `### Quick reference`. Empty where there is no such section, where
    nothing stands above it, and where what does is no chunk by itself, since it exceeds the limit.
    """
    place = _after_overview(layout, layout.headings)
    if place is None:
        return ()
    found, later = layout.headings[place], layout.headings[place + 1 :]
    start = layout.starts[found.start]
    above = layout.body[:start]
    if not above.strip() or counter.count([above])[0] > limit:
        return ()
    after = next((heading.start for heading in later if heading.level <= found.level), None)
    return (start,) if after is None else (start, layout.starts[after])


def _after_overview(layout: DocumentLayout, headings: Sequence[Block]) -> int | None:
    """Returns the place among the headings of the quick reference that follows the overview, or None."""
    if not headings:
        return None
    titled = layout.titled_by_front_matter
    begun = titled or bool(layout.body[: layout.starts[headings[0].start]].strip())
    for place in range(0 if begun else 1, len(headings)):
        heading = headings[place]
        if place and heading.level <= headings[place - 1].level:
            return None
        if is_quick_reference(heading.text):
            return place
        is_title = place == 0 and heading.level == 1 and not titled
        if not is_title and _has_text(layout, headings, place):
            return None
    return None


def _has_text(layout: DocumentLayout, headings: Sequence[Block], place: int) -> bool:
    """Whether text stands between a heading and the next one."""
    end = headings[place + 1].start if place + 1 < len(headings) else len(layout.starts) - 1
    return bool(layout.body[layout.starts[headings[place].end] : layout.starts[end]].strip())
