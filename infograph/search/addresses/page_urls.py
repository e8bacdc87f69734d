"""The URLs at which a site generator publishes the pages of source documents.

A search result opens the rendered page, not the source. `PAGES` has one function for each generator, which names the
source of its rule. The tests build sites with the generators themselves and compare.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import PurePosixPath
from posixpath import normpath
from typing import NamedTuple
from unicodedata import category
from urllib.parse import quote, unquote, urlsplit

from infograph.errors import ConfigError
from infograph.model import RENDERED, Site, UserTable
from infograph.search.addresses.slugs import github

Front = Mapping[str, object]

_MARKDOWN = frozenset({".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd", ".rst", ".ipynb", ".adoc", ".asciidoc"})
"""Extensions of the files that a generator renders; it copies every other file as it is."""


def page_url(path: str, front: Front, site: Site) -> str:
    """Returns the URL of the rendered page, percent-encoded; empty where no page of the document is known.

    path:  posix path of the document, relative to the source root
    front: values of its front matter; those named in `model.ADDRESSES` are used, and only when they are text; of a
           rendered page, `canonical`

    Raises ConfigError for a generator, or a part of the pattern, that does not exist.
    """
    rule = PAGES.get(site.generator)
    if rule is None:
        close = get_close_matches(site.generator, PAGES, n=1)
        known = "Valid: " + ", ".join(f"`{name}`" for name in PAGES)
        hint = f"Did you mean `{close[0]}`? {known}" if close else known
        raise ConfigError("site.generator", f"there is no `{site.generator}`", hint)
    if site.roots:
        placed = _in_root(path, site)
        if placed is None:
            return ""
        path, site, rule = placed
    if path.lower().endswith(RENDERED):
        return _rendered(_parts(path), front, site)
    if site.generator != "auto" and PurePosixPath(path).suffix.lower() not in _MARKDOWN:
        return _under(site.url, path)
    return rule(_parts(path), front, site)


def _in_root(path: str, site: Site) -> tuple[str, Site, Callable[[_Path, Front, Site], str]] | None:
    """Returns what holds for a document in one of a site's roots: its path there, the site with the address of that
    root, and the rule; None for a document in none."""
    folders = [(f"{folder.strip('/')}/" if folder.strip("/") else "", str(address)) for folder, address in site.roots]
    for folder, address in sorted(folders, key=lambda row: -len(row[0])):
        if path.startswith(folder):
            is_blog = folder.strip("/") in {blog.strip("/") for blog in site.blogs}
            rule = _docusaurus_post if is_blog and site.generator == "docusaurus" else PAGES[site.generator]
            return path[len(folder) :], _with_address(site, address), rule
    return None


@lru_cache(maxsize=64)
def _with_address(site: Site, address: str) -> Site:
    """Returns a site whose documents are published at an address, which may be relative to the site's own."""
    whole = address.startswith(("/", "http://", "https://")) or not site.url
    below = f"{site.url.rstrip('/')}/{address}" if address else site.url
    return replace(site, url=address if whole else below, roots=UserTable(), blogs=())


class _Path(NamedTuple):
    """The parts of a document's path."""

    folder: str
    """Folder with a final slash, or empty."""
    name: str
    """Name of the file without its extension."""
    whole: str
    """Whole path, with the extension."""


def _parts(path: str) -> _Path:
    folder, slash, name = path.rpartition("/")
    return _Path(folder + slash, name.rpartition(".")[0] or name, path)


def _under(base: str, path: str) -> str:
    """Returns the URL of a path below a base, which it cannot leave; an empty path is the base with a final slash."""
    segments = (segment for segment in path.lstrip("/").split("/") if segment not in (".", ".."))
    encoded = "/".join(quote(segment, safe="") for segment in segments)
    return f"{base.rstrip('/')}/{encoded}" if base else encoded or "./"


def _inside(path: str) -> str:
    """Resolves the dots of a path that an author wrote; it cannot leave the site."""
    inside = normpath(f"/{path}").lstrip("/")
    return f"{inside}/" if inside and path.endswith("/") else inside


def _text(front: Front, name: str) -> str:
    """Returns a value of the front matter without outer spaces; empty where it is not text."""
    value = front.get(name)
    return value.strip() if isinstance(value, str) else ""


def _mkdocs(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of MkDocs.

    `index` and `README` stand for their folder. Source: MkDocs, user guide, "Writing your docs", "File layout";
    mkdocs/structure/files.py."""
    name = "index" if path.name == "README" else path.name
    if site.directory_urls is False:
        return _under(site.url, f"{path.folder}{name}.html")
    return _under(site.url, path.folder if name == "index" else f"{path.folder}{name}/")


def _sphinx(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of Sphinx.

    It has the document's name, under which `dirhtml` makes a folder. Source: Sphinx, "Builders"; sphinx/builders/html
    and sphinx/builders/dirhtml."""
    if not site.directory_urls:
        return _under(site.url, f"{path.folder}{path.name}.html")
    return _under(site.url, path.folder if path.name == "index" else f"{path.folder}{path.name}/")


_INDEX_PAGE = re.compile(r"index\.x?html?", re.IGNORECASE)


def _rendered(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of a page that is rendered already: where it lies.

    The page's own `<link rel="canonical">` decides how that is written where it means this page: `guide/setup`,
    `guide/setup/` or `guide/setup.html`."""
    name = path.whole.rpartition("/")[2]
    own = path.folder if _INDEX_PAGE.fullmatch(name) else path.whole
    spelled = _spelled(_text(front, "canonical"), own)
    return _under(site.url, own if spelled is None else spelled)


def _spelled(canonical: str, own: str) -> str | None:
    """Returns the end of a canonical address that means the page `own`; None where it means another page, or the whole
    site."""
    try:
        route = unquote(urlsplit(canonical).path)
    except ValueError:
        return None
    bare = re.sub(r"(?:/|\.x?html?)$", "", own)
    if not bare:
        return None
    match = re.search(rf"(?:^|/)({re.escape(bare)}(?:/|\.x?html?|/index\.x?html?)?)$", route)
    return match[1] if match else None


_NO_NUMBER = re.compile(r"\d+[-_.]\d")
_NUMBER = re.compile(r"\d+\s*[-_.]+\s*(?=[^-_.\s])")


def _docusaurus(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of Docusaurus.

    It is without the numbers that order files and folders; `index`, `README` and a file named as its folder stand for
    the folder; `slug` and `id` replace the name. Source: Docusaurus, plugin-content-docs, "Markdown front matter";
    its src/slug.ts, src/docs.ts and src/numberPrefix.ts, and utils-common/src/applyTrailingSlash.ts."""
    folders = path.folder.rstrip("/").split("/")
    keep = not site.number_prefixes or _text(front, "parse_number_prefixes").lower() == "false"
    folder = path.folder if keep else "".join(f"{_unnumbered(part)}/" for part in folders if part)
    slug = _text(front, "slug")
    if slug:
        route = _inside(slug if slug.startswith("/") else f"{folder}{slug}")
    elif path.name.lower() in ("index", "readme", folders[-1].lower()):
        route = folder
    else:
        route = folder + (_text(front, "id") or (path.name if keep else _unnumbered(path.name)))
    if site.trailing_slash is not None:
        route = route.rstrip("/")
        if not route and not site.trailing_slash:
            return site.url or "./"  # with a final slash or without one: as it is written in the settings
        route += "/" if site.trailing_slash and route else ""
    return _under(site.url, route)


_DATED = re.compile(r"(?P<folder>.*?)(?P<date>\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(?P<text>.*?)(?:/index)?")


def _docusaurus_post(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of a post of Docusaurus' blog.

    A date in its path becomes folders before all else; `slug` replaces the path. Source: Docusaurus,
    plugin-content-blog, "Markdown front matter"; its src/blogUtils.ts, `parseBlogFileName`."""
    own = path.folder + path.name
    dated = _DATED.fullmatch(own)
    route = _inside(_text(front, "slug"))
    if not route and dated:
        route = f"{dated['date'].replace('-', '/')}/{dated['folder']}{dated['text']}"
    route = route or re.sub(r"/index$", "", own)
    slash = site.trailing_slash
    return _under(site.url, route if slash is None else f"{route.rstrip('/')}{'/' if slash else ''}")


def _unnumbered(name: str) -> str:
    """Removes the number in front of a name, unless it is part of a date or a version."""
    if _NO_NUMBER.match(name):
        return name
    number = _NUMBER.match(name)
    return name[number.end() :] if number else name


def _hugo(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of Hugo.

    `_index` and `index` stand for their folder, `slug` for the name, `url` for the whole path; paths lose what
    needs escaping. Source: Hugo, "URL management"; common/paths/path.go and resources/page/page_paths.go."""
    if url := _text(front, "url"):
        return _under(site.home or site.url, _inside(url))
    folder = "".join(f"{_hugo_name(part, site)}/" for part in path.folder.split("/") if part)
    slug = "/".join(_hugo_name(part, site) for part in _text(front, "slug").split("/") if part)
    name = slug or _hugo_name(path.name, site)
    if path.name in ("index", "_index"):
        above, _, own = folder.rstrip("/").rpartition("/")
        folder, name = (f"{above}/" if above else ""), slug or own
    if not site.ugly_urls:
        return _under(site.url, f"{folder}{name}/" if name else "")
    page = path.name != "_index" and name  # a section, and the whole site, have a folder in any case
    return _under(site.url, f"{folder}{name}.html" if page else f"{folder}{name}/index.html")


def _hugo_name(name: str, site: Site) -> str:
    kept = "".join(sign if sign.isspace() or sign in "._#+~-@%" or _in_word(sign) else "" for sign in name)
    if site.lower_paths:
        return re.sub(r"\s", "-", "".join(sign.lower()[0] for sign in kept))  # sign by sign, as Go does
    return re.sub(r"[\s-]+", "-", kept.strip())


def _in_word(sign: str) -> bool:
    kind = category(sign)
    return kind[0] in "LM" or kind == "Nd"


def _mdbook(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of mdBook.

    `README` becomes `index.html`; `SUMMARY.md` is no page. Source: mdBook, "SUMMARY.md" and "Preprocessors" (the
    `index` one)."""
    if path.whole == "SUMMARY.md":
        return ""
    name = "index" if path.name.lower() == "readme" else path.name
    return _under(site.url, f"{path.folder}{name}.html")


def _github(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of the file itself as the code host renders it: `url` ends in `/blob/BRANCH` and a folder.
    Source: GitHub, "Getting permanent links to files"."""
    return _under(site.url, path.whole)


def _html(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of a page beside the document, as pandoc and other converters write it."""
    return _under(site.url, f"{path.folder}{path.name}.html")


def _jekyll(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of Jekyll.

    `index` and `README` stand for their folder, `permalink` for the whole path. Posts and collections lie in folders
    with an underscore, and their addresses are not known here. Source: Jekyll, "Pages" and "Permalinks"."""
    permalink = _text(front, "permalink")
    if ":" in permalink or any(part.startswith("_") for part in path.folder.split("/")):
        return ""
    if permalink:
        return _under(site.url, _inside(permalink))
    if path.name.lower() in ("index", "readme"):
        return _under(site.url, path.folder)
    return _under(site.url, f"{path.folder}{path.name}{'/' if site.directory_urls else '.html'}")


def _vitepress(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of VitePress.

    `index` stands for its folder; with `cleanUrls` a page has no extension. Source: VitePress, "Routing"."""
    if path.name == "index":
        return _under(site.url, path.folder)
    return _under(site.url, f"{path.folder}{path.name}{'' if site.directory_urls else '.html'}")


def _starlight(path: _Path, front: Front, site: Site) -> str:
    """Returns the URL of Starlight, whose names are slugs; `slug` in the front matter is the whole path.
    Source: Starlight, "Pages"; Astro, "Content collections", `generateId` of the `glob` loader."""
    if slug := _text(front, "slug"):
        return _under(site.url, _inside(slug if slug.endswith("/") else f"{slug}/"))
    folder = "".join(f"{github(part)}/" for part in path.folder.split("/") if part)
    return _under(site.url, folder if path.name == "index" else f"{folder}{github(path.name)}/")


def _no_page(path: _Path, front: Front, site: Site) -> str:
    """Returns no URL: what renders the documents is not known."""
    return ""


_PART = re.compile(r"\{([^{}]*)\}")


def _pattern(path: _Path, front: Front, site: Site) -> str:
    """Fills in the parts of the site's pattern; `permalink` in the front matter replaces it (Jekyll, Eleventy).

    {path} `guide/setup`, {dir} `guide`, {name} `setup`, {slug} the front matter's slug or the name, {route} the path
    without a final `index`, which ends in a slash then.
    """
    permalink = _text(front, "permalink")
    if permalink and not _PART.search(permalink) and ":" not in permalink:
        return _under(site.url, _inside(permalink))
    values = {
        "path": path.folder + path.name,
        "route": path.folder if path.name == "index" else path.folder + path.name,
        "dir": path.folder.rstrip("/"),
        "name": path.name,
        "slug": _text(front, "slug") or path.name,
    }
    if unknown := [part for part in _PART.findall(site.pattern) if part not in values]:
        known = "Valid: " + ", ".join(f"`{{{name}}}`" for name in values)
        raise ConfigError("site.pattern", f"there is no part `{{{unknown[0]}}}`", known)
    if not _PART.search(site.pattern):
        raise ConfigError("site.pattern", "names no part of the path", "Write it like `/docs/{path}.html`")
    filled = _PART.sub(lambda match: values[match[1]], site.pattern)
    return _under(site.url, re.sub(r"/{2,}", "/", filled))


PAGES: dict[str, Callable[[_Path, Front, Site], str]] = {
    "auto": _no_page,
    "mkdocs": _mkdocs,
    "docusaurus": _docusaurus,
    "hugo": _hugo,
    "sphinx": _sphinx,
    "mdbook": _mdbook,
    "vitepress": _vitepress,
    "starlight": _starlight,
    "jekyll": _jekyll,
    "github": _github,
    "html": _html,
    "pattern": _pattern,
}
"""By generator, the function from a document's path, its front matter and the site to the page's URL."""
