"""The files that a build publishes for browsers: the client `infograph.js` and the explorer, a page to browse a site.

In: the stemmer of the site's language, if the client lacks it (`web.stemmers`). Out: paths and bytes, from the files of
this folder. Never import another stage here, write a file, or need a JavaScript engine or a bundler.

    infograph.js              what users import; one line that leads to the module in `infograph/`
    infograph.d.ts            what it exports, for TypeScript
    explorer.html             the page
    infograph/*.js            the client's modules
    infograph/explorer/*      the page's modules, its style, its icon

All but three lie in one folder, so that names of modules (`site.js`, `bundle.js`) do not collide with files of the
site; no name begins with an underscore, since Jekyll would leave such files out. Each file begins with the comment that
marks it as infograph's: a build replaces and removes no file without it. Comments on lines of their own are stripped
from code and style, as they are a quarter of the bytes that a page would load.
"""

from __future__ import annotations

import re
from pathlib import Path

from infograph.formats.marks import WEB_MARK
from infograph.formats.names import CLIENT, CLIENT_TYPES, EXPLORER, STEMMER, WEB_FOLDER

HERE = Path(__file__).parent

_COMMENT = re.compile(rb"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//.*)[ \t]*\n", re.MULTILINE)
_INDENT = re.compile(rb"^[ \t]+", re.MULTILINE)


def files(stemmer: bytes | None = None) -> dict[str, bytes]:
    """Returns the files to publish: path relative to the output tree, with `/`, to contents; sorted by path.

    stemmer: the module for the site's language; None for `stemmer.js` of this folder, which stems nothing
    """
    found = {CLIENT: _marked(CLIENT, f'export * from "./{WEB_FOLDER}/{CLIENT}";\n'.encode())}
    found[CLIENT_TYPES] = _marked(CLIENT_TYPES, (HERE / CLIENT_TYPES).read_bytes())
    for path in [*HERE.glob("*.js"), *HERE.glob("explorer/*")]:
        name = path.relative_to(HERE).as_posix()
        place = EXPLORER if path.name == EXPLORER else f"{WEB_FOLDER}/{name}"
        found[place] = _marked(name, _bare(name, path.read_bytes()))
    if stemmer is not None:
        found[STEMMER] = _marked("stemmer.js", stemmer)  # with its comments: the licence is one
    return dict(sorted(found.items()))


def _bare(name: str, data: bytes) -> bytes:
    """Strips indentation and comments on lines of their own from code and style.

    In these files no string spans lines, so none contains what looks like a comment.
    """
    return _INDENT.sub(b"", _COMMENT.sub(b"", data)) if name.endswith((".js", ".css")) else data


def _marked(name: str, data: bytes) -> bytes:
    """Puts the comment with infograph's mark before a file's contents."""
    before, after = (b"<!-- ", b" -->\n") if name.endswith((".html", ".svg")) else (b"/* ", b" */\n")
    return before + WEB_MARK + after + data
