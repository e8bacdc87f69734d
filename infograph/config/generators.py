"""Finds the generator that renders a source tree, and what its configuration says of the site: name, language, address.

Configuration is only read: YAML, TOML and JSON as data, Python as a syntax tree, JavaScript by patterns for literal
values. Nothing in it is run, and a value that is computed counts as not given.
"""

from __future__ import annotations

import ast
import json
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from infograph.config.checks import is_address
from infograph.model import UserTable
from infograph.source.repository import GENERATORS

MOST_BYTES = 1 << 20
"""Most bytes of a configuration that are read; a larger one is no configuration."""
MOST_FOLDERS = 32
"""Most folders above the sources that are looked into."""


@dataclass(frozen=True, slots=True)
class Found:
    """A generator, and what its configuration says."""

    file: Path
    """The configuration."""
    generator: str
    docs: Path
    """Folder whose documents it renders."""
    url: str = ""
    """Address at which that folder is published; empty where it is not said."""
    name: str = ""
    """Name of the site."""
    language: str = ""
    """Language of the site as an ISO 639-1 code."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Other settings of `[site]`, by name."""
    whole: Found | None = None
    """What holds for the folder of the configuration, where that holds several folders of documents."""


def find_generator(root: Path) -> Found | None:
    """Returns the generator that renders the documents of a source tree; None where none is known.

    Looks into the tree's folder and those above it, up to the root of the repository; without a repository up to the
    working directory, and where the tree does not lie in it into the folder above and no further. A configuration
    counts where the tree is the folder that it renders, or lies in it, or holds several that it renders.
    """
    for folder in _folders(root):
        for names, read in _CONFIGURATIONS:
            for name in names:
                found = _read(folder / name, read)
                if found is not None and root.is_relative_to(found.docs):
                    return _within(found, root)
                if found is not None and found.whole is not None and folder == root:
                    return found.whole
    return None


def _folders(root: Path) -> Iterator[Path]:
    above = [root, *root.parents][:MOST_FOLDERS]
    last = next((i for i, folder in enumerate(above) if (folder / ".git").exists()), None)
    if last is None:
        here = Path.cwd()
        last = above.index(here) if here in above else 1
    yield from above[: last + 1]


def _read(path: Path, read: Callable[[Path, str], Found | None]) -> Found | None:
    """Returns what a configuration says; None where there is none, or none that can be understood."""
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        return read(path, path.read_text("utf-8-sig"))
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None  # its text is not UTF-8, not of its kind, or nested without end


def _within(found: Found, root: Path) -> Found:
    """Returns what holds for a tree in the folder that a generator renders."""
    below = root.relative_to(found.docs).as_posix()
    if below == ".":
        return found
    if found.generator in ("hugo", "starlight"):
        below = below.lower().replace(" ", "-")
    base = found.url.rstrip("/")
    # Without an address, the place of the tree counts as the place of its pages.
    return replace(found, url=f"{base}/{quote(below)}/" if found.url else "", docs=root)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _address(value: object) -> str:
    """Returns an address that can be published; empty for anything else, as for one that holds a password."""
    text = _text(value)
    return text if is_address(text) and "@" not in text.partition("//")[2].partition("/")[0] else ""


def _joined(address: str, *parts: str) -> str:
    """Returns an address with more of its path, and a final slash."""
    path = "/".join(part.strip("/") for part in parts if part.strip("/"))
    return f"{address.rstrip('/')}/{path}/" if path else f"{address.rstrip('/')}/"


def _code(value: object) -> str:
    """Returns the ISO 639-1 code in the name of a locale: `pt` of `pt-BR`."""
    match = re.match(r"([A-Za-z]{2})(?![A-Za-z])", _text(value))
    return match[1].lower() if match else ""


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _inside(folder: Path, name: object, default: str) -> Path:
    """Returns a folder that a configuration names; it cannot be left upwards beyond the file system."""
    return Path(os.path.normpath(folder / (_text(name) or default)))


def _from(folder: Path, other: Path) -> str:
    """Returns the path of a folder as seen from another."""
    return Path(os.path.relpath(other, folder)).as_posix()


def _yaml(text: str) -> Mapping[str, Any]:
    """Returns the values of YAML; those with tags of others (`!ENV`, `!!python/name:…`) as the text of the tag."""
    import yaml

    class Plain(yaml.SafeLoader):
        """A loader that builds no objects."""

    Plain.add_multi_constructor("", lambda loader, suffix, node: suffix.rpartition(":")[2])
    try:
        return _table(yaml.load(text, Plain))  # a safe loader
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _toml(text: str) -> Mapping[str, Any]:
    import tomllib

    return tomllib.loads(text)


# ---- MkDocs, mdBook, Jekyll, Hugo: data ------------------------------------------------------------------------------


def _mkdocs(path: Path, text: str) -> Found | None:
    values = _yaml(text)
    if "site_name" not in values:
        return None
    options: dict[str, Any] = {"directory_urls": values.get("use_directory_urls") is not False}
    extensions = values.get("markdown_extensions")
    rows = extensions if isinstance(extensions, list) else [_table(extensions)]
    toc = _table(next((row["toc"] for row in rows if isinstance(row, Mapping) and "toc" in row), None))
    slugify = str(toc.get("slugify") or "")
    if "pymdownx" in slugify:
        options["slugs"] = "pymdownx"
    elif slugify.endswith("slugify_unicode"):
        options["slugs"] = "unicode"
    return Found(
        file=path,
        generator="mkdocs",
        docs=_inside(path.parent, values.get("docs_dir"), "docs"),
        url=_address(values.get("site_url")),
        name=_text(values.get("site_name")),
        language=_code(_table(values.get("theme")).get("language")),
        options=options,
    )


def _mdbook(path: Path, text: str) -> Found | None:
    values = _toml(text)
    book, html = _table(values.get("book")), _table(_table(values.get("output")).get("html"))
    options = {"smart_punctuation": False} if html.get("smart-punctuation") is False else {}
    return Found(
        file=path,
        generator="mdbook",
        docs=_inside(path.parent, book.get("src"), "src"),
        url=_address(html.get("site-url")),
        name=_text(book.get("title")),
        language=_code(book.get("language")),
        options=options,
    )


def _jekyll(path: Path, text: str) -> Found | None:
    values = _yaml(text)
    permalink = _text(values.get("permalink")) or "date"
    if permalink not in ("date", "ordinal", "none", "pretty", "weekdate"):
        return None  # a pattern of the site's own
    base = "/" + _text(values.get("baseurl")).strip("/")
    return Found(
        file=path,
        generator="jekyll",
        docs=_inside(path.parent, values.get("source"), "."),
        url=_joined(_address(values.get("url")), base) if _address(values.get("url")) else _joined(base),
        name=_text(values.get("title")),
        language=_code(values.get("lang") or values.get("locale")),
        options={"directory_urls": permalink == "pretty"},
    )


def _hugo(path: Path, text: str) -> Found | None:
    values = {
        key.lower(): value for key, value in (_yaml(text) if path.suffix in (".yaml", ".yml") else _toml(text)).items()
    }
    if not path.name.startswith("hugo.") and "baseurl" not in values:
        return None  # `config.toml` of something else
    goldmark = _table(_table(values.get("markup")).get("goldmark"))
    parser = _table(goldmark.get("parser"))
    typographer = _table(_table(goldmark.get("extensions")).get("typographer"))
    options: dict[str, Any] = {}
    if slugs := _text(parser.get("autoHeadingIDType")):
        options["slugs"] = slugs
    if typographer.get("disable") is True:
        options["smart_punctuation"] = False
    if values.get("uglyurls") is True:
        options["ugly_urls"] = True
    if values.get("disablepathtolower") is True:
        options["lower_paths"] = False
    base = _address(values.get("baseurl"))
    return Found(
        file=path,
        generator="hugo",
        docs=_inside(path.parent, values.get("contentdir"), "content"),
        url=_joined(base) if base else "",
        name=_text(values.get("title")),
        language=_code(values.get("defaultcontentlanguage") or values.get("languagecode") or values.get("locale")),
        options=options | ({"home": _joined(base)} if base else {}),
    )


# ---- Sphinx: a syntax tree -------------------------------------------------------------------------------------------


def _sphinx(path: Path, text: str) -> Found | None:
    values: dict[str, Any] = {}
    with warnings.catch_warnings(action="ignore"):  # of escapes that Python will refuse one day
        tree = ast.parse(text)
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(statement, ast.Assign):
                values[target.id] = _literal(statement.value)
    if not values.keys() & {"extensions", "project", "html_theme", "master_doc", "root_doc", "exclude_patterns"}:
        return None  # another `conf.py`
    return Found(
        file=path,
        generator="sphinx",
        docs=path.parent,
        url=_address(values.get("html_baseurl")),
        name=_text(values.get("html_title")) or _text(values.get("project")),
        language=_code(values.get("language")),
    )


def _literal(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None  # computed


# ---- Docusaurus, VitePress, Astro: patterns in JavaScript ------------------------------------------------------------

_LINE_COMMENT = re.compile(r"(?<![:\"'`])//[^\n]*")


def _bare(text: str) -> str:
    """Returns JavaScript without its comments. `//` after a colon or a quote belongs to an address."""
    parts, at = [], 0
    while (start := text.find("/*", at)) >= 0 and (end := text.find("*/", start + 2)) >= 0:
        parts.append(text[at:start])
        at = end + 2
    return _LINE_COMMENT.sub("", "".join(parts) + text[at:])


def _said(text: str, key: str) -> str:
    """Returns the literal text that the first `key: "…"` gives; empty where there is none or it is computed."""
    match = re.search(rf"""(?<![\w.]){key}\s*:\s*(["'`])((?:(?!\1)[^\\\n$])*)\1""", text)
    return match[2].strip() if match else ""


def _flag(text: str, key: str) -> bool | None:
    match = re.search(rf"(?<![\w.]){key}\s*:\s*(true|false)\b", text)
    return None if match is None else match[1] == "true"


_BLOG = re.compile(r"(?<![\w.])blog\s*:|plugin-content-blog")


def _docusaurus(path: Path, text: str) -> Found | None:
    text = _bare(text)
    docs = re.search(r"(?<![\w.])docs\s*:\s*\{|plugin-content-docs", text)
    part = text[docs.end() :] if docs else ""
    part = part[: start.start()] if (start := _BLOG.search(part)) else part
    blog = text[start.end() :] if (start := _BLOG.search(text)) else None if "classic" not in text else ""
    url, base = _address(_said(text, "url")), _said(text, "baseUrl")
    trailing = _flag(text, "trailingSlash")
    address = f"{url.rstrip('/')}/{base.strip('/')}".rstrip("/") if url else ""
    below = _route(part, "docs")
    folder = _inside(path.parent, _said(part, "path"), "docs")
    options: dict[str, Any] = {} if trailing is None else {"trailing_slash": trailing}
    roots = _docusaurus_versions(path.parent, folder, part, below)
    own = roots[_from(path.parent, folder)]
    found = Found(
        file=path,
        generator="docusaurus",
        docs=folder,
        url=(f"{address}/{own}".rstrip("/") + ("/" if trailing or not own else "")) if url else "",
        name=_said(text, "title"),
        language=_code(_said(text, "defaultLocale")),
        options=options,
    )
    blogs: tuple[str, ...] = ()
    if blog is not None and not re.match(r"\s*false\b", blog):
        posts = _inside(path.parent, _said(blog, "path"), "blog")
        blogs = (_from(path.parent, posts),) if posts.is_dir() else ()
        roots |= {name: _route(blog, "blog") for name in blogs}
    several = options | {"roots": UserTable(roots.items()), "blogs": blogs}
    whole = replace(found, docs=path.parent, url=f"{address}/" if url else "", options=several)
    return replace(found, whole=whole if folder != path.parent and len(roots) > 1 else None)


def _route(part: str, default: str) -> str:
    """Returns the route of a plugin, which may be `/`: its pages are the whole site."""
    route = re.search(r"""routeBasePath\s*:\s*(["'])([^"']*)\1""", part)
    return (route[2] if route else default).strip("/")


def _docusaurus_versions(project: Path, docs: Path, part: str, route: str) -> dict[str, str]:
    """Returns the folders of the versions of documents, with their routes: the last version has none of its own.
    Source: Docusaurus, "Versioning"; plugin-content-docs, src/versions."""
    current = _from(project, docs)
    try:
        names = json.loads((project / "versions.json").read_text("utf-8"))
    except (OSError, ValueError):
        names = []
    versions = [name for name in names if isinstance(name, str) and name] if isinstance(names, list) else []
    last = _said(part, "lastVersion") or (versions[0] if versions else "current")
    routes = {current: route if last == "current" else f"{route}/next".strip("/")}
    for name in versions:
        routes[f"versioned_docs/version-{name}"] = route if name == last else f"{route}/{name}".strip("/")
    return routes


def _vitepress(path: Path, text: str) -> Found | None:
    text = _bare(text)
    docs = path.parent.parent  # of `.vitepress/`
    return Found(
        file=path,
        generator="vitepress",
        docs=_inside(docs, _said(text, "srcDir"), "."),
        url=_joined(_address(_said(text, "hostname")), _said(text, "base") or "/"),
        name=_said(text, "title"),
        language=_code(_said(text, "lang")),
        options={"directory_urls": True} if _flag(text, "cleanUrls") else {},
    )


def _astro(path: Path, text: str) -> Found | None:
    text = _bare(text)
    if "starlight" not in text:
        return None  # where Astro itself puts a page is up to the site's own routes
    site, base = _address(_said(text, "site")), _said(text, "base")
    starlight = text[text.index("starlight") :]
    starlight = starlight[starlight.find("starlight(") :] if "starlight(" in starlight else starlight
    return Found(
        file=path,
        generator="starlight",
        docs=path.parent / "src/content/docs",
        url=_joined(site, base),
        name=_said(starlight, "title"),
        language=_code(_said(starlight, "lang") or _said(starlight, "defaultLocale")),
    )


_CONFIGURATIONS: tuple[tuple[tuple[str, ...], Callable[[Path, str], Found | None]], ...] = (
    (GENERATORS["mkdocs"], _mkdocs),
    (GENERATORS["docusaurus"], _docusaurus),
    (GENERATORS["vitepress"], _vitepress),
    (GENERATORS["astro"], _astro),
    (GENERATORS["mdbook"], _mdbook),
    (GENERATORS["hugo"], _hugo),
    (GENERATORS["sphinx"], _sphinx),
    (GENERATORS["jekyll"], _jekyll),
)
"""Names of configurations, relative to a folder, with what reads them; the first that fits is taken."""
