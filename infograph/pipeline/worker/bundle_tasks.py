"""What the process is told that brings the search bundle up to date, and what it answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.model import LinkedPages
    from infograph.search.writing.link_lists import LinkRows
    from infograph.search.writing.page_index import PageIndex

BUNDLER = "infograph.pipeline.worker.bundler"
"""Module that the process runs."""


@dataclass(frozen=True, slots=True)
class BundlerSetup:
    """What the process must know before its task."""

    settings: Settings
    model: str
    """The model of the vectors that pages have, see `search_model`."""
    build: str
    """Name of the build, see `Output.build`."""


@dataclass(frozen=True, slots=True)
class BundleTask:
    """Task to bring the bundle up to date. Its answer is what differs, a `Searched`, or the error."""

    gone: Collection[str]
    """Paths of documents that are gone."""
    pages: Mapping[str, PageIndex]
    """New documents by path, and those that differ."""


@dataclass(frozen=True, slots=True)
class Searched:
    """Files of the search bundle after the step."""

    files: MutableMapping[str, bytes] = field(default_factory=dict)
    """New files by path, the manifest among them."""
    shards: Collection[str] = ()
    """Paths of all files but the manifest, where the bundle was made again."""
    manifests: Collection[str] = ()
    """Paths of the manifest: the one that clients open, and outside of the sources the one that never changes."""
    version: str = ""
    """Version of the latter."""
    dropped: Collection[str] = ()
    """Paths of files that this build leaves out of the bundle."""
    made: bool = False
    """Whether the bundle was made again, and its state staged for the next build."""
    links: LinkRows | None = None
    """Links between the pages; None where they are those of the last build, or without a graph, which asks for them."""
    pages: Sequence[str] = ()
    """Paths of the pages, by the numbers that links have."""

    def linked_pages(self) -> LinkedPages | None:
        """Returns the links by path; None where they are those of the last build."""
        from infograph.search.format.links import KINDS  # few builds ask

        if self.links is None:
            return None
        found: dict[str, list[tuple[int, str, str]]] = {}
        columns = (self.links.sources, self.links.chunks, self.links.targets, self.links.kinds)
        for source, chunk, target, kind in zip(*(column.tolist() for column in columns), strict=True):
            found.setdefault(self.pages[source], []).append((chunk, self.pages[target], KINDS[kind]))
        return {path: sorted(rows) for path, rows in sorted(found.items())}
