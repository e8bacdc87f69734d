"""Names of the chunk files that documents have: their number and, outside of the sources, the version of their bytes.

A document whose chunk files change in an `--out` tree gets new names for all of them. So a reader who has an index or a
search bundle finds what it was promised, whatever is published meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.formats.chunk_href import file_of_chunk
from infograph.formats.names import (
    CHUNKS,
    CONVERTED,
    PACKED,
    converted_name,
    document_and_number,
    is_converted_name,
    join,
    named_by,
    topic_of,
    unversioned,
)
from infograph.model import is_converted, placed, stem_of

if TYPE_CHECKING:
    from infograph.pipeline.memory.state import State
    from infograph.pipeline.worker.tasks import Result


@dataclass(frozen=True, slots=True)
class NamedChunks:
    """The chunk files that belong to a tree."""

    counts: dict[str, int]
    """Number of chunks of each document."""
    versions: dict[str, str]
    """Version in the names of each document's files, where they have one."""
    files: frozenset[str]
    """Paths of these files, see `chunk_files`."""

    @classmethod
    def of(
        cls, last: State | None, documents: Collection[str], results: Mapping[str, Result], *, packed: bool
    ) -> NamedChunks:
        """Returns those of a build.

        results: of the documents that it cut
        packed:  see `chunk_files`
        """
        counts, versions = chunk_counts(last, documents, results), chunk_versions(last, documents, results)
        return cls(counts, versions, frozenset(chunk_files(counts, versions, packed=packed)))


def chunk_counts(last: State | None, documents: Iterable[str], results: Mapping[str, Result]) -> dict[str, int]:
    """Returns the number of chunks that each document has now."""
    known = last.chunk_counts if last else {}
    counts = {path: known[path] for path in documents if path not in results and path in known}
    counts |= {path: result.chunks for path, result in results.items() if result.sha256}
    return dict(sorted(counts.items()))


def chunk_versions(last: State | None, documents: Iterable[str], results: Mapping[str, Result]) -> dict[str, str]:
    """Returns the version in the names of the chunk files that each document has now; none where they have none."""
    known = last.versions if last else {}
    found = {path: known[path] for path in documents if path not in results and path in known}
    found |= {path: result.version for path, result in results.items() if result.sha256}
    return {path: version for path, version in sorted(found.items()) if version}


def chunk_files(counts: Mapping[str, int], versions: Mapping[str, str], *, packed: bool) -> set[str]:
    """Returns the paths of the files that hold the chunks of documents, and of the Markdown that some were converted
    to.

    counts:   number of chunks of each document
    versions: version in the names of each document's files, where they have one
    packed:   whether several chunks share a file
    """
    files = set()
    for path, count in counts.items():
        topic, name = placed(path)
        stem = named_by(stem_of(name), versions.get(path, ""))
        folder = join(topic, f"{CHUNKS}/")
        numbers = range(0, count, PACKED if packed else 1)
        files.update([folder + file_of_chunk(stem, index, packed=packed) for index in numbers])
        if count and is_converted(name):
            files.add(folder + converted_name(stem))
    return files


def replaced_files(
    last: State | None, counts: Mapping[str, int], versions: Mapping[str, str], *, packed: bool
) -> set[str]:
    """Returns the paths of what `chunk_files` named in the last build of the documents that have other files now, or
    are gone. Those of all others stand, and a large tree has tens of thousands.

    counts, versions: see `chunk_files`, as they are now
    packed:           whether several chunks share a file. Where the last build had that otherwise, `last` is None
    """
    if last is None:
        return set()
    known = last.versions
    others = {
        path: count
        for path, count in last.chunk_counts.items()
        if (counts.get(path), versions.get(path)) != (count, known.get(path))
    }
    return chunk_files(others, known, packed=packed)


def is_chunk_of(document: str, path: str) -> bool:
    """Whether a file in `_chunks` is one of a document, of whatever version: a chunk file, a pack of them, or the
    Markdown it was converted to."""
    topic, name = placed(document)
    file = path.rpartition("/")[2]
    if is_converted_name(file):
        stem = unversioned(file.removesuffix(CONVERTED))
    else:
        stem, number = document_and_number(file)
        if number < 0:
            return False
    return stem == stem_of(name) and topic_of(path) == join(topic, CHUNKS)
