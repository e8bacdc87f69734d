"""Dataclasses as a file format: decode with the path of what is wrong, dump, and JSON Schema.

    plain dicts ─decode▶ dataclass ─dump▶ plain dicts       json_schema(dataclass) ─▶ JSON Schema 2020-12

Fields may be str, bool, int, float, other dataclasses, tuples and string-keyed dicts of these, or any of them
`| None`. A field with a default may be absent, and is left out again when it has its default; null is never
written. Metadata: `key` is the JSON name where it is no Python name; `rest` is the set of keys that a dict
field, which takes every key no other field names, leaves alone. Keys nobody names are skipped on reading, so
that a newer file stays readable.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import re
import sys
import types
import typing
from collections.abc import Callable
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
        return "".join(reversed(self._steps))

    def within(self, step: str) -> DecodeError:
        """The same error, seen from one level further out."""
        self._steps.append(step)
        return self


@dataclass(frozen=True, slots=True)
class Pattern:
    """Rule for `Annotated[str, …]`: the whole string matches. Keep to what Python and ECMA 262 share."""

    regex: str

    def schema(self) -> dict[str, Any]:
        return {"pattern": f"^(?:{self.regex})$"}

    def check(self, value: Any) -> None:
        if not re.fullmatch(self.regex, value):
            raise DecodeError(f"{value[:80]!r} does not match {self.regex}")


@dataclass(frozen=True, slots=True)
class Bounds:
    """Rule for `Annotated[int | float, …]`: both ends included."""

    minimum: int
    maximum: int | None = None

    def schema(self) -> dict[str, Any]:
        return {"minimum": self.minimum} if self.maximum is None else dataclasses.asdict(self)

    def check(self, value: Any) -> None:
        if value < self.minimum or (self.maximum is not None and value > self.maximum):
            raise DecodeError(f"{value} is out of range")


def decode(kind: type[T], value: object) -> T:
    """Build a dataclass from parsed JSON, or raise DecodeError."""
    reader: Callable[[Any], T] = _reader(typing.cast(Any, kind))
    return reader(value)


def dump(value: Any) -> Any:
    """Plain dicts and lists, keys in the order of the fields."""
    return [dump(item) for item in value] if isinstance(value, tuple) else _writer(value.__class__)(value)


@cache
def _writer(hint: Any) -> Callable[[Any], Any]:
    """How values of a type are dumped, decided once: an index has millions of them."""
    hint = _bare(_without_none(hint))
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint in _WORDS:
        return _same
    if origin is tuple:
        write = _writer(arguments[0])
        return list if write is _same else lambda value: [write(item) for item in value]
    if origin is dict:
        write_item = _writer(arguments[1])
        return dict if write_item is _same else lambda value: {key: write_item(item) for key, item in value.items()}
    fields = [
        (entry.name, entry.key, entry.default, entry.rest is not None, _writer(entry.hint)) for entry in _entries(hint)
    ]

    def write_fields(value: Any) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name, key, default, rest, write in fields:
            item = getattr(value, name)
            if rest:
                result.update(write(item))
            elif default is dataclasses.MISSING or item != default:
                result[key] = item if write is _same else write(item)
        return result

    return write_fields


def _same(value: Any) -> Any:
    return value


def _bare(hint: Any) -> Any:
    """The type inside `Annotated`."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint


def json_schema(kind: type) -> dict[str, Any]:
    """A schema whose `$defs` are the dataclasses, described by their docstrings and those under their fields."""
    definitions: dict[str, Any] = {}
    reference = _schema(kind, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **reference,
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


@dataclass(frozen=True, slots=True)
class _Entry:
    """One field of a dataclass, as the format sees it."""

    name: str
    key: str
    hint: Any
    default: Any
    """MISSING where the key is required."""
    rest: frozenset[str] | None


@cache
def _entries(kind: type) -> tuple[_Entry, ...]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return tuple(
        _Entry(
            name=item.name,
            key=item.metadata.get("key", item.name),
            hint=hints[item.name],
            default=item.default if item.default_factory is dataclasses.MISSING else item.default_factory(),
            rest=item.metadata.get("rest"),
        )
        for item in dataclasses.fields(kind)
    )


def _without_none(hint: Any) -> Any:
    """`T` of `T | None`: absence is said by leaving the key out, so null never occurs."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        (hint,) = (item for item in typing.get_args(hint) if item is not types.NoneType)
    return hint


_WORDS = {
    str: "a string",
    bool: "true or false",
    int: "an integer",
    float: "a number",
    dict: "an object",
    list: "a list",
}


def _expect(value: object, kind: type) -> Any:
    # bool is an int to Python, and a whole number is a number to JSON.
    if type(value) is kind or (kind is float and type(value) is int):
        return value
    found = "null" if value is None else _WORDS.get(type(value), type(value).__name__)
    raise DecodeError(f"expected {_WORDS[kind]}, found {found}")


@cache
def _reader(hint: Any) -> Callable[[Any], Any]:
    """The function that reads values of this type."""
    hint = _without_none(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        base, rule = _reader(arguments[0]), arguments[1]

        def ruled(value: Any) -> Any:
            result = base(value)
            rule.check(result)
            return result

        return ruled
    if origin is tuple:
        return _tuple_reader(_reader(arguments[0]))
    if origin is dict:
        return _dict_reader(_reader(arguments[1]))
    if dataclasses.is_dataclass(hint):
        return _object_reader(typing.cast(type, hint))
    return _read_float if hint is float else lambda value: _expect(value, hint)


def _read_float(value: Any) -> float:
    return float(_expect(value, float))


def _tuple_reader(item: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read(value: Any) -> tuple[Any, ...]:
        result = []
        for number, element in enumerate(_expect(value, list)):
            try:
                result.append(item(element))
            except DecodeError as error:
                raise error.within(f"[{number}]") from None
        return tuple(result)

    return read


def _dict_reader(item: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read(value: Any) -> dict[str, Any]:
        result = {}
        for key, element in _expect(value, dict).items():
            try:
                result[key] = item(element)
            except DecodeError as error:
                raise error.within(f".{key}") from None
        return result

    return read


def _object_reader(kind: type) -> Callable[[Any], Any]:
    entries = _entries(kind)
    readers = [(entry, _reader(entry.hint)) for entry in entries]
    named = {entry.key for entry in entries if entry.rest is None}

    def read(value: Any) -> Any:
        _expect(value, dict)
        fields = {}
        for entry, reader in readers:
            if entry.rest is not None:
                left = value.keys() - named - entry.rest
                fields[entry.name] = reader({key: value[key] for key in value if key in left})
            elif entry.key in value:
                try:
                    fields[entry.name] = reader(value[entry.key])
                except DecodeError as error:
                    raise error.within(f".{entry.key}") from None
            elif entry.default is dataclasses.MISSING:
                raise DecodeError(f"`{entry.key}` is missing")
        return kind(**fields)

    return read


_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number"}


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    hint = _without_none(hint)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        rule: Pattern | Bounds = arguments[1]
        return _schema(arguments[0], definitions) | rule.schema()
    if origin is tuple:
        return {"type": "array", "items": _schema(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], definitions)}
    if dataclasses.is_dataclass(hint):
        name = typing.cast(type, hint).__name__
        if name not in definitions:
            definitions[name] = {}  # known before its fields are looked at: a type may contain itself
            definitions[name].update(_object_schema(typing.cast(type, hint), definitions))
        return {"$ref": f"#/$defs/{name}"}
    return {"type": _TYPES[hint]}


def _object_schema(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    docs = _field_docs(kind)
    properties: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    required = []
    for entry in _entries(kind):
        if entry.rest is not None:
            rest = dict.fromkeys(sorted(entry.rest), True)
            additional = _schema(entry.hint, definitions)["additionalProperties"]
            continue
        # An own relation `prefix:name` is documented at `#name`: what the CURIE of the format points to.
        anchor = {"$anchor": entry.key.partition(":")[2]} if ":" in entry.key else {}
        properties[entry.key] = {**anchor, **_schema(entry.hint, definitions), "description": docs[entry.name]}
        if entry.default is dataclasses.MISSING:
            required.append(entry.key)
    result: dict[str, Any] = {"description": inspect.getdoc(kind), "type": "object", "properties": rest | properties}
    if rest:
        result["additionalProperties"] = additional
    if required:
        result["required"] = required
    return result


def _field_docs(kind: type) -> dict[str, str]:
    """The string under each field of a dataclass, one line each. Python keeps them in the source only."""
    body = next(
        node.body
        for node in ast.parse(inspect.getsource(sys.modules[kind.__module__])).body
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    docs = {}
    for statement, after in itertools.pairwise(body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            assert isinstance(after, ast.Expr), f"{kind.__name__}.{statement.target.id} has no docstring"
            docs[statement.target.id] = " ".join(str(ast.literal_eval(after.value)).split())
    return docs
