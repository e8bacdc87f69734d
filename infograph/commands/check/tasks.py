"""A file that a check looks at, what it must be, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from infograph.commands.check.findings import Problem
from infograph.commands.check.tiling import Tile, Whole
from infograph.formats.index_json import DocumentChunks, IndexItem
from infograph.model import SpecSource


class PromisedChunk(NamedTuple):
    """What an index says of a chunk."""

    number: int | None
    """Number by which the link names it in a pack; None for a file of its own."""
    item: IndexItem
    spans: Sequence[tuple[int, int]] = ()
    """Bytes in which units lie, see `check_chunk`."""


@dataclass(frozen=True, slots=True)
class FileTask:
    """A file to request, and what it must be."""

    url: str
    kind: str
    """What the file must be: `index`, `chunk`, `search` (a file of the search bundle), `graph` (one of the graph's),
    `converted` (the text that the chunks of a converted document tile), `text` (another text that infograph writes),
    `web` (one of the browser client or explorer), or `file` (anything)."""
    linked_from: str
    items: tuple[PromisedChunk, ...] = ()
    """What the index says of its chunks; nothing for other files."""
    sha256: str = ""
    """Digest that the link states; empty where it states none."""

    @property
    def numbers(self) -> set[int]:
        """Numbers of the chunks that are looked for in a pack."""
        return {own.number for own in self.items if own.number is not None}


@dataclass(slots=True)
class Examination:
    """The outcome of one file's examination."""

    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    tasks: list[FileTask] = field(default_factory=list)
    bytes: int = 0
    answered: bool = False
    build_id: str = ""
    """What an index says that it is."""
    topics: int = 0
    documents: int = 0
    pages: int = 0
    """Number of documents that have chunks."""
    below: list[str] = field(default_factory=list)
    """URLs of the pages that follow an index and of the indexes of the topics below it."""
    chunks: set[str] = field(default_factory=set)
    """Keys of the chunks that an index lists."""
    search: str = ""
    """URL of the manifest that an index leads to."""
    external: int = 0
    parts: list[Tile | Whole] = field(default_factory=list)
    """The slices that chunks of a converted document are, or such a document."""
    described: tuple[str, dict[str, DocumentChunks]] = ("", {})
    """Address of the specification that an index was made from, and its documents by name."""
    specification: dict[str, SpecSource] | None = None
    """Documents of a specification by name."""
    manifest: str = ""
    """Digest of the manifest of a search bundle."""
    graph: str = ""
    """Digest of the manifest of a graph: of this file, or of the one that a search bundle leads to."""
    communities: list[str] = field(default_factory=list)
    """URLs of the files of the graph's communities that an index or one of these files leads to."""
    latest: str = ""
    """URL that the plain name of such a file stands for."""
    searchable: tuple[int, int] | None = None
    """Number of pages and of chunks in the search bundle, as its manifest says."""
    foreign: bool = False
    """Whether this is a file of the browser client with other bytes than this release publishes."""
