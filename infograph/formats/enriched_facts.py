"""Facts of a chunk that stand as one text in its front matter, with numbers in brackets at the end.

a proposition       claim (first byte-byte behind the last one)
a section           summary (number of chunks)
"""

from __future__ import annotations

from typing import Any


def claim_fact(claim: str, start: int, end: int) -> str:
    """Returns a proposition as a fact; its place is a half-open range of bytes of the chunk's readable text."""
    return f"{claim} ({start}-{end})"


def section_fact(summary: str, chunks: int) -> str:
    """Returns the summary of a section of some chunks as a fact."""
    return f"{summary} ({chunks})"


def read_claim(fact: str) -> dict[str, Any]:
    """Returns what `claim_fact` was given. Numbers that are none are 0, which no reader takes."""
    claim, _, place = fact.rpartition(" (")
    start, _, end = place.partition("-")
    return {"claim": claim, "start": _number(start), "end": _number(end)}


def read_section(fact: str) -> dict[str, Any]:
    """Returns what `section_fact` was given. A number that is none is 0, which no reader takes."""
    summary, _, chunks = fact.rpartition(" (")
    return {"chunks": _number(chunks), "summary": summary}


def _number(bracketed: str) -> int:
    digits = bracketed.removesuffix(")")
    return int(digits) if digits.isascii() and digits.isdigit() else 0
