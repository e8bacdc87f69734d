"""Which part of a tree a tool works on: `infograph chunk docs/a/page.md` is about one document of the tree around it.

A path inside a tree names documents of that tree, so that their ids stay. The tree is the one whose `docs` the
configuration names, or else the nearest folder above that was built before; without either, the path is a tree itself,
or a document of its own folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from infograph.config.reading import configured_docs
from infograph.formats.names import LOCK, OUTPUT_MARK, topic_of


@dataclass(frozen=True, slots=True)
class TreeSelection:
    """The documents below a folder of a tree, or a single document; all of them where `path` is empty."""

    path: str = ""

    def has(self, path: str) -> bool:
        """Whether a document, or a folder, is the selected one or lies below it."""
        return not self.path or path == self.path or path.startswith(f"{self.path}/")

    def has_topic(self, topic: str, documents: frozenset[str]) -> bool:
        """Whether a topic is selected, or holds the selected document.

        documents: the documents of the tree
        """
        return topic == topic_of(self.path) if self.path in documents else self.has(topic)


EVERYTHING = TreeSelection()


def selection_of(given: str | None, file: str | None) -> tuple[str | None, TreeSelection]:
    """Returns the tree that a command is about, as `load` takes it, and what of it is selected.

    given: the path on the command line, of a tree, a folder of one or a document
    file:  the configuration file that the command names
    """
    if given is None or not Path(given).exists():
        return given, EVERYTHING
    path = Path(given).resolve()
    if path.is_dir() and (path / LOCK).is_file():
        return given, EVERYTHING
    root = _tree_around(path, file)
    if root is None or root == path:
        return (given, EVERYTHING) if path.is_dir() else (str(path.parent), TreeSelection(path.name))
    return str(root), TreeSelection(path.relative_to(root).as_posix())


def _tree_around(path: Path, file: str | None) -> Path | None:
    """Returns the root of the tree that a path lies in, or is; None where no tree is known."""
    folder = path if path.is_dir() else path.parent
    configured = configured_docs(folder, file)
    if configured is not None and folder.is_relative_to(configured):
        return configured
    for above in (folder, *folder.parents):
        if (above / LOCK).is_file():
            return None if (above / OUTPUT_MARK).exists() else above
        if (above / ".git").exists():
            break
    return None
