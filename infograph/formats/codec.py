"""Dataclasses as a file format: values are decoded with the path of what is wrong, and dumped.

    plain dicts ─decode▶ dataclass ─dump▶ plain dicts

Fields may be str, bool, int, float, other dataclasses, tuples and string-keyed dicts of these, or any of them
`| None`. A field with a default may be absent, and is left out again when it has its default; null is never
written. Metadata: `key` is the JSON name where it is no Python name; `rest` is the set of keys that a dict
field, which takes every key no other field names, leaves alone. Keys that no field names are skipped on reading,
so that a newer file stays readable.

This is the form of JSON files. Settings and the options of strategies are decoded here, too: a `Notation` says
what these sources write in another way.
"""

from __future__ import annotations

import dataclasses
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


class DecodeError(Exception):
    """A value is not what the dataclass says. `path` names it, as in `.items[3].tokens`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self._steps: list[str] = []

    @property
    def path(self) -> str:
        """Place of the value, from the outermost one: a step for each field, key or item."""
        return "".join(reversed(self._steps))

    @property
    def placed(self) -> str:
        """The place of the value, if there is one, and the reason."""
        return f"{self.path.removeprefix('.')} {self.reason}".strip()

    def within(self, step: str) -> DecodeError:
        """Adds a step to the path, seen from one level further out, and returns the error itself."""
        self._steps.append(step)
        return self


class WrongTypeError(DecodeError):
    """A value is of another type than its field."""

    field: tuple[Any, object] | None = None
    """Type hint of the innermost field and its whole value; None where the value is not in a dataclass."""


class UnknownKeyError(DecodeError):
    """A key belongs to no field, where the notation does not skip such keys."""

    def __init__(self, key: str) -> None:
        super().__init__(f"`{key}` is not known")
        self.key = key


class RepeatedKeyError(DecodeError):
    """Two keys that are spelled differently belong to one field."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"`{first}` and `{second}` are the same")
        self.keys = (first, second)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Rule for `Annotated[str, …]`: the whole string matches. Keep to what Python and ECMA 262 share."""

    regex: str

    def schema(self) -> dict[str, Any]:
        """Keywords of JSON Schema that say the same."""
        return {"pattern": f"^(?:{self.regex})$"}

    def check(self, value: Any) -> None:
        """Raises DecodeError for a string that does not match."""
        if not re.fullmatch(self.regex, value):
            raise DecodeError(f"{value[:80]!r} does not match {self.regex}")


@dataclass(frozen=True, slots=True)
class Bounds:
    """Rule for `Annotated[int | float, …]`: both ends included."""

    minimum: int
    maximum: int | None = None

    def schema(self) -> dict[str, Any]:
        """Keywords of JSON Schema that say the same."""
        return {"minimum": self.minimum} if self.maximum is None else dataclasses.asdict(self)

    def check(self, value: Any) -> None:
        """Raises DecodeError for a number out of the bounds."""
        if value < self.minimum or (self.maximum is not None and value > self.maximum):
            raise DecodeError(f"{value} is out of range")


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, so that readers are cached by it
class Notation:
    """How a kind of source writes the values of dataclasses. The defaults are those of JSON files."""

    words: Mapping[Any, str]
    """What errors call a type: `dict` stands for dataclasses, `tuple` for lists (`{}` in it for the type of an item),
    `NoneType` for unset, which is not mentioned without it."""
    lists: tuple[type, ...] = (list,)
    """Types of Python that are read as lists."""
    text_is_list: bool = False
    """A string in the place of a list is a list of itself alone."""
    unset: tuple[object, ...] = ()
    """Values that mean None where a field may be None. Without any, such a field is left out instead."""
    spelling: Callable[[str], str] | None = None
    """Turns a key into the field's; None: keys are the fields' own."""
    closed: bool = False
    """A key that no field has is an error; else it is skipped."""
    readers: Mapping[Any, Callable[[Any], Any]] = dataclasses.field(default_factory=dict)
    """How values of types that the codec does not know are read; they raise WrongTypeError."""


JSON = Notation(
    {
        str: "a string",
        bool: "true or false",
        int: "an integer",
        float: "a number",
        dict: "an object",
        list: "a list",
    }
)


def decode(kind: type[T], value: object, notation: Notation = JSON) -> T:
    """Builds a dataclass, or a value of any type that a field may have, from parsed JSON or TOML.

    Raises DecodeError.
    """
    reader: Callable[[Any], T] = _reader(typing.cast(Any, kind), notation)
    return reader(value)


def described(hint: Any, notation: Notation) -> str:
    """A type in the words of a notation: `a whole number or unset`."""
    words = notation.words
    names = []
    for option in typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,):
        if typing.get_origin(option) is tuple:
            names.append(words[tuple].format(described(typing.get_args(option)[0], notation)))
        elif dataclasses.is_dataclass(option):
            names.append(words[dict])
        elif option in words:
            names.append(words[option])
    return " or ".join(names)


def dump(value: Any) -> Any:
    """A dataclass as plain dicts and lists, keys in the order of the fields."""
    return [dump(item) for item in value] if isinstance(value, tuple) else _writer(value.__class__)(value)


_PLAIN = frozenset({str, bool, int, float})


@cache
def _writer(hint: Any) -> Callable[[Any], Any]:
    """The function that dumps values of a type, made once: an index has millions of them."""
    hint = _bare(without_none(hint))
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint in _PLAIN:
        return _same
    if origin is tuple:
        write = _writer(arguments[0])
        return list if write is _same else lambda value: [write(item) for item in value]
    if origin is dict:
        write_item = _writer(arguments[1])
        return dict if write_item is _same else lambda value: {key: write_item(item) for key, item in value.items()}
    fields = [
        (entry.name, entry.key, entry.default, entry.rest is not None, _writer(entry.hint)) for entry in entries(hint)
    ]

    def write_fields(value: Any) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name, key, default, rest, write in fields:
            item = getattr(value, name)
            if rest:
                result.update(write(item))
            elif default is dataclasses.MISSING or (item is not default and item != default):
                result[key] = item if write is _same else write(item)
        return result

    return write_fields


def _same(value: Any) -> Any:
    return value


def _bare(hint: Any) -> Any:
    """The type inside `Annotated`."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint


@dataclass(frozen=True, slots=True)
class FieldEntry:
    """One field of a dataclass with its place in the format."""

    name: str
    """Name of the field in Python."""
    key: str
    """Name of the field in the file."""
    hint: Any
    """Type of the field."""
    default: Any
    """Value of a missing key; MISSING where the key is required."""
    rest: frozenset[str] | None
    """Keys that the field for all other keys leaves alone; None for every other field."""


@cache
def entries(kind: type) -> tuple[FieldEntry, ...]:
    """The fields of a dataclass, in their order."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return tuple(
        FieldEntry(
            name=item.name,
            key=item.metadata.get("key", item.name),
            hint=hints[item.name],
            default=item.default if item.default_factory is dataclasses.MISSING else item.default_factory(),
            rest=item.metadata.get("rest"),
        )
        for item in dataclasses.fields(kind)
    )


def without_none(hint: Any) -> Any:
    """The type `T` of `T | None`. Files leave out the key of a field that is None, so null never occurs."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        (hint,) = (item for item in typing.get_args(hint) if item is not types.NoneType)
    return hint


def _wrong_type(value: object, kind: type) -> WrongTypeError:
    found = "null" if value is None else JSON.words.get(type(value), type(value).__name__)
    return WrongTypeError(f"expected {JSON.words.get(kind, kind.__name__)}, found {found}")


@cache
def _reader(hint: Any, notation: Notation) -> Callable[[Any], Any]:
    """The function that reads values of a type, made once for each notation."""
    wanted = without_none(hint)
    if wanted is not hint and notation.unset:
        return _unset_reader(_reader(wanted, notation), notation.unset)
    hint = wanted
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint in notation.readers:
        return notation.readers[hint]
    if origin is typing.Annotated:
        return _ruled_reader(_reader(arguments[0], notation), arguments[1])
    if origin is tuple:
        return _tuple_reader(_reader(arguments[0], notation), notation)
    if origin is dict:
        return _dict_reader(_reader(arguments[1], notation))
    if dataclasses.is_dataclass(hint):
        return _object_reader(typing.cast(type, hint), notation)
    return _read_float if hint is float else _plain_reader(hint)


def _unset_reader(base: Callable[[Any], Any], unset: tuple[object, ...]) -> Callable[[Any], Any]:
    return lambda value: None if value in unset else base(value)


def _ruled_reader(base: Callable[[Any], Any], rule: Pattern | Bounds) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        result = base(value)
        rule.check(result)
        return result

    return read


def _plain_reader(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        # bool is an int to Python.
        if type(value) is kind or (isinstance(value, kind) and not isinstance(value, bool)):
            return value
        raise _wrong_type(value, kind)

    return read


def _read_float(value: Any) -> float:
    if type(value) is float:
        return value
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise _wrong_type(value, float)
    try:
        return float(value)  # a whole number is a number to JSON
    except OverflowError:  # of hundreds of digits: out of any range
        return math.inf if value > 0 else -math.inf


def _tuple_reader(item: Callable[[Any], Any], notation: Notation) -> Callable[[Any], Any]:
    lists: Any = notation.lists

    def read(value: Any) -> tuple[Any, ...]:
        if notation.text_is_list and isinstance(value, str):
            value = [value]
        if not isinstance(value, lists):
            raise _wrong_type(value, list)
        result = []
        for number, element in enumerate(value):
            try:
                result.append(item(element))
            except DecodeError as error:
                raise error.within(f"[{number}]") from None
        return tuple(result)

    return read


def _dict_reader(item: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _wrong_type(value, dict)
        result = {}
        for key, element in value.items():
            try:
                result[key] = item(element)
            except DecodeError as error:
                raise error.within(f".{key}") from None
        return result

    return read


def _object_reader(kind: type, notation: Notation) -> Callable[[Any], Any]:
    own = entries(kind)
    named = {entry.key: (entry, _reader(entry.hint, notation)) for entry in own if entry.rest is None}
    required = [entry for entry in own if entry.rest is None and entry.default is dataclasses.MISSING]
    others = [(entry.name, entry.rest, _reader(entry.hint, notation)) for entry in own if entry.rest is not None]
    spelling, closed = notation.spelling, notation.closed

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _wrong_type(value, dict)
        fields: dict[str, Any] = {}
        for key, item in value.items():
            found = named.get(key if spelling is None else spelling(key))
            if found is None:
                if closed:
                    raise UnknownKeyError(key)
                continue
            entry, reader = found
            if entry.name in fields:
                raise RepeatedKeyError(next(k for k in value if spelling and spelling(k) == entry.key), key)
            try:
                fields[entry.name] = reader(item)
            except DecodeError as error:
                if isinstance(error, WrongTypeError) and error.field is None:
                    error.field = (entry.hint, item)
                raise error.within(f".{entry.key}") from None
        for entry in required:
            if entry.name not in fields:
                raise DecodeError(f"`{entry.key}` is missing")
        for name, rest, reader in others:
            fields[name] = reader({key: value[key] for key in value if key not in named and key not in rest})
        return kind(**fields)

    return read
