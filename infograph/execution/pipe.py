"""Values through a pipe: pickled, each behind its length."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

LENGTH = struct.Struct("<Q")


def send(stream: IO[bytes], message: Any) -> None:
    """Writes one message."""
    stream.write(_packed(message))
    stream.flush()


def _packed(message: Any) -> bytes:
    """A message with its length before it. The pipe joins our own processes only, hence pickle."""
    data = pickle.dumps(message, protocol=5)
    return LENGTH.pack(len(data)) + data


def receive(stream: IO[bytes]) -> Any:
    """Reads one message; EOFError at the end of the stream."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    data = stream.read(LENGTH.unpack(head)[0])
    if len(data) < LENGTH.unpack(head)[0]:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - see _packed
