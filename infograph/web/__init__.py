"""What a build publishes for browsers: the client `infograph.js`, and the explorer, a page that looks at the graph.

    infograph.js              what users import; one line that leads to the module in `infograph/`
    explorer.html             the page
    infograph/*.js            the client's modules
    infograph/explorer/*      the page's modules, its style, its icon

All but two lie in one folder, so that the names of modules (`site.js`, `bundle.js`) meet none of the site's own; no
name begins with an underscore, which Jekyll would leave out. The files are those of this folder, after a comment that
says whose they are: a build replaces and removes no file without it. Only `stemmer.js` is made anew for a site in a
language whose stemmer the client does not bring. Of code and style, comments that have lines of their own are left out:
they are for those who read the sources, and a quarter of what a page would load.
"""

from __future__ import annotations

import re
from pathlib import Path

from infograph.formats.marks import WEB_MARK
from infograph.formats.names import CLIENT, EXPLORER, STEMMER, WEB_FOLDER

HERE = Path(__file__).parent

_COMMENT = re.compile(rb"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//.*)[ \t]*\n", re.MULTILINE)
_INDENT = re.compile(rb"^[ \t]+", re.MULTILINE)


def files(stemmer: bytes | None = None) -> dict[str, bytes]:
    """Path relative to the output tree, with `/`, and contents of each file to publish; sorted by path.

    stemmer: the module of the site's language; None: the one in this folder, which is of no language
    """
    found = {CLIENT: _marked(CLIENT, f'export * from "./{WEB_FOLDER}/{CLIENT}";\n'.encode())}
    for path in [*HERE.glob("*.js"), *HERE.glob("explorer/*")]:
        name = path.relative_to(HERE).as_posix()
        place = EXPLORER if path.name == EXPLORER else f"{WEB_FOLDER}/{name}"
        found[place] = _marked(name, _bare(name, path.read_bytes()))
    if stemmer is not None:
        found[STEMMER] = _marked("stemmer.js", stemmer)  # with its comments: the licence is one
    return dict(sorted(found.items()))


def _bare(name: str, data: bytes) -> bytes:
    """Without indentation and comments on lines of their own. In these files no text spans lines, so none has what
    looks like them."""
    return _INDENT.sub(b"", _COMMENT.sub(b"", data)) if name.endswith((".js", ".css")) else data


def _marked(name: str, data: bytes) -> bytes:
    before, after = (b"<!-- ", b" -->\n") if name.endswith((".html", ".svg")) else (b"/* ", b" */\n")
    return before + WEB_MARK + after + data
