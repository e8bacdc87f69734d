"""What the step of the graph gives to the others, which need nothing of how it is made: most trees have no graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from infograph.formats.names import communities_path, is_community, is_graph_manifest, version_of

if TYPE_CHECKING:
    from infograph.files.stamps import Stamp


@dataclass(frozen=True, slots=True)
class Graphed:
    """Files of the graph after the step."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    """New files by path."""
    names: frozenset[str] = frozenset()
    """Paths of all files."""
    dropped: frozenset[str] = frozenset()
    """Paths of files that are in the graph no more."""
    read: Mapping[str, Stamp] = field(default_factory=dict)
    """Path of the table of aliases, and its stamp before it was read."""
    made: bool = False
    """Whether the graph was made again, and its state staged for the next build."""

    @property
    def version(self) -> str:
        """Version of the communities that lie in no other; empty where they have none."""
        found = (name for name in self.names if is_community(name) and name == communities_path(version_of(name)))
        return max(map(version_of, found), default="")

    @property
    def manifest(self) -> str:
        """Path of the manifest that the search bundle leads to; empty where there is no graph."""
        return max((name for name in self.names if is_graph_manifest(name) and version_of(name)), default="")
