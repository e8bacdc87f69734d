"""What stays published for readers of earlier publications: files that a tree no longer has and others still lead to.

    index or manifest that a reader has ─▶ files that it names ─▶ kept for two publications

In an `--out` tree what an index or a manifest names never gets other bytes, and stays for as long. So whoever follows
links from the root's index finds the tree that it was written for, old or new, while others are published. In place
only the files of the search bundle have such names.
"""

from __future__ import annotations

import contextlib
import json
import posixpath
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from infograph.errors import FormatError
from infograph.files.disk import read_file, read_output
from infograph.formats.names import (
    CHUNKS,
    INDEX,
    KEPT,
    converted_name,
    is_chunk_name,
    is_community,
    is_graph_manifest,
    is_index,
    is_manifest,
    is_output,
    is_shard,
    join,
    topic_of,
)
from infograph.search.reading.listing import named_files

GENERATIONS = 2
"""Number of publications for which a file that a build leaves out stays."""


def generations(dropped: Collection[str], old: Sequence[Sequence[str]]) -> list[list[str]]:
    """Returns the files that no longer belong to the tree and stay for now, newest first.

    dropped: files that this build leaves out
    old:     the same of the builds before
    """
    return [sorted(dropped), *map(list, old)][:GENERATIONS]


def aged(
    dropped: Collection[str], old: Sequence[Sequence[str]], standing: Collection[str], *, published: bool
) -> list[list[str]]:
    """Returns the files that stay for readers of earlier publications, newest first.

    dropped:   files that were published last and are left out now
    old:       what has been kept so far, see `generations`
    standing:  files that belong to the tree: what returned is not kept
    published: whether the index or the manifest is another one, without which nothing ages
    """
    new = set(dropped).difference(*old)  # where no build is remembered, those are found once more
    older = generations(new, old) if new or published else old
    return [[path for path in paths if path not in standing] for paths in older]


def dump_kept(older: Sequence[Sequence[str]]) -> bytes:
    """Returns the contents of the file `KEPT`: generations as `generations` returns them, in JSON. It lies with the
    outputs, so that a build that remembers nothing of the last one leaves earlier readers theirs, too."""
    return json.dumps(older, indent=0).encode() + b"\n"


def read_kept(out: Path) -> list[list[str]]:
    """Returns what `dump_kept` wrote of an output tree; nothing where it did not, or where it cannot be read."""
    try:
        found = json.loads(read_file(out / KEPT) or b"[]")
    except ValueError:
        return []
    if not (isinstance(found, list) and all(isinstance(paths, list) for paths in found)):
        return []
    return [[path for path in paths if _may_be_kept(path)] for paths in found[:GENERATIONS]]


def _may_be_kept(path: object) -> bool:
    """Whether a path is one of an output below the tree: a file of ours that was changed leads to no others."""
    return isinstance(path, str) and is_output(path) and not {"", ".", ".."} & set(path.split("/"))


def led_to(out: Path, base_url: str = "") -> set[str]:
    """Returns the outputs that the index of the root leads to, as far as the files that name them can be read: those of
    the last whole publication, whatever else lies in the tree.

    base_url: of the links, see `IndexOptions`
    """
    base = base_url.rstrip("/") + "/" if base_url else ""
    found = {INDEX}
    waiting = [INDEX]
    while waiting:
        page = waiting.pop()
        folder, _, name = page.rpartition("/")
        if is_manifest(page) or is_graph_manifest(page) or is_shard(page):
            with contextlib.suppress(FormatError):  # a damaged one leads nowhere
                names = named_files(name, read_output(out / page) or b"")
                found |= {join(folder, name) for name in names}
                waiting += (join(folder, name) for name in names if name.startswith("n-"))  # others name none
        if is_shard(page):
            continue
        for href in _hrefs(_read(out, page)):
            if base and href.startswith(base):
                path = unquote(href.removeprefix(base).partition("#")[0])
            elif urlsplit(href).scheme:
                continue
            else:
                path = posixpath.normpath(posixpath.join(topic_of(page), unquote(href.partition("#")[0])))
            if path in found or not is_output(path):
                continue
            found.add(path)
            if is_index(path) or is_community(path) or is_manifest(path) or is_graph_manifest(path):
                waiting.append(path)
            elif (text := _converted(path)) and is_output(text):
                found.add(text)
    return found


def _converted(path: str) -> str:
    """Returns the path that the text has which the chunks of a document tile, if it was converted; empty for the path
    of another file."""
    folder, _, name = path.rpartition("/")
    if folder.rpartition("/")[2] != CHUNKS or not is_chunk_name(name):
        return ""
    return join(folder, converted_name(name.rpartition("-")[0]))


def _read(out: Path, path: str) -> Any:
    try:
        return json.loads(read_output(out / path) or b"null")
    except ValueError:  # not ours, or damaged: it leads nowhere
        return None


def _hrefs(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("href"), str):
            yield value["href"]
        for item in value.values():
            yield from _hrefs(item)
    elif isinstance(value, list):
        for item in value:
            yield from _hrefs(item)
