"""Facts of a chunk that stand as one text in its front matter, with their place in brackets at the end.

a proposition       claim (first byte-byte behind the last one)
a section           summary (number of chunks)
an image            description (link)
"""

from __future__ import annotations

from typing import Any

_IN_A_LINK = {ord(sign): f"%{ord(sign):02X}" for sign in " ()"}
"""What may stand in a link and would end the bracket, as a link has it otherwise."""


def claim_fact(claim: str, start: int, end: int) -> str:
    """Returns a proposition as a fact; its place is a half-open range of bytes of the chunk's readable text."""
    return f"{claim} ({start}-{end})"


def section_fact(summary: str, chunks: int) -> str:
    """Returns the summary of a section of some chunks as a fact."""
    return f"{summary} ({chunks})"


def image_fact(description: str, link: str) -> str:
    """Returns the description of an image, which stands under this link in the document, as a fact."""
    return f"{description} ({link.translate(_IN_A_LINK)})"


def read_image(fact: str) -> dict[str, Any]:
    """Returns what `image_fact` was given."""
    description, _, link = fact.rpartition(" (")
    return {"image": link.removesuffix(")"), "description": description}


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
