"""Texts as YAML has them: plain where every reader takes that for a string, else in JSON's quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from infograph.words.texts import OTHER_CHARACTERS, flag_tables
from infograph.words.twins import text_flags

_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ ./()+-]*+(?<! )")
"""Text that may stand unquoted everywhere in YAML. Nothing is tried twice where another sign ends it, as in most
sentences."""
_OTHER_WORDS = "y|n|yes|no|on|off|true|false|null|inf|nan"
_OTHER_TYPE = re.compile(rf"{_OTHER_WORDS}|[0-9][0-9_.+-]*(?:e[0-9+-]*)?|0[xob][0-9a-f_]+", re.IGNORECASE)
"""Words that YAML 1.1 or 1.2 reads as something else than a string."""
_STRING = re.compile(rf"(?!(?=[0-9yntfoiYNTFOI])(?i:{_OTHER_TYPE.pattern})\Z){_WORD.pattern}").fullmatch
"""Whether every reader takes a text without quotes for a string. The first letters of other types are looked at before
the types themselves, one after the other."""
_NOT_PRINTABLE = re.compile("[\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]")
"""Characters inside quotes that YAML does not allow, or takes for a line end, and JSON does not escape."""
_QUOTED = json.encoder.encode_basestring
"""A text in JSON's quotes, at half the price of the encoder."""


def is_other_type(text: str) -> bool:
    """Whether YAML reads a word without quotes as something else than a string."""
    return _OTHER_TYPE.fullmatch(text) is not None


def scalar(text: str) -> str:
    """A text as a YAML scalar that every reader takes for a string: plain where that is safe, else in JSON's quotes."""
    return text if _STRING(text) else as_yaml(_QUOTED(text))


def as_yaml(quoted: str) -> str:
    """JSON that is YAML, too."""
    if quoted.isascii() and "\x7f" not in quoted:  # JSON escapes all others that are not printable
        return quoted
    return quoted if quoted.isprintable() else _NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


_ODD, _BEGINS, _OTHERWISE, _EDGE, _ESCAPED = 1, 2, 4, 8, 16
"""Flags of texts that are ASCII: a character that stands in quotes only; a first one as words of other types have it,
and a character that none of these words has; one that a plain text does not begin or end with, or that numbers begin
with; one that is escaped in quotes."""
_LETTERS = frozenset(_OTHER_WORDS) | frozenset(_OTHER_WORDS.upper())
_ASCII = list(map(chr, range(128)))
_FLAGS = flag_tables(
    {
        _ODD: [sign for sign in _ASCII if not _WORD.fullmatch(f"a{sign}a")],
        _OTHERWISE: [sign for sign in _ASCII if sign not in _LETTERS],
        _ESCAPED: [sign for sign in _ASCII if as_yaml(_QUOTED(sign)) != f'"{sign}"'],
    },
    {_EDGE: [sign for sign in _ASCII if sign.isdigit() or not _WORD.fullmatch(f"{sign}a")], _BEGINS: _LETTERS},
    {_EDGE: [sign for sign in _ASCII if not _WORD.fullmatch(f"a{sign}")]},
)
_PLAIN, _IN_QUOTES, _DOUBTFUL = range(3)
"""How a text is written: as it stands, in quotes, or as `scalar` says."""


def _how(flags: int) -> int:
    """Returns how a text of these flags is written."""
    if flags & (OTHER_CHARACTERS | _ESCAPED):
        return _DOUBTFUL
    if flags & _ODD:
        return _IN_QUOTES
    return _DOUBTFUL if flags & _EDGE or (flags & _BEGINS and not flags & _OTHERWISE) else _PLAIN


_HOW = bytes(map(_how, range(256)))


def scalars_of(texts: Sequence[str]) -> list[str]:
    """What `scalar` makes of each text."""
    found = list(texts)
    for at, how in enumerate(text_flags(found, _FLAGS).translate(_HOW)):
        if how:
            found[at] = f'"{found[at]}"' if how == _IN_QUOTES else scalar(found[at])
    return found


def read_scalar(text: str) -> str:
    """Reads what `scalar` wrote. Raises ValueError."""
    if not text.startswith('"'):
        if not _WORD.fullmatch(text):
            raise ValueError("text that needs quotes")
        return text
    value = json.loads(text)
    if not isinstance(value, str):
        raise ValueError("not a string")
    return value
