"""What a reader of a published tree meets after a crash, and whether it is whole.

Whole means, with `old` the files before a build and `new` those after it:

    every file is, byte for byte, as it is in one of the two, and there are no others
    every file that both have is there, and what only the old tree has stays until all that is new stands
    every link that can be followed from the root leads to a file; before there is a root nothing is published
    an index that is new is true: every chunk has the bytes of the `sha256` that it gives
    an index that is still old promises the old chunks; one that is new already is what its reader's check of the
        `sha256` is for. Nothing else may differ
    the search bundle is true always: its files are named by their content, and the replaced ones stay

A build replaces many files and a file system replaces one at a time: in place no tree of plain files gives more than
this. In an `--out` tree the names of chunks and indexes say which bytes they have, and whoever goes down from the root
finds the old tree or the new one, see `below`.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from infograph.commands.check.promises import chunk_body
from infograph.errors import FormatError
from infograph.formats import pack
from infograph.formats.chunk_href import number_in_pack
from infograph.formats.index_json import OWN_RELATIONS
from infograph.formats.names import is_graph_manifest, is_index, is_manifest, is_output
from infograph.search.reading.listing import named_files

Files = Mapping[str, bytes]
COMMUNITY = f"{OWN_RELATIONS}:community"

_MACHINE = {".infograph", ".embedding-cache"}


def published(root: Path, sources: Mapping[str, Any] | None = None) -> dict[str, bytes]:
    """Every file of a tree but its sources and what one machine remembers."""
    return {
        name: path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and not _MACHINE.intersection((name := path.relative_to(root).as_posix()).split("/"))
        and name not in (sources or {})
    }


def below(found: Files) -> dict[str, bytes | None]:
    """What a reader finds who goes down from the root's index: indexes of topics and their pages, specifications,
    chunks, the search bundle and the graph that it leads to. A file that is not there is None."""
    reached: dict[str, bytes | None] = {}
    waiting = ["index.json"]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        data = reached[name] = found.get(name)
        if data is None:
            continue
        folder = posixpath.dirname(name)
        hrefs = [href for href, _ in _promises(name, data)] if folder in ("_search", "_graph") else []
        if is_index(name):
            index = json.loads(data)
            links, embedded = index["_links"], index["_embedded"]
            down = [links.get("next"), links.get("topic-spec"), embedded["topics"], list(embedded["chunks"].values())]
            hrefs += [*_hrefs(down), *([] if folder else _hrefs([links.get("search"), links.get(COMMUNITY)]))]
        paths = (posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0]))) for href in hrefs)
        waiting += (path for path in paths if path != name)
    return reached


def not_whole(found: Files, old: Files, new: Files, *, versioned: bool = False) -> list[str]:
    """What is wrong with a tree, see above; empty when it is whole.

    versioned: it is an `--out` tree
    """
    if versioned and "index.json" in found and below(found) not in (below(old), below(new)):
        return ["a reader who goes down from the root finds neither the old tree nor the new one"]
    wrong = [f"{name}: torn" for name, data in found.items() if data not in (old.get(name), new.get(name))]
    wrong += [f"{name}: gone" for name in old.keys() & new.keys() - found.keys()]
    return wrong or list(_followed(found, new))


def _followed(found: Files, new: Files) -> Iterator[str]:
    """Follows every link from the root's index."""
    waiting = [name for name in ("index.json", "llms.txt") if "index.json" in found]
    seen = set(waiting)
    while waiting:
        name = waiting.pop()
        for href, sha256 in _promises(name, found[name]):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(href.partition("#")[0])))
            if target not in found:
                yield f"{name}: leads to {target}, which is not there"
                continue
            number = number_in_pack(href)
            data = found[target] if number is None else _packed(target, found[target], number)
            if sha256 in (None, hashlib.sha256(chunk_body(data)).hexdigest()):
                pass
            elif found[name] == new.get(name) or found[target] != new.get(target):
                yield f"{name}: promises other bytes of {target}"
            if target not in seen:
                seen.add(target)
                waiting.append(target)


def _packed(path: str, data: bytes, number: int) -> bytes:
    """A chunk of a pack; nothing where the pack has no longer as many, which is not what an index promises of it."""
    held = pack.parse(path, data)
    return held.file(path, number) if held.first <= number < held.first + len(held.files) else b""


def _promises(name: str, data: bytes) -> Iterator[tuple[str, str | None]]:
    """Links of a file, with the SHA-256 that it says of what is there. Links to sources are not ours to keep."""
    base = posixpath.basename(name)
    if name.startswith("_graph/c-"):
        links = json.loads(data)["_links"]
        yield from ((child["href"], child["sha256"]) for child in links.get(COMMUNITY, ()))
        yield from ((href, None) for href in _hrefs(links.get("item")))
    elif name.startswith(("_search/", "_graph/")) and not base.endswith(".md"):
        try:
            yield from ((named, None) for named in named_files(base, data))
        except FormatError as error:
            raise AssertionError(f"{name}: {error}") from error
        if is_manifest(name) or is_graph_manifest(name):
            said = json.loads(data).get("graph" if is_manifest(name) else "communities")
            yield from ((link["href"], link["sha256"]) for link in ([said] if said else []))
    elif base == "llms.txt":
        hrefs = (href for href in re.findall(r"\]\(([^)\s]+)\)", data.decode()) if "//" not in href)
        yield from ((href, None) for href in hrefs if is_output(posixpath.join(posixpath.dirname(name), href)))
    elif is_index(base):
        index = json.loads(data)
        links = {relation: value for relation, value in index["_links"].items() if relation != "source"}
        yield from ((href, None) for href in _hrefs(links) if "//" not in href and "{" not in href)
        yield from ((href, None) for href in _hrefs(index["_embedded"]["topics"]))
        for document, entry in index["_embedded"]["chunks"].items():
            if not document.startswith("_"):
                yield from ((item["href"], item["sha256"]) for item in entry["items"])


def _hrefs(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("href"), str):
            yield value["href"]
        for item in value.values():
            yield from _hrefs(item)
    elif isinstance(value, list):
        for item in value:
            yield from _hrefs(item)
