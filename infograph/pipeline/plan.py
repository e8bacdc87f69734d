"""What a build has to do: which documents and topics differ from what the last build saw and wrote."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Callable, Container, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from infograph import __version__
from infograph.config.settings import Settings
from infograph.files.disk import blocked, cannot_write, digest_file, read_output, unread
from infograph.formats.names import (
    CHUNKS,
    INDEX,
    KEYWORDS,
    LLMS,
    LOCK,
    NO_JEKYLL,
    OWN_FOLDERS,
    PRIVATE,
    SCHEMA,
    SEARCH,
    SEARCH_MANIFEST,
    SPEC,
    join,
)
from infograph.model import stem_of
from infograph.pipeline.memory.state import FORMAT, NO_STAMP, Stamp, State, as_left, stamp, trusted
from infograph.pipeline.staging import NO_JEKYLL_TEXT
from infograph.pipeline.versions import installed
from infograph.source.discovery import CHUNK_FILE, DEEPEST, Discovery, is_chunk_file, is_specification
from infograph.web import is_marked, is_published

QUESTIONS = "qa-pairs"
"""Stem of the document whose questions are matched to the chunks of its topic."""

_HASHED_AT_MOST = 256
"""Touched files that are read to see whether they really changed, before workers are started."""


@dataclass(slots=True)
class Plan:
    """The difference between the tree as it is and as the last build left it."""

    process: list[str] = field(default_factory=list)
    """Documents to read and cut, sorted."""
    removed: list[str] = field(default_factory=list)
    """Documents that are gone."""
    topics: set[str] = field(default_factory=set)
    """Topics whose own outputs must be made again."""
    touched: dict[str, Stamp] = field(default_factory=dict)
    """Documents with a new stamp and the old bytes."""
    search: bool = False
    """Whether the search bundle is not as the last build left it: it can only be made again from all documents."""
    tables: dict[str, Stamp] = field(default_factory=dict)
    """Authority tables beside the sources by topic, when the outputs are elsewhere: their pinned rows count."""

    foreign: bool = False
    """Whether there may be outputs that the last build did not leave, outside of the topics, too: one of the root is
    not as it was, so another build may have published here since."""

    strays: bool = False
    """Whether outputs came with a folder that was moved or copied in the tree, and holds no document now."""

    kept: bool = False
    """Whether a table that outlived its topic, for its pinned rows, is not as the last build left it: it may go now."""

    @property
    def idle(self) -> bool:
        return not (self.process or self.removed or self.topics or self.search or self.kept or self.strays)


def build_key(settings: Settings, model: str) -> str:
    """Digest of everything but the sources that the outputs depend on."""
    config = asdict(settings.config)
    for name in ("docs", "out", "jobs", "strict", "cache", "watch", "serve", "source"):
        del config[name]
    config["in_place"] = settings.in_place
    config["source_version"] = settings.source_version
    del config["limits"]["seconds"]
    text = json.dumps([__version__, FORMAT, model, config, installed(settings.config)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def topic_of(path: str) -> str:
    """The topic a document belongs to."""
    return path.rpartition("/")[0]


def all_topics(documents: list[str]) -> list[str]:
    """Every directory that holds documents or lies above one, the root first, sorted."""
    topics = {""}
    for path in documents:
        topic = topic_of(path)
        while topic not in topics:
            topics.add(topic)
            topic = topic_of(topic)
    return sorted(topics)


def make_plan(settings: Settings, found: Discovery, last: State | None) -> Plan:
    """Compares the tree with the last build. Without one, everything is to be done."""
    documents = list(found.documents)
    plan = Plan(tables={} if settings.in_place else _tables(settings.root, documents))
    if last is None:
        plan.process, plan.topics = documents, set(all_topics(documents))
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
    if len(documents) != len(stamps) or changed:
        present = set(documents)
        plan.removed = sorted(path for path in stamps if path not in present)
    whole = _damaged(settings.out, last)
    plan.search = SEARCH in whole
    plan.strays = settings.in_place and _strays(found, last)
    # In place, a folder that is moved to where no documents are looked for takes its outputs along.
    plan.foreign = "" in whole or plan.strays or (settings.in_place and bool(plan.removed))
    whole.discard(SEARCH)
    plan.kept = not whole.issubset(all_topics(documents))
    plan.topics = {topic_of(path) for path in changed} | {topic_of(path) for path in plan.removed} | whole
    tables = plan.tables.keys() | last.tables.keys()
    plan.topics |= {t for t in tables if plan.tables.get(t) in (NO_STAMP, None) or plan.tables[t] != last.tables.get(t)}
    if plan.topics:
        questioned = {topic_of(path) for path in (*documents, *plan.removed) if is_questions(path)}
        # A question goes to the best chunks of its whole topic, so there all chunks are compared again.
        whole |= questioned & plan.topics
        plan.topics &= set(all_topics(documents))
        plan.process = [path for path in documents if path in changed or topic_of(path) in whole]
    return plan


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


def is_questions(path: str) -> bool:
    return stem_of(path.rpartition("/")[2]) == QUESTIONS


def _same_bytes(settings: Settings, path: str, last: State, plan: Plan, differing: int) -> bool:
    """Whether a file with a new stamp still has the old bytes (it was touched, moved back, checked out again)."""
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


def _damaged(out: Path, last: State) -> set[str]:
    """Topics that have outputs which are not as the last build left them, and `SEARCH` where the bundle is not."""
    found = set()
    base = os.fspath(out) + "/"
    for path, known in last.outputs.items():
        try:
            same = as_left(known, stamp(os.stat(base + path, follow_symlinks=False)))
        except OSError:
            same = False
        if not same:
            found.add(output_topic(path))
    for folder, modified in last.folders.items():
        try:
            same = os.stat(base + folder, follow_symlinks=False).st_mtime_ns == modified
        except OSError:
            same = False
        if not same:
            found.add(folder if folder == SEARCH else topic_of(folder))
    return found


def output_topic(path: str) -> str:
    """The topic an output that is not a chunk file belongs to."""
    if is_table(path):
        return path[: -len(KEYWORDS)].rstrip("/")
    if path in (SCHEMA, LLMS, NO_JEKYLL) or is_published(path):
        return ""
    return topic_of(path)


_ROOT_INDEX = re.compile(rb'\{\s*"id":\s*""')
_INDEX_FILE = re.compile(r"index(?:-\d+)?\.json")
_SHARD = re.compile(rf"{SEARCH}/[a-z]-([0-9a-f]{{16}})\.z")


def find_outputs(
    out: Path, standing: Container[str] = (), unreadable: Callable[[OSError], None] | None = None
) -> set[str]:  # fmt: skip
    """Every file in a tree that infograph wrote, told by name and content: what a build without a memory
    may replace or remove. A file of the same name that somebody else wrote is not among them, nor is anything in
    a folder that was built as a tree of its own: such a one may come without its memory, as a fixture or in a clone.

    standing:   paths that are not asked for; each one spared is a file not read
    unreadable: told of each folder that cannot be listed, and of each file of such a name that cannot be read;
                without it they are passed over
    """
    found: set[str] = set()
    for folder, names, files in os.walk(out, onerror=unreadable):
        path = Path(folder).relative_to(out).as_posix()
        path = "" if path == "." else path
        if path and is_tree(out, path, names, files):
            names.clear()
            continue
        if path.count("/") > DEEPEST:  # nothing of ours lies below documents that are too deep
            names.clear()
        names[:] = [name for name in names if not name.startswith(".") and name != "node_modules"]
        ours = _outputs_among(out, path, files, standing)
        found |= ours
        if unreadable:
            others = [name for name in files if _named_like_ours(join(path, name)) and join(path, name) not in ours]
            for error in map(unread, (Path(folder, name) for name in others)):
                if isinstance(error, PermissionError):
                    unreadable(error)
    return found


def outputs_of(out: Path, topics: Iterable[str], standing: Container[str] = ()) -> set[str]:
    """The same for single topics: what was put there since the last build is found too (another branch's outputs).
    Raises OutputError for a folder that cannot be listed."""
    found: set[str] = set()
    for topic in topics:
        for folder in (topic, *(join(topic, name) for name in OWN_FOLDERS if name != SEARCH)):
            if blocked(out, folder) is None:  # behind a link is what somebody else keeps
                try:
                    names = os.listdir(out / folder)
                except (FileNotFoundError, NotADirectoryError):
                    continue
                except OSError as error:
                    raise cannot_write(folder, error) from error
                found |= _outputs_among(out, folder, names, standing)
    return found


def is_tree(out: Path, folder: str, folders: Container[str], files: Container[str]) -> bool:
    """Whether a folder of these names was built as a tree of its own: only a root has a memory, an index without an id,
    or an `llms.txt`."""
    if PRIVATE in folders and os.path.lexists(out / folder / LOCK):
        return True
    index, listing = join(folder, INDEX), join(folder, LLMS)
    if INDEX in files and (data := read_output(out / index)) and _ROOT_INDEX.match(data) and written_by_us(index, data):
        return True
    return LLMS in files and is_ours(out, listing)


def _outputs_among(out: Path, folder: str, names: Iterable[str], standing: Container[str] = ()) -> set[str]:
    """Our files among those of one folder."""
    paths = (join(folder, name) for name in names)
    return {path for path in paths if path not in standing and _named_like_ours(path) and is_ours(out, path)}


def _named_like_ours(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    if folder.rpartition("/")[2] == CHUNKS:
        return CHUNK_FILE.fullmatch(name) is not None
    return (
        name == SPEC
        or _INDEX_FILE.fullmatch(name) is not None
        or path in (SCHEMA, LLMS, NO_JEKYLL, SEARCH_MANIFEST)
        or is_shard(path)
        or is_published(path)
        or is_table(path)
    )


def is_table(path: str) -> bool:
    """Whether an authority table has this path."""
    return path == KEYWORDS or path.endswith("/" + KEYWORDS)


def is_index(path: str) -> bool:
    """Whether a page of a topic's index has this path."""
    return _INDEX_FILE.fullmatch(path.rpartition("/")[2]) is not None


def is_shard(path: str) -> bool:
    """Whether a file of the search bundle has this path: any but the manifest."""
    return _SHARD.fullmatch(path) is not None


def is_ours(out: Path, path: str) -> bool:
    """Whether there is a file with the mark that every file of ours of this name has. An empty one counts as ours:
    nothing is lost with it."""
    data = read_output(out / path)
    return data is not None and written_by_us(path, data)


def written_by_us(path: str, data: bytes) -> bool:
    """Whether a file's content has the mark that every file of ours of this name has."""
    folder, _, name = path.rpartition("/")
    if path == NO_JEKYLL:  # an empty one is what everybody else writes
        return data == NO_JEKYLL_TEXT
    if not data:
        return True
    if folder.rpartition("/")[2] == CHUNKS:
        return is_chunk_file(data)
    if _INDEX_FILE.fullmatch(name):
        return b'"build_id"' in data and SCHEMA.encode() in data
    if name == SPEC:
        return is_specification(data)
    if name == LLMS:
        return b"stripe_order" in data
    if path == SCHEMA:
        return b"infograph" in data
    if path == SEARCH_MANIFEST:
        return b'"largest_shard"' in data
    if is_published(path):
        return is_marked(data)
    if shard := _SHARD.fullmatch(path):
        return hashlib.sha256(data).hexdigest().startswith(shard[1])
    return b"| Term |" in data
