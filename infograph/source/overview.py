"""Finds a document's title and description."""

from __future__ import annotations

import re
from collections.abc import Sequence

from infograph.model import Block, Document, is_markdown
from infograph.text.edits import edited, within
from infograph.text.inline import TAG, shorten
from infograph.text.lines import line_starts

DESCRIPTION_LENGTH = 300
"""Length limit in characters; a longer first paragraph is cut at a word."""

_LONGEST = 4000
"""Number of characters that are searched: a description needs no more, and the patterns below are not linear."""

_NOT_PROSE = re.compile(r"\s*(?:<|!\[|\[!|\{[{%*]|:::|///|!!!|\?\?\?|===|---|import\s|export\s|\[[^\]]*\]:)")
_FOLDER_PAGES = frozenset({"index", "_index", "readme"})
"""Names of pages that stand for their folder, in lower case."""


def overview(document: Document, blocks: Sequence[Block]) -> tuple[str, str]:
    """Returns the title and description of a document.

    The title is the front matter's, else the first H1, else the first heading if no visible text stands above it,
    else the file name, which for a page is turned into words; a folder's first page is called by the folder. The
    description is the front matter's, else the first paragraph that is prose: no markup for a machine, no lone image,
    no list of links.
    """
    headings = [block for block in blocks if block.kind == "heading" and block.text]
    leading = next((heading.text for heading in headings if heading.level == 1), "")
    if not leading and headings and not _says(document, blocks[: blocks.index(headings[0])]):
        leading = headings[0].text
    title = document.title or leading or name_of(document)
    description = plain(document.description) if document.description else _first_prose(document, blocks)
    return title, shorten(description, DESCRIPTION_LENGTH)


def name_of(document: Document) -> str:
    """Returns what a document is called that has no title: by its file, a folder's first page by the folder."""
    if not is_markdown(document.path):
        return document.stem
    folder = document.topic.rpartition("/")[2]
    return in_words(folder if folder and document.stem.lower() in _FOLDER_PAGES else document.stem)


def _first_prose(document: Document, blocks: Sequence[Block]) -> str:
    starts = line_starts(document.body)
    for block in blocks:
        if block.kind != "paragraph" or _NOT_PROSE.match(document.body, starts[block.start]):
            continue
        text = _readable(document, starts, block)
        if _LINK.sub("", text[:_LONGEST]).strip(" \r\n|·,-") and (words := plain(text)):
            return words
    return ""


def _readable(document: Document, starts: Sequence[int], block: Block) -> str:
    """The text of a block as a reader sees it."""
    start, end = starts[block.start], starts[block.end]
    return edited(document.body[start:end], within(document.edits, start, end))


def _says(document: Document, blocks: Sequence[Block]) -> bool:
    """Whether blocks have visible text: comments have none, nor do paragraphs of anchors only."""
    starts = line_starts(document.body) if blocks else []
    return any(b.kind != "html" and (b.kind != "paragraph" or plain(_readable(document, starts, b))) for b in blocks)


def in_words(name: str) -> str:
    """Turns a file or folder name into a title: `getting-started` gives `Getting started`."""
    words = re.sub(r"[-_\s]+", " ", name).strip() or name
    return words[:1].upper() + words[1:]


_LINK = re.compile(r"!?\[([^\]\[]*)\](?:\([^)\s]*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])")
_INLINE_TAG = re.compile(
    r"</?(?:abbr|b|code|dfn|em|i|kbd|mark|small|span|strong|sub|sup|u|var)\b[^<>]*>", re.IGNORECASE
)
"""Tags inside of words and sentences, which leave no space behind when they are removed."""
_MARK = re.compile(r"(?<![\w\\])(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)", re.DOTALL)


def plain(text: str) -> str:
    """Turns inline Markdown into plain words on one line."""
    text = _LINK.sub(r"\1", text[:_LONGEST])
    text = TAG.sub(" ", _INLINE_TAG.sub("", text))
    for _ in range(2):
        text = _MARK.sub(r"\2", text)
    text = text.replace("`", "")
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return " ".join(text.split())
