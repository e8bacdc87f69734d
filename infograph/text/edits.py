"""Edits of a text: ranges of it, and what a reader sees in their place. The text itself stays as it is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class TextEdit(NamedTuple):
    """One range of a text with its replacement."""

    start: int
    """Offset of the first character that is replaced."""
    end: int
    """Offset after the last one."""
    text: str
    """What stands there instead; empty where the range is left out."""


def edited(text: str, edits: Sequence[TextEdit]) -> str:
    """The text with its edits, which are in order and do not overlap."""
    if not edits:
        return text
    parts: list[str] = []
    at = 0
    for start, end, instead in edits:
        parts += (text[at:start], instead)
        at = end
    parts.append(text[at:])
    return "".join(parts)


def in_order(edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
    """The edits sorted, without those that overlap an earlier one: of two, the one given first holds."""
    kept: list[TextEdit] = []
    starts: list[int] = []
    for edit in edits:
        if kept and kept[-1].end <= edit.start > starts[-1]:  # most come in order
            starts.append(edit.start)
            kept.append(edit)
            continue
        place = bisect_left(starts, edit.start)
        after = kept[place] if place < len(kept) else None
        if (place and kept[place - 1].end > edit.start) or (
            after is not None and after.start < max(edit.end, edit.start + 1)
        ):
            continue
        starts.insert(place, edit.start)
        kept.insert(place, edit)
    return tuple(kept)


def within(edits: Sequence[TextEdit], start: int, end: int) -> tuple[TextEdit, ...]:
    """The edits of a slice, by offsets in it. One across its border is cut there: its text goes to the first slice."""
    found = []
    # Ends ascend as starts do, since no two overlap.
    for place in range(bisect_left(edits, start, key=lambda edit: edit.end), len(edits)):
        edit = edits[place]
        if edit.start >= end:
            break
        if edit.end <= start and not (edit.start == edit.end == start):
            continue
        mine = edit.text if edit.start >= start else ""
        found.append(TextEdit(max(edit.start, start) - start, min(edit.end, end) - start, mine))
    return tuple(found)


def as_shown(edits: Sequence[TextEdit], start: int, end: int) -> tuple[int, int]:
    """Returns a range of a text as a range of the text with its edits: all of what is shown for an edit that it lies in
    or ends in."""
    ahead = behind = 0
    for edit in edits:
        longer = len(edit.text) - (edit.end - edit.start)
        if edit.end <= start:
            ahead += longer
        elif edit.start < start:
            ahead -= start - edit.start
        if edit.end <= end:
            behind += longer
        elif edit.start < end:
            behind += len(edit.text) - (end - edit.start)
    return start + ahead, end + behind


def in_bytes(text: str, edits: Sequence[TextEdit]) -> tuple[TextEdit, ...]:
    """The edits of a text by offsets in its UTF-8 bytes."""
    if text.isascii():
        return tuple(edits)
    found, at, bytes_at = [], 0, 0
    for start, end, instead in edits:
        begin = bytes_at + len(text[at:start].encode())
        at, bytes_at = end, begin + len(text[start:end].encode())
        found.append(TextEdit(begin, bytes_at, instead))
    return tuple(found)


def in_characters(data: bytes, edits: Sequence[TextEdit]) -> tuple[TextEdit, ...]:
    """The edits of UTF-8 bytes by offsets in the text. Raises ValueError where they are out of order."""
    found, at, chars_at = [], 0, 0
    for start, end, instead in edits:
        if not at <= start <= end <= len(data):
            raise ValueError("out of order")
        begin = chars_at + len(data[at:start].decode())
        at, chars_at = end, begin + len(data[start:end].decode())
        found.append(TextEdit(begin, chars_at, instead))
    return tuple(found)
