"""The step that brings the search bundle up to date: which of its files are new, and which old ones stay."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Container, Iterable, Mapping, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.errors import FormatError
from infograph.files.disk import names_in, read_file, stage_private
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
from infograph.pipeline.explorer_files import explorer_files, explorer_map
from infograph.pipeline.memory.state import BUNDLE, RecordsLost
from infograph.pipeline.ours import is_ours
from infograph.pipeline.worker.pages import language_of, search_options
from infograph.search.format.bundle_manifest import GraphFile
from infograph.search.format.layout import MANIFEST
from infograph.search.format.links import KINDS
from infograph.search.format.search_space import load_space
from infograph.search.reading.listing import named_files
from infograph.search.writing.bundle import Bundle, finished, no_state, state_key, terms_of
from infograph.search.writing.bundle_state import PackedState, SearchState, load_state
from infograph.search.writing.dictionary import common_words
from infograph.search.writing.page_table import PageTable
from infograph.search.writing.room import IN_MEMORY, Room

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.model import LinkedPages
    from infograph.pipeline.context import BuildContext
    from infograph.pipeline.held import Held
    from infograph.search.writing.kept_state import KeptState
    from infograph.search.writing.link_lists import LinkRows
    from infograph.search.writing.page_index import PageIndex


@dataclass(frozen=True, slots=True)
class UpdatedBundle:
    """Result of updating the search bundle."""

    bundle: Bundle
    dropped: set[str]
    """Names of files that are no longer in the bundle."""
    state: SearchState
    """State of the bundle that the next build starts from."""
    drawn: bytes
    """The explorer's map of its chunks."""
    packed: PackedState | None = None
    """Most of that state, packed, where that is wanted."""


class SearchFiles:
    """The bundle of a tree, as the last build left it and as it becomes.

    model: whose vectors the pages have, see `search_model`
    kept:  may have what the last build left, and keeps what this one leaves
    early: gives out what the last build left, of whatever key, where that is read already
    """

    def __init__(
        self,
        settings: Settings,
        model: str,
        kept: KeptState | None = None,
        early: Callable[[], SearchState | None] | None = None,
    ) -> None:
        self._language = language_of(settings.config.keywords.language)
        self._space = load_space()
        self._options = search_options(settings, model)
        self._memory = settings.memory
        self._kept = kept
        self._early = early
        self._last: SearchState | None = None

    def recall(self) -> None:
        """Reads what is remembered of the last bundle, which takes a while. Raises RecordsLost if there is nothing."""
        key = state_key(self._language, self._space, self._options)
        early, self._early = self._early, None
        if early is not None:
            found = early()
        else:
            data = read_file(self._memory / BUNDLE) or b""
            found = (self._kept.take(data, key) if self._kept is not None else None) or load_state(data, key)
        if found is None or found.key != key:
            raise RecordsLost(BUNDLE)
        self._last = found
        common_words(self._space, self._language)  # remembered; the update, which others wait for, need not

    def stage(self, state: SearchState, packed: PackedState) -> None:
        """Stages what the next build must know. Raises OutputError.

        packed: what `update` has packed of it
        """
        parts = packed.finished(state)
        stage_private(self._memory, BUNDLE, parts if self._kept is None else self._kept.keep(state, parts))

    def update(
        self,
        removed: Collection[str],
        changed: MutableMapping[str, PageIndex],
        room: Room = IN_MEMORY,
        *,
        anew: bool,
        pack: bool = False,
    ) -> UpdatedBundle:
        """Returns the bundle after documents were removed, added and changed.

        removed: paths of documents that are gone
        changed: the pages by path, with their vectors, of new documents and of those that differ; they are taken out
        room:    see `bundle.update`
        anew:    these are all documents; else RecordsLost is raised where the last bundle is not remembered
        pack:    pack what the next build must know, meanwhile
        """
        if not anew and self._last is None:
            self.recall()
        last, self._last = None if anew else self._last, None
        rules = self._language, self._space, self._options
        old = last or no_state(*rules)
        pages = PageTable.merged(old, removed, changed, room)
        packed = PackedState(room) if pack else None
        # All of this is numpy and deflating for the most part, which several threads have work for.
        with ThreadPoolExecutor(1) as drawing, ThreadPoolExecutor(1) as packing:
            drawing_map = drawing.submit(explorer_map, pages, old.landmarks)
            parts = [packing.submit(packed.add_pages, pages, pages.defined, pages.used)] if packed else []
            terms = terms_of(old, pages, room)
            if packed:
                parts.append(packing.submit(packed.add_terms, terms.postings, terms.wording))
            made, state = finished(old, pages, terms, *rules, room)
            for part in parts:
                part.result()
            dropped = set(old.shards.values()).difference(made.names)
            drawn, landmarks = drawing_map.result()
            return UpdatedBundle(made, dropped, replace(state, landmarks=landmarks), drawn, packed)


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
    """Links between the pages; None where they are those of the last build."""
    pages: Sequence[str] = ()
    """Paths of the pages, by the numbers that links have."""

    def linked_pages(self) -> LinkedPages | None:
        """Returns the links by path; None where they are those of the last build."""
        if self.links is None:
            return None
        found: dict[str, list[tuple[int, str, str]]] = {}
        columns = (self.links.sources, self.links.chunks, self.links.targets, self.links.kinds)
        for source, chunk, target, kind in zip(*(column.tolist() for column in columns), strict=True):
            found.setdefault(self.pages[source], []).append((chunk, self.pages[target], KINDS[kind]))
        return {path: sorted(rows) for path, rows in sorted(found.items())}


def update_bundle(context: BuildContext, search_files: SearchFiles, results: Collection[str], held: Held) -> Searched:
    """Returns what differs of the bundle; nothing where search is off. Its manifest is finished by `with_manifests`.
    Raises RecordsLost where the last bundle is not remembered.

    results: paths of the documents that were cut
    held:    has their pages, which are taken out
    """
    settings, last = context.settings, context.last
    if not settings.config.search.enabled:
        return Searched()
    gone = {*context.plan.removed, *(path for path in results if path not in held.pages)}
    if last is not None and not results and not gone:
        manifests = sorted(filter(is_manifest, last.outputs))
        return Searched(manifests=manifests, version=max(map(version_of, manifests), default=""))
    # The last bundle's state is in memory as a whole, and with few new pages this one's takes about as much: it need
    # not wait in a file, which costs ten thousand reads of a few bytes.
    room = held.room if last is None or held.spills else Room(files=held.room.files)
    made = search_files.update(gone, held.pages, room, anew=last is None, pack=not context.check)
    with ThreadPoolExecutor(1) as staging:
        staged = staging.submit(search_files.stage, made.state, made.packed) if made.packed else None
        searched = _published(context, made, room)
        if staged is not None:
            staged.result()
    return searched


def _published(context: BuildContext, made: UpdatedBundle, room: Room) -> Searched:
    """Returns the files of a bundle that was made again."""
    settings = context.settings
    shards = {join(SEARCH, name) for name in made.bundle.names}.difference({SEARCH_MANIFEST})
    dropped: Collection[str] = [join(SEARCH, name) for name in made.dropped]
    if settings.config.graph.entities != "off":  # as long as it will be, for whoever counts its bytes
        made.bundle.files[MANIFEST] = leading_to(made.bundle.files[MANIFEST], b"")
    files = published_files(settings.out, made, room)
    return Searched(files, shards, dropped=dropped, made=True, links=made.bundle.links, pages=made.state.paths)


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


def leading_to(manifest: bytes, graph: bytes) -> bytes:
    """Returns the manifest of a bundle that leads to a graph, given that graph's manifest."""
    value = {**json.loads(manifest), "graph": asdict(GraphFile.of(graph))}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def manifest_version(data: bytes) -> str:
    """Returns the version of a manifest, see `Searched.version`."""
    return hashlib.sha256(data).hexdigest()[:VERSION_DIGITS]


def published_files(out: Path, made: UpdatedBundle, room: Room = IN_MEMORY) -> MutableMapping[str, bytes]:
    """Returns the new files of a bundle by path, which are taken out of it, and those that the explorer shows of it."""

    new = made.bundle.files

    def read(name: str) -> bytes:
        found = new.get(name) or read_file(out / SEARCH / name)
        if found is None:
            raise FileNotFoundError(join(SEARCH, name))  # the reader answers without it
        return found

    files = room.files()
    explored = explorer_files(made.state, made.drawn, read)
    for name in list(new):
        files[join(SEARCH, name)] = new.pop(name)
    files.update(explored)
    return files


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
    found: set[str] = set()
    waiting = [(MANIFEST, manifest)]
    while waiting:
        with suppress(FormatError):
            names = set(named_files(*waiting.pop())) - found
            found |= names
            waiting += [(name, read_file(folder / name) or b"") for name in names if name[0] == "n"]
    return found
