"""Where the bytes of a bundle wait while it is made: in memory, or wherever its maker has room for them."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ByteList(Protocol):
    """Bytes by number, as a list has them."""

    def append(self, data: bytes, /) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, number: int, /) -> bytes: ...


class ByteTape(Protocol):
    """Bytes one after the other, of which any stretch can be read."""

    def append(self, data: bytes | memoryview, /) -> None: ...
    def __len__(self) -> int: ...
    def read(self, begin: int, end: int, /) -> bytes: ...


class HeldTape:
    """A tape in memory."""

    def __init__(self) -> None:
        self._held = bytearray()

    def append(self, data: bytes | memoryview) -> None:
        self._held += data

    def __len__(self) -> int:
        return len(self._held)

    def read(self, begin: int, end: int) -> bytes:
        return bytes(self._held[begin:end])


class Series:
    """Numbers of one type on a tape, or rows of so many: an array that is appended to, and then read by slices, each of
    which is a copy.

    kind:  type of the numbers in the array interface of numpy
    width: numbers of a row; 0 where there are no rows
    """

    def __init__(self, tape: ByteTape, kind: str, width: int = 0) -> None:
        import numpy as np

        self._tape = tape
        self._type = np.dtype(kind)
        self._row = (width,) if width else ()
        self._bytes = self._type.itemsize * (width or 1)
        """Bytes of a number, or of a row."""

    def append(self, values: NDArray[Any]) -> None:
        """Adds numbers, or rows."""
        import numpy as np

        self._tape.append(np.ascontiguousarray(values, self._type).ravel().view(np.uint8).data)

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self), *self._row)

    def __len__(self) -> int:
        return len(self._tape) // self._bytes

    def __getitem__(self, part: slice) -> NDArray[Any]:
        import numpy as np

        begin, end, _ = part.indices(len(self))
        data = self._tape.read(begin * self._bytes, max(begin, end) * self._bytes)
        return np.frombuffer(data, self._type).reshape(-1, *self._row)


@dataclass(frozen=True, slots=True)
class Room:
    """Makes what holds bytes."""

    parts: Callable[[], ByteList] = list
    files: Callable[[], MutableMapping[str, bytes]] = dict
    tape: Callable[[], ByteTape] = HeldTape

    def series(self, kind: str, width: int = 0) -> Series:
        """Returns a series without numbers."""
        return Series(self.tape(), kind, width)


IN_MEMORY = Room()
"""Holds all of it in memory."""
