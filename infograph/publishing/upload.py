"""Sends a built tree to an object store: what differs from the last publication, in the order in which links need it.

    claim ─▶ list what is about to change ─▶ send by ranks, the root's index last ─▶ remove ─▶ list what stands

A folder and the list kept in the store are compared, so any machine can publish after any other. An upload that was
interrupted has left a list of what it was about to send: the next one sends that again, or removes it in time.
"""

from __future__ import annotations

import gzip
import hashlib
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path

from infograph.errors import ForeignFileError, OutputError
from infograph.files.disk import read_output
from infograph.formats.marks import written_by_us
from infograph.formats.media_types import is_compressible, media_type
from infograph.formats.names import INDEX, PUBLISHED, is_output, is_pack_name, is_versioned, join, topic_of
from infograph.formats.publication import Publication, dump_publication, read_publication
from infograph.pipeline.kept import generations, read_kept
from infograph.pipeline.staging import publication_rank
from infograph.progress import Advance, Reporter, amount
from infograph.publishing.claim import HIDDEN, Claim, Clock, busy, claimed
from infograph.publishing.store import ReplacedError, Store, Version

AT_ONCE = 16
"""Most requests that are under way."""
FOREVER = "public, max-age=31536000, immutable"
"""Cache-Control of files whose names say which bytes they have."""
REVALIDATED = "no-cache"
"""Cache-Control of all others: caches ask each time whether they changed."""
_LEAST_COMPRESSED = 1024
"""Bytes from which on a file is compressed."""
_DIGITS = 32
"""Hex digits of SHA-256 by which the list tells whether a file changed."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What a publication does to an address."""

    sent: list[str]
    """Paths of files to send."""
    expired: list[str]
    """Paths of files to remove: no reader of this publication or the two before is led to them."""
    after: Publication
    """The list when all is done."""

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do."""
        return not self.sent and not self.expired


@dataclass(frozen=True, slots=True)
class Upload:
    """A built tree, and the address that it goes to."""

    out: Path
    store: Store
    memory: Path
    """Folder of what this machine remembers of the tree."""
    reporter: Reporter
    force: bool = False
    """Whether all files are sent, whatever the list in the store says."""
    clock: Clock | None = None
    """What a claim goes by; None for the clock of this machine."""


def upload(work: Upload) -> Changes:
    """Publishes a tree to a store and returns what that changed there. The caller holds the lock of the tree.

    Raises LockedError where another publishes there; OutputError where the store refuses, does not answer, or holds
    files of others in the places of ours. Until the root's index is sent, readers find what was there before.
    """
    standing = digests(work.out)
    published, _ = _published(work.store)
    found = changes(published, standing, force=work.force)
    if found.idle:
        return found
    with claimed(work.store, work.memory, work.reporter.say, work.clock) as claim:
        published, listed = _published(work.store)
        found = changes(published, standing, force=work.force)
        known = published.known
        there = _names_where_needed(work.store, published, found.sent)
        _refuse_foreign(work.store, (path for path in found.sent if path in there - known and not is_versioned(path)))
        whole = there.intersection(published.pending)
        sent = [path for path in found.sent if work.force or not (path in whole and is_versioned(path))]
        root = work.store.read(INDEX)
        listed = _note(work.store, replace(published, pending=[*{*published.pending, *sent}]), listed)
        with work.reporter.phase("send", amount(len(sent), "file")) as advance:
            _send(work, sent, known, claim, advance)
        if INDEX in sent:
            _replace_root(work, root.version if root else None)
        work.store.remove(found.expired)
        _note(work.store, found.after, listed)
    return replace(found, sent=sent)


def digests(out: Path) -> dict[str, str]:
    """Returns the files of a built tree that belong to it, and the beginning of the SHA-256 of each whose name does not
    say which bytes it has, as `Publication.files` has them. What stays for earlier readers of the folder does not
    count: the store has its own."""
    kept = {path for paths in read_kept(out) for path in paths}
    found: dict[str, str] = {}
    for folder, names, files in os.walk(out):
        names[:] = [name for name in names if not name.startswith(".")]
        topic = Path(folder).relative_to(out).as_posix()
        for path in (join("" if topic == "." else topic, name) for name in files):
            if not is_output(path) or path in kept:
                continue
            found[path] = "" if is_versioned(path) else hashlib.sha256(_content(out, path)).hexdigest()[:_DIGITS]
    return found


def changes(published: Publication, standing: Mapping[str, str], *, force: bool = False) -> Changes:
    """Returns what there is to do to get from one publication to the next.

    standing: see `digests`
    force:    send all files
    """
    pending = set(published.pending)
    sent = [
        path for path, digest in standing.items() if force or path in pending or published.files.get(path) != digest
    ]
    older = [set(paths) for paths in published.older]
    dropped = (published.files.keys() | pending) - standing.keys() - {path for paths in older for path in paths}
    if not sent and not dropped:
        return Changes([], [], published)
    kept = [[path for path in paths if path not in standing] for paths in generations(dropped, published.older)]
    expired = {path for paths in older for path in paths}.difference(standing, *kept)
    return Changes(sent, sorted(expired), Publication(dict(standing), kept))


def represented(path: str, data: bytes) -> tuple[bytes, dict[str, str]]:
    """Returns the bytes that a store is given for a file, and their headers.

    JSON, scripts, pages and packs of chunks are compressed: a store hands out what it was given, and clients and
    browsers unpack it. Other text is not, since people and programs of all kinds read chunks and `llms.txt` by address.
    """
    kind = media_type(path)
    headers = {"Content-Type": kind, "Cache-Control": FOREVER if is_versioned(path) else REVALIDATED}
    plain = kind.startswith(("text/markdown", "text/plain")) and not is_pack_name(path.rpartition("/")[2])
    if not plain and len(data) >= _LEAST_COMPRESSED and is_compressible(kind):
        packed = gzip.compress(data, 9, mtime=0)
        if len(packed) < len(data):
            return packed, {**headers, "Content-Encoding": "gzip"}
    return data, headers


def ranks(paths: Iterable[str], known: Iterable[str]) -> Iterator[list[str]]:
    """Yields files that may be sent at once, group after group: what is linked to before what links to it.

    known: paths of the files that are there already
    """
    before = set(known)

    def rank(path: str) -> tuple[bool | int, ...]:
        return publication_rank(path, replaces=join(topic_of(path), INDEX) in before)

    for _, group in itertools.groupby(sorted(paths, key=lambda path: (rank(path), path)), rank):
        yield list(group)


def _published(store: Store) -> tuple[Publication, Version | None]:
    found = store.read(PUBLISHED)
    if found is None:
        return Publication(), None
    return read_publication(found.data, f"{store.address.rstrip('/')}/{PUBLISHED}"), found.version


def _note(store: Store, publication: Publication, over: Version | None) -> Version:
    """Replaces the list in a store. Raises LockedError where another did."""
    try:
        return store.swap(PUBLISHED, dump_publication(publication), HIDDEN, over=over)
    except ReplacedError:
        raise busy(store.address) from None


def _names_where_needed(store: Store, published: Publication, sent: Iterable[str]) -> set[str]:
    """Returns the names of all objects where files are sent that the list does not know, or after an upload was
    interrupted: what is whole there already need not be sent again."""
    known = published.known
    if not published.pending and all(path in known or is_versioned(path) for path in sent):
        return set()
    return store.names()


def _refuse_foreign(store: Store, paths: Iterable[str]) -> None:
    """Raises ForeignFileError before an object that infograph did not write would be replaced."""
    for path in paths:
        found = store.read(path)
        if found is not None and (found.is_too_large or not written_by_us(path, _unpacked(found.data))):
            reason = "stands there already and infograph did not write it"
            hint = "Nothing was published. Move it away, or publish below another prefix."
            raise ForeignFileError(f"{store.address.rstrip('/')}/{path}", reason, hint)


def _unpacked(data: bytes) -> bytes:
    try:
        return gzip.decompress(data)
    except (OSError, EOFError):
        return data


def _send(work: Upload, paths: Iterable[str], known: Iterable[str], claim: Claim, advance: Advance) -> None:
    """Sends files but the root's index, a rank after the other, and keeps the claim meanwhile."""
    groups = list(ranks((path for path in paths if path != INDEX), known))
    total, done = max(1, sum(map(len, groups))), 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for group in groups:
            waiting: set[Future[object]] = {pool.submit(_put, work, path) for path in group}
            try:
                while waiting:
                    finished, waiting = wait(waiting, 1.0, FIRST_EXCEPTION)
                    for future in finished:
                        future.result()
                    done += len(finished)
                    advance(done / total)
                    claim.keep()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def _put(work: Upload, path: str) -> None:
    work.store.write(path, *represented(path, _content(work.out, path)))


def _replace_root(work: Upload, before: Version | None) -> None:
    """Sends the root's index, by which readers find all else. Raises LockedError where another did meanwhile."""
    data, headers = represented(INDEX, _content(work.out, INDEX))
    try:
        work.store.swap(INDEX, data, headers, over=before)
    except ReplacedError:
        raise busy(work.store.address) from None


def _content(out: Path, path: str) -> bytes:
    data = read_output(out / path)
    if data is None:
        raise OutputError(path, "is gone from the built tree, or cannot be read", "Build it again with --force.")
    return data
