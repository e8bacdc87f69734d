"""The ids that a site generator gives to the headings of a page.

A search result opens the page at its heading. `IDS` has one function for each generator, which names the source of its
rule. The tests build sites with the generators themselves and compare.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TypeVar

from infograph.errors import ConfigError
from infograph.model import Block, Site
from infograph.search.addresses import slugs
from infograph.search.addresses.headings import Heading, RenderedPage


@dataclass(frozen=True, slots=True)
class Anchor:
    """A heading's place in the rendered page."""

    line: int
    """The heading's first line in the body, 0-based."""
    level: int
    id: str
    """Id of the element to scroll to, not encoded. Empty where the generator gives the heading none."""
    nested: bool = False
    """Whether the heading is inside a list or a quote, where it makes no section."""


def page_anchors(body: str, blocks: Sequence[Block], site: Site) -> tuple[Anchor, ...]:
    """Returns an anchor for each heading of a page, in order.

    body, blocks: the document without its front matter, and the blocks that tile its lines

    Raises ConfigError for a generator, or a name in `site.slugs`, that does not exist.
    """
    rule = IDS.get(site.generator)
    if rule is None:
        raise ConfigError("site.generator", f"there is no `{site.generator}`", _valid(IDS))
    page = RenderedPage(body, blocks)
    headings = list(page.headings(blocks, nested=False))
    ids = rule(headings, page, site) if headings else []
    return tuple(Anchor(h.line, h.level, id_, h.nested) for h, id_ in zip(headings, ids, strict=True))


def openable(anchors: Iterable[Anchor]) -> list[Anchor]:
    """Returns the anchors that begin a section."""
    return [anchor for anchor in anchors if anchor.id and not anchor.nested]


def anchor_at(sections: Sequence[Anchor], start: int, end: int) -> str:
    """Returns the id to open for the lines from `start` to `end` of the body: that of the first section that begins in
    them, else of the one that they lie in. Empty for the page's beginning.

    sections: see `openable`
    """
    first = bisect_left(sections, start, key=attrgetter("line"))
    if first < len(sections) and sections[first].line < end:
        return sections[first].id
    above = bisect_right(sections, start, key=attrgetter("line")) - 1
    return sections[above].id if above >= 0 else ""


_Ids = list[str]


class _Taken:
    """The ids that are in use on a page."""

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self.ids = set(ids)
        self._last: dict[str, str] = {}
        """The last id given for each slug: those tried before it are in use and stay so."""

    def free(self, slug: str, following: Callable[[str, str], str]) -> str:
        """Returns the slug, or the first free id of those that follow it, and marks it as used."""
        id_ = self._last.get(slug, slug)
        while id_ in self.ids:
            id_ = following(slug, id_)
        self._last[slug] = id_
        self.ids.add(id_)
        return id_


def _next_number(slug: str, id_: str) -> str:
    """Counts `slug-1`, `slug-2`, …"""
    return f"{slug}-{1 if id_ == slug else int(id_.removeprefix(f'{slug}-')) + 1}"


class _Slugger:
    """Numbers repeated slugs, counting each slug on. Source: github-slugger, index.js, which follows github.com."""

    def __init__(self) -> None:
        self.count: dict[str, int] = {}

    def slug(self, text: str) -> str:
        """Returns the next id for a heading's text."""
        slug = first = slugs.github(text)
        while slug in self.count:
            self.count[first] += 1
            slug = f"{first}-{self.count[first]}"
        self.count[slug] = 0
        return slug


def _github(headings: Sequence[Heading], page: RenderedPage, site: Site) -> _Ids:
    """Returns the ids of github.com. Source: GitHub, "Basic writing and formatting syntax", "Section links";
    github-slugger."""
    slugger = _Slugger()
    return [slugger.slug(heading.text("url").replace("\n", " ")) for heading in headings]


_CLASSIC_ID = re.compile(r"\s*\{#((?:(?!\{#|\}).)+)\}$")
_HASH_ID = re.compile(r"(?:<!--)?\s*#(\S+?)(?=\s|-->|$)")


def _docusaurus(headings: Sequence[Heading], page: RenderedPage, site: Site) -> _Ids:
    """Returns the ids of Docusaurus.

    A title (H1) is shown without its id. `{#id}` and MDX's `{/* #id */}` are explicit; other headings are not
    numbered around them. Source: Docusaurus, mdx-loader/src/remark/headings, theme-classic's Heading; github-slugger.
    """
    slugger = _Slugger()
    ids = []
    for heading in headings:
        text = heading.text("url", "alt", "comment")
        last = heading.pieces[-1] if heading.pieces else None
        comment = _HASH_ID.match(last.text) if last and last.kind in ("comment", "html") else None
        explicit = comment or _CLASSIC_ID.search(text)
        id_ = explicit[1].strip() if explicit else slugger.slug(text)
        ids.append("" if heading.level == 1 else id_)
    return ids


_BRACES = re.compile(r"[ ]+\{:?[ ]*([^}\n ][^\n]*)\}[ ]*$")
_IN_BRACES = re.compile(r"""#(?P<id>[^ =}]+)(?=[ ]|$)|id=(?P<quote>["']?)(?P<named>[^ "'}]+)(?P=quote)""")
_COUNTED = re.compile(r"(.*)_(\d+)$")


def _attributes(heading: Heading, braces: re.Pattern[str]) -> tuple[Heading, str]:
    """Returns the heading without the attributes at its end, and the id among them."""
    last = heading.pieces[-1] if heading.pieces else None
    match = braces.search(last.text) if last and last.kind == "text" else None
    if last is None or match is None or "}" in match[1]:
        return heading, ""
    ids = [found["id"] or found["named"] for found in _IN_BRACES.finditer(match[1])]
    text = last._replace(text=last.text[: match.start()].rstrip("#").rstrip())
    return heading._replace(pieces=[*heading.pieces[:-1], text]), ids[-1] if ids else ""


def _mkdocs(headings: Sequence[Heading], page: RenderedPage, site: Site) -> _Ids:
    """Returns the ids of MkDocs.

    `{#id}` and `{: #id}` are explicit (extension `attr_list`) and are in use before any other id is made.
    Source: Python-Markdown, markdown/extensions/toc.py and attr_list.py; pymdownx/slugs.py."""
    slugify = _named(_MKDOCS_SLUGS, site.slugs or "ascii")
    parted = [_attributes(heading, _BRACES) for heading in headings]
    taken = _Taken(["", *(id_ for _, id_ in parted)])  # an empty id is numbered, too
    return [id_ or taken.free(slugify(" ".join(heading.text("url").split())), _counted_up) for heading, id_ in parted]


def _counted_up(slug: str, id_: str) -> str:
    """Counts `slug_1`, `slug_2`, …, on from the number that a slug has already."""
    counted = _COUNTED.match(id_)
    return f"{counted[1]}_{int(counted[2]) + 1}" if counted else f"{id_}_1"


_MKDOCS_SLUGS: dict[str, Callable[[str], str]] = {
    "ascii": partial(slugs.python_markdown, ascii_only=True),
    "unicode": partial(slugs.python_markdown, ascii_only=False),
    "pymdownx": slugs.pymdownx,
}

_GOLDMARK_ATTRIBUTE = r"(?:[#.][\w:.-]+|[\w:-]+=(?:\"[^\"]*\"|[^\s\"'{}]+))"
_GOLDMARK_BRACES = re.compile(
    rf"[ \t]*\{{[ \t]*({_GOLDMARK_ATTRIBUTE}(?:[ \t,]+{_GOLDMARK_ATTRIBUTE})*)[ \t]*\}}[ \t]*$"
)
_BARE_URL = re.compile(r"(?:https?://|ftp://|www\.)[^\s<]+|[\w.+-]+@[\w-]+\.[\w.-]+")
_DASHES = re.compile(r"-{2,3}")
_RUN_END = re.compile(r"[*~\[\]<]|(?<=_)")
_SMART_RUN_END = re.compile(rf"""{_RUN_END.pattern}|['"]|--|\.\.\.|>>""")


def _hugo(headings: Sequence[Heading], page: RenderedPage, site: Site) -> _Ids:
    """Returns the ids of Hugo.

    `{#id}` is explicit. Source: Hugo, "Configure markup", "autoHeadingIDType"; markup/goldmark/autoid.go."""
    slugify = _named(_HUGO_SLUGS, site.slugs or "github")
    taken = _Taken()
    ids = []
    for heading in headings:
        heading, id_ = _attributes(heading, _GOLDMARK_BRACES)
        if id_:
            taken.ids.add(id_)
        elif text := _hugo_text(heading, site):
            id_ = taken.free(slugify(text) or "heading", _next_number)
        ids.append(id_)
    return ids


def _hugo_text(heading: Heading, site: Site) -> str:
    """Returns the text that Hugo makes an id of: a heading's last line, without the addresses that are links. Of the
    text of emphasis, links and images it takes the first run: up to where more markup or a typographic sign begins."""
    run_end = _SMART_RUN_END if site.smart_punctuation else _RUN_END
    parts = []
    for kind, text, place in heading.pieces:
        if place > 1 or kind not in ("text", "code", "alt", "break"):
            continue
        if kind == "text":
            text = _BARE_URL.sub("", text)
        if kind != "code" and place == 1:
            text = text[: found.start()] if (found := run_end.search(text)) else text
        if kind != "code" and site.smart_punctuation:
            text = _DASHES.sub("", text)
        parts.append(text)
    return "".join(parts).rpartition("\n")[2].strip()


_HUGO_SLUGS: dict[str, Callable[[str], str]] = {
    "github": slugs.goldmark,
    "github-ascii": slugs.goldmark_ascii,
    "blackfriday": slugs.blackfriday,
}


def _mdbook(headings: Sequence[Heading], page: RenderedPage, site: Site) -> _Ids:
    """Returns the ids of mdBook.

    `{#id}` is explicit. Source: mdBook, "Markdown", "Heading attributes"; its utils, `normalize_id` and
    `unique_id_from_content`."""
    taken = _Taken()
    ids = []
    for heading in headings:
        heading, id_ = _attributes(heading, _BRACES)
        if not id_:
            dashed = [
                p._replace(text=_DASHES.sub("", p.text)) if p.kind == "text" and site.smart_punctuation else p
                for p in heading.pieces
            ]
            text = heading._replace(pieces=dashed).text("url", "note").strip()
            id_ = taken.free(slugs.mdbook(text), _next_number)
        ids.append(id_)
    return ids


def _vitepress(headings: Sequence[Heading], page: RenderedPage, site: Site) -> _Ids:
    """Returns the ids of VitePress.

    `{#id}` is explicit. Source: VitePress, "Markdown extensions", "Custom anchors"; markdown-it-anchor, `uniqueSlug`;
    @mdit-vue/shared, `slugify`."""
    taken: set[str] = set()
    ids = []
    for heading in headings:
        heading, id_ = _attributes(heading, _BRACES)
        slug = id_ or slugs.vitepress(heading.text("url").strip())
        unique, number = slug, 1
        while unique in taken and not id_:
            unique, number = f"{slug}-{number}", number + 1
        taken.add(unique)
        ids.append(unique)
    return ids


_TARGET = re.compile(r"\(([^()]+)\)=")
_BLOCK_ATTRIBUTES = re.compile(r"\{([^{}]+)\}")


def _sphinx(headings: Sequence[Heading], page: RenderedPage, site: Site) -> _Ids:
    """Returns the ids of Sphinx with MyST-Parser.

    A target `(id)=` or attributes `{#id}` above the heading are explicit. A name that is in use or has no Latin
    letter gives way to `id` and a number, which references to footnotes use up too. Source: docutils, "Identifier
    normalization", docutils/nodes.py; MyST-Parser, "Cross-references" and "Attributes"."""
    taken: set[str] = set()
    ids = []
    used = 0
    for heading in headings:
        explicit, attribute = _sphinx_explicit(page.lines, heading.line)
        if not attribute:  # a target is one more id, attributes are the only one
            # A footnote has its number before its reference is made only where that number is its label.
            pieces = [piece for piece in heading.pieces if piece.kind != "note" or piece.text.isdigit()]
            id_ = slugs.docutils(heading._replace(pieces=pieces).text("url", "note"))
            notes = bisect_left(page.note_lines, heading.line) + sum(piece.kind == "note" for piece in heading.pieces)
            while not id_ or id_ in taken:
                used += 1
                id_ = f"id{used + notes}"
            taken.add(id_)
        taken.add(explicit or id_)
        ids.append(explicit or id_)
    return ids


def _sphinx_explicit(lines: Sequence[str], line: int) -> tuple[str, bool]:
    """Returns the nearest id right above a heading, and whether it stands among attributes."""
    while line > 0:
        line -= 1
        above = lines[line].strip()
        if target := _TARGET.fullmatch(above):
            return slugs.docutils(target[1]), False
        if attributes := _BLOCK_ATTRIBUTES.fullmatch(above):
            found = _IN_BRACES.search(attributes[1])
            return (found["id"] or found["named"], True) if found else ("", False)
        if above:
            break
    return "", False


_NAMED = re.compile(r"""<a\s[^<>]*?\b(?:id|name)\s*=\s*["']?([^\s"'<>]+)["']?[^<>]*>""", re.IGNORECASE)
_LONGEST_ANCHOR = 500
"""Most characters of a line that is searched for an anchor."""
_NAMED_ALONE = re.compile(rf"(?:{_NAMED.pattern}\s*(?:</a>)?)+", re.IGNORECASE)


def _plain(headings: Sequence[Heading], page: RenderedPage, site: Site) -> _Ids:
    """Returns the ids of a site whose generator is unknown.

    `{#id}`, MDX's `{/*id*/}`, `<a id="…">` in the heading or on a line of its own above are explicit; the rest is as
    on GitHub, or all as `slugs` says."""
    if site.slugs:
        rule = _named({name: rule for name, rule in IDS.items() if rule is not _plain}, site.slugs)
        return rule(headings, page, Site(site.slugs))
    slugger = _Slugger()
    ids = []
    for heading in headings:
        heading, id_ = _attributes(heading, _BRACES)
        above = page.lines[heading.line - 1].strip() if heading.line else ""
        comment = heading.pieces[-1].text.strip() if heading.pieces and heading.pieces[-1].kind == "comment" else ""
        named = _NAMED.search("".join(piece.text for piece in heading.pieces if piece.kind == "html"))
        if named is None and len(above) < _LONGEST_ANCHOR and _NAMED_ALONE.fullmatch(above):
            named = _NAMED.search(above)
        id_ = id_ or comment.removeprefix("#") or (named[1] if named else "")
        ids.append(id_ or slugger.slug(heading.text("url").replace("\n", " ")))
    return ids


_Rule = Callable[[Sequence[Heading], RenderedPage, Site], _Ids]

IDS: dict[str, _Rule] = {
    "auto": _plain,
    "mkdocs": _mkdocs,
    "docusaurus": _docusaurus,
    "hugo": _hugo,
    "sphinx": _sphinx,
    "mdbook": _mdbook,
    "vitepress": _vitepress,
    "starlight": _github,  # Astro, "Markdown", "Heading IDs": by github-slugger
    "jekyll": _github,  # kramdown-parser-gfm, `generate_gfm_header_id`
    "github": _github,
    "html": _plain,
    "pattern": _plain,
}
"""By generator, the function that returns the ids of a page's headings."""


_T = TypeVar("_T")


def _named(table: dict[str, _T], name: str) -> _T:
    """Returns an entry of a table of slug rules. Raises ConfigError where there is none of the name."""
    if name not in table:
        raise ConfigError("site.slugs", f"there is no `{name}`", _valid(table))
    return table[name]


def _valid(table: Collection[str]) -> str:
    return "Valid: " + ", ".join(f"`{name}`" for name in table)
