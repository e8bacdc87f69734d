"""Reads WebVTT and SubRip files as cues: their lines, their times, their speakers and words.

Reading is as lenient as in players: a missing blank line, a comma or a point in a time, hours or none, tags of
either format. No word is dropped, whatever is wrong with the times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

ARROW = "-->"

_TIME = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?")
_MEANT_AS_TIME = re.compile(r"(?:[\d.,;]*:[\d.,;:]*)?")
"""Matches digits around a colon, or nothing: text that is no word."""
_COMMENT = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t]|$)")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?[ \t]+([^>]*)>")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}")
"""Matches tags of WebVTT and HTML, times within a cue and positions of SubStation."""
_NAMED = re.compile(
    r"(?P<turn>(?:>>+|[-–—])[ \t]*)?"
    r"(?:(?P<name>[^\W\d_a-z][\w.'’-]*(?:[ \t][^\W\d_a-z][\w.'’-]*){0,3}):(?=\s|$)[ \t]*)?"
)
"""Matches the beginning of a line: a mark for another speaker, and up to four capitalised words with a colon."""
UNREADABLE, BACKWARDS = FAULTS = ("times that cannot be read", "ends before it begins")
_INSTANT = 0.1
"""Seconds for which rolling captions repeat the previous line before the next line appears."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue with the lines between it and the previous cue: blank lines, comments, its identifier."""

    start: int
    """Number of the first line."""
    end: int
    """Number of the line after the last one."""
    line: int
    """Number of the line with the times."""
    begins: float
    """Start in seconds; the end of the previous cue where the time cannot be read."""
    ends: float
    turns: tuple[tuple[str, str], ...]
    """Pairs of a speaker, empty where unknown, and words without markup."""
    fault: str = ""
    """The fault of the cue's times, one of `FAULTS`; empty where they are correct."""


def cues(lines: Sequence[str]) -> list[Cue]:
    """Returns the cues of a file, which tile its lines; empty where no line has times.

    Lines before the first cue become a cue without words; lines after the last cue belong to it.

    lines: lines without their ends
    """
    times = [number for number, line in enumerate(lines) if has_times(line)]
    if not times:
        return []
    is_vtt = lines[0].startswith("WEBVTT")
    speaking = _Speaking()
    found: list[Cue] = []
    start, at = _first_line(lines, times[0], -1), 0.0
    for position, timing in enumerate(times):
        following = times[position + 1] if position + 1 < len(times) else len(lines)
        end, payload = _payload(lines, timing, following, is_vtt)
        begins, ends = _times(lines[timing])
        unreadable = begins is None or ends is None
        shown_from = at if begins is None else begins
        backwards = ends is not None and not unreadable and ends < shown_from
        shown_to = shown_from if ends is None or unreadable or backwards else ends
        fault = UNREADABLE if unreadable else BACKWARDS if backwards else ""
        turns = tuple(speaking.turns(payload, shown_to - shown_from < _INSTANT))
        found.append(Cue(start, end, timing, shown_from, shown_to, turns, fault))
        start, at = end, shown_to
    if found[0].start > 0:
        first = found[0]
        found.insert(0, Cue(0, first.start, first.line, first.begins, first.begins, ()))
    return found


def has_times(line: str) -> bool:
    """Whether a line holds the times of a cue, at least on one side of its arrow; otherwise the arrow is part of
    the text."""
    if ARROW not in line:
        return False
    return _times(line) != (None, None) or all(_MEANT_AS_TIME.fullmatch(side) for side in _sides(line))


def words(text: str) -> str:
    """Returns a text without markup, on one line."""
    return " ".join(unescape(_TAG.sub("", text)).split())


def _times(line: str) -> tuple[float | None, float | None]:
    left, right = _sides(line)
    return _seconds(left), _seconds(right)


def _sides(line: str) -> tuple[str, str]:
    """Returns the text on each side of the arrow; on the right without the cue's settings."""
    left, _, right = line.partition(ARROW)
    return left.strip(), (right.split() or [""])[0]


def _seconds(text: str) -> float | None:
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hours, minutes, seconds = (int(group or 0) for group in match.group(1, 2, 3))
    milliseconds = int((match[4] or "").ljust(3, "0"))
    return None if minutes > 59 or seconds > 59 else 3600 * hours + 60 * minutes + seconds + milliseconds / 1000


def _first_line(lines: Sequence[str], timing: int, previous: int) -> int:
    """Returns the first line of a cue: the identifier above its times, where there is one, or its times.

    An identifier is a number, or a line between a blank line and the times.

    timing:   line of the cue's times
    previous: line of the previous cue's times
    """
    above = timing - 1
    if above <= previous or not lines[above].strip():
        return timing
    alone = above - 1 > previous and not lines[above - 1].strip()
    return above if alone or lines[above].strip().isdigit() else timing


def _payload(lines: Sequence[str], timing: int, following: int, is_vtt: bool) -> tuple[int, list[str]]:
    """Returns the line after a cue, and its lines of text.

    Comments belong to the following cue; text without times belongs to the previous one.

    following: the next line with times, or the number of lines
    """
    end = _first_line(lines, following, timing) if following < len(lines) else following
    text: list[str] = []
    first_comment: int | None = None
    comment = False
    for number in range(timing + 1, end):
        line = lines[number].strip()
        if not line:
            comment = False
        elif comment or (is_vtt and not lines[number - 1].strip() and _COMMENT.match(line)):
            comment = True
            first_comment = number if first_comment is None else first_comment
        else:
            text.append(line)
            first_comment = None
    if following < len(lines) and first_comment is not None:
        end = first_comment
    return end, text


class _Speaking:
    """Tracks the current speaker over cues. A name with a colon holds until the next one, a voice tag until its cue
    ends."""

    def __init__(self) -> None:
        self.speaker = ""
        self.shown = ""
        """The last line of the previous cue."""

    def turns(self, payload: list[str], instant: bool) -> Iterator[tuple[str, str]]:
        if payload and payload[0] == self.shown and (len(payload) > 1 or instant):
            payload = payload[1:]  # rolling captions: the line was shown before
        if payload:
            self.shown = payload[-1]
        voice = ""
        for line in payload:
            plain, *voiced = _VOICE.split(line)
            if voiced or voice:
                self.speaker = ""
                for name, part in zip([voice, *voiced[::2]], [plain, *voiced[1::2]], strict=True):
                    voice = words(name)
                    if said := words(part):
                        yield voice, said
                continue
            said = words(plain)
            match = _NAMED.match(said)
            assert match is not None  # it also matches the empty string
            if match["turn"] or match["name"]:
                self.speaker = match["name"] or ""
            if rest := said[match.end() :]:
                yield self.speaker, rest
