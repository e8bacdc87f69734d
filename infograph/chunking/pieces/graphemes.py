"""Finds places where a text can be cut without splitting a grapheme, which readers see as one character.

The exact rules (Unicode Standard Annex 29) need tables that Python lacks. These rules use general categories and
keep slightly more together than the exact ones, never less, which suffices for cutting.
"""

from __future__ import annotations

from unicodedata import category, combining

_JOINERS = "\u0e33\u0eb3\u200c\u200d\uff9e\uff9f"
"""Characters that belong to the character before them without being marks: vowels of Thai and Lao, joiners,
Japanese dots."""

_PREPENDED = frozenset("\u0d4e\U000111c2\U000111c3\U000113d1\U0001193f\U00011941\U00011a3a\U00011d46\U00011f02").union(
    map(chr, range(0x11A84, 0x11A8A))
)
"""Letters that belong to the character after them; other such characters have the category Cf."""


def grapheme_end(text: str, at: int) -> int:
    """Returns the first offset from `at` on that is not inside a grapheme."""
    while 0 < at < len(text) and _joined(text[at - 1], text[at]):
        at += 1
    return at


def _joined(before: str, after: str) -> bool:
    """Whether two adjacent characters may belong to one grapheme."""
    if before < "\u0300" > after and before != "\xad":
        return before == "\r" and after == "\n"
    kind = category(after)
    if kind in ("Mn", "Mc", "Me") or after in _JOINERS or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    if category(before) == "Cf" or kind == "Cf" or before in _PREPENDED:
        return True
    if combining(before) == 9 and kind == "Lo":  # a virama and the consonant it joins
        return True
    if _is_regional(before) and _is_regional(after):
        return True
    return _is_hangul(before) and _is_hangul(after) and (_is_jamo(before) or _is_jamo(after))


def _is_regional(character: str) -> bool:
    """Whether a character is a regional indicator; two of them make a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _is_jamo(character: str) -> bool:
    return "\u1100" <= character <= "\u11ff" or "\ua960" <= character <= "\ua97f" or "\ud7b0" <= character <= "\ud7ff"


def _is_hangul(character: str) -> bool:
    return _is_jamo(character) or "\uac00" <= character <= "\ud7a3"
