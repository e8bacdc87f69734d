"""The bytes of an index file: strict JSON, one line for each thing that can change.

Neither compact nor fully indented. In-place builds are committed to git, where a one-line file has no readable
diff; full indentation doubles the size before compression. Here a chunk, a link or a short object is one line, for
5% over compact JSON.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import orjson

from infograph.errors import FormatError

_BUILD_ID_LINE = re.compile(rb'^  "build_id": "[0-9a-f]{16}",\n', re.MULTILINE)


def encode(body: dict[str, Any], place: str) -> bytes:
    """Bytes of an index file. `body` has a `build_id` of 16 digits already, which is replaced by the right one.

    Raises FormatError, naming `place`, for values that JSON cannot hold, as lone surrogates. NaN is not noticed here:
    orjson writes it as null, so the code that makes the numbers refuses it.
    """
    with refusing(place):
        data = b"".join([*_layout(body, b"\n"), b"\n"])
    return _BUILD_ID_LINE.sub(b'  "build_id": "%s",\n' % build_id(data).encode(), data, count=1)


def build_id(data: bytes) -> str:
    """SHA-256 of an index file without the line of its `build_id`, first 16 hex digits.

    The same as `grep -v '^  "build_id"' index.json | sha256sum`.
    """
    line = _BUILD_ID_LINE.search(data)
    begin, end = line.span() if line else (0, 0)
    digest = hashlib.sha256(memoryview(data)[:begin])
    digest.update(memoryview(data)[end:])
    return digest.hexdigest()[:16]


def encode_line(value: dict[str, Any]) -> bytes:
    """Bytes of an object in a list, which is one line. Raises errors that `refusing` turns into a FormatError."""
    return bytes(memoryview(orjson.dumps(value)))  # a copy: what orjson gives occupies a kilobyte


@dataclass(frozen=True, slots=True)
class Encoded:
    """A part of an index that is already encoded, with the indentation of its place."""

    data: bytes

    @property
    def size(self) -> int:
        """Size that `encoded_size` returns for the value of the part."""
        return len(self.data) + self.data.count(b"\n") * (_DEEPEST - _PART)


_DEEPEST = 8
"""Most spaces before a line."""
_PART = 6
"""Number of spaces before a document in `_embedded.chunks`."""


def encode_document(value: dict[str, Any], place: str) -> Encoded:
    """Encodes the value of a document in `_embedded.chunks`. Raises FormatError."""
    with refusing(place):
        return Encoded(b"".join(_layout(value, b"\n" + b" " * _PART)))


def encoded_size(value: Any, place: str, depth: int = _DEEPEST) -> int:
    """Size of a value inside a file in bytes, without its own key.

    depth: spaces before its lines; those of a value in the file are not known yet, so the most that there are
    """
    with refusing(place):
        return sum(map(len, _layout(value, b"\n" + b" " * depth)))


@contextmanager
def refusing(place: str) -> Iterator[None]:
    """Turns the error for a value that cannot be written as JSON, or percent-encoded, into a FormatError that names the
    file."""
    try:
        yield
    except (orjson.JSONEncodeError, ValueError) as error:
        raise FormatError(place, f"a value cannot be published: {error}") from None


def _layout(value: Any, newline: bytes) -> list[bytes]:
    """Pieces of the encoding of a value. Objects that hold containers, and lists of objects, are broken into lines; the
    rest is one line. Objects of a list may be encoded already."""
    if isinstance(value, Encoded):
        return [value.data]
    if isinstance(value, dict) and any(isinstance(item, dict | list | Encoded) for item in value.values()):
        inner = newline + b"  "
        pieces = [b"{"]
        for key, item in value.items():
            pieces += [inner, orjson.dumps(key), b": ", *_layout(item, inner), b","]
        pieces[-1] = newline + b"}"
        return pieces
    if isinstance(value, list) and value and isinstance(value[0], dict | bytes):
        inner = newline + b"  "
        lines = value if isinstance(value[0], bytes) else map(encode_line, value)
        return [b"[", inner, (b"," + inner).join(lines), newline + b"]"]
    return [orjson.dumps(value)]
