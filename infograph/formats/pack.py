"""Packs, `_chunks/{stem}-{first}.pack.txt`: neighbouring chunks of a document in one file, for hosts that count files.

    infograph pack 1                 the number of the form
    chunks 32: 1432 2210 987         number of the first chunk, and the bytes of each
    ---                              then the chunk files one after the other, byte for byte as they stand by themselves
    title: …

The table has sizes and no places, since each chunk begins where the one before it ends: so no two can overlap, none can
lie outside of the file, and their sum tells a file that was cut off. The text is plain, so that hosts compress it and
people can read it; it does not begin with a front matter, so that no generator takes it for a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from infograph.errors import FormatError
from infograph.formats.names import PACKED, pack_name

FORMAT = 1
"""Number of the form, raised when an earlier release could not read it."""
MOST_CHUNKS = 4096
"""Most chunks that a reader takes from one file. A build writes `PACKED` of them at most."""
LARGEST = 16_000_000
"""Most bytes of a pack."""
LARGEST_TABLE = 1 << 16
"""Most bytes before the first chunk."""

_NAME = b"infograph pack "
_MARK = b"%b%d\n" % (_NAME, FORMAT)
_FORM = re.compile(rb"infograph pack ([1-9][0-9]{0,8})\n")
_TABLE = re.compile(rb"chunks (0|[1-9][0-9]{0,9}):((?: [1-9][0-9]{0,9})+)\n")
BUILD_AGAIN = "Build again to have it written anew"
"""Way out where a pack is damaged."""


@dataclass(frozen=True, slots=True)
class Pack:
    """The chunk files that one file holds."""

    first: int
    """Number of the first of them in its document."""
    files: tuple[bytes, ...]
    """Content of each chunk file, in the order of the document."""

    def file(self, place: str, number: int) -> bytes:
        """Returns the content of a chunk's file, by the number of the chunk in its document. Raises FormatError where
        it is not among those that are here.

        place: of the pack, in errors
        """
        at = number - self.first
        if not 0 <= at < len(self.files):
            last = self.first + len(self.files) - 1
            raise FormatError(place, f"has the chunks {self.first} to {last} and not {number}", BUILD_AGAIN)
        return self.files[at]


def render(first: int, files: Sequence[bytes]) -> bytes:
    """Bytes of a pack. Raises ValueError where there is no chunk file, or an empty one.

    first: number of the first chunk in its document
    files: contents of the chunk files from there on
    """
    if not files or not all(files) or first < 0:
        raise ValueError("a pack holds chunk files, and none of them is empty")
    table = b"chunks %d: %b\n" % (first, b" ".join(b"%d" % len(data) for data in files))
    return b"".join([_MARK, table, *files])


def parse(place: str, data: bytes) -> Pack:
    """Reads what `render` wrote. Raises FormatError for anything else, also where some of it is missing.

    place: of the file, in errors
    """
    form = _FORM.match(data)
    if form is None:
        raise FormatError(place, _cut_off_or("no file of chunks", data, len(_MARK), _MARK), BUILD_AGAIN)
    if int(form[1]) != FORMAT:
        raise FormatError(place, f"is a file of chunks in an unknown form, {int(form[1])}", "Update infograph")
    table = _TABLE.match(data, form.end(), LARGEST_TABLE)
    if table is None:
        raise FormatError(place, _cut_off_or("its table of chunks cannot be read", data, LARGEST_TABLE), BUILD_AGAIN)
    sizes = [int(size) for size in table[2].split()]
    if len(sizes) > MOST_CHUNKS:
        raise FormatError(place, f"has {len(sizes)} chunks, and {MOST_CHUNKS} are the most", BUILD_AGAIN)
    ends = list(accumulate(sizes, initial=table.end()))
    if ends[-1] != len(data):
        told = "is cut off" if len(data) < ends[-1] else "goes on behind its last chunk"
        raise FormatError(place, f"{told}: it has {len(data)} bytes of {ends[-1]}", BUILD_AGAIN)
    return Pack(int(table[1]), tuple([data[start:end] for start, end in pairwise(ends)]))


def _cut_off_or(reason: str, data: bytes, least: int, start: bytes = b"") -> str:
    """Returns why the beginning of a file cannot be read: it is cut off where it ends before it could be whole."""
    if len(data) < least and data.count(b"\n") < 2 and (not start or start.startswith(data)):
        return f"is cut off: it ends at byte {len(data)}, before its first chunk"
    return f"is none of infograph's: {reason}"


def is_pack(data: bytes) -> bool:
    """Whether a file called as a pack is ours, by its beginning."""
    return _FORM.match(data) is not None


def packs(stem: str, first: int, files: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yields the name and the bytes of each pack of a document.

    stem:  what the names of the document's files begin with, see `named_by`
    first: number of the first chunk of `files`, which has to begin a pack

    Raises ValueError where it does not.
    """
    if first % PACKED:
        raise ValueError(f"no pack begins with chunk {first}")
    for at in range(0, len(files), PACKED):
        yield pack_name(stem, first + at), render(first + at, files[at : at + PACKED])
