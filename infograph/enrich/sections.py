"""Sections of a document that have several chunks, the whole document the first of them: what a summary is asked of."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from infograph.model import Chunk
from infograph.text.sections import common_headings, sections


class AskedText(Protocol):
    """What a model is asked about: a chunk, or a section of several."""

    @property
    def index(self) -> int:
        """Place among those of its kind in the document, from 0."""
        ...

    @property
    def title(self) -> str:
        """The heading of the text, or that of the section it belongs to."""
        ...

    @property
    def section_path(self) -> tuple[str, ...]:
        """Headings above it, outermost first."""
        ...

    @property
    def readable(self) -> str:
        """The text as a reader sees it."""
        ...

    @property
    def readable_sha256(self) -> str:
        """SHA-256 of that text in UTF-8, 64 hexadecimal digits."""
        ...


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """Neighbouring chunks of one document: those below one heading, those of one parent, or all of them."""

    index: int
    """Place among the sections of the document, in the order of their beginnings, larger ones first."""
    first: int
    """Index of its first chunk."""
    chunks: tuple[Chunk, ...]
    section_path: tuple[str, ...]
    """Headings that all of its chunks stand below; empty for a document that has none in common."""
    readable_sha256: str

    @property
    def title(self) -> str:
        """The innermost of these headings, or the title of its first chunk."""
        return self.section_path[-1] if self.section_path else self.chunks[0].title

    @property
    def end(self) -> int:
        """Index of the chunk after its last one."""
        return self.first + len(self.chunks)

    @property
    def readable(self) -> str:
        """The texts of its chunks, joined."""
        return "".join(chunk.readable for chunk in self.chunks)


def sections_of(chunks: Sequence[Chunk]) -> list[DocumentSection]:
    """Returns the document and its sections that have two chunks or more: where the strategy says which larger units a
    chunk is part of (`Chunk.parents`) these, else those of the headings."""
    ranges = {(0, len(chunks))}
    if any(chunk.parents for chunk in chunks):
        ranges |= {parent for chunk in chunks for parent in chunk.parents}
    else:
        ranges |= {(first, end) for _, first, end in sections([chunk.section_path for chunk in chunks])}
    found: list[DocumentSection] = []
    for first, end in sorted(ranges, key=lambda place: (place[0], -place[1])):
        if end - first > 1:
            own = tuple(chunks[first:end])
            digest = hashlib.sha256()
            for chunk in own:
                digest.update(chunk.readable.encode("utf-8", "surrogatepass"))
            found.append(
                DocumentSection(
                    len(found), first, own, common_headings([chunk.section_path for chunk in own]), digest.hexdigest()
                )
            )
    return found
