"""The search step of a build: which files of the bundle are new, and which old ones still stand."""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.config.settings import Settings
from infograph.errors import FormatError
from infograph.files.disk import keep_private, read_file, remove_private, stage_private
from infograph.formats.names import SEARCH, SEARCH_MANIFEST, is_shard, join
from infograph.pipeline.memory.state import RecordsLost, State
from infograph.pipeline.ours import is_ours
from infograph.pipeline.plan import Plan
from infograph.pipeline.worker.pages import language_of, search_options
from infograph.search.format.layout import MANIFEST
from infograph.search.format.term_table import load_table
from infograph.search.reading.listing import named_files
from infograph.search.writing.bundle import Bundle, state_key, update
from infograph.search.writing.bundle_state import SearchState, load_state

if TYPE_CHECKING:
    from infograph.pipeline.worker.tasks import Result
    from infograph.search.writing.page_index import PageIndex

OLD_GENERATIONS = 2
"""Publications back whose search files still stand."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What became of the search bundle."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    """New ones by path, the manifest among them."""
    shards: Collection[str] = ()
    """Paths of all but the manifest, where the bundle was made again."""
    old_shards: list[list[str]] = field(default_factory=list)
    """See `State.old_shards`."""
    made: bool = False
    """The bundle was made again: what the next build must know of it is staged."""


def search(
    search_files: SearchFiles,
    settings: Settings,
    last: State | None,
    plan: Plan,
    results: Mapping[str, Result],
    *,
    dry: bool,
) -> Searched:
    """The bundle after a build. Raises RecordsLost where the last one is not remembered.

    dry: stage nothing
    """
    old = last.old_shards if last else []
    gone = {*plan.removed, *(path for path, result in results.items() if result.page is None)}
    if last is not None and not results and not gone:
        return Searched(old_shards=old)
    made = search_files.update(gone, _taken(results.values()), anew=last is None)
    if not dry:
        stage_private(settings.memory, MEMORY, made.state.dump())
    shards = {join(SEARCH, name) for name in made.bundle.names}.difference({SEARCH_MANIFEST})
    dropped: Collection[str] = [join(SEARCH, name) for name in made.dropped]
    files = {join(SEARCH, name): data for name, data in made.bundle.files.items()}
    if last is None:  # nobody knows from which build they are
        dropped = undated(settings.out, shards, files[SEARCH_MANIFEST])
    elif read_file(settings.out / SEARCH_MANIFEST) == files[SEARCH_MANIFEST]:  # no publication: none grows older
        return Searched(files, shards, old, made=True)
    return Searched(files, shards, generations(dropped, old), made=True)


def _taken(results: Iterable[Result]) -> Iterator[PageIndex]:
    """The pages of results, which have them no more."""
    for result in results:
        page, result.page = result.page, None
        if page is not None:
            yield page


def generations(dropped: Collection[str], old: Sequence[Sequence[str]]) -> list[list[str]]:
    """Files that are in the bundle no more and stay for now, newest first: a reader in the middle of a publication
    still finds what its manifest names.

    dropped: those that this build leaves out
    old:     the same of the builds before
    """
    return [sorted(dropped), *map(list, old)][:OLD_GENERATIONS]


def remember(memory: Path, searched: Searched) -> None:
    """Keeps what the next build must know."""
    if searched.made:
        keep_private(memory, MEMORY)


def forget(memory: Path) -> None:
    """Removes what builds with a bundle remembered."""
    remove_private(memory, MEMORY)


def undated(out: Path, shards: Container[str], manifest: bytes) -> list[str]:
    """Files of the bundle's folder that are ours and not in the bundle, and may stay: all of them under the manifest
    that they were left with, and under a new one those of the manifest that it replaces. Else they would pile up where
    each build begins with a checkout of the last one's outputs."""
    folder = out / SEARCH
    standing = read_file(out / SEARCH_MANIFEST)
    if standing == manifest:
        names: Iterable[str] = os.listdir(folder)
    else:
        names = led_to(folder, standing or b"")
    paths = (join(SEARCH, name) for name in sorted(names))
    return [path for path in paths if path not in shards and is_shard(path) and is_ours(out, path)]


def led_to(folder: Path, manifest: bytes) -> set[str]:
    """Names of the files that a manifest leads to, as far as those that name them can be read."""
    found: set[str] = set()
    waiting = [(MANIFEST, manifest)]
    while waiting:
        with suppress(FormatError):
            names = set(named_files(*waiting.pop())) - found
            found |= names
            waiting += [(name, read_file(folder / name) or b"") for name in names if name[0] == "n"]
    return found


MEMORY = "search"
"""Name of the file, in the memory folder, that holds the bundle's state."""


@dataclass(frozen=True, slots=True)
class Updated:
    """A bundle and what became of the last one."""

    bundle: Bundle
    dropped: set[str]
    """Names of files that are in it no more."""
    state: SearchState
    """What the next build must remember."""


class SearchFiles:
    """The bundle of a tree as it was made last, and as it becomes.

    model: whose vectors the pages have, see `search_model`
    """

    def __init__(self, settings: Settings, model: str) -> None:
        self._language = language_of(settings.config.keywords.language)
        self._table = load_table()
        self._options = search_options(settings.config, model)
        self._memory = settings.memory
        self._threads = settings.jobs
        self._last: SearchState | None = None

    def recall(self) -> None:
        """Reads what is remembered of the last bundle, which takes a while. Raises RecordsLost if there is nothing."""
        key = state_key(self._language, self._table, self._options)
        data = read_file(self._memory / MEMORY)
        self._last = load_state(data, key) if data else None
        if self._last is None:
            raise RecordsLost(MEMORY)

    def update(self, removed: Collection[str], changed: Iterable[PageIndex], *, anew: bool) -> Updated:
        """The bundle after documents have gone and come.

        removed: paths of documents that are gone
        changed: the indexes, with their vectors, of new documents and of those that differ
        anew:    these are all documents; else RecordsLost is raised where the last bundle is not remembered
        """
        if not anew and self._last is None:
            self.recall()
        last, self._last = None if anew else self._last, None
        made, state = update(last, removed, changed, self._language, self._table, self._options, self._threads)
        before = set(last.shards.values()) if last else set()
        return Updated(made, before.difference(made.names), state)
