"""Finds the files of an output tree that infograph wrote, by name and content."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable
from pathlib import Path

from infograph.errors import OutputError
from infograph.files.disk import cannot_write, names_in, read_output, unread
from infograph.formats.marks import is_root_index, is_root_listing, written_by_us
from infograph.formats.names import GRAPH, INDEX, LLMS, LOCK, OWN_FOLDERS, PRIVATE, SEARCH, is_output, join
from infograph.source.discovery import DEEPEST
from infograph.source.file_names import fold


def find_outputs(
    out: Path, standing: Container[str] = (), unreadable: Callable[[OSError], None] | None = None
) -> set[str]:
    """Finds every file in a tree that infograph wrote, told by name and content: what a build without a memory may
    replace or remove. Files of the same names that infograph did not write are left out, and so is every folder that
    was built as a tree of its own, which may come without its memory, as a fixture or in a clone.

    standing:   paths that are left out; each one saves the reading of a file
    unreadable: called with the error of each folder that cannot be listed, and of each file of such a name that cannot
                be read; without it they are skipped
    """
    found: set[str] = set()
    for folder, names, files in os.walk(out, onerror=unreadable):
        path = Path(folder).relative_to(out).as_posix()
        path = "" if path == "." else path
        if path and is_tree(out, path, names, files):
            names.clear()
            continue
        if path.count("/") > DEEPEST:  # nothing of ours lies below documents that are too deep
            names.clear()
        names[:] = [name for name in names if not name.startswith(".") and name != "node_modules"]
        ours = _outputs_among(out, path, files, standing)
        found |= ours
        if unreadable:
            others = [name for name in files if is_output(join(path, name)) and join(path, name) not in ours]
            for error in map(unread, (Path(folder, name) for name in others)):
                if isinstance(error, PermissionError):
                    unreadable(error)
    return found


def outputs_of(out: Path, topics: Iterable[str], standing: Container[str] = ()) -> set[str]:
    """Finds the outputs of single topics as `find_outputs` does: those put there since the last build too (another
    branch's outputs). Raises OutputError for a folder that cannot be listed."""
    found: set[str] = set()
    for topic in topics:
        for folder in (topic, *(join(topic, name) for name in OWN_FOLDERS if name not in (SEARCH, GRAPH))):
            try:
                names = names_in(out, folder)  # behind a link lie the files of others
            except OSError as error:
                raise cannot_write(folder, error) from error
            found |= _outputs_among(out, folder, names, standing)
    return found


def is_tree(out: Path, folder: str, folders: Container[str], files: Container[str]) -> bool:
    """Whether a folder of these names was built as a tree of its own: only a root has a memory, an index without an id,
    or an `llms.txt`."""
    if PRIVATE in folders and os.path.lexists(out / folder / LOCK):
        return True
    index, listing = join(folder, INDEX), join(folder, LLMS)
    if INDEX in files and (data := read_output(out / index)) and is_root_index(data) and written_by_us(index, data):
        return True
    return LLMS in files and (data := read_output(out / listing)) is not None and (not data or is_root_listing(data))


def _outputs_among(out: Path, folder: str, names: Iterable[str], standing: Container[str] = ()) -> set[str]:
    """Returns the files of one folder that are ours."""
    paths = (join(folder, name) for name in names)
    return {path for path in paths if path not in standing and is_output(path) and is_ours(out, path)}


def refuse_topics_called(outputs: Iterable[str], topics: Iterable[str]) -> None:
    """Raises OutputError where a folder of documents has the path of an output, or one that a file system may not tell
    from it: both cannot be there."""
    folders = {fold(topic): topic for topic in topics}
    for path in outputs:
        if (topic := folders.get(fold(path))) is not None:
            reason = (
                f"is a folder of documents, and infograph writes a file of the name `{path.rpartition('/')[2]}` there"
            )
            hint = "Nothing of this build was published. Rename the folder, or leave it out with `source.exclude`."
            raise OutputError(topic, reason, hint)


def is_ours(out: Path, path: str) -> bool:
    """Whether a file exists and has the mark of infograph's files of this name. An empty file counts as ours: nothing
    is lost with it."""
    data = read_output(out / path)
    return data is not None and written_by_us(path, data)
