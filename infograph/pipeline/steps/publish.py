"""The end of a build: which files stand, which go, in which order, and what is remembered."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.config.settings import Settings
from infograph.errors import FormatError, OutputError
from infograph.files.disk import read_file, remove_private, unread, write_private
from infograph.files.stamps import NO_STAMP, Stamp, as_left, stamp
from infograph.formats.marks import NO_JEKYLL_TEXT
from infograph.formats.names import (
    CHUNKS,
    INDEX,
    KEYWORDS,
    LLMS,
    NO_JEKYLL,
    SEARCH,
    SEARCH_MANIFEST,
    SPEC,
    is_index,
    is_shard,
    is_table,
    join,
    output_topic,
    topic_of,
)
from infograph.model import stem_of
from infograph.pipeline.memory.state import PUBLISHING, State
from infograph.pipeline.ours import find_outputs, is_ours, outputs_of
from infograph.pipeline.plan import Plan
from infograph.pipeline.staging import Staged
from infograph.pipeline.summary import Problems
from infograph.source.discovery import Discovery

if TYPE_CHECKING:
    from infograph.model import KeywordRow
    from infograph.pipeline.memory.records import Graph
    from infograph.pipeline.worker.tasks import Result
    from infograph.progress import Reporter

LARGEST_TABLE = 1 << 25
"""Bytes of an authority table that is read."""


def pinned_rows(settings: Settings, topic: str, *, copied: bool = False) -> list[KeywordRow]:
    """Rows set by hand: from the table beside the sources, or else beside the outputs.

    copied: the rows among the outputs are copies of a table beside the sources, as the last build found it

    Raises FormatError when the table does not parse, or could be somebody else's.
    """
    from infograph.formats.keyword_table import parse_words

    target = join(topic, KEYWORDS)
    for folder in dict.fromkeys((settings.root, settings.root if copied else settings.out)):
        if any(os.path.islink(place) for place in (folder / target, (folder / target).parent)):
            reason = "is a symbolic link or lies behind one, which is not followed"
            raise FormatError(target, reason, "Put the table itself there, or take the link away.")
        data = read_file(folder / target, LARGEST_TABLE + 1)
        if data is None and (error := unread(folder / target)):
            reason = f"cannot be read: {error.strerror}"
            raise FormatError(target, reason, "It may hold rows set by hand: make it readable, or take it away.")
        if data is not None:
            return [row for row in parse_words(target, _bounded(target, data)) if row.pinned]
    return []


def is_beside_sources(settings: Settings, topic: str) -> bool:
    """Whether a topic's rows set by hand have their home elsewhere than among the outputs, whose table holds copies."""
    return not settings.in_place and os.path.lexists(settings.root / join(topic, KEYWORDS))


def _bounded(path: str, data: bytes) -> bytes:
    if len(data) > LARGEST_TABLE:
        raise FormatError(path, f"is larger than {LARGEST_TABLE >> 20} MB", "Take it away, or the rows not needed.")
    return data


def chunk_counts(last: State | None, documents: Iterable[str], results: Mapping[str, Result]) -> dict[str, int]:
    """How many chunk files each document has now."""
    known = last.chunk_counts if last else {}
    counts = {path: known[path] for path in documents if path not in results and path in known}
    counts |= {path: len(result.record.chunks) for path, result in results.items() if result.record}
    return dict(sorted(counts.items()))


def chunk_files(counts: Mapping[str, int]) -> set[str]:
    """The chunk files of documents with so many chunks."""
    files = set()
    for path, count in counts.items():
        topic, _, name = path.rpartition("/")
        stem = join(topic, f"{CHUNKS}/{stem_of(name)}")
        files |= {f"{stem}-{index}.md" for index in range(count)}
    return files


def no_jekyll(settings: Settings) -> dict[str, bytes]:
    """The file that tells GitHub Pages to publish `_chunks`: in a tree of outputs, unless it has one already."""
    path = settings.out / NO_JEKYLL
    if settings.in_place or (os.path.lexists(path) and not is_ours(settings.out, NO_JEKYLL)):
        return {}
    return {NO_JEKYLL: NO_JEKYLL_TEXT}


def leftovers(
    out: Path, last: State | None, topics: Iterable[str], standing: set[str], *, known: bool
) -> tuple[list[str], dict[str, Stamp]]:
    """Outputs in the tree that do not stand after this build; and, apart from them, authority tables that stay because
    they hold somebody's work, with their stamps before they were looked at.

    topics: those that were made again
    known:  nobody else published here since the last build
    """
    if last is None:
        old = (find_outputs(out, standing) | outputs_of(out, topics, standing)) - standing
    else:
        old = set(last.outputs).union(chunk_files(last.chunk_counts), outputs_of(out, topics, standing))
        old = old.union(*last.old_shards) - standing
        old = {path for path in old if is_ours(out, path)}  # what we wrote there may have been replaced since
        if not known:
            # Where there is a bundle, its files are none of these: another publication of it makes all anew.
            searched = SEARCH_MANIFEST in standing
            old |= {path for path in find_outputs(out, standing) if not (searched and is_shard(path))} - standing
    copies = {join(topic, KEYWORDS) for topic in last.tables} if last else set()  # of rows beside the sources
    tables = {path: stamp_of(out / path) for path in sorted(old - copies) if is_table(path)}
    kept = {path: before for path, before in tables.items() if holds_pins(out, path)}
    return sorted(old - kept.keys()), kept


def holds_pins(out: Path, path: str) -> bool:
    """Whether a file is an authority table with rows set by hand, or one that cannot be read: a topic may be gone
    for one build only, because its page is broken or an ignore file has a slip."""
    if not is_table(path):
        return False
    from infograph.formats.keyword_table import parse_words

    try:
        data = _bounded(path, read_file(out / path, LARGEST_TABLE + 1) or b"")
        return any(row.pinned for row in parse_words(path, data))
    except FormatError:
        return True


def expected(last: State | None, made: Mapping[str, set[str]], topics: Iterable[str]) -> list[str]:
    """Outputs besides chunk files that stand after this build.

    made: topic to its outputs, where they were made again; the other topics keep theirs
    """
    kept = set(topics) - made.keys()
    outputs = {path for path in (last.outputs if last else ()) if output_topic(path) in kept}
    return sorted(outputs.union(*made.values()))


def refuse_foreign(out: Path, staged: Iterable[Staged]) -> None:
    """Raises OutputError before a file that somebody else wrote would be replaced."""
    there: dict[str, bool] = {}
    for item in staged:
        folder = item.target.rpartition("/")[0]
        if folder not in there:
            there[folder] = os.path.lexists(out / folder)
        if there[folder] and os.path.lexists(out / item.target) and not _replaceable(out, item.target):
            reason = "stands there already and infograph did not write it"
            if error := unread(out / item.target):
                reason = f"stands there already and cannot be read: {error.strerror}"
            raise OutputError(
                item.target,
                reason,
                "Move it away, or write the outputs elsewhere with --out.",
            )


def _replaceable(out: Path, path: str) -> bool:
    """Whether what stands at the path of an output is ours. A shard's name is the digest of the only bytes that can be
    meant by it, so with other bytes it was one of ours before somebody wrote over it."""
    return is_ours(out, path) or (is_shard(path) and not (out / path).is_dir())


def in_order(staged: Iterable[Staged], out: Path) -> list[Staged]:
    """The order of publication: what is pointed to before what points to it. Indexes link to each other: those of new
    topics go first, since nobody is led there yet, then the others from the leaves to the root, which is the last of
    all files."""

    def rank(item: Staged) -> tuple[int, int, str, bool, str]:
        folder, _, name = item.target.rpartition("/")
        if item.target in (LLMS, INDEX):  # each leads to the other, and readers start at the index
            step, depth = 5, int(item.target == INDEX)
        elif is_index(item.target):
            step, depth = (4 if os.path.lexists(out / folder / INDEX) else 3), -item.target.count("/")
        elif name == SPEC or item.target == SEARCH_MANIFEST:
            step, depth = 2, 0
        else:
            step, depth = (0 if f"/{CHUNKS}/" in f"/{item.target}" else 1), 0
        return step, depth, folder, name == INDEX, item.target  # of a topic the first page last: it leads to the others

    return sorted(staged, key=rank)


@contextlib.contextmanager
def interrupted_until_done(memory: Path) -> Iterator[None]:
    """A mark that stays when the process dies in between: the next build then trusts nothing but the sources."""
    write_private(memory, PUBLISHING, b"")
    yield
    with remembering():
        remove_private(memory, PUBLISHING)


@contextlib.contextmanager
def remembering() -> Iterator[None]:
    """What cannot be written now is no output: the error says so."""
    try:
        yield
    except OutputError as error:
        hint = "All outputs are published. Only what the next build would remember is not: it starts from the sources."
        raise OutputError(error.place, error.reason, hint) from error


def stamp_of(path: Path) -> Stamp:
    """Of one that somebody has removed already, that of none: the next build finds it damaged."""
    try:
        return stamp(os.lstat(path))
    except OSError:
        return NO_STAMP


def without_edited(out: Path, staged: list[Staged], tables: Mapping[str, Stamp], reporter: Reporter) -> list[Staged]:
    """What is to be published, but for authority tables that somebody saved since they were read: the next build finds
    them changed, and takes their rows.

    tables: path to stamp before the reading
    """
    edited = {path for path, before in tables.items() if not as_left(before, stamp_of(out / path))}
    for path in sorted(edited):
        reporter.say(f"{path} was saved in the meantime: it stays so, and the next run takes its rows")
    return [item for item in staged if item.target not in edited]


def tables_as_read(last: State | None, read: Mapping[str, Stamp], staged: Iterable[Staged]) -> dict[str, Stamp]:
    """The stamps of the authority tables that this build did not write, as they were when it, or the last one, read
    them: an edit made since must be found by the next one."""
    known = {path: taken for path, taken in (last.outputs if last else {}).items() if is_table(path)}
    written = {item.target for item in staged}
    return {path: taken for path, taken in (known | dict(read)).items() if path not in written}


def tables_as_staged(staging: str, staged: Iterable[Staged]) -> dict[str, Stamp]:
    """The stamps of the authority tables that are about to be published: from then on somebody may save them."""
    return {item.target: stamp_of(Path(staging, item.staged)) for item in staged if is_table(item.target)}


def state(
    key: str,
    last: State | None,
    discovered: Discovery,
    plan: Plan,
    results: Mapping[str, Result],
    found: Problems,
    outputs: Iterable[str],
    counts: Mapping[str, int],
    graph: Graph,
    old_shards: list[list[str]],
    heads: dict[str, str],
    out: Path,
    tables: Mapping[str, Stamp],
) -> State:
    """What the next build compares the tree with.

    tables: see `tables_as_read` and `tables_as_staged`
    """
    known = (last.sources if last else {}) | plan.touched
    sources: dict[str, Stamp] = {}
    for path in discovered.documents:
        if path in results:
            sources[path] = results[path].stamp or NO_STAMP
        else:
            sources[path] = known[path]
    hashes = {path: value for path, value in (last.hashes if last else {}).items() if path in sources}
    hashes |= {path: result.record.sha256 for path, result in results.items() if result.record}
    folders = {join(topic_of(path), CHUNKS) for path, count in counts.items() if count}
    if SEARCH_MANIFEST in outputs:
        folders.add(SEARCH)
    return State(
        key=key,
        sources=sources,
        hashes={
            path: hashes[path] for path in sources if path in hashes and (path not in results or results[path].record)
        },
        outputs={path: tables.get(path) or stamp_of(out / path) for path in outputs},
        folders={folder: stamp_of(out / folder)[1] for folder in sorted(folders)},
        listed=dict(discovered.listed),
        chunk_counts=dict(counts),
        errors=[[path, error.place, error.reason, error.hint] for path, error in found.errors],
        notices=[[n.path, n.kind, n.message, n.count] for n in found.notices],
        topics=len(graph.topics),
        chunks=sum(record.chunks for record in graph.topics.values()),
        tables=plan.tables,
        old_shards=old_shards,
        heads=heads,
    )
