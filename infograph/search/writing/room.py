"""Where the bytes of a bundle wait while it is made: in memory, or wherever its maker has room for them."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Protocol


class ByteList(Protocol):
    """Bytes by number, as a list has them."""

    def append(self, data: bytes, /) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, number: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Room:
    """Makes what holds bytes."""

    parts: Callable[[], ByteList] = list
    files: Callable[[], MutableMapping[str, bytes]] = dict


IN_MEMORY = Room()
