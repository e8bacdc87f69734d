"""Reads what a language model said of a document, which lies beside it like a source."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.errors import FormatError
from infograph.files.disk import read_file
from infograph.files.stamps import NO_STAMP, Stamp, stamp, trusted
from infograph.formats.names import COMMUNITY_RECORDS, ENRICHMENT, enrichment_file, join, topic_of

if TYPE_CHECKING:
    from infograph.formats.community_records import CommunityRecord
    from infograph.formats.enrichment import EnrichmentFile


def enrichment_path(path: str, apart: bool) -> str:
    """Returns the path of a document's records, relative to the source root; or, where they lie apart, to the folder
    that mirrors it."""
    name = enrichment_file(path)
    return join(topic_of(path), name if apart else f"{ENRICHMENT}/{name}")


def read_enrichment(root: Path, folder: Path | None, path: str) -> EnrichmentFile | None:
    """Returns the records of a document; None without any. Raises FormatError for a broken file.

    folder: `Settings.enrichment`
    """
    from infograph.formats.enrichment import LARGEST, parse  # a build without changes looks at stamps only

    name = enrichment_path(path, folder is not None)
    place = (folder or root) / name
    data = read_file(place, LARGEST + 1)
    if data is None:
        if os.path.lexists(place):
            raise FormatError(name, "cannot be read, or is no regular file", "Put a readable file there.")
        return None
    return parse(name, data)


def community_records_path(apart: bool) -> str:
    """Returns the path of the records of communities, relative as in `enrichment_path`."""
    return COMMUNITY_RECORDS if apart else f"{ENRICHMENT}/{COMMUNITY_RECORDS}"


def community_records(root: Path, folder: Path | None) -> dict[str, CommunityRecord]:
    """Returns what a model said of communities, by their ids. Raises FormatError for a broken file."""
    from infograph.formats.community_records import parse  # as above
    from infograph.formats.enrichment import LARGEST

    name = community_records_path(folder is not None)
    place = (folder or root) / name
    data = read_file(place, LARGEST + 1)
    if data is None and os.path.lexists(place):
        raise FormatError(name, "cannot be read, or is no regular file", "Put a readable file there.")
    return parse(name, data or b"")


def communities_stamp(root: Path, folder: Path | None) -> Stamp | None:
    """Returns the stamp of the records of communities, `NO_STAMP` as in `enrichment_stamps`; None without any."""
    try:
        status = os.stat((folder or root) / community_records_path(folder is not None), follow_symlinks=False)
    except OSError:
        return None
    taken = stamp(status)
    return taken if trusted(taken) else NO_STAMP


def has_records(root: Path, folder: Path | None, documents: Iterable[str]) -> bool:
    """Whether a model said something of a chunk of one of these documents, and not only of sections or where to cut.
    Reads no more files than it takes to know; a broken one counts."""
    for path in documents:
        try:
            found = read_enrichment(root, folder, path)
        except FormatError:
            return True
        if found is not None and found.says_of_chunks:
            return True
    return False


def enrichment_stamps(root: Path, folder: Path | None, documents: Iterable[str]) -> dict[str, Stamp]:
    """Returns the stamps of the files of records, by document; one that may still change under the same stamp has
    `NO_STAMP`. Looks into one folder for each topic."""
    found: dict[str, Stamp] = {}
    base, apart = folder or root, folder is not None
    by_topic: dict[str, list[str]] = {}
    for path in documents:
        by_topic.setdefault(topic_of(path), []).append(path)
    for topic, paths in by_topic.items():
        place = base / topic if apart else base / join(topic, ENRICHMENT)
        try:
            with os.scandir(place) as scan:
                stats = {entry.name: entry.stat(follow_symlinks=False) for entry in scan if entry.name[-5:] == ".json"}
        except OSError:
            continue
        for path in paths:
            status = stats.get(enrichment_file(path))
            if status is not None:
                taken = stamp(status)
                found[path] = taken if trusted(taken) else NO_STAMP
    return found
