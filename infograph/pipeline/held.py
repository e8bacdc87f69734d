"""What a build holds of its documents until it has made the files that join them: in memory, or beside what it stages.

results of cutting ─▶ records ─▶ members of topics ─▶ what is remembered of each
                   └▶ pages ─▶ search bundle
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from infograph.files.spilled import Allowance, Parts, Spilled, Tape
from infograph.search.writing.room import Room

if TYPE_CHECKING:
    from infograph.pipeline.memory.records import DocumentRecord
    from infograph.search.writing.page_index import PageIndex

_RECORD_BYTES, _ROW_BYTES, _PAGE_BYTES, _LIST_BYTES = 1_500, 700, 4_000, 64
"""About as many bytes as a record takes beside its rows and packed terms, a row, a page beside its arrays, and a list
beside what is in it."""


class Held:
    """Records and search pages of documents by path.

    folder: see `Spilled`
    """

    def __init__(self, folder: str | None = None) -> None:
        allowance = Allowance()
        self.records: Spilled[DocumentRecord] = Spilled(record_bytes, folder, allowance)
        self.pages: Spilled[PageIndex] = Spilled(page_bytes, folder, allowance)
        """The documents as search indexes them; none where search is off."""
        self.room = Room(
            parts=lambda: Parts(folder, allowance),
            files=lambda: Spilled[bytes](len, folder, allowance),
            tape=lambda: Tape(folder, allowance),
        )
        """Room for the search bundle."""
        self.keywords: Spilled[list[list[list[int]]]] = Spilled(_keywords_bytes, folder, allowance)
        """See `TopicContent.keywords`, by topic."""
        self.candidates: Spilled[str] = Spilled(sys.getsizeof, folder, allowance)
        """Candidate terms of each topic that is worked on, see `TopicGraph.fresh`."""
        self.packed: Spilled[bytes] = Spilled(len, folder, allowance)
        """What the next build must know of each topic, by topic."""

    @property
    def spills(self) -> bool:
        """Whether the documents were too many to be held in memory."""
        return bool(self.records.written or self.pages.written)

    def remembered(self, documents: Sequence[DocumentRecord]) -> Members:
        """Takes the documents of a topic as the last build remembered them."""
        self.records.update({record.path: record for record in documents})
        return Members(self.records, [record.path for record in documents], chunks_of(documents))


def record_bytes(record: DocumentRecord) -> int:
    """Returns about how many bytes a record takes."""
    return _RECORD_BYTES + _ROW_BYTES * len(record.chunks) + len(record.said) + len(record.terms)


def page_bytes(page: PageIndex) -> int:
    """Returns about how many bytes a page takes."""
    arrays = (page.frequencies, page.chunks, page.impacts, page.forms.impacts, page.vectors)
    links = page.links
    keys = sum(map(len, (links.names, links.named, links.addresses, links.targets)))
    texts = (*page.blocks, page.terms, page.forms.terms, page.hashes, page.questions, page.fields)
    return _PAGE_BYTES + sum(array.nbytes for array in arrays) + 13 * keys + sum(map(len, texts))


def _keywords_bytes(keywords: list[list[list[int]]]) -> int:
    return _LIST_BYTES * sum(map(len, keywords)) + 8 * sum(len(places) for chunks in keywords for places in chunks)


@dataclass(frozen=True, slots=True)
class Members(Sequence["DocumentRecord"]):
    """Documents of a topic, each taken from where it is held when it is asked for."""

    records: Mapping[str, DocumentRecord]
    paths: Sequence[str]
    chunks: int
    """Number of chunks of all of them."""

    @overload
    def __getitem__(self, place: int) -> DocumentRecord: ...
    @overload
    def __getitem__(self, place: slice) -> list[DocumentRecord]: ...
    def __getitem__(self, place: int | slice) -> DocumentRecord | list[DocumentRecord]:
        if isinstance(place, slice):
            return [self.records[path] for path in self.paths[place]]
        return self.records[self.paths[place]]

    def __iter__(self) -> Iterator[DocumentRecord]:
        return map(self.records.__getitem__, self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def __reduce__(self) -> tuple[Callable[..., list[DocumentRecord]], tuple[Any, ...]]:
        """Pickles the documents themselves: a worker holds nothing of what its parent does."""
        return list, (list(self),)


def chunks_of(documents: Sequence[DocumentRecord]) -> int:
    """Returns the number of chunks of some documents."""
    return documents.chunks if isinstance(documents, Members) else sum(len(one.chunks) for one in documents)


def paths_of(documents: Sequence[DocumentRecord]) -> list[str]:
    """Returns the paths of some documents."""
    return list(documents.paths) if isinstance(documents, Members) else [one.path for one in documents]


def documents_bytes(documents: Sequence[DocumentRecord]) -> int:
    """Returns about how many bytes some documents take; those that are held elsewhere take next to nothing."""
    return 0 if isinstance(documents, Members) else sum(map(record_bytes, documents))
