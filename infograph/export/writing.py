"""Writes an export: the format by the name's end, whole or not at all, never in the way of what a build writes."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from infograph.client.place import is_url
from infograph.client.served_folder import root_folder
from infograph.errors import ConfigError, ForeignFileError, OutputError
from infograph.export import json_lines, parquet
from infograph.export.columns import ExportRow, VectorColumn
from infograph.files.disk import read_file, write_streamed
from infograph.formats.names import CACHE, ENRICHMENT, LLM_CACHE, OWN_FOLDERS, PRIVATE, WEB_FOLDER

SUFFIXES = (json_lines.SUFFIX, parquet.SUFFIX)
_NOT_INTO = frozenset({*OWN_FOLDERS, WEB_FOLDER, ENRICHMENT, CACHE, PRIVATE, LLM_CACHE})
"""Folders of a tree that hold what infograph writes, and nothing else."""


def suffix_of(name: str) -> str:
    """Returns the end of an export's name, which says its format. Raises ConfigError for another one."""
    suffix = os.path.splitext(name)[1].lower()
    if suffix not in SUFFIXES:
        raise ConfigError(name, "its name does not say the format", f"Let it end in {' or '.join(SUFFIXES)}.")
    return suffix


def check_place(source: str, out: str) -> None:
    """Raises an error for a place where no export may be written: a folder of the tree that holds what a build writes,
    a file that is no export, a name that says no format, a format whose library is not installed.

    source: URL or folder of the tree
    """
    suffix = suffix_of(out)
    if suffix == parquet.SUFFIX:
        parquet.libraries(out)
    place = Path(os.path.realpath(Path(out).parent), Path(out).name)
    if not is_url(source):
        root = Path(os.path.realpath(root_folder(source)))
        inside = place.relative_to(root).parts[:-1] if place.is_relative_to(root) else ()
        if taken := next((folder for folder in inside if folder in _NOT_INTO), None):
            reason = f"lies in `{taken}`, a folder of the tree that holds only what infograph writes"
            raise OutputError(out, reason, "Name a file outside of it.")
    if place.exists() or place.is_symlink():
        is_lines = suffix == json_lines.SUFFIX
        beginning = read_file(place, json_lines.LONGEST_LINE if is_lines else 1)  # None for what is no plain file
        if beginning is None or not (
            beginning == b"" or (json_lines.is_json_lines(beginning) if is_lines else parquet.is_parquet(place))
        ):
            raise ForeignFileError(out, "is there already, and is no export", "Remove it, or name another file.")


def write_export(out: str, rows: Iterable[ExportRow], vectors: VectorColumn | None) -> None:
    """Writes rows to a file. Raises OutputError, and whatever the rows raise; the file is then as it was."""
    suffix = suffix_of(out)
    parts = (
        json_lines.encode_json_lines(rows)
        if suffix == json_lines.SUFFIX
        else parquet.encode_parquet(rows, vectors, out)
    )
    place = Path(out)
    try:
        write_streamed(place.parent, place.name, parts)
    except OutputError as error:
        if not error.hint.startswith("Build again"):
            raise
        raise OutputError(out, error.reason, "Export again when it can be.") from error
