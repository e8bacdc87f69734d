"""The step that publishes: which files stay, which are removed, in which order, and the state for the next build."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from infograph.errors import ForeignFileError, OutputError
from infograph.files.disk import keep_private, remove_private, unread, write_private
from infograph.files.stamps import NO_STAMP, Stamp, as_left, stamp_of
from infograph.formats.names import (
    ALIASES,
    CHUNKS,
    ENRICHMENT,
    EXPLORER_DATA,
    GRAPH,
    GRAPH_MANIFEST,
    INDEX,
    KEPT,
    KEYWORDS,
    SEARCH,
    SEARCH_MANIFEST,
    has_rows_set_by_hand,
    is_shard,
    is_versioned,
    join,
    output_topic,
    topic_of,
)
from infograph.pipeline.chunk_names import replaced_files
from infograph.pipeline.kept import aged, dump_kept, led_to, read_kept
from infograph.pipeline.memory import records
from infograph.pipeline.memory.entities import ENTITIES
from infograph.pipeline.memory.folders import as_published, row
from infograph.pipeline.memory.state import BUNDLE, PUBLISHING, State, save_state
from infograph.pipeline.memory.topics import save_graph
from infograph.pipeline.ours import find_outputs, is_ours, outputs_of, refuse_topics_called
from infograph.pipeline.staging import Output, Staged, in_order
from infograph.pipeline.summary import Problems, lacking, left_alone, outlived, problems
from infograph.pipeline.tables import holds_pins
from infograph.pipeline.versions import converting

if TYPE_CHECKING:
    from infograph.errors import InfographError, Notice
    from infograph.pipeline.chunk_names import NamedChunks
    from infograph.pipeline.context import BuildContext
    from infograph.pipeline.memory.topics import TopicGraph
    from infograph.pipeline.worker.tasks import Result
    from infograph.progress import Reporter


@dataclass(frozen=True, slots=True)
class Draft:
    """Everything that the steps of a build have staged, before it is published."""

    results: Mapping[str, Result]
    """Result of each document that was cut."""
    graph: TopicGraph
    chunks: NamedChunks
    """The chunk files that belong to the tree."""
    outputs: Mapping[str, set[str]]
    """Outputs besides chunk files, by topic, of the processed topics."""
    root: Collection[str]
    """Paths of the root's other files."""
    shards: Collection[str]
    """Paths of the search bundle's files but the manifest, where it was made again."""
    manifests: Collection[str]
    """Paths of its manifest."""
    dropped: Collection[str]
    """Paths of files that this build leaves out of the bundle or the graph."""
    graph_files: frozenset[str]
    """Paths of all files of the graph."""
    staged: list[Staged]
    """All files that are staged."""
    tabulated: Collection[str]
    """Topics whose authority tables were made again."""
    tables_read: Mapping[str, Stamp]
    """Path of each authority table that was looked at for pinned rows, and its stamp before."""
    table_faults: tuple[list[Notice], list[tuple[str, InfographError]]]
    """Notices about terms set by hand, in the tables that were made again, that no chunk has; and each authority table
    that cannot be read, by its path, with the reason."""
    packed: Mapping[str, bytes]
    """Packed record of each processed topic, for the next build."""
    packed_graph: bytes
    """Packed graph, for the next build."""
    bundled: bool
    """Whether the state of the search bundle is staged, for the next build."""
    graphed: bool
    """Whether the records of entities are staged, for the next build."""


@dataclass(frozen=True, slots=True)
class Published:
    """Result of a publication, or of a check of what it would do."""

    problems: Problems
    stale: list[str] = field(default_factory=list)
    """Outputs that would be written or removed, where the build only checks."""
    written: int = 0
    """Number of files written."""
    removed: int = 0
    """Number of files removed."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """Published files that remain valid, and what is known of them."""

    outputs: list[str]
    """Outputs besides chunk files and shards."""
    older: list[list[str]]
    """See `State.older`."""
    counts: dict[str, int]
    """Number of chunk files of each document."""
    versions: dict[str, str]
    """Version in their names, where they have one."""
    tables: dict[str, Stamp]
    """Stamps of the authority tables, see `tables_as_read` and `tables_as_staged`."""
    folders: dict[str, str]
    """See `State.folders`."""
    problems: Problems


def publish(context: BuildContext, output: Output, draft: Draft) -> Published:
    """Renames what is staged into place, removes what is left over, and remembers this build. Raises OutputError."""
    out, last, documents = context.settings.out, context.last, context.found.documents
    tabulated = {*context.plan.topics, *draft.tabulated}
    unmatched, unreadable = draft.table_faults
    found = problems(last, documents, draft.results, tabulated, unreadable)
    counts, versions = draft.chunks.counts, draft.chunks.versions
    outputs = sorted({*expected(last, draft.outputs, draft.graph.topics), *draft.root})
    outputs += sorted(draft.manifests) + sorted(draft.graph_files & {GRAPH_MANIFEST, ALIASES})
    if context.settings.config.search.enabled:
        outputs += EXPLORER_DATA
    standing = set(draft.chunks.files.union(outputs, draft.shards, draft.graph_files))
    refuse_topics_called(outputs, draft.graph.topics)
    refuse_foreign(out, draft.staged)
    if not context.check:
        output.secure(draft.staged)  # from here to the renames nothing takes long: a person may be saving a table
    remade = {*draft.outputs, ""}
    foreign = context.plan.foreign and not context.settings.in_place  # another build published, or single tools
    old = last.older if last and not foreign else read_kept(out)
    stays = standing.union(draft.dropped, *old)
    replaced = replaced_files(last, counts, versions, packed=context.settings.packed)
    removed, kept = leftovers(out, last, remade, stays, replaced, known=not context.plan.foreign)
    older, removed = _kept(context, draft, standing, replaced, removed, old)
    standing = standing.union(*older)
    found.notices += [*unmatched, *outlived(kept, documents), *left_alone(draft.root)]
    missing = lacking(
        context.settings,
        unenriched(last, documents, draft.results),
        context.plan.enriched,
        sum(record.chunks for record in draft.graph.topics.values()),
    )
    found.notices += missing
    if context.check:
        stale = sorted({item.target for item in draft.staged}.union(removed))
        return Published(found, stale=stale + [f"{ENRICHMENT}: {notice.message}" for notice in missing])
    staged = without_edited(out, draft.staged, draft.tables_read, context.reporter)
    tables = tables_as_read(last, draft.tables_read, staged) | kept
    tables |= tables_as_staged(output.staging, staged)
    folders = _folders(context, output, standing, staged, removed)
    with interrupted_until_done(context.settings.memory):
        if not context.settings.in_place:  # before the first rename: a build after a killed one knows what to keep
            note_kept(out, older)
        output.publish(in_order(staged, out), removed)
        with remembering():
            stands = _Standing([*outputs, *kept], older, counts, versions, tables, folders, found)
            _remember(context, output.build, draft, stands)
    return Published(found, written=len(staged), removed=len(removed))


def _kept(
    context: BuildContext,
    draft: Draft,
    standing: set[str],
    replaced: set[str],
    removed: list[str],
    old: Sequence[Sequence[str]],
) -> tuple[list[list[str]], list[str]]:
    """Returns the files that stay for readers of earlier publications, see `State.older`, and those to remove.

    standing: paths of all files that belong to the tree
    replaced: see `replaced_files`
    removed:  paths of outputs that do not, but for those that the last build kept
    old:      what earlier builds kept, see `State.older`
    """
    settings, out, last = context.settings, context.settings.out, context.last
    dropped = set(draft.dropped)
    if not settings.in_place:
        if last is None or context.plan.foreign:
            before = led_to(out, settings.config.index.base_url)
        else:
            before = replaced.union(last.outputs)
        # Rows set by hand that lay beside the sources go with them: found here later, they would count as this tree's.
        dropped |= {path for path in before.intersection(removed) if not holds_pins(out, path)}
    older = aged(dropped, old, standing, published=publishes(draft.staged))
    expired = {path for paths in old for path in paths} - standing.union(*older)
    removed = sorted(set(removed).difference(dropped))
    return older, sorted({*removed, *(path for path in expired if is_ours(out, path))})


def publishes(staged: Iterable[Staged]) -> bool:
    """Whether files that are staged publish the tree anew: its index, or the manifest of its search, is among them."""
    return not {INDEX, SEARCH_MANIFEST}.isdisjoint(item.target for item in staged)


def note_kept(out: Path, older: Sequence[Sequence[str]]) -> None:
    """Writes down what stays of earlier publications; see `dump_kept`."""
    if any(older):
        write_private(out, KEPT, dump_kept(older))
    else:
        remove_private(out, KEPT)


def _folders(
    context: BuildContext, output: Output, standing: Iterable[str], staged: Iterable[Staged], removed: Iterable[str]
) -> dict[str, str]:
    """Returns the digests of own folders as they are about to be published, see `State.folders`.

    standing: paths of all files that stand after this build
    """
    every = {path.rpartition("/")[0] for path in standing}
    folders = {folder for folder in every if folder.rpartition("/")[2] in (CHUNKS, SEARCH, GRAPH)}
    new: dict[str, list[Staged]] = {folder: [] for folder in sorted(folders)}
    for item in staged:
        if (own := new.get(topic_of(item.target))) is not None:
            own.append(item)
    gone: dict[str, list[str]] = {}
    for path in removed:
        gone.setdefault(topic_of(path), []).append(path)
    found: dict[str, str] = {}
    for folder, items in new.items():  # one after the other: of a million files the rows take a quarter of a gigabyte
        stats = ((item.target, os.lstat(os.path.join(output.staging, item.staged))) for item in items)
        rows = {target: row(target.rpartition("/")[2], status) for target, status in stats}
        found |= as_published(context.settings.out, [folder], context.plan.folders, rows, gone.get(folder, ()))
    return found


def _remember(context: BuildContext, build: str, draft: Draft, standing: _Standing) -> None:
    memory, searched = context.settings.memory, context.settings.config.search.enabled
    for topic, data in draft.packed.items():
        records.save_topic(memory, topic, data)
    save_graph(memory, draft.packed_graph)
    records.forget_topics(memory, draft.graph)
    if not searched:
        remove_private(memory, BUNDLE)
    elif draft.bundled:
        keep_private(memory, BUNDLE, build)
    if not draft.graph_files:
        remove_private(memory, ENTITIES)
    elif draft.graphed:
        keep_private(memory, ENTITIES)
    save_state(memory, _state(context, draft, standing, records.heads(memory, searched=searched)), orjson.dumps)


def _state(context: BuildContext, draft: Draft, standing: _Standing, heads: dict[str, str]) -> State:
    """Returns what the next build compares the tree with.

    heads: see `State.heads`
    """
    out, last, plan, results = context.settings.out, context.last, context.plan, draft.results
    known = (last.sources if last else {}) | plan.touched
    sources: dict[str, Stamp] = {}
    for path in context.found.documents:
        if path in results:
            sources[path] = results[path].stamp or NO_STAMP
        else:
            sources[path] = known[path]
    hashes = {path: value for path, value in (last.hashes if last else {}).items() if path in sources}
    hashes |= {path: result.sha256 for path, result in results.items() if result.sha256}
    problems = standing.problems
    return State(
        key=context.key,
        sources=sources,
        hashes={
            path: hashes[path] for path in sources if path in hashes and (path not in results or results[path].sha256)
        },
        outputs={path: standing.tables.get(path) or stamp_of(out / path) for path in standing.outputs},
        folders=standing.folders,
        listed=dict(context.found.listed),
        chunk_counts=dict(standing.counts),
        versions=dict(standing.versions),
        errors=[[path, error.place, error.reason, error.hint] for path, error in problems.errors],
        unenriched=unenriched(last, context.found.documents, results),
        enriched=plan.said,
        notices=[[n.path, n.kind, n.message, n.count] for n in problems.notices],
        topics=len(draft.graph.topics),
        chunks=sum(record.chunks for record in draft.graph.topics.values()),
        included=_included(last, sources, results),
        tables=plan.tables,
        older=standing.older,
        converters=converting(context.found.documents),
        heads=heads,
    )


def _included(
    last: State | None, documents: Iterable[str], results: Mapping[str, Result]
) -> dict[str, dict[str, Stamp]]:
    """Returns the files that the includes of each document looked for, where it has any."""
    known = dict(last.included) if last else {}
    known |= {path: result.included for path, result in results.items()}
    return {path: known[path] for path in documents if known.get(path)}


def unenriched(last: State | None, documents: Iterable[str], results: Mapping[str, Result]) -> dict[str, int]:
    """Returns the number of chunks of each document of which no language model said anything, where there are some."""
    known = last.unenriched if last else {}
    counts = {path: results[path].unenriched if path in results else known.get(path, 0) for path in documents}
    return {path: count for path, count in counts.items() if count}


def leftovers(
    out: Path, last: State | None, topics: Iterable[str], standing: set[str], replaced: Iterable[str], *, known: bool
) -> tuple[list[str], dict[str, Stamp]]:
    """Returns the outputs in the tree that do not stand after this build; and, apart from them, authority tables that
    stay because they hold rows set by hand, with their stamps before they were looked at.

    topics:   topics that were made again
    standing: paths of all files that stand after this build
    replaced: see `replaced_files`
    known:    no other build published here since the last one
    """
    if last is None:
        old = (find_outputs(out, standing) | outputs_of(out, topics, standing)) - standing
    else:
        old = set(last.outputs).union(replaced, outputs_of(out, topics, standing))
        old = old.union(*last.older) - standing
        old = {path for path in old if is_ours(out, path)}  # what we wrote there may have been replaced since
        if not known:
            # Where there is a bundle, its files are none of these: another publication of it makes all anew.
            searched = SEARCH_MANIFEST in standing
            old |= {path for path in find_outputs(out, standing) if not (searched and is_shard(path))} - standing
    copies = {join(topic, KEYWORDS) for topic in last.tables} if last else set()  # of rows beside the sources
    tables = {path: stamp_of(out / path) for path in sorted(old - copies) if has_rows_set_by_hand(path)}
    kept = {path: before for path, before in tables.items() if holds_pins(out, path)}
    return sorted(old - kept.keys()), kept


def expected(last: State | None, made: Mapping[str, set[str]], topics: Iterable[str]) -> list[str]:
    """Returns the outputs besides chunk files that belong to the tree after this build, sorted.

    made:   outputs by topic, where they were made again; the other topics keep those of the last build
    topics: all topics of the tree
    """
    kept = set(topics) - made.keys()
    outputs = {path for path in (last.outputs if last else ()) if output_topic(path) in kept}
    return sorted(outputs.union(*made.values()))


def refuse_foreign(out: Path, staged: Iterable[Staged]) -> None:
    """Raises ForeignFileError before a file that infograph did not write would be replaced."""
    there: dict[str, bool] = {}
    for item in staged:
        folder = item.target.rpartition("/")[0]
        if folder not in there:
            there[folder] = os.path.lexists(out / folder)
        if there[folder] and os.path.lexists(out / item.target) and not _replaceable(out, item.target):
            reason = "stands there already and infograph did not write it"
            if error := unread(out / item.target):
                reason = f"stands there already and cannot be read: {error.strerror}"
            raise ForeignFileError(
                item.target,
                reason,
                "Move it away, or write the outputs elsewhere with --out.",
            )


def _replaceable(out: Path, path: str) -> bool:
    """Whether the file at the path of an output is ours. The names of shards, and of versions, are digests of what lies
    there: a file that has other bytes was one of ours before it was torn or written over."""
    return is_ours(out, path) or (is_versioned(path) and not (out / path).is_dir())


@contextlib.contextmanager
def interrupted_until_done(memory: Path) -> Iterator[None]:
    """Sets a mark that stays when the process dies in between: the next build then trusts nothing but the sources."""
    write_private(memory, PUBLISHING, b"")
    yield
    with remembering():
        remove_private(memory, PUBLISHING)


@contextlib.contextmanager
def remembering() -> Iterator[None]:
    """Makes an OutputError say that all outputs are published, and only the memory is not written."""
    try:
        yield
    except OutputError as error:
        hint = "All outputs are published. Only what the next build would remember is not: it starts from the sources."
        raise OutputError(error.place, error.reason, hint) from error


def without_edited(out: Path, staged: list[Staged], tables: Mapping[str, Stamp], reporter: Reporter) -> list[Staged]:
    """Returns the files to publish, without authority tables that were saved since they were read: the next build
    finds those changed, and takes their rows.

    tables: path of each table that was read, and its stamp before
    """
    edited = {path for path, before in tables.items() if not as_left(before, stamp_of(out / path))}
    for path in sorted(edited):
        reporter.say(f"{path} was saved in the meantime: it stays so, and the next run takes its rows")
    return [item for item in staged if item.target not in edited]


def tables_as_read(last: State | None, read: Mapping[str, Stamp], staged: Iterable[Staged]) -> dict[str, Stamp]:
    """Returns the stamps of the authority tables that this build did not write, as they were when it, or the last one,
    read them: an edit made since must be found by the next one."""
    known = {path: taken for path, taken in (last.outputs if last else {}).items() if has_rows_set_by_hand(path)}
    written = {item.target for item in staged}
    return {path: taken for path, taken in (known | dict(read)).items() if path not in written}


def tables_as_staged(staging: str, staged: Iterable[Staged]) -> dict[str, Stamp]:
    """Returns the stamps of the authority tables that are about to be published: from then on a person may save
    them."""
    written = (item for item in staged if has_rows_set_by_hand(item.target))
    return {item.target: stamp_of(Path(staging, item.staged)) for item in written}
