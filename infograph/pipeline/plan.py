"""Plans a build: finds the documents and topics that differ from what the last build saw and wrote."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from infograph.config.settings import Config, Settings
from infograph.errors import ConfigError
from infograph.files.disk import digest_file
from infograph.files.stamps import NO_STAMP, Stamp, as_left, stamp, trusted
from infograph.formats.names import (
    CHUNKS,
    EXPLORER_DATA,
    GRAPH,
    KEYWORDS,
    LLMS,
    NO_JEKYLL,
    OUTPUT_MARK,
    SEARCH,
    all_topics,
    is_questions,
    join,
    output_topic,
    topic_of,
)
from infograph.pipeline.memory.folders import digests
from infograph.pipeline.memory.state import State
from infograph.source.discovery import Discovery, SourceRules, discover
from infograph.source.enrichment import communities_stamp, enrichment_stamps
from infograph.source.repository import looked_at, repository_of

_HASHED_AT_MOST = 256
"""Number of touched files up to which they are read, before workers are started, to see whether they really changed."""


OF_COMMUNITIES = ""
"""Key of the stamp of the records of communities among those of documents: no document has this path."""


@dataclass(slots=True)
class Plan:
    """The difference between the tree as it is and as the last build left it."""

    process: list[str] = field(default_factory=list)
    """Documents to read and cut, sorted."""
    removed: list[str] = field(default_factory=list)
    """Documents that were removed."""
    topics: set[str] = field(default_factory=set)
    """Topics whose own outputs must be made again."""
    touched: dict[str, Stamp] = field(default_factory=dict)
    """New stamps of documents that have their old bytes."""
    search: bool = False
    """Whether the search bundle is not as the last build left it, so that it must be made again from all documents."""
    tables: dict[str, Stamp] = field(default_factory=dict)
    """Stamps of authority tables beside the sources, by topic, when the outputs are elsewhere."""
    enriched: dict[str, Stamp] = field(default_factory=dict)
    """Stamps of the files of records of language models, by document."""
    communities: Stamp | None = None
    """Stamp of the records of communities of names; None where there are none."""
    foreign: bool = False
    """Whether outputs that the last build did not leave may lie outside of the topics too: an output of the root is not
    as it was, so another build may have published here since."""
    strays: bool = False
    """Whether a folder that was moved or copied in the tree brought outputs along and holds no document now."""
    kept: bool = False
    """Whether a table that stayed without its topic, for its pinned rows, is not as the last build left it: it may be
    removed now."""
    folders: dict[str, str] = field(default_factory=dict)
    """Digest of each own folder as it was found, see `folders.digest`."""

    @property
    def said(self) -> dict[str, Stamp]:
        """Stamps of all records of language models, as the next build compares them."""
        return self.enriched | ({OF_COMMUNITIES: self.communities} if self.communities else {})

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.process or self.removed or self.topics or self.search or self.kept or self.strays)


def make_plan(settings: Settings, found: Discovery, last: State | None) -> Plan:
    """Compares the tree with the last build. Without a last build, everything is to be done."""
    documents = list(found.documents)
    plan = Plan(tables={} if settings.in_place else _tables(settings.root, documents))
    plan.enriched = enrichment_stamps(settings.root, settings.enrichment, documents)
    plan.communities = communities_stamp(settings.root, settings.enrichment)
    if last is None:
        plan.process, plan.topics = documents, set(all_topics(documents))
        plan.folders = digests(settings.out, [SEARCH, GRAPH, *_chunk_folders(plan.topics)])
        return plan
    stamps = last.sources
    root = os.fspath(settings.root) + "/"
    stat = os.stat
    differing = []
    for path in documents:
        known = stamps.get(path)
        try:
            status = stat(root + path, follow_symlinks=False)
        except OSError:
            differing.append(path)
            continue
        if (
            known is None
            or known[1] != status.st_mtime_ns
            or known[0] != status.st_size
            or known[2] != status.st_ctime_ns
        ):
            differing.append(path)
    changed = {path for path in differing if not _same_bytes(settings, path, last, plan, len(differing))}
    changed |= _including(settings.root, last, documents)
    changed |= _said_anew(plan, last, documents)
    if len(documents) != len(stamps) or changed:
        present = set(documents)
        plan.removed = sorted(path for path in stamps if path not in present)
    plan.folders = digests(settings.out, last.folders)
    whole = _damaged(settings.out, last, plan.folders)
    if _made_room(settings, last):
        whole.add("")
    plan.search = SEARCH in whole
    plan.strays = settings.in_place and _strays(found, last)
    # In place, a folder that is moved to where no documents are looked for takes its outputs along.
    plan.foreign = "" in whole or plan.strays or (settings.in_place and bool(plan.removed))
    whole.discard(SEARCH)
    plan.kept = not whole.issubset(all_topics(documents))
    plan.topics = {topic_of(path) for path in changed} | {topic_of(path) for path in plan.removed} | whole
    tables = plan.tables.keys() | last.tables.keys()
    plan.topics |= {t for t in tables if plan.tables.get(t) in (NO_STAMP, None) or plan.tables[t] != last.tables.get(t)}
    if plan.communities == NO_STAMP or plan.communities != last.enriched.get(OF_COMMUNITIES):
        plan.topics.add("")  # the graph is made with the root's outputs
    if plan.topics:
        questioned = {topic_of(path) for path in (*documents, *plan.removed) if is_questions(path)}
        # A question goes to the best chunks of its whole topic, so there all chunks are compared again.
        whole |= questioned & plan.topics
        plan.topics &= set(all_topics(documents))
        plan.process = [path for path in documents if path in changed or topic_of(path) in whole]
        plan.folders |= digests(settings.out, _chunk_folders(plan.topics) - plan.folders.keys())
    return plan


def _chunk_folders(topics: Iterable[str]) -> set[str]:
    return {join(topic, CHUNKS) for topic in topics}


def _including(root: Path, last: State, documents: list[str]) -> set[str]:
    """Returns the documents that include a file which is not as the last build saw it: changed, gone, or there now."""
    if not last.included:
        return set()
    repository = repository_of(root)
    now: dict[str, Stamp] = {}
    for files in last.included.values():
        for path in files.keys() - now.keys():
            now[path] = looked_at(repository, path)
    anew = {
        path
        for path, files in last.included.items()
        if any(now[name] != known or known == NO_STAMP for name, known in files.items())
    }
    return anew.intersection(documents)


def _said_anew(plan: Plan, last: State, documents: list[str]) -> set[str]:
    """Returns the documents of which a language model's records are not those of the last build."""
    if not plan.enriched and not last.enriched:
        return set()
    now, before = plan.enriched, last.enriched
    return {path for path in documents if now.get(path) != before.get(path) or now.get(path) == NO_STAMP}


def _strays(found: Discovery, last: State) -> bool:
    new = found.listed.keys() - last.listed.keys()
    return bool(new) and not {topic_of(folder) for folder in new}.issubset(all_topics(list(found.documents)))


def _tables(root: Path, documents: list[str]) -> dict[str, Stamp]:
    found: dict[str, Stamp] = {}
    for topic in {topic_of(path) for path in documents}:
        with contextlib.suppress(OSError):
            taken = stamp(os.lstat(root / join(topic, KEYWORDS)))
            found[topic] = taken if trusted(taken) else NO_STAMP
    return found


def _same_bytes(settings: Settings, path: str, last: State, plan: Plan, differing: int) -> bool:
    """Whether a file with a new stamp still has the old bytes (it was touched, moved back or checked out again); its
    new stamp is then noted in the plan."""
    known = last.hashes.get(path)
    if known is None or differing > _HASHED_AT_MOST:
        return False
    place = settings.root / path
    try:
        before = stamp(os.lstat(place))
        digest = digest_file(place) if before[0] <= settings.config.limits.bytes else None
        if digest != known or stamp(os.lstat(place)) != before:
            return False
    except OSError:
        return False
    plan.touched[path] = before if trusted(before) else NO_STAMP
    return True


def _damaged(out: Path, last: State, folders: Mapping[str, str]) -> set[str]:
    """Returns the topics with outputs that are not as the last build left them, and `SEARCH` where the bundle is not.

    folders: digest of each own folder as it is
    """
    found = set()
    base = os.fspath(out) + "/"
    for path, known in last.outputs.items():
        try:
            same = as_left(known, stamp(os.stat(base + path, follow_symlinks=False)))
        except OSError:
            same = False
        if not same:  # what the explorer shows of a whole tree is made from the bundle, and with it
            found.add(SEARCH if path in EXPLORER_DATA else output_topic(path))
    differing = (folder for folder, known in last.folders.items() if folders[folder] != known)
    found.update(folder if folder in (SEARCH, GRAPH) else topic_of(folder) for folder in differing)
    if GRAPH in found:  # the graph is made from the same documents as the bundle, and leads into it
        found.remove(GRAPH)
        found.add(SEARCH)
    return found


def _made_room(settings: Settings, last: State) -> bool:
    """Whether a file of somebody else's is gone that the last build left alone in the place of one of the root's."""
    paths = [LLMS] if settings.in_place else [LLMS, NO_JEKYLL]
    return any(path not in last.outputs and not os.path.lexists(settings.out / path) for path in paths)


def refuse_documents_in_out(settings: Settings) -> None:
    """Raises ConfigError where outputs would be written into a folder of the sources: an output folder is never a
    source, so its documents would be left out."""
    out = settings.out
    if settings.in_place or not out.is_relative_to(settings.root) or (out / OUTPUT_MARK).exists() or not out.is_dir():
        return
    documents = discover(out, SourceRules(gitignore=False, pages="markdown")).documents
    if documents:
        reason = f"holds documents of the tree, {documents[0]} among them, which would not be indexed"
        raise ConfigError(str(out), reason, "Write the outputs to a folder of their own.")


def find_documents(settings: Settings, listed: Mapping[str, int] | None = None) -> Discovery:
    """Lists the documents of a source tree. Raises DocumentError and ConfigError as `discover` does.

    listed: what the last build knows of infograph's own directories, see `discover`
    """
    return discover(settings.root, rules_of(settings.config), None if settings.in_place else settings.out, listed)


def rules_of(config: Config) -> SourceRules:
    """Returns the rules by which documents are found."""
    source = config.source
    commands = tuple(suffix.lower() for suffix, _ in source.convert)
    return SourceRules(source.include, source.exclude, source.gitignore, pages=source.pages, commands=commands)
