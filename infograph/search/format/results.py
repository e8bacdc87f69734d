"""What a search gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

TotalRelation = Literal["eq", "gte", "lte"]
"""What a total is to the number of hits that there are, by the names of other search engines.

eq:  it is that number
gte: there are so many or more: not every chunk was held against the filter
lte: there are so many or fewer: some that were not looked at may be near-duplicates of others
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk."""

    page: str
    """Path of the source."""
    page_title: str
    page_url: str
    index: int
    """Of the chunk in its page."""
    title: str
    section_path: tuple[str, ...]
    anchor: str
    snippet: str
    tokens: int
    href: str
    sha256: str
    """Of the chunk's text, the first 32 hex digits."""
    score: float
    simhash: str = "0" * 16
    """Of the chunk's terms, 64 bits in hex: near-duplicates differ in few."""
    url: str = ""
    """Of the rendered page at the heading; empty where it is no address of the web, or nobody knows the site's."""
    duplicates: tuple[Hit, ...] = ()
    """Chunks of other pages that rank below it and say nearly the same, where a search collapses them."""


@dataclass(slots=True)
class Remarks:
    """What an answer says beside its contents; filled while it is worked out."""

    missing: dict[str, str] = field(default_factory=dict)
    """Files that could not be had, and why: the answer is without what they hold."""
    corrected: dict[str, str] = field(default_factory=dict)
    """Words of the query that the site does not have, each with the one that was searched for instead."""
    notes: list[str] = field(default_factory=list)
    """What else the reader should know, in English."""
