"""Names of entities in the one form by which they are compared.

The client in JavaScript makes the same form of a query (web/walk.js).
"""

from __future__ import annotations

import re
import unicodedata

LONGEST_KEY = 80
"""Most characters of a key: longer names are no names."""
MOST_WORDS = 6
"""Most words of a key."""

_WORD = re.compile(r"[^\W_]+[+#]*")
_GENITIVE = re.compile(r"['’]s\b")


def folded(text: str) -> str:
    """Text without regard to case, in Unicode's form NFC. By way of capitals, so that `ß` is `ss` in JavaScript too."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).upper().lower())


def words_of(text: str) -> list[str]:
    """The words of a text as keys have them: runs of letters and digits, with plus and number signs after them."""
    return _WORD.findall(_GENITIVE.sub("", folded(text)))


def key_of(name: str) -> str:
    """The form by which names are compared: folded words with one space between, the last one in the singular.

    `Path parameters` and `path-parameter` are one name. Empty for what is no name: nothing but marks, or too long.
    """
    return joined(words_of(name[: 4 * LONGEST_KEY]))


def joined(words: list[str]) -> str:
    """The key of some words, see `key_of`."""
    if not words or len(words) > MOST_WORDS:
        return ""
    key = " ".join([*words[:-1], singular(words[-1])])
    return key if len(key) <= LONGEST_KEY else ""


def singular(word: str) -> str:
    """The stem that the singular and the plural of an English word share; words of other scripts are left alone."""
    if len(word) < 4 or not word.isascii() or word[-1] != "s" or word[-2] in "siu":
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word[:-1]
