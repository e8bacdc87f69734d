"""Brings the search bundle up to date, from what the last build remembered of it: which of its files are new."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.files.disk import read_file, stage_private
from infograph.formats.names import SEARCH, SEARCH_MANIFEST, join
from infograph.pipeline.explorer_files import explorer_files, explorer_map
from infograph.pipeline.memory.state import BUNDLE, RecordsLost
from infograph.pipeline.worker.bundle_tasks import Searched
from infograph.pipeline.worker.pages import language_of, search_options
from infograph.search.format.bundle_manifest import GraphFile
from infograph.search.format.layout import MANIFEST
from infograph.search.format.search_space import load_space
from infograph.search.writing.bundle import Bundle, finished, no_state, state_key, terms_of
from infograph.search.writing.bundle_state import PackedState, SearchState, load_state
from infograph.search.writing.dictionary import common_words
from infograph.search.writing.page_table import PageTable
from infograph.search.writing.room import IN_MEMORY, Room

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.search.writing.kept_state import KeptState
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
    build: name of the build, see `Output.build`
    """

    def __init__(
        self,
        settings: Settings,
        model: str,
        kept: KeptState | None = None,
        early: Callable[[], SearchState | None] | None = None,
        build: str = "",
    ) -> None:
        self._language = language_of(settings.config.keywords.language)
        self._space = load_space()
        self._options = search_options(settings, model)
        self._memory, self._out = settings.memory, settings.out
        self._entities = settings.config.graph.entities != "off"
        self._kept = kept
        self._early = early
        self._build = build
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
        kept = parts if self._kept is None else self._kept.keep(state, parts)
        stage_private(self._memory, BUNDLE, kept, self._build)

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
        room:    where the bundle's files and what they show of pages wait
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
        # All of this is numpy and compressing for the most part, which several threads have work for.
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

    def updated_files(
        self,
        removed: Collection[str],
        changed: MutableMapping[str, PageIndex],
        room: Room = IN_MEMORY,
        *,
        anew: bool,
        pack: bool,
    ) -> Searched:
        """Returns what differs of the bundle, and stages what the next build must know of it. Its manifest is finished
        by the step. Raises as `update` does.

        Arguments as of `update`.
        """
        made = self.update(removed, changed, room, anew=anew, pack=pack)
        with ThreadPoolExecutor(1) as staging:
            staged = staging.submit(self.stage, made.state, made.packed) if made.packed else None
            found = self._published(made, room)
            if staged is not None:
                staged.result()
        return found

    def _published(self, made: UpdatedBundle, room: Room) -> Searched:
        """Returns the files of a bundle that was made again."""
        shards = {join(SEARCH, name) for name in made.bundle.names}.difference({SEARCH_MANIFEST})
        dropped = [join(SEARCH, name) for name in made.dropped]
        if self._entities:  # as long as it will be, for whoever counts its bytes
            made.bundle.files[MANIFEST] = leading_to(made.bundle.files[MANIFEST], b"")
        files = published_files(self._out, made, room)
        found = Searched(files, shards, dropped=dropped, made=True)
        if not self._entities:  # only the graph asks for links, which may have a pipe before them
            return found
        return replace(found, links=made.bundle.links, pages=made.state.paths)


def leading_to(manifest: bytes, graph: bytes) -> bytes:
    """Returns the manifest of a bundle that leads to a graph, given that graph's manifest."""
    value = {**json.loads(manifest), "graph": asdict(GraphFile.of(graph))}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


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
