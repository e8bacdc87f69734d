"""The fields that a search can be narrowed by: their names, their types and what a value of each type is.

`search.fields` lists them, each as `name` or `name:type`. Those of `BUILT_IN` have a type of their own and are known of
every chunk; any other name is that of a chunk's metadata, else of a key in the front matter: text unless it says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

TEXT, NUMBER, DATE, FLAG = TYPES = ("text", "number", "date", "flag")
"""Types of a field. A chunk may have several texts, and one value of any other type."""

BUILT_IN = {
    "authority": NUMBER,
    "chunk_type": TEXT,
    "count": NUMBER,
    "created_at": DATE,
    "index": NUMBER,
    "is_code": FLAG,
    "keywords": TEXT,
    "language": TEXT,
    "tokens": NUMBER,
    "units": TEXT,
}
"""Fields that a build works out itself, and their types."""

HIT_TEXTS = ("page", "page_title", "page_url", "title", "section_path", "anchor", "href", "sha256")
"""Fields of hits that are text and can be filtered by on every site, once the hits are read."""
HIT_NUMBERS = ("index", "tokens")
"""Fields of hits that are numbers."""
COMBINING = ("not", "any", "all")
"""Names in a filter that combine others, and so are no fields."""

MOST_FIELDS = 32
MOST_VALUES = 1000
"""Most texts that one document may have of a field."""
LONGEST_VALUE = 200
"""Most characters of a text."""

Value = str | int | float
"""A value of a chunk: a date is the number of its day since 1970-01-01, a flag is `true` or `false`."""
Values = tuple[Value, ...]

_NAME = re.compile(r"[^\W\d][\w. -]{0,62}[\w]|[^\W\d]")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d[\d:.]*(?:Z| ?[+-]\d\d:?\d\d)?)?", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_EPOCH = date(1970, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class SearchField:
    """A field as the settings name it."""

    name: str
    type: str = TEXT

    @property
    def key(self) -> str:
        """The field's name as it is compared with keys of a front matter, whose capitals differ."""
        return self.name.lower()


def parse_fields(given: Sequence[str]) -> tuple[SearchField, ...]:
    """Returns the fields that `search.fields` lists. Raises ValueError, which says what is wrong and with which one."""
    if len(given) > MOST_FIELDS:
        raise ValueError(f"{len(given)} fields, more than {MOST_FIELDS}")
    found: dict[str, SearchField] = {}
    for text in given:
        name, colon, kind = text.partition(":")
        if not _NAME.fullmatch(name):
            raise ValueError(f"{text[:80]!r} is no name: letters, digits, `_`, `-`, `.` and spaces, a letter first")
        if name in COMBINING or name in HIT_TEXTS:
            raise ValueError(f"`{name}` has a meaning of its own in filters")
        own = BUILT_IN.get(name, "")
        if colon and kind not in TYPES:
            raise ValueError(f"`{name}`: there is no type {kind[:40]!r}: {', '.join(TYPES)}")
        if own and colon and kind != own:
            raise ValueError(f"`{name}` is a {own}, and no {kind}")
        spec = SearchField(name, own or kind or TEXT)
        if spec.key in found:
            raise ValueError(f"`{name}` stands there twice")
        found[spec.key] = spec
    return tuple(found.values())


def day_of(text: str) -> int | None:
    """Returns the day of a date (`2024-01-31`, whatever time follows) since 1970-01-01; None for another text."""
    match = _DATE.fullmatch(text)
    try:
        return date(*map(int, match.groups())).toordinal() - _EPOCH if match else None
    except ValueError:
        return None


def number_of(text: str) -> float | int | None:
    """Returns the number that a text is, in decimal digits; None for another text."""
    if not _NUMBER.fullmatch(text):
        return None
    return float(text) if "." in text else int(text)


def typed(values: Iterable[Value], kind: str) -> Values:
    """Returns values as a field of a type has them. Raises ValueError for one that is none of the type, and for several
    where it takes one."""
    found: dict[Value, None] = {}
    for value in values:
        found[_typed(value, kind)] = None
    if kind != TEXT and len(found) > 1:
        raise ValueError(f"{len(found)} values; a {kind} is one")
    if len(found) > MOST_VALUES:
        raise ValueError(f"{len(found):,} values, more than {MOST_VALUES:,}")
    return tuple(found)


def _typed(value: Value, kind: str) -> Value:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if kind == TEXT:
        if len(text) > LONGEST_VALUE:
            raise ValueError(f"{text[:20]!r}… has {len(text):,} characters, more than {LONGEST_VALUE}")
        return text
    if kind == FLAG:
        if text.lower() not in ("true", "false"):
            raise ValueError(f"{text[:80]!r} is neither true nor false")
        return text.lower()
    if kind == DATE:
        day = day_of(text)
        if day is None:
            raise ValueError(f"{text[:80]!r} is no date like 2024-01-31")
        return day
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else number_of(text)
    if number is None or not math.isfinite(number):
        raise ValueError(f"{text[:80]!r} is no number")
    return number
