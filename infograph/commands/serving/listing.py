"""What of a folder is served: what infograph published in it, the documents that the indexes list, and what pages show.

A built tree often is a folder of a project, with other things beside the documents: keys, backups, drafts. A file is
served for a reason, and never only because it is there. Of a federation, the sites below it are served each like that.
"""

from __future__ import annotations

import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

import orjson

from infograph.client.place import is_url
from infograph.commands.serving.files import read_below
from infograph.errors import FormatError
from infograph.formats.marks import written_by_us
from infograph.formats.names import FEDERATION, FEDERATION_FOLDER, SHARD_NAME, is_index, is_output
from infograph.search.format.federation import is_federation, read_federation

WELL_KNOWN = ".well-known"
"""Folder of the root that holds what every site says of itself (RFC 8615)."""
START = "index.html"
"""Page of a folder; where the root has one, the folder is a site."""

_SHOWN = re.compile(r".+\.(?:avif|gif|jpe?g|png|svg|webp|mp3|mp4|ogg|wav|webm)", re.IGNORECASE)
"""Names of images, sounds and films, which pages show."""
_SITE = re.compile(
    r".+\.(?:html?|css|m?js|map|json|xml|txt|webmanifest|wasm|ico|woff2?|ttf|otf|pdf)|CNAME", re.IGNORECASE
)
"""Names of what else a rendered site is made of."""


def is_listed(root: Path, names: list[str], data: bytes) -> bool:
    """Whether a file is one to serve.

    names: of the folders that lead to it from the root, and its own
    data:  its content
    """
    for site in sites_below(root):
        if site and names[: len(site)] == site and names[len(site) :]:
            return _is_of_tree(Path(root, *site), names[len(site) :], data)
    return _is_of_federation(names, data) or _is_of_tree(root, names, data)


def sites_below(root: Path) -> list[list[str]]:
    """Returns the folders of the sites of the federation that lies at the root, by their names from there on, those in
    others first; none where there is no federation."""
    path = os.path.join(root, FEDERATION)
    try:
        return _sites_of(path, os.stat(path).st_mtime_ns)
    except OSError:
        return []


@lru_cache(maxsize=1)
def _sites_of(path: str, changed: int) -> list[list[str]]:
    data = read_below(Path(path).parent, [FEDERATION])
    try:
        sites = read_federation(data or b"").sites
    except FormatError:  # `infograph check` says what is wrong with it
        return []
    folders = [[unquote(name) for name in site.href[:-1].split("/")] for site in sites if not is_url(site.href)]
    return sorted((names for names in folders if names != ["."]), key=len, reverse=True)


def _is_of_federation(names: list[str], data: bytes) -> bool:
    if names == [FEDERATION]:
        return is_federation(data)
    if len(names) != 2 or names[0] != FEDERATION_FOLDER:
        return False
    shard = SHARD_NAME.fullmatch(names[1])
    return shard is not None and hashlib.sha256(data).hexdigest().startswith(shard[1])


def _is_of_tree(root: Path, names: list[str], data: bytes) -> bool:
    path = "/".join(names)
    if is_output(path) and written_by_us(path, data):
        return True
    if names[0] == WELL_KNOWN or _SHOWN.fullmatch(names[-1]):
        return True
    if _SITE.fullmatch(names[-1]) and (names[-1] == START or _is_site(root)):
        return True
    return names[-1] in documents_of(root, names[:-1])


def _is_site(root: Path) -> bool:
    return os.path.isfile(os.path.join(root, START))


def documents_of(root: Path, folder: list[str]) -> frozenset[str]:
    """Returns the names of the documents in a folder that the index of its topic lists, on all pages."""
    found: set[str] = set()
    try:
        pages = [name for name in os.listdir(os.path.join(root, *folder)) if is_index(name)]
    except OSError:
        return frozenset()
    for name in pages:
        data = read_below(root, [*folder, name])
        if data is None or not written_by_us("/".join([*folder, name]), data):
            continue
        try:
            chunks = orjson.loads(data)["_embedded"]["chunks"]
            found.update(document["source"] for key, document in chunks.items() if key != "_links")
        except (ValueError, KeyError, TypeError, AttributeError):  # not as infograph writes it: it lists nothing
            continue
    return frozenset(name for name in found if isinstance(name, str))
