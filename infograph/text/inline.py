"""Headings and lines of Markdown as the text that a reader sees, without markup."""

from __future__ import annotations

import re
from functools import lru_cache

TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->|\{\{[<%].*?[%>]\}\}", re.DOTALL)
"""An HTML or JSX tag, an HTML comment, or a shortcode of Hugo."""
SHIELDS = (
    r"(?:shields\.io|badgen\.net|badge\.fury\.io|/badges?[/.]|/badge\b|[./-]badge\.svg|codecov\.io|travis-ci|circleci\.com"
    r"|snyk\.io|coveralls\.io|app\.netlify\.com|api\.securityscorecards|pepy\.tech|mybinder\.org/badge)"
)
"""Part of the address of an image that says the state of a project."""
BADGE = re.compile(rf"(?P<link>\[)?!\[[^\[\]\n]*\]\([^()\s]*{SHIELDS}[^()\n]*\)(?(link)\]\([^()\n]*\))")
"""An image that says the state of a project, with the link around it: nothing to read."""
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_MARKED_UP = re.compile(r"[`*_\[\]<\\{&~!]")
"""Characters of markup: a heading without any of them is its own text."""

_ATTRIBUTES = re.compile(r"\{(?:[#.:]|/\*|\s+[#.]|[\w-]+=)[^{}]*\}\s*$")
"""Trailing attributes, from the last opening brace: `{#id}`, `{ #id .class }`, `{: #id}`, MDX's `{/*id*/}`."""

_TEMPLATE = re.compile(r"\{\{[<%](?:[^{}`]|\{(?!\{))*?[>%]\}\}|\{%[^{}%`\n]*%\}")
"""A shortcode of Hugo, a statement of Liquid."""

_PIECE = re.compile(
    r"""(?P<ticks>`++)(?P<code>(?:[^`]++|(?!(?P=ticks)(?!`))`++)+)(?P=ticks)(?!`)  # code span
      | (?P<literal>`++)                                     # backticks that open none
      | \\(?P<escaped>[!-/:-@\[-`{-~])                       # backslash escape
      | <(?P<url>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*)>     # autolink
      | </?[A-Za-z][^<>]*> | <!--.*?-->                      # HTML or JSX tag, comment
    """,
    re.VERBOSE,
)
"""Code spans, escapes, links and tags. A run of backticks is tried once, as a whole. It finds no equal one only where
it is the last of its length, so that even hostile text is read through a few times at most."""
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])")
_STRONG = re.compile(r"(\*{1,3}|~~)(?=\S)(.+?)(?<=\S)\1")
_UNDERSCORE = re.compile(r"(?<!\w)(_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")

_MOST_SOURCE = 2_000
"""Most characters that are read: emphasis that is never closed takes time in the square of its length."""
_MOST_TEXT = 300
"""Most characters of a heading's text."""

_HELD = re.compile("\ue000(\\d+)\ue001")
"""Placeholder for text that must not be read as markup again: private-use characters, which are removed from the source
first."""


@lru_cache(maxsize=4096)  # a reference has the same headings on every page
def heading_text(source: str) -> str:
    """The text that a reader sees of a heading's Markdown, on one line.

    Code loses its ticks, links keep their text, images their alternative text; tags, emphasis and trailing
    attributes go. Not an inline parser: what it does not know it leaves as it is written. A long text is cut off: it
    stands in the breadcrumb of every chunk below.
    """
    return short_title(inline_text(source))


def split_bars(row: str) -> list[str]:
    """The texts between the bars of a table row that no backslash escapes, without the spaces around each.

    Where bars stand at the ends of the row, the first and the last text are empty.
    """
    return [cell.strip() for cell in _CELL_BORDER.split(row)]


def short_title(text: str) -> str:
    """A title as it is shown and embedded: after 300 characters it is cut off with an ellipsis."""
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 1].rstrip()}…"


def shorten(text: str, most: int) -> str:
    """A text on one line of at most `most` characters, cut between words, with an ellipsis where it is cut."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    words = line[:most].rpartition(" ")[0]
    # Chinese or Japanese has few spaces, and a long address none.
    return (words if len(words) * 2 >= most else line[: most - 1]).rstrip(",;:.") + "…"


def inline_text(source: str) -> str:
    """The text that a reader sees of a line or paragraph of Markdown, on one line; the source is cut after 2,000
    characters. See `heading_text`."""
    source = source[:_MOST_SOURCE]
    if not _MARKED_UP.search(source):
        return " ".join(source.split())
    held: list[str] = []

    def hold(text: str) -> str:
        held.append(text)
        return f"\ue000{len(held) - 1}\ue001"

    def piece(match: re.Match[str]) -> str:
        if match["code"] is not None:
            return hold(match["code"].strip() or match["code"])
        if match["literal"] is not None:
            return match["literal"]
        if match["escaped"] is not None:
            return hold(match["escaped"])
        return hold(match["url"]) if match["url"] is not None else ""

    text = source.replace("\ue000", "").replace("\ue001", "")
    # Most headings have one kind of markup: each pattern is tried only where it can match.
    brace = text.rfind("{")
    if brace >= 0 and _ATTRIBUTES.match(text, brace):
        text = text[:brace]
    if "![" in text:
        text = BADGE.sub("", text)
    if "{{" in text or "{%" in text:
        text = _TEMPLATE.sub("", text)
    if "`" in text or "\\" in text or "<" in text:
        text = _PIECE.sub(piece, text)
    if "]" in text:  # an image inside a link needs two rounds; more nesting than that is not Markdown
        text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    if "*" in text or "~" in text:
        text = _STRONG.sub(r"\2", _STRONG.sub(r"\2", text))
    if "_" in text:
        text = _UNDERSCORE.sub(r"\2", text)
    if "&" in text:
        import html  # 4 ms, for headings that have an entity

        text = html.unescape(text)
    if held:
        text = _HELD.sub(lambda match: held[int(match[1])], text)
    return " ".join(text.split())
