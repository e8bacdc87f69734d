"""`infograph clean`: removes what infograph wrote, and nothing else."""

from __future__ import annotations

import contextlib
import os
import shutil
from functools import partial
from pathlib import Path

from infograph.config.origins import naming_origins
from infograph.config.places import refuse_store
from infograph.config.settings import Settings
from infograph.errors import OutputError
from infograph.files.disk import read_file, remove_private
from infograph.formats.names import COMMUNITY_RECORDS, ENRICHMENT, PRIVATE
from infograph.pipeline.ours import find_outputs
from infograph.pipeline.staging import Output


@naming_origins
def clean(settings: Settings, *, cache: bool = False, enrichment: bool = False) -> int:
    """Removes every file that infograph wrote into a tree, its memory of builds, and the output folder if it is empty
    then. Returns the number of outputs and cache entries removed.

    cache: remove the embedding cache too
    enrichment: remove the records of language models too

    Raises OutputError where a folder cannot be read, and for a cache folder that holds anything else.
    """
    refuse_store(settings, "clean")
    if not settings.out.is_dir():
        return 0
    output = Output(settings.out)
    with output.locked():
        old = find_outputs(settings.out, unreadable=partial(_refuse_unreadable, settings.out))
        output.publish([], sorted(old))
        count = len(old) + (_remove_cache(settings) if cache else 0)
        count += _remove_enrichment(settings) if enrichment else 0
        output.forget()
        if not settings.in_place and settings.memory.is_dir():
            shutil.rmtree(settings.memory)
            if settings.memory.parent.name == PRIVATE:
                with contextlib.suppress(OSError):  # not empty: it holds the memory of other outputs
                    settings.memory.parent.rmdir()
    if not settings.in_place:
        with contextlib.suppress(OSError):  # not empty, or in use
            settings.out.rmdir()
    return count


def _refuse_unreadable(out: Path, error: OSError) -> None:
    """Raises OutputError for a folder of the output tree that cannot be listed."""
    reason = f"cannot be looked at ({error.strerror}), so nobody knows what of it infograph wrote"
    hint = "Nothing was removed. Give yourself the right to read it."
    raise OutputError(Path(os.fsdecode(error.filename)).relative_to(out).as_posix(), reason, hint)


def _remove_enrichment(settings: Settings) -> int:
    """Removes the records of all documents and of those that are gone, and folders that are empty then; returns the
    number of files. A file there that holds no records stays."""
    count = 0
    base = settings.enrichment or settings.root
    for place, folders, names in os.walk(base):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        if settings.enrichment is None and os.path.basename(place) != ENRICHMENT:
            continue
        for name in sorted(names):
            data = read_file(Path(place, name)) if name.endswith(".json") else None
            if name == COMMUNITY_RECORDS or (data is not None and b'"records"' in data and b'"source"' in data):
                remove_private(base, Path(place, name).relative_to(base).as_posix())
                count += 1
        with contextlib.suppress(OSError):  # not empty
            os.rmdir(place)
    return count


def _remove_cache(settings: Settings) -> int:
    """Removes the cache folder and returns the number of its entries.

    Raises OutputError where it holds anything but entries, and so is not ours alone.
    """
    folder = settings.cache
    if not os.path.lexists(folder):
        return 0
    # An entry is {strategy}/{model}/{file-hash}/file; files at another depth and links are not ours.
    strangers = [
        Path(place, name).relative_to(folder)
        for place, names, files in os.walk(folder)
        for name in (*files, *(name for name in names if Path(place, name).is_symlink()))
        if len(Path(place, name).relative_to(folder).parts) != 4 or Path(place, name).is_symlink()
    ]
    if strangers or folder.is_symlink():
        what = f"holds {strangers[0]}, which is no cache entry" if strangers else "is a symbolic link"
        raise OutputError(str(folder), what, "Remove the cache yourself if it is to go.")
    count = sum(len(files) for _, _, files in os.walk(folder))
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise OutputError(str(folder), f"cannot be removed: {error.strerror}") from error
    return count
