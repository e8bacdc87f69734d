"""A mapping that holds what fits into a number of bytes, and has the rest in a file without a name.

A build holds the records and search pages of all its documents until it writes the files that join them. The file
lies in the folder of what the build stages and is gone with the process, whatever ends it: it was never in a folder's
list (or, on Windows, goes as it is closed).
"""

from __future__ import annotations

import pickle
import tempfile
import threading
import weakref
from array import array
from collections.abc import Callable, Iterator, MutableMapping
from typing import IO, Generic, NamedTuple, TypeVar

from infograph.errors import OutputError
from infograph.files.disk import cannot_write

MOST = 40_000_000
"""Bytes that are held in memory. Trees of some 15 MB, which are most, write nothing; above, a value that is written and
read again costs a tenth of a millisecond, a hundredth of what its document has cost."""

_AT_ONCE = 1 << 18
"""Bytes that a tape writes at once."""

_Value = TypeVar("_Value")


class Allowance:
    """Bytes that some mappings and lists may hold in memory together. Several threads may use it."""

    def __init__(self) -> None:
        self._left = MOST
        self._lock = threading.Lock()

    def take(self, size: int) -> bool:
        """Takes some bytes, if there are so many."""
        with self._lock:
            if size > self._left:
                return False
            self._left -= size
            return True

    def give_back(self, size: int) -> None:
        """Gives back what was taken."""
        with self._lock:
            self._left += size


class _Place(NamedTuple):
    """Where a value lies in the file."""

    start: int
    length: int


class _File:
    """The file without a name, made when the first bytes are written. Several threads may use it."""

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()
        self.end = 0
        """Number of bytes that were written."""

    def write(self, data: bytes | memoryview) -> _Place:
        """Appends bytes. Raises OutputError."""
        with self._lock:
            try:
                if self._file is None:
                    self._file = tempfile.TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115 - lives as this
                    weakref.finalize(self, self._file.close)
                self._file.seek(self.end)
                view = memoryview(data)
                while view:
                    view = view[self._file.write(view) :]
            except OSError as error:
                raise cannot_write(self._folder or tempfile.gettempdir(), error) from error
            place = _Place(self.end, len(data))
            self.end += len(data)
        return place

    def read(self, place: _Place) -> bytes:
        """Returns what lies at a place. Raises OutputError."""
        assert self._file is not None
        with self._lock:
            try:
                self._file.seek(place.start)
                data = self._file.read(place.length)
                while len(data) < place.length and (part := self._file.read(place.length - len(data))):
                    data += part
            except OSError as error:
                raise OutputError(self._folder or tempfile.gettempdir(), f"cannot be read: {error.strerror}") from error
        return data


class Spilled(MutableMapping[str, _Value], Generic[_Value]):
    """Values by name, in the order in which the names came. A value that was taken out and changed is to be put back.
    Several threads may use it.

    size:   about how many bytes a value takes in memory
    folder: where the file is made, once it is needed; None for that of the system's temporary files
    allowance: what is held of all that has it; None for one of its own
    """

    def __init__(
        self, size: Callable[[_Value], int], folder: str | None = None, allowance: Allowance | None = None
    ) -> None:
        self._size = size
        self._allowance = allowance or Allowance()
        self._values: dict[str, _Value | _Place] = {}
        self._file = _File(folder)
        self._lock = threading.Lock()

    def __setitem__(self, name: str, value: _Value) -> None:
        """Keeps a value. Raises OutputError where the file cannot be written."""
        with self._lock:
            before = self._values.get(name)
            if before is not None and not isinstance(before, _Place):
                self._allowance.give_back(self._size(before))
            if self._allowance.take(self._size(value)):
                self._values[name] = value
            else:
                self._values[name] = self._file.write(pickle.dumps(value, protocol=5))

    def __getitem__(self, name: str) -> _Value:
        """Returns a value. Raises KeyError, and OutputError where the file cannot be read."""
        found = self._values[name]
        if not isinstance(found, _Place):
            return found
        value: _Value = pickle.loads(self._file.read(found))  # noqa: S301 - nobody else can open the file
        return value

    def __delitem__(self, name: str) -> None:
        with self._lock:
            value = self._values.pop(name)
            if not isinstance(value, _Place):
                self._allowance.give_back(self._size(value))

    def clear(self) -> None:
        """Frees all values, none of which need be read for that."""
        with self._lock:
            held = (value for value in self._values.values() if not isinstance(value, _Place))
            self._allowance.give_back(sum(map(self._size, held)))
            self._values.clear()

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def written(self) -> int:
        """Number of bytes that were written to the file."""
        return self._file.end


class Tape:
    """Bytes one after the other, which are only appended to, and of which any stretch can be read: the first ones are
    held, the others are in the file. Several threads may read it.

    folder, allowance: see `Spilled`
    """

    def __init__(self, folder: str | None = None, allowance: Allowance | None = None) -> None:
        self._file = _File(folder)
        self._allowance = allowance or Allowance()
        self._held = bytearray()
        self._taken = array("Q")
        """Bytes of what is held."""
        weakref.finalize(self, _given_back, self._allowance, self._taken)
        self._waiting = bytearray()
        """What the file is about to hold."""
        self._lock = threading.Lock()

    def append(self, data: bytes | memoryview) -> None:
        """Adds bytes. Raises OutputError."""
        with self._lock:
            if not self._file.end and not self._waiting and self._allowance.take(len(data)):
                self._held += data
                self._taken.append(len(data))
            elif len(data) < _AT_ONCE:
                self._waiting += data
                if len(self._waiting) >= _AT_ONCE:
                    self._write()
            else:
                self._write()
                self._file.write(data)

    def _write(self) -> None:
        if self._waiting:
            self._file.write(bytes(self._waiting))
            self._waiting.clear()

    def __len__(self) -> int:
        with self._lock:
            return len(self._held) + self._file.end + len(self._waiting)

    def read(self, begin: int, end: int) -> bytes:
        """Returns the bytes from one place up to another, both within the tape. Raises OutputError where the file
        cannot be written or read."""
        held = len(self._held)
        if end <= held:
            return bytes(self._held[begin:end])
        with self._lock:
            self._write()
        start = max(0, begin - held)
        return bytes(self._held[begin:]) + self._file.read(_Place(start, end - held - start))


class Parts:
    """Bytes by number, a list that is only appended to: the first ones are held, the others are in the file.

    folder, allowance: see `Spilled`
    """

    def __init__(self, folder: str | None = None, allowance: Allowance | None = None) -> None:
        self._file = _File(folder)
        self._allowance = allowance or Allowance()
        self._held: list[bytes] = []
        self._taken = array("Q")
        """Bytes of what is held."""
        weakref.finalize(self, _given_back, self._allowance, self._taken)
        self._ends = array("Q", [0])
        """Where the first part in the file begins, and each ends."""

    def append(self, data: bytes) -> None:
        """Adds a part. Raises OutputError."""
        if not self._file.end and self._allowance.take(len(data)):
            self._held.append(data)
            self._taken.append(len(data))
        else:
            self._ends.append(sum(self._file.write(data)))

    def __len__(self) -> int:
        return len(self._held) + len(self._ends) - 1

    def __getitem__(self, number: int) -> bytes:
        """Returns a part. Raises IndexError where there are fewer, and OutputError where the file cannot be read."""
        if number < len(self._held):
            return self._held[number]
        start, end = self._ends[number - len(self._held)], self._ends[number - len(self._held) + 1]
        return self._file.read(_Place(start, end - start))


def _given_back(allowance: Allowance, taken: array[int]) -> None:
    allowance.give_back(sum(taken))
