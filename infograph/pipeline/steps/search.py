"""The step that brings the search bundle up to date: where that is done, and which old files of it stay."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.errors import FormatError, InfographError
from infograph.execution.pool_worker import Died
from infograph.files.disk import names_in, read_file
from infograph.formats.names import (
    SEARCH,
    SEARCH_MANIFEST,
    VERSION_DIGITS,
    is_manifest,
    is_shard,
    join,
    manifest_path,
    version_of,
)
from infograph.pipeline.memory.state import RecordsLost
from infograph.pipeline.ours import is_ours
from infograph.pipeline.worker.bundle_tasks import BundlerSetup, BundleTask, Searched
from infograph.search.writing.room import Room

if TYPE_CHECKING:
    from infograph.pipeline.context import BuildContext
    from infograph.pipeline.held import Held
    from infograph.pipeline.worker.search_files import SearchFiles


class Bundler:
    """Brings the search bundle up to date: in a process of its own where the build has one, else in this one.

    model: whose vectors the pages have, see `search_model`
    build: name of the build, see `Output.build`
    """

    def __init__(self, context: BuildContext, model: str, build: str) -> None:
        self._context = context
        self._model = model
        self._build = build
        self._process = context.bundle_process
        if self._process is not None:
            self._process.tell(BundlerSetup(context.settings, model, build))

    @cached_property
    def _files(self) -> SearchFiles:
        # Its imports take a tenth of a second, which a build with a process for them spares.
        from infograph.pipeline.worker.search_files import SearchFiles

        context = self._context
        return SearchFiles(context.settings, self._model, context.kept, context.early, self._build)

    def recall(self) -> None:
        """Reads what is remembered of the last bundle, where that is done here. Raises RecordsLost."""
        if self._process is None:
            self._files.recall()

    def update(self, results: Collection[str], held: Held) -> Searched:
        """Returns what differs of the bundle; nothing where search is off. Its manifest is finished by
        `with_manifests`. Raises RecordsLost where the last bundle is not remembered.

        results: paths of the documents that were cut
        held:    has their pages, which are taken out where the bundle is made in this process
        """
        context, last = self._context, self._context.last
        if not context.settings.config.search.enabled:
            return Searched()
        gone = {*context.plan.removed, *(path for path in results if path not in held.pages)}
        if last is not None and not results and not gone:
            manifests = sorted(filter(is_manifest, last.outputs))
            return Searched(manifests=manifests, version=max(map(version_of, manifests), default=""))
        if self._process is not None and not held.spills:  # pages that lie in files are too large for a pipe
            return self._updated_there(BundleTask(gone, dict(held.pages)))
        # The last bundle's state is in memory as a whole, and with few new pages this one's takes about as much: it
        # need not wait in a file, which costs ten thousand reads of a few bytes.
        room = held.room if last is None or held.spills else Room(files=held.room.files)
        return self._files.updated_files(gone, held.pages, room, anew=last is None, pack=not context.check)

    def _updated_there(self, task: BundleTask) -> Searched:
        assert self._process is not None
        ((_, answer),) = self._process.run([task], [[0]], seconds=math.inf)
        if isinstance(answer, Died):
            reason = f"took its process down (status {answer.exit_status})"
            raise InfographError(SEARCH, reason, "It may need more memory than there is: build with `--jobs 1`.")
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, Searched)
        return answer


def with_manifests(context: BuildContext, searched: Searched, graph: str, made: Mapping[str, bytes]) -> Searched:
    """Returns the bundle with its manifest, which leads to the graph that is published with it: only so a reader who
    holds one reads the other of the same publication. Raises RecordsLost where a file is gone that the last build
    published.

    graph: path of the graph's manifest; empty where there is none
    made:  new files of the graph by path
    """
    settings, last = context.settings, context.last
    if not (searched.made or made):
        return searched
    data = _bytes_of(settings.out, SEARCH_MANIFEST, searched.files)
    if graph:
        from infograph.pipeline.worker.search_files import leading_to  # few trees have a graph

        data = leading_to(data, _bytes_of(settings.out, graph, made))
    dropped, version = searched.dropped, ""
    if last is None:  # which build they are of is not known
        dropped = undated(settings.out, searched.shards, data)
    searched.files[SEARCH_MANIFEST] = data
    if not settings.in_place:
        version = manifest_version(data)
        searched.files[manifest_path(version)] = data
    manifests = sorted(filter(is_manifest, searched.files))
    return replace(searched, manifests=manifests, version=version, dropped=dropped)


def _bytes_of(out: Path, path: str, made: Mapping[str, bytes]) -> bytes:
    """Returns what a file is about to hold, or does already. Raises RecordsLost."""
    data = made[path] if path in made else read_file(out / path)
    if data is None:
        raise RecordsLost(path)
    return data


def manifest_version(data: bytes) -> str:
    """Returns the version of a manifest, see `Searched.version`."""
    return hashlib.sha256(data).hexdigest()[:VERSION_DIGITS]


def undated(out: Path, shards: Container[str], manifest: bytes) -> list[str]:
    """Returns the files of the bundle's folder that are ours, not in the bundle, and may stay: all of them under the
    manifest that they were left with, and under a new one those of the manifest that it replaces. Otherwise they would
    pile up where each build begins with a checkout of the last one's outputs."""
    folder = out / SEARCH
    standing = read_file(out / SEARCH_MANIFEST)
    there = names_in(out, SEARCH)
    if standing == manifest:
        names: Iterable[str] = there
    else:  # a publication that was cut short leaves a manifest that no root leads to yet, and the one before
        manifests = [name for name in there if is_manifest(join(SEARCH, name))]
        names = set().union(*(_led_to(folder, read_file(folder / name) or b"") for name in manifests))
    paths = (join(SEARCH, name) for name in sorted(names))
    return [path for path in paths if path not in shards and is_shard(path) and is_ours(out, path)]


def _led_to(folder: Path, manifest: bytes) -> set[str]:
    """Returns the names of the files that a manifest leads to, as far as the files that name them can be read."""
    from infograph.search.format.layout import MANIFEST  # few builds ask
    from infograph.search.reading.listing import named_files

    found: set[str] = set()
    waiting = [(MANIFEST, manifest)]
    while waiting:
        with suppress(FormatError):
            names = set(named_files(*waiting.pop())) - found
            found |= names
            waiting += [(name, read_file(folder / name) or b"") for name in names if name[0] == "n"]
    return found
