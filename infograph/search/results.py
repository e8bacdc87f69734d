"""What a search gives."""

from __future__ import annotations

from dataclasses import dataclass


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
