"""What a build publishes for browsers: the client `infograph.js`, and the explorer, a page that looks at the graph.

    infograph.js              what users import; one line that leads to the module in `infograph/`
    explorer.html             the page
    infograph/*.js            the client's modules
    infograph/explorer/*      the page's modules, its style, its icon

All but two lie in one folder, so that the names of modules (`site.js`, `bundle.js`) meet none of the site's own; no
name begins with an underscore, which Jekyll would leave out. The files are those of this folder, after a comment that
says whose they are: a build replaces and removes no file without it.
"""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = "infograph"
"""Of the modules, in the output tree."""
CLIENT = "infograph.js"
PAGE = "explorer.html"
FOLDERS = (FOLDER, f"{FOLDER}/explorer")
MARK = b"Written by `infograph build`"

_PUBLISHED = re.compile(rf"{CLIENT}|{PAGE}|{FOLDER}/(?:explorer/)?[a-z0-9-]+\.(?:js|css|svg)")


def files() -> dict[str, bytes]:
    """Path relative to the output tree, with `/`, and contents of each file to publish; sorted by path."""
    found = {CLIENT: _marked(CLIENT, f'export * from "./{FOLDER}/{CLIENT}";\n'.encode())}
    for path in [*HERE.glob("*.js"), *HERE.glob("explorer/*")]:
        name = path.relative_to(HERE).as_posix()
        found[PAGE if path.name == PAGE else f"{FOLDER}/{name}"] = _marked(name, path.read_bytes())
    return dict(sorted(found.items()))


def is_published(path: str) -> bool:
    """Whether a file of this path, relative to the output tree, may be one of ours, of this version or another."""
    return _PUBLISHED.fullmatch(path) is not None


def is_marked(data: bytes) -> bool:
    """Whether a file of such a path is ours."""
    return MARK in data[:100]


def _marked(name: str, data: bytes) -> bytes:
    before, after = (b"<!-- ", b" -->\n") if name.endswith((".html", ".svg")) else (b"/* ", b" */\n")
    return before + MARK + after + data
