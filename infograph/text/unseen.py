"""Characters that have no shape, told from those that scripts and emoji are written with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from infograph.text.lines import LINE_END

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""Runs of characters without a shape: Unicode's `Default_Ignorable_Code_Point`, and marks of annotations."""

_FLAGS = tuple(f"{''.join(chr(0xE0000 + ord(c)) for c in region)}\U000e007f" for region in ("gbeng", "gbsct", "gbwls"))
"""Tag characters after a black flag: England, Scotland, Wales (Unicode emoji, the only such sequences there are)."""

_EMOJI_STYLE = re.compile("[\ufe0e\ufe0f]?\u200d?")
"""The characters after an emoji that choose between text and colours, and that join it to the next one."""
_EMOJI = re.compile("[#*0-9\u00a9\u00ae\u2000-\u32ff\U0001f000-\U0001faff]")
"""Characters that may have an emoji style."""
_VARIANT = re.compile("[\ufe00-\ufe0d\U000e0100-\U000e01ef]")
"""Selectors of another shape for an ideograph or mathematical sign."""
_JOINER = re.compile("[\u034f\u180b-\u180f\u200b-\u200d]")
_JOINED = re.compile("[\u0600-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]")
"""Letters of scripts with joiners or without spaces: Arabic, Mongolian, those of India and South-East Asia."""
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202c\u2066-\u2069]+")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


@cache
def _varied() -> re.Pattern[str]:
    """Returns the pattern of what may have such a selector. Made when it is first needed: it takes milliseconds."""
    return re.compile("[\u2190-\u2bff\u3000-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")


def unseen(text: str) -> Iterator[re.Match[str]]:
    """Yields runs of invisible characters without a known use."""
    directions = _Directions(text)
    for match in _UNSEEN.finditer(text):
        if not _explained(text, match, directions):
            yield match


class _Directions:
    """Tells whether a line has text from right to left.

    It searches each line once, since a line may hold marks of direction by the thousand.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = -1
        self._mixed = False

    def mixed_at(self, start: int, end: int) -> bool:
        """Whether the line of this span has such text. Spans must come in order."""
        if start > self._end:
            floor = max(self._end, 0)  # the line that was looked at last ends there
            begin = max(self._text.rfind("\n", floor, start), self._text.rfind("\r", floor, start)) + 1
            ended = LINE_END.search(self._text, end)
            self._end = ended.start() if ended else len(self._text)
            self._mixed = _RIGHT_TO_LEFT.search(self._text, begin, self._end) is not None
        return self._mixed


def _explained(text: str, run: re.Match[str], directions: _Directions) -> bool:
    """Whether the characters around a run show what it is used for: emoji, a variant, a joiner, a direction."""
    before, after = text[run.start() - 1 : run.start()] if run.start() else "", text[run.end() : run.end() + 1]
    signs = run[0]
    if before == "\U0001f3f4" and signs in _FLAGS:
        return True
    if _EMOJI_STYLE.fullmatch(signs) and _EMOJI.match(before):
        return signs[-1] != "\u200d" or _EMOJI.match(after) is not None
    if _VARIANT.fullmatch(signs):
        return _varied().match(before) is not None
    if _JOINER.fullmatch(signs):
        return _JOINED.match(before) is not None and not (after.isascii() and after.isalnum())
    if _DIRECTION.fullmatch(signs):
        return directions.mixed_at(run.start(), run.end())
    return signs == "\u00ad" and before.isalpha() and after.isalpha()


def without_unseen(text: str) -> str:
    """Returns a text without its invisible characters, but for those of a known use."""
    if text.isascii():
        return text
    parts, after = [], 0
    for run in unseen(text):
        parts.append(text[after : run.start()])
        after = run.end()
    return "".join([*parts, text[after:]])
