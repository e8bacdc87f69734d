"""Says which characters texts have, so that only a few of many texts must be looked at closer, and replaces characters.

Twin of `_texts.h`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

OTHER_CHARACTERS = 0x80
"""All that is said of a text that is not ASCII."""
ANY_BYTE = bytes(range(256))


def flag_tables(
    anywhere: Mapping[int, Iterable[str]], first: Mapping[int, Iterable[str]], last: Mapping[int, Iterable[str]]
) -> bytes:
    """Returns the tables that `text_flags` takes: for each flag, a power of two below 128, the characters of ASCII
    that have it wherever they stand, as the first one of a text, as the last one. Those of an empty text are NUL."""
    tables = bytearray(3 * 128)
    for start, rows in ((0, anywhere), (128, first), (256, last)):
        for flag, signs in rows.items():
            for sign in signs:
                tables[start + ord(sign)] |= flag
    return bytes(tables)


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


def pair_tables(pairs: Mapping[int, tuple[bytes, bytes]]) -> bytes:
    """Returns the tables that `neighbours` takes: for each flag, a power of two below 256, the bytes that have it where
    one of some others is behind them. Behind the last one is a NUL."""
    tables = bytearray(2 * 256)
    for flag, columns in pairs.items():
        for start, column in zip((0, 256), columns, strict=True):
            for byte in column:
                tables[start + byte] |= flag
    return bytes(tables)


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
