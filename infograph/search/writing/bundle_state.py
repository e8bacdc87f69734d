"""The state of a bundle, from which the next build computes what differs.

Its bytes: a line with the SHA-256 of all that follows; a line of JSON with the key under which it was made and the
length of each part; and the parts, most of them compressed, in the order in which a build knows them. It belongs to one
machine and is never trusted: what is torn, of another key or of another version counts as missing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from infograph.formats.compression import TEXT_LEVEL, compressed, compressed_parts, decompressed
from infograph.formats.packed_arrays import Numbers, packed_array, slices, unpack_array
from infograph.search.format.ragged import starts_of
from infograph.search.writing.dictionary import Wording
from infograph.search.writing.link_table import KeyLists, LinkTable
from infograph.search.writing.postings import Postings
from infograph.search.writing.room import IN_MEMORY, ByteList, ByteTape, Room
from infograph.words.runs import KEY_BYTES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STATE_FORMAT = 13
_AT_ONCE = 1 << 20
"""Bytes that are read together of what waits."""
NO_FORMS = " "
"""Stands for the endings of a term that has no forms. It is no list of endings: of two, one is not empty."""


@dataclass(frozen=True, slots=True)
class SearchState:
    """The contents of a bundle, pages in the order of their slots."""

    key: str
    """Digest of all that the bundle depends on except the pages, see `state_key`."""
    paths: tuple[str, ...]
    slots: NDArray[np.int64]
    sizes: NDArray[np.int64]
    """Number of chunks of each page."""
    lengths: NDArray[np.int64]
    """Number of terms of each page, repeats counted."""
    blocks: ByteList
    """The JSON that is shown of each block, in the order of slot and block."""
    vectors: Numbers
    """Vectors of all chunks, [chunks, dimension], int8."""
    questions: tuple[bytes, ...]
    """`PageIndex.questions` of each page."""
    fields: tuple[bytes, ...]
    """What the chunks of each page can be filtered by, see `page_fields`."""
    postings: Postings
    wording: Wording
    entry_sizes: NDArray[np.int64]
    """Bytes that the entry of each of the postings' terms takes in its shard."""
    links: LinkTable
    shards: Mapping[str, str]
    """Names of files by their contents, see `Shards.names`."""
    landmarks: bytes = b""
    """Landmarks of the map of these chunks, from which the next one starts; empty where none was drawn."""

    @classmethod
    def empty(cls, key: str, dimension: int | None) -> SearchState:
        """Returns the state of no pages.

        dimension: of the chunks' vectors; None: that of the pages to come
        """
        import numpy as np

        none = np.zeros(0, np.int64)
        nothing = np.zeros((0, dimension or 1), np.int8)
        empty = Postings.none()
        wording = Wording(empty, {})
        return cls(key, (), none, none, none, [], nothing, (), (), empty, wording, none, LinkTable.empty(), {})

    def in_memory(self) -> SearchState:
        """Returns the state for after the build, which takes the files along that parts of it wait in."""
        return replace(
            self,
            blocks=[self.blocks[number] for number in range(len(self.blocks))],
            vectors=self.vectors[:],
            postings=self.postings.in_memory(),
            wording=replace(self.wording, pairs=self.wording.pairs.in_memory()),
            links=self.links.in_memory(),
        )

    def dump(self, room: Room = IN_MEMORY) -> Iterator[bytes]:
        """Yields the state as bytes, in parts to be written one after the other.

        room: where they wait for the last one, since the first says how long they are
        """
        packed = PackedState(room)
        packed.add_pages(self, self.links.defined, self.links.used)
        packed.add_terms(self.postings, self.wording)
        yield from packed.finished(self)


class PagesKept(Protocol):
    """What a state keeps of each page, as `SearchState` and `PageTable` have it."""

    @property
    def paths(self) -> tuple[str, ...]: ...
    @property
    def slots(self) -> NDArray[np.int64]: ...
    @property
    def sizes(self) -> NDArray[np.int64]: ...
    @property
    def lengths(self) -> NDArray[np.int64]: ...
    @property
    def blocks(self) -> ByteList: ...
    @property
    def vectors(self) -> Numbers: ...
    @property
    def questions(self) -> tuple[bytes, ...]: ...
    @property
    def fields(self) -> tuple[bytes, ...]: ...


class PackedState:
    """Packs a state while the bundle is made, each part of it as soon as it is known: most of it is compressing, which
    another thread can do meanwhile.

    room: where the parts wait for the last one, since the first bytes of a state say how long they are
    """

    def __init__(self, room: Room = IN_MEMORY) -> None:
        self._tape = room.tape()
        self._sizes: dict[str, int] = {}

    def add_pages(self, pages: PagesKept, defined: KeyLists, used: KeyLists) -> None:
        """Adds what is known once it is known which pages there are."""
        self._add("paths", _joined(pages.paths))
        self._add("slots", packed_array(pages.slots, "<i8"))
        self._add("sizes", packed_array(pages.sizes, "<i8"))
        self._add("lengths", packed_array(pages.lengths, "<i8"))
        self._add_all(_cut("block", pages.blocks))
        self._add("vectors", packed_array(pages.vectors, "<i1"))
        self._add_all(_cut("question", pages.questions))
        self._add_all(_cut("field", pages.fields))
        self._add_all(_keys("defined", defined))
        self._add_all(_keys("used", used))

    def add_terms(self, postings: Postings, wording: Wording) -> None:
        """Adds what is known once it is known which terms these pages have."""
        self._add_all(_postings("", postings))
        self._add_all(_postings("form_", wording.pairs))
        self._add("written", _joined(wording.site.get(term, NO_FORMS) for term in postings.terms))

    def finished(self, state: SearchState) -> Iterator[bytes]:
        """Adds the rest, and yields the state as bytes, in parts to be written one after the other.

        state: whose pages and terms were added
        """
        self._add("entry_sizes", packed_array(state.entry_sizes, "<i8"))
        self._add("link_digests", packed_array(state.links.digests, "<u8"))
        self._add("shards", [compressed(json.dumps(state.shards).encode())])
        self._add("landmarks", [state.landmarks])
        fields = {
            "format": STATE_FORMAT,
            "key": state.key,
            "dimension": state.vectors.shape[1],
            "parts": self._sizes,
        }
        head = json.dumps(fields).encode() + b"\n"
        digest = hashlib.sha256(head)
        for part in _stretches(self._tape):
            digest.update(part)
        yield digest.hexdigest().encode() + b"\n"
        yield head
        yield from _stretches(self._tape)

    def _add_all(self, parts: Iterable[tuple[str, Iterable[bytes]]]) -> None:
        for name, pieces in parts:
            self._add(name, pieces)

    def _add(self, name: str, pieces: Iterable[bytes]) -> None:
        """Adds a part, in pieces that are made when they are asked for."""
        before = len(self._tape)
        for piece in pieces:
            self._tape.append(piece)
        self._sizes[name] = len(self._tape) - before


def _stretches(tape: ByteTape) -> Iterator[bytes]:
    for begin in range(0, len(tape), _AT_ONCE):
        yield tape.read(begin, min(begin + _AT_ONCE, len(tape)))


def digest_of(data: bytes) -> bytes | None:
    """Returns the digest that a packed state begins with; None where that is not the digest of the rest."""
    digest = hashlib.sha256(memoryview(data)[65:]).hexdigest().encode()
    return digest if data[:65] == digest + b"\n" else None


def load_state(data: bytes, key: str) -> SearchState | None:
    """Reads what `dump` returned; None for anything else and for another key."""
    found = unpack_state(data)
    return found if found is not None and found.key == key else None


def unpack_state(data: bytes) -> SearchState | None:
    """Reads what `dump` or `PackedState.finished` returned, of any key; None for anything else."""
    import numpy as np

    if digest_of(data) is None:
        return None
    view = memoryview(data)
    at = data.index(b"\n", 65) + 1
    head = json.loads(data[65:at])
    if head["format"] != STATE_FORMAT:
        return None
    parts: dict[str, memoryview] = {}
    for name, size in head["parts"].items():
        parts[name] = view[at : at + size]
        at += size

    def array(name: str, kind: str) -> NDArray[Any]:
        return unpack_array(parts[name], kind)

    def cuts(name: str) -> tuple[bytes, ...]:
        part = decompressed(parts[f"{name}s"])
        return tuple([part[begin:end] for begin, end in pairwise(starts_of(array(f"{name}_sizes", "<i8")).tolist())])

    def postings(prefix: str) -> Postings:
        frequencies = array(f"{prefix}frequencies", "<i8")
        chunks = np.cumsum(array(f"{prefix}steps", "<i4"), dtype=np.int32)
        return Postings(_texts(parts[f"{prefix}terms"]), frequencies, chunks, array(f"{prefix}impacts", "<u2"))

    def keys(name: str) -> KeyLists:
        bytes_of = np.frombuffer(decompressed(parts[f"{name}_keys"]), np.uint8).reshape(-1, KEY_BYTES)
        whole = np.zeros((len(bytes_of), 8), np.uint8)
        whole[:, :KEY_BYTES] = bytes_of
        columns = whole.view("<u8").ravel(), array(f"{name}_in", "<i4"), array(f"{name}_kinds", "<u1")
        return KeyLists(array(f"{name}_lengths", "<i8"), *columns)

    terms = postings("")
    endings = zip(terms.terms, decompressed(parts["written"]).decode().split("\0"), strict=False)
    return SearchState(
        key=head["key"],
        paths=_texts(parts["paths"]),
        slots=array("slots", "<i8"),
        sizes=array("sizes", "<i8"),
        lengths=array("lengths", "<i8"),
        blocks=list(cuts("block")),
        vectors=array("vectors", "<i1").reshape(-1, head["dimension"]),
        questions=cuts("question"),
        fields=cuts("field"),
        postings=terms,
        wording=Wording(postings("form_"), {term: text for term, text in endings if text != NO_FORMS}),
        entry_sizes=array("entry_sizes", "<i8"),
        links=LinkTable(keys("defined"), keys("used"), array("link_digests", "<u8")),
        shards=json.loads(decompressed(parts["shards"])),
        landmarks=bytes(parts["landmarks"]),
    )


def _postings(prefix: str, postings: Postings) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield f"{prefix}terms", _joined(postings.terms)
    yield f"{prefix}frequencies", packed_array(postings.frequencies, "<i8")
    # Small numbers: the chunks of a term ascend.
    yield f"{prefix}steps", packed_array(_Steps(postings.chunks), "<i4")
    yield f"{prefix}impacts", packed_array(postings.impacts, "<u2")


class _Steps:
    """Numbers as the difference of each from the one before, the first from 0."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers

    @property
    def shape(self) -> tuple[int, ...]:
        return self._numbers.shape

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, part: slice) -> NDArray[np.int32]:
        import numpy as np

        first, end, _ = part.indices(len(self))
        found = self._numbers[max(0, first - 1) : end]
        return np.diff(found, prepend=np.int32(0)) if not first else np.diff(found)


def _keys(name: str, lists: KeyLists) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield f"{name}_lengths", packed_array(lists.lengths, "<i8")
    # One after the other: keys are digests, of which many are equal, but none alike.
    yield f"{name}_keys", compressed_parts(_bytes_of(keys)[:, :KEY_BYTES].tobytes() for keys in slices(lists.keys))
    yield f"{name}_in", packed_array(lists.chunks, "<i4")
    yield f"{name}_kinds", packed_array(lists.kinds, "<u1")


def _bytes_of(keys: NDArray[np.uint64]) -> NDArray[np.uint8]:
    import numpy as np

    return np.ascontiguousarray(keys, "<u8").view(np.uint8).reshape(-1, 8)


def _cut(name: str, parts: ByteList | Sequence[bytes]) -> Iterator[tuple[str, Iterable[bytes]]]:
    import numpy as np

    sizes = np.fromiter((len(parts[number]) for number in range(len(parts))), np.int64, len(parts))
    yield f"{name}_sizes", packed_array(sizes, "<i8")
    yield f"{name}s", compressed_parts(parts[number] for number in range(len(parts)))


def _joined(texts: Iterable[str]) -> Iterable[bytes]:
    return [compressed("\0".join(texts).encode(), TEXT_LEVEL)]


def _texts(part: memoryview) -> tuple[str, ...]:
    joined = decompressed(part)
    return tuple(joined.decode().split("\0")) if joined else ()
