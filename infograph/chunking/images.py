"""Images of a page: where they are, their links, and what is said of them.

Markdown's `![alt](link "title")`, also by reference; HTML's and JSX's `<img>`; captions in a `<figcaption>` or in the
italic line below. Text in code and in comments is no image.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.prose import Prose, plain
from infograph.model import Block, is_markdown
from infograph.text.lines import unified_in_place

_TITLE = r"""(?:\s+(?:"(?P<title>[^"]*)"|'(?P<title1>[^']*)'|\((?P<title2>[^()]*)\)))?"""
_TARGET = r"(?:<(?P<angled>[^<>\n]*)>|(?P<bare>[^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*))"
_IMAGE = re.compile(
    rf"""(?<!`)(?P<ticks>`++)(?:[^`\n]++|\n(?![ \t]*\n)|(?!(?P=ticks)(?!`))`++)*(?P=ticks)(?!`)  # a code span
      | <!--.*?(?:-->|\Z)                                               # a comment: both are passed over
      | !\[(?P<alt>(?:[^\[\]\\]|\\.|\[[^\[\]]*\]){{0,1000}})\]
        (?:\(\s*{_TARGET}{_TITLE}\s*\)|\[(?P<label>[^\[\]]{{0,200}})\])?
      | <(?P<tag>img|Image)\b(?P<attributes>(?:[^<>"'{{}}]|"[^"]*"|'[^']*'|\{{[^{{}}]*\}})*)>""",
    re.VERBOSE | re.DOTALL,
)
_DEFINITION = re.compile(rf"^ {{0,3}}\[([^\[\]]{{1,200}})\]:\s*{_TARGET}{_TITLE}[ \t]*$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"""\b(src|alt|title)\s*=\s*(?:"([^"]*)"|'([^']*)'|\{([^{}]*)\}|([^\s"'>]+))""")
_QUOTED = re.compile(r"""["'`]([^"'`]*)["'`]""")
_FIGURE = re.compile(r"<figure\b.*?(?:</figure>|\Z)", re.DOTALL | re.IGNORECASE)
_FIGCAPTION = re.compile(r"<figcaption\b[^>]*>(.*?)</figcaption>", re.DOTALL | re.IGNORECASE)
_CAPTION = re.compile(r"[ \t]*(?:\]\([^)\n]*\))?[ \t]*\n(?:[ \t]*\n)?[ \t]*([*_])(?!\1)([^\n]+?)\1[ \t]*(?=\n|\Z)")
"""The italic line below an image, which may be the text of a link."""
_HEADING = re.compile(r"^ {0,3}(?:#{1,6}\s|```|~~~)", re.MULTILINE)
_NEAREST = 8
"""Sentences that are looked at on each side of an image: further off, nobody speaks of it."""
_LONGEST = 1000
"""Characters of a sentence: a line of images, or of data, is none."""
_SIGNS = ("![", "<img", "<Image")


@dataclass(frozen=True, slots=True)
class Image:
    """One image of a page."""

    start: int
    """Its first character, in the body."""
    link: str
    """As written; empty where an expression computes it, or where the image itself stands in it."""
    said: tuple[str, ...]
    """Alternative text, title and caption, plain; without those that are empty."""
    around: tuple[tuple[int, int], ...]
    """The sentence it stands in, or those before and after it: ranges of the body."""


def find_images(layout: DocumentLayout) -> list[Image]:
    """The images of a page, in order; a file that is not Markdown has none."""
    if not any(sign in layout.body for sign in _SIGNS) or not is_markdown(layout.document.path):
        return []
    if "\r" in layout.body:  # one kind of line end for all patterns below, those of sentences included
        layout = DocumentLayout(replace(layout.document, body=unified_in_place(layout.body)), layout.blocks)
    text = _without_code(layout)
    figures = [(match.start(), match.end(), _figcaption(match[0])) for match in _FIGURE.finditer(text)]
    definitions: dict[str, re.Match[str]] | None = None
    prose: Prose | None = None
    found = []
    for match in _IMAGE.finditer(text):
        start, end = match.span()
        if match["tag"]:
            values = _attributes(match["attributes"])
            link, alt, title = values.get("src", ""), values.get("alt", ""), values.get("title", "")
        elif match["alt"] is None:
            continue
        else:
            target: re.Match[str] | None = match
            if match["bare"] is None and match["angled"] is None:
                definitions = _definitions(text) if definitions is None else definitions
                target = definitions.get(_label(match["label"] or match["alt"]))
            if target is None:
                continue
            link = target["bare"] or target["angled"] or ""
            alt, title = match["alt"], target["title"] or target["title1"] or target["title2"] or ""
        figure = bisect_right(figures, start, key=lambda figure: figure[0]) - 1
        caption = figures[figure][2] if figure >= 0 and start < figures[figure][1] else ""
        if not caption and (below := _CAPTION.match(text, end)):
            caption = below[2]
        said = (plain(html.unescape(part)) for part in (alt, title, caption) if part)
        prose = prose or Prose(layout)
        link = "" if link.startswith("data:") else link
        found.append(Image(start, link, tuple(dict.fromkeys(filter(None, said))), tuple(_around(prose, start, end))))
    return found


def _definitions(text: str) -> dict[str, re.Match[str]]:
    """Link reference definitions by label; of two with one label the first holds."""
    found: dict[str, re.Match[str]] = {}
    for definition in _DEFINITION.finditer(text):
        found.setdefault(_label(definition[1]), definition)
    return found


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()


def _attributes(text: str) -> dict[str, str]:
    """`src`, `alt` and `title`; of an expression in braces, the string in it."""
    values = {}
    for name, double, single, braces, bare in _ATTRIBUTE.findall(text):
        quoted = _QUOTED.search(braces)
        values[name] = double or single or bare or (quoted[1] if quoted else "")
    return values


def _figcaption(figure: str) -> str:
    match = _FIGCAPTION.search(figure)
    return match[1] if match else ""


def _around(prose: Prose, start: int, end: int) -> Iterator[tuple[int, int]]:
    body = prose.layout.body
    back, forth = prose.near(start)
    here = list(islice(back, _NEAREST))

    def saying(sentences: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        return (s for s in sentences if s[1] - s[0] <= _LONGEST and _says_something(body[s[0] : s[1]]))

    before = next(saying(s for s in here if s[1] <= start), None)
    if before and not _HEADING.search(body, before[1], start):
        yield before
    yield from saying(s for s in here[:1] if start < s[1])
    after = next(saying(s for s in islice(forth, _NEAREST) if s[0] >= end), None)
    if after and not _HEADING.search(body, end, after[0]):
        yield after


def _says_something(text: str) -> bool:
    """Not only an image, and not a line for the site generator."""
    text = plain(_IMAGE.sub("", text))
    return any(map(str.isalnum, text)) and not text.startswith(("///", ":::", "!!!", "???", "{"))


def _without_code(layout: DocumentLayout) -> str:
    """The body with spaces for everything in fences and indented code: offsets stay."""
    parts, at = [], 0
    for block in _code(layout.blocks):
        start, end = layout.starts[block.start], layout.starts[block.end]
        parts += [layout.body[at:start], " " * (end - start)]
        at = end
    return "".join((*parts, layout.body[at:]))


def _code(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind in ("fence", "code"):
            yield block
        elif block.children:
            yield from _code(block.children)
