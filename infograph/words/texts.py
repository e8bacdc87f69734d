"""Which characters texts have, so that whoever writes many of them looks closer at few; and others in their place.

Twin of `_texts.h`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

OTHER_CHARACTERS = 0x80
"""All that is said of a text that is not ASCII."""


def flag_tables(any: Callable[[str], int], first: Callable[[str], int], last: Callable[[str], int]) -> bytes:
    """Returns the tables that `text_flags` takes: flags from 0 to 127 of each character of ASCII, wherever it stands,
    as the first one of a text, and as the last one. Those of NUL as the first and last one are an empty text's, too."""
    return bytes([flags(chr(code)) for flags in (any, first, last) for code in range(128)])


def text_flags(texts: list[str], tables: bytes) -> bytes:
    """Returns the flags of each text, all that its characters have in a table. Raises TypeError for what is no text,
    ValueError for other tables than `flag_tables` makes."""
    if len(tables) != 3 * 128:
        raise ValueError("these are no three tables of 128 flags")
    return bytes([_flags(text, tables) for text in texts])


def _flags(text: str, tables: bytes) -> int:
    if not isinstance(text, str):
        raise TypeError("not a text")
    if not text.isascii():
        return OTHER_CHARACTERS
    codes = text.encode()
    found = tables[128 + codes[0]] | tables[256 + codes[-1]] if codes else tables[128] | tables[256]
    for code in set(codes):
        found |= tables[code]
    return found


def pair_tables(first: Callable[[int], int], second: Callable[[int], int]) -> bytes:
    """Returns the tables that `neighbours` takes: flags from 0 to 255 of each byte, and as the one behind another.
    Behind the last one is a NUL."""
    return bytes([flags(byte) for flags in (first, second) for byte in range(256)])


def neighbours(text: str, tables: bytes) -> int:
    """Returns the flags that some byte of a text in UTF-8 has and the byte behind it has, too. Raises
    UnicodeEncodeError for half of a surrogate pair, ValueError for other tables than `pair_tables` makes."""
    if len(tables) != 2 * 256:
        raise ValueError("these are no two tables of 256 flags")
    found = 0
    for own, behind in {*pairwise(text.encode() + b"\0")}:
        found |= tables[own] & tables[256 + behind]
    return found


def replaced(text: str, table: tuple[str, ...]) -> str:
    """Returns a text with another one in the place of each character of ASCII. Raises UnicodeEncodeError for half of a
    surrogate pair, ValueError for a table that has not 128 texts."""
    if len(table) != 128:
        raise ValueError("this is no table of 128 texts")
    return text.encode().decode().translate(dict(enumerate(table)))
