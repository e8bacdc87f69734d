"""What a build publishes for browsers: the client `infograph.js`, and the explorer, a page that looks at the graph.

    infograph.js              what users import; one line that leads to the module in `infograph/`
    explorer.html             the page
    infograph/*.js            the client's modules
    infograph/explorer/*      the page's modules, its style, its icon

All but two lie in one folder, so that the names of modules (`site.js`, `bundle.js`) meet none of the site's own; no
name begins with an underscore, which Jekyll would leave out. The files are those of this folder, byte for byte.
"""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent
FOLDER = "infograph"
"""Of the modules, in the output tree."""
CLIENT = "infograph.js"
PAGE = "explorer.html"


def files() -> dict[str, bytes]:
    """Path relative to the output tree, with `/`, and contents of each file to publish; sorted by path."""
    found = {CLIENT: f'export * from "./{FOLDER}/{CLIENT}";\n'.encode()}
    for path in [*HERE.glob("*.js"), *HERE.glob("explorer/*")]:
        name = path.relative_to(HERE).as_posix()
        found[PAGE if path.name == PAGE else f"{FOLDER}/{name}"] = path.read_bytes()
    return dict(sorted(found.items()))
