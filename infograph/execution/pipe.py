"""Values through a pipe: pickled, each behind its length."""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import IO, Any


@dataclass(frozen=True, slots=True)
class SignOfLife:
    """What a process says in the middle of a task: no answer, but a sign that it goes on."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """What a process is told that is kept: nothing more comes for what it was set up for, it may be set up anew."""


_LENGTH = struct.Struct("<Q")
"""Format of a message's length in bytes, which precedes the message."""


def send(stream: IO[bytes], message: Any) -> None:
    """Writes one message and flushes the stream."""
    stream.write(packed(message))
    stream.flush()


def packed(message: Any) -> bytes:
    """Returns a message with its length before it. The pipe joins our own processes only, hence pickle."""
    data = pickle.dumps(message, protocol=5)
    return _LENGTH.pack(len(data)) + data


def receive(stream: IO[bytes]) -> Any:
    """Reads one message. Raises EOFError at the end of the stream."""
    return unpacked(receive_packed(stream))


def receive_packed(stream: IO[bytes]) -> bytes:
    """Reads one message and leaves it as it is, for one who only passes it on. Raises EOFError at the end of the
    stream."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    data = stream.read(_LENGTH.unpack(head)[0])
    if len(data) < _LENGTH.unpack(head)[0]:
        raise EOFError
    return data


def unpacked(data: bytes) -> Any:
    """Returns what a message says that was read without its length."""
    return pickle.loads(data)  # noqa: S301 - see packed
