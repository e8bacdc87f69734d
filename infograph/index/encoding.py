"""The bytes of an index file: strict JSON, one line for each thing that can change.

Neither compact nor fully indented. In-place builds are committed to git, where a one-line file has no readable
diff; full indentation costs half as much again before compression. Here a chunk, a link or a short object is one
line, for about 3% over compact JSON.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson

from infograph.errors import FormatError

_BUILD_ID_LINE = re.compile(rb'^  "build_id": "[0-9a-f]{16}",\n', re.MULTILINE)


def encode(body: dict[str, Any], place: str) -> bytes:
    """An index file's bytes; `body` has a `build_id` of 16 digits already, which is replaced by the right one.

    Raises FormatError, naming `place`, for what JSON cannot hold: NaN, infinities, lone surrogates.
    """
    with _named(place):
        data = b"".join(_layout(body, b"\n")) + b"\n"
    return _BUILD_ID_LINE.sub(b'  "build_id": "%s",\n' % build_id(data).encode(), data, count=1)


def build_id(data: bytes) -> str:
    """SHA-256 of an index file without the line of its `build_id`, first 16 hex digits.

    The same as `grep -v '^  "build_id"' index.json | sha256sum`.
    """
    return hashlib.sha256(_BUILD_ID_LINE.sub(b"", data, count=1)).hexdigest()[:16]


def encoded_size(value: Any, place: str) -> int:
    """Roughly how many bytes a value takes inside a file: without its own key, at the deepest indentation."""
    with _named(place):
        return sum(map(len, _layout(value, b"\n" + b" " * 8)))


@contextmanager
def _named(place: str) -> Iterator[None]:
    try:
        yield
    except (orjson.JSONEncodeError, ValueError) as error:
        raise FormatError(place, f"a value cannot be written as JSON: {error}") from None


def _layout(value: Any, newline: bytes) -> list[bytes]:
    """Pieces of the encoding. Objects that hold containers and lists of objects are broken, the rest is one line."""
    if isinstance(value, dict) and any(isinstance(item, dict | list) for item in value.values()):
        inner = newline + b"  "
        pieces = [b"{"]
        for key, item in value.items():
            pieces += [inner, orjson.dumps(key), b": ", *_layout(item, inner), b","]
        pieces[-1] = newline + b"}"
        return pieces
    if isinstance(value, list) and value and isinstance(value[0], dict):
        inner = newline + b"  "
        return [b"[", inner, (b"," + inner).join(map(_line, value)), newline + b"]"]
    return [_line(value)]


def _line(value: Any) -> bytes:
    _refuse_not_finite(value)
    return orjson.dumps(value)


def _refuse_not_finite(value: Any) -> None:
    """orjson writes NaN and the infinities as null; here they are errors."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no JSON number")
    elif isinstance(value, dict):
        for item in value.values():
            _refuse_not_finite(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_not_finite(item)
