"""JSON Schema 2020-12 of dataclasses that `codec` reads and writes."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Mapping
from typing import Any

from infograph.formats.codec import Bounds, Pattern, entries, without_none
from infograph.formats.field_docs import field_docs

_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number"}


def json_schema(kind: type, names: Mapping[type, str]) -> dict[str, Any]:
    """A schema whose `$defs` are the dataclasses, described by their docstrings and those under their fields.

    names: what a dataclass is called in the schema, where that is not the name of the class
    """
    definitions: dict[str, Any] = {}
    reference = _Schema(names, definitions).of(kind)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **reference,
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


@dataclasses.dataclass(frozen=True, slots=True)
class _Schema:
    """Makes the schemas of types, and collects those of dataclasses by name."""

    names: Mapping[type, str]
    definitions: dict[str, Any]

    def of(self, hint: Any) -> dict[str, Any]:
        """The schema of a type; of a dataclass, a reference to it."""
        hint = without_none(hint)
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            rule: Pattern | Bounds = arguments[1]
            return self.of(arguments[0]) | rule.schema()
        if origin is tuple:
            return {"type": "array", "items": self.of(arguments[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        if dataclasses.is_dataclass(hint):
            kind = typing.cast(type, hint)
            name = self.names.get(kind, kind.__name__)
            if name not in self.definitions:
                self.definitions[name] = {}  # known before its fields are looked at: a type may contain itself
                self.definitions[name].update(self._object(kind))
            return {"$ref": f"#/$defs/{name}"}
        return {"type": _TYPES[hint]}

    def _object(self, kind: type) -> dict[str, Any]:
        """The schema of a dataclass. A field without a docstring raises KeyError."""
        docs = field_docs(kind)
        properties: dict[str, Any] = {}
        rest: dict[str, Any] = {}
        required = []
        for entry in entries(kind):
            if entry.rest is not None:
                rest = dict.fromkeys(sorted(entry.rest), True)
                additional = self.of(entry.hint)["additionalProperties"]
                continue
            # An own relation `prefix:name` is documented at `#name`: what the CURIE of the format points to.
            anchor = {"$anchor": entry.key.partition(":")[2]} if ":" in entry.key else {}
            properties[entry.key] = {**anchor, **self.of(entry.hint), "description": docs[entry.name]}
            if entry.default is dataclasses.MISSING:
                required.append(entry.key)
        result: dict[str, Any] = {
            "description": inspect.getdoc(kind),
            "type": "object",
            "properties": rest | properties,
        }
        if rest:
            result["additionalProperties"] = additional
        if required:
            result["required"] = required
        return result
