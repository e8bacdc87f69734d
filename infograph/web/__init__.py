"""The files that a build publishes for browsers: the client `infograph.js`, the search box `infograph-search.js` and
the explorer, a page to browse a site.

In: the stemmer of the site's language, if the client lacks it (`web.stemmers`). Out: paths and bytes, from the files of
this folder. Never import another stage here, write a file, or need a JavaScript engine or a bundler.

    infograph.js              what users import; one line that leads to the module in `infograph/`
    infograph.mjs             the same for Node.js where a `package.json` says that `.js` is CommonJS
    infograph-search.js       the search box, which loads the client when somebody searches
    infograph.d.ts            what it exports, for TypeScript
    explorer.html             the page
    infograph/infograph.js    the client's modules that every search loads, `SEARCH_MODULES`, joined
    infograph/*.js            its other modules, loaded when they are needed, with a `package.json` that says to Node.js
                              what they are
    infograph/box/*.js        texts of the search box, by language
    infograph/explorer/*      the page's modules, its styles, joined but for those of the dark, its icon

All but five lie in one folder, so that names of modules (`site.js`, `bundle.js`) do not collide with files of the
site; no name begins with an underscore, since Jekyll would leave such files out. Each file begins with the comment that
marks it as infograph's: a build replaces and removes no file without it. Comments on lines of their own are stripped
from code and style, as they are a quarter of the bytes that a page would load. Joined modules are a sixth smaller once
compressed, and one file to wait for in place of seven that lead to each other.
"""

from __future__ import annotations

import html
import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from infograph.errors import REINSTALL, InfographError
from infograph.formats.marks import WEB_MARK
from infograph.formats.names import (
    CLIENT,
    CLIENT_TWIN,
    CLIENT_TYPES,
    EXPLORER,
    SEARCH_BOX,
    STEMMER,
    WEB_FOLDER,
    WEB_PACKAGE,
)

HERE = Path(__file__).parent

SEARCH_MODULES = ("bytes.js", "english.js", "site.js", "terms.js", "ranking.js", "bundle.js", CLIENT)
"""The modules that every search loads, each after those that it imports; they import no other one, and no two of them
declare the same name outside of functions and classes."""

EXPLORER_STYLES = ("explorer.css", "views.css", "chunk.css", "start.css")
"""Styles of the explorer, joined as the first: none is painted before all are there."""

# Line ends come first: what begins with a certain byte is looked for several times as fast.
_COMMENT = re.compile(rb"\n[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//.*)[ \t]*(?=\n)")
_INDENT = re.compile(rb"\n[ \t]+")
_IMPORT = re.compile(rb"^import [^;]* from [^;]*;\n|^export \{[^}]*\};\n", re.MULTILINE)
_NAMED = re.compile(rb'(<title>|<span id="site-name" dir="auto">|<h1 dir="auto">|<p class="lead" dir="auto">)[^<]*')
_LEAD = b'<p class="lead" dir="auto">'
_EXPORTED = re.compile(rb"^export (?:class |\{ )(\w+)", re.MULTILINE)
_LEADS_TO = re.compile(rb'(?:\b(?:from|import)\s*\(?\s*"(?=\.)|\b(?:src|href)=")(\.[^"?#]+|infograph/[^"?#]+)"')
"""What a module imports and a page loads of these files."""
_LANGUAGES = re.compile(rb'^const LANGUAGES = "en ([a-z ]+)";$', re.MULTILINE)
_FROM_JOINED = re.compile(
    rb'(?<=")(\.\.?/)(?:' + b"|".join(re.escape(name.encode()) for name in SEARCH_MODULES) + rb')(?=")'
)


def files(stemmer: bytes | None = None, title: str = "", description: str = "") -> dict[str, bytes]:
    """Returns the files to publish: path relative to the output tree, with `/`, to contents; sorted by path.

    stemmer: the module for the site's language; None for `stemmer.js` of this folder, which stems nothing
    title:   of the site, as the explorer shows it; empty for a name of its own
    description: of the site, or empty
    """
    found = dict(_of_every_site())
    page = found[EXPLORER].replace(_LEAD + b"<", _LEAD + _escaped(description) + b"<")
    found[EXPLORER] = page.replace(b">Explorer<", b">" + _escaped(title) + b"<") if title else page
    if stemmer is not None:
        found[STEMMER] = _marked("stemmer.js", stemmer)  # with its comments: the licence is one
    return dict(sorted(found.items()))


@cache  # `watch` and `serve` build often, and reading and stripping take as long as all else of an edit's root files
def _of_every_site() -> Mapping[str, bytes]:
    """Returns the files as the package has them, by path: without a site's name and its stemmer."""
    modules = {name: _packaged(name) for name in SEARCH_MODULES}
    public = b", ".join(sorted(_EXPORTED.findall(modules[CLIENT]))).decode()
    lead = f'export {{ {public} }} from "./{WEB_FOLDER}/{CLIENT}";\n'.encode()
    found = {name: _marked(name, lead) for name in (CLIENT, CLIENT_TWIN)}
    found[f"{WEB_FOLDER}/{CLIENT}"] = _marked(CLIENT, b"".join(map(_member, modules.values())))
    found[WEB_PACKAGE] = json.dumps({"//": WEB_MARK.decode(), "type": "module"}).encode() + b"\n"
    found[CLIENT_TYPES] = _marked(CLIENT_TYPES, _packaged(CLIENT_TYPES))
    styles = [f"explorer/{name}" for name in EXPLORER_STYLES]
    joined = b"".join(_bare(name, _packaged(name)) for name in styles)
    found[f"{WEB_FOLDER}/{styles[0]}"] = _marked(styles[0], joined)
    there = [*HERE.glob("*.js"), *HERE.glob("box/*"), *HERE.glob("explorer/*")]
    for path in sorted({*there, HERE / SEARCH_BOX, HERE / f"explorer/{EXPLORER}"}):
        name = path.relative_to(HERE).as_posix()
        if name not in SEARCH_MODULES and name not in styles:
            place = path.name if path.name in (SEARCH_BOX, EXPLORER) else f"{WEB_FOLDER}/{name}"
            found[place] = _marked(name, _bare(name, _packaged(name)))
    for place in _loaded(found):
        if place not in found:
            raise _damaged(place.removeprefix(f"{WEB_FOLDER}/"), "is not there")
    return MappingProxyType(found)


def _loaded(files: Mapping[str, bytes]) -> Iterator[str]:
    """Yields the paths of the files that others load: of the search box, the texts of every language."""
    for name, data in files.items():
        for href in _LEADS_TO.findall(data):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(name), href.decode()))
    for languages in _LANGUAGES.findall(files[SEARCH_BOX]):
        yield from (f"{WEB_FOLDER}/box/{language}.js" for language in languages.decode().split())


def _packaged(name: str) -> bytes:
    """Returns a file of the package, by its path in this folder. Raises InfographError where it is gone or empty."""
    try:
        data = (HERE / name).read_bytes()
    except FileNotFoundError:
        raise _damaged(name, "is not there") from None
    if not data.strip():
        raise _damaged(name, "is empty")
    return data


def _damaged(name: str, reason: str) -> InfographError:
    return InfographError(
        str(HERE / name), f"this file of the package, which sites are published with, {reason}", REINSTALL
    )


def unnamed(page: bytes) -> bytes:
    """Returns the explorer's page without what it says of the site: what is the same on every site."""
    return _NAMED.sub(rb"\1", page)


def _escaped(text: str) -> bytes:
    """Returns a text as it stands in a page."""
    return html.escape(" ".join(text.split())).encode()


def _member(data: bytes) -> bytes:
    """Returns a module as a part of the joined one, in which what it imports stands already."""
    return _IMPORT.sub(b"", _bare(CLIENT, data)).strip() + b"\n"


def _bare(name: str, data: bytes) -> bytes:
    """Strips indentation and comments on lines of their own from code and style; what code imports of joined modules
    comes from the joined one.

    In these files no string spans lines but the style of the search box, so none contains what looks like a comment.
    """
    if not name.endswith((".js", ".css")):
        return data
    bare = _INDENT.sub(b"\n", _COMMENT.sub(b"", b"\n" + data))[1:]
    return _FROM_JOINED.sub(rb"\1" + CLIENT.encode(), bare) if name.endswith(".js") else bare


def _marked(name: str, data: bytes) -> bytes:
    """Puts the comment with infograph's mark before a file's contents."""
    before, after = (b"<!-- ", b" -->\n") if name.endswith((".html", ".svg")) else (b"/* ", b" */\n")
    return before + WEB_MARK + after + data
