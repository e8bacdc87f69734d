"""WebVTT and SubRip files as cues: where each stands, when it is shown, who says what.

Lenient where players are: a missing blank line, a comma or a point in a time, hours or none, tags of either format.
No word is dropped, whatever is wrong with the times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

ARROW = "-->"

_TIME = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?")
_MEANT_AS_TIME = re.compile(r"(?:[\d.,;]*:[\d.,;:]*)?")
"""Digits around a colon, or nothing: no word."""
_COMMENT = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t]|$)")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?[ \t]+([^>]*)>")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}")
"""Of WebVTT and HTML, times within a cue, SubStation's positions."""
_NAMED = re.compile(
    r"(?P<turn>(?:>>+|[-–—])[ \t]*)?"
    r"(?:(?P<name>[^\W\d_a-z][\w.'’-]*(?:[ \t][^\W\d_a-z][\w.'’-]*){0,3}):(?=\s|$)[ \t]*)?"
)
"""What a line may begin with: the mark of another speaker, and up to four capitalised words with a colon."""
UNREADABLE, BACKWARDS = FAULTS = ("times that cannot be read", "ends before it begins")
_INSTANT = 0.1
"""Seconds. Rolling captions show what stands already for such a time before the next line comes."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue with what stands between it and the cue before: blank lines, comments, its identifier."""

    start: int
    """First line."""
    end: int
    """Line after the last one."""
    line: int
    """Of its times."""
    begins: float
    """Seconds; where the time cannot be read, the end of the cue before."""
    ends: float
    turns: tuple[tuple[str, str], ...]
    """Speaker, empty where it is not known, and words without markup."""
    fault: str = ""
    """What is wrong with its times, one of `FAULTS`; empty where nothing is."""


def cues(lines: Sequence[str]) -> list[Cue]:
    """The cues of a file, which tile its lines: what stands before the first is one without words, what stands after
    the last belongs to it. None where no line has times.

    lines: without their ends
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
    """Whether a line says when a cue is shown, if only on one side of its arrow; else the arrow is said by somebody."""
    if ARROW not in line:
        return False
    return _times(line) != (None, None) or all(_MEANT_AS_TIME.fullmatch(side) for side in _sides(line))


def words(text: str) -> str:
    """A text without markup, on one line."""
    return " ".join(unescape(_TAG.sub("", text)).split())


def _times(line: str) -> tuple[float | None, float | None]:
    left, right = _sides(line)
    return _seconds(left), _seconds(right)


def _sides(line: str) -> tuple[str, str]:
    """What stands on each side of the arrow, on the right up to the cue's settings."""
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
    """Of a cue: the identifier above its times, which is a line that stands alone or a number, or its times.

    previous: the times of the cue before
    """
    above = timing - 1
    if above <= previous or not lines[above].strip():
        return timing
    alone = above - 1 > previous and not lines[above - 1].strip()
    return above if alone or lines[above].strip().isdigit() else timing


def _payload(lines: Sequence[str], timing: int, following: int, is_vtt: bool) -> tuple[int, list[str]]:
    """Where a cue ends, and its lines of text. `following`: the next line with times, or the end.

    Comments belong to the cue after them; a text that has no times, to the cue before.
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
    """Who speaks, from cue to cue. A name with a colon holds until the next one; a voice tag, to the cue's end."""

    def __init__(self) -> None:
        self.speaker = ""
        self.shown = ""
        """The last line of the cue before."""

    def turns(self, payload: list[str], instant: bool) -> Iterator[tuple[str, str]]:
        if payload and payload[0] == self.shown and (len(payload) > 1 or instant):
            payload = payload[1:]  # rolling captions: the line was there already
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
            assert match is not None  # it matches nothing, too
            if match["turn"] or match["name"]:
                self.speaker = match["name"] or ""
            if rest := said[match.end() :]:
                yield self.speaker, rest
