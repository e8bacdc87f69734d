"""Finds the images of a document: their places, their links and the texts that describe them.

Images are Markdown's `![alt](link "title")`, also by reference, HTML's and JSX's `<img>`, and MyST's directives
`{figure}` and `{image}`. Captions stand in a `<figcaption>`, in the italic line below, or as the text of a directive.
Code and comments hold no images, and badges are none.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.prose import Prose, plain
from infograph.model import Block, Document, is_markdown
from infograph.text.inline import SHIELDS
from infograph.text.lines import unified_in_place

_TITLE = r"""(?:\s+(?:"(?P<title>[^"]*)"|'(?P<title1>[^']*)'|\((?P<title2>[^()]*)\)))?"""
_TARGET = r"(?:<(?P<angled>[^<>\n]*)>|(?P<bare>[^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*))"
_IMAGE = re.compile(
    rf"""(?<!`)(?P<ticks>`++)(?:[^`\n]++|\n(?![ \t]*\n)|(?!(?P=ticks)(?!`))`++)*(?P=ticks)(?!`)  # a code span
      | <!--.*?(?:-->|\Z)                                               # a comment: both are skipped
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
"""Matches the italic line below an image, which may be inside a link's text."""
_HEADING = re.compile(r"^ {0,3}(?:#{1,6}\s|```|~~~)", re.MULTILINE)
_SENTENCES_SEARCHED = 8
"""Number of sentences searched on each side of an image; sentences further off rarely describe it."""
_LONGEST_SENTENCE = 1000
"""Most characters of a sentence; a longer one is a line of images or of data."""
_SHIELD = re.compile(SHIELDS)
_SIGNS = ("![", "<img", "<Image", "{figure}", "{image}")
_DIRECTIVE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,}|:{3,})\{(?:figure|image)\}[ \t]+(?P<link>\S+)[ \t]*\n"
    r"(?P<options>(?:[ \t]*:[a-z-]+:[^\n]*\n)*)(?P<caption>.{0,5000}?)^[ \t]*(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
"""An image as a directive: its options, then its caption."""
_ALT = re.compile(r"^[ \t]*:alt:[ \t]*([^\n]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Image:
    """One image of a document."""

    start: int
    """Offset of the image's first character in the body."""
    place: tuple[int, int]
    """Range of the image with its caption in the body, or of the figure that it stands in."""
    link: str
    """Link as written; empty where an expression computes it, or for a `data:` URL, which is the image itself."""
    descriptions: tuple[str, ...]
    """Alternative text, title and caption as plain text, without empty ones."""
    nearby: tuple[tuple[int, int], ...]
    """Ranges in the body: the sentence around the image, or the sentences before and after it."""


def may_show_images(text: str) -> bool:
    """Whether a text has what an image begins with; most have not."""
    return any(sign in text for sign in _SIGNS)


def find_images(layout: DocumentLayout) -> tuple[Image, ...]:
    """Returns the images of a document in order; empty where the document is not Markdown."""
    if not may_show_images(layout.body) or not is_markdown(layout.document.path):
        return ()
    return _images_of(layout.document, layout.blocks)


@lru_cache(maxsize=1)  # a document that is cut is asked for its images, and then for its units
def _images_of(document: Document, blocks: tuple[Block, ...]) -> tuple[Image, ...]:
    layout = DocumentLayout(document, blocks)
    if "\r" in layout.body:  # one kind of line end for all patterns, those of sentences included
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
        if _SHIELD.search(link):
            continue
        figure = bisect_right(figures, start, key=lambda figure: figure[0]) - 1
        first, last, caption = figures[figure] if figure >= 0 and start < figures[figure][1] else (start, end, "")
        if not caption and (below := _CAPTION.match(text, end)):
            caption, last = below[2], max(last, below.end())
        said = (plain(html.unescape(part)) for part in (alt, title, caption) if part)
        prose = prose or Prose(layout)
        link = "" if link.startswith("data:") else link
        texts = tuple(dict.fromkeys(filter(None, said)))
        found.append(Image(start, (first, last), link, texts, tuple(_around(prose, start, end))))
    return tuple(sorted((*found, *_directives(layout, text)), key=lambda image: image.start))


def _directives(layout: DocumentLayout, text: str) -> Iterator[Image]:
    """Yields the images that are directives: fences that begin with one, and blocks between colons.

    text: the body without code
    """
    if "{figure}" not in layout.body and "{image}" not in layout.body:
        return
    fences = [(layout.starts[block.start], layout.starts[block.end]) for block in _code(layout.blocks)]
    matches = [match for start, end in fences if (match := _DIRECTIVE.match(layout.body, start, end))]
    matches += (match for match in _DIRECTIVE.finditer(text) if match["fence"][0] == ":")
    prose = Prose(layout)
    for match in matches:
        alt = _ALT.search(match["options"])
        paragraph = match["caption"].strip().partition("\n\n")[0]
        said = (plain(html.unescape(part)) for part in (alt[1] if alt else "", paragraph) if part)
        start, end = match.span()
        texts = tuple(dict.fromkeys(filter(None, said)))
        yield Image(start, (start, end), match["link"], texts, tuple(_around(prose, start, end)))


def _definitions(text: str) -> dict[str, re.Match[str]]:
    """Returns link reference definitions by label; the first of several with one label wins."""
    found: dict[str, re.Match[str]] = {}
    for definition in _DEFINITION.finditer(text):
        found.setdefault(_label(definition[1]), definition)
    return found


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()


def _attributes(text: str) -> dict[str, str]:
    """Returns `src`, `alt` and `title`; of an expression in braces, the string in it."""
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
    here = list(islice(back, _SENTENCES_SEARCHED))

    def saying(sentences: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        return (s for s in sentences if s[1] - s[0] <= _LONGEST_SENTENCE and _says_something(body[s[0] : s[1]]))

    before = next(saying(s for s in here if s[1] <= start), None)
    if before and not _HEADING.search(body, before[1], start):
        yield before
    yield from saying(s for s in here[:1] if start < s[1])
    after = next(saying(s for s in islice(forth, _SENTENCES_SEARCHED) if s[0] >= end), None)
    if after and not _HEADING.search(body, end, after[0]):
        yield after


def _says_something(text: str) -> bool:
    """Whether a sentence has words besides images and is no directive of a site generator."""
    text = plain(_IMAGE.sub("", text))
    return any(map(str.isalnum, text)) and not text.startswith(("///", ":::", "!!!", "???", "{"))


def _without_code(layout: DocumentLayout) -> str:
    """Returns the body with fences and indented code replaced by spaces, so that offsets stay."""
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
