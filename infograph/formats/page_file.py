"""Pages as a reader sees them, in Markdown: a file for each, `_pages/{path}.md`, and all of them as one text,
`llms-full.txt`, whose first line says how large it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from infograph.formats.chunk_file import split

_BYTES_PER_TOKEN = 4
"""Bytes of English prose that make a token, about: enough to tell whether a model can take all of it."""
_WRITER = "written_by: infograph build"
_SIZE = re.compile(rb"# [^\n]*: [\d,]+ pages?, ([\d,]+) bytes?, about [\d,]+ tokens\n")


class PageText(NamedTuple):
    """A page as a reader sees it."""

    path: str
    """Path of the document from the root of the tree."""
    title: str
    text: str
    """Markdown: includes resolved, and without markup for a generator."""


def render_page(page: PageText) -> bytes:
    """Returns the file of one page: a front matter that says where it comes from, and its text."""
    path, title = (json.dumps(value, ensure_ascii=False) for value in (page.path, page.title))
    head = ["---", f"path: {path}", f"title: {title}", _WRITER, "---", "", ""]
    return ("\n".join(head) + _trimmed(page.text)).encode()


def is_page_file(data: bytes) -> bool:
    """Whether a file in `_pages` is ours, by its front matter."""
    head = split(data.replace(b"\r\n", b"\n")).head
    return head.startswith(b"path: ") and head.endswith(f"{_WRITER}\n".encode())


def render_pages(title: str, pages: Sequence[PageText]) -> bytes:
    """Returns `llms-full.txt`: all pages, one after the other, each below a comment with its path.

    title: of the tree
    """
    text = "".join(f"\n{_comment(page.path)}\n\n{_trimmed(page.text)}" for page in pages).encode()
    size = f"{_count(len(pages), 'page')}, {_count(len(text), 'byte')}, about {len(text) // _BYTES_PER_TOKEN:,} tokens"
    return f"# {' '.join(title.split()) or 'Documentation'}: {size}\n".encode() + text


def said_size(data: bytes) -> int | None:
    """Returns the number of bytes that follow the first line of `llms-full.txt`, as that line says; None for a file
    that is not ours."""
    match = _SIZE.match(data)
    return int(match[1].replace(b",", b"")) if match else None


def _comment(path: str) -> str:
    """A comment, which two hyphens would end."""
    return f"<!-- {path.replace('--', '-&#45;')} -->"


def _trimmed(text: str) -> str:
    return text.replace("\r\n", "\n").strip("\n") + "\n"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
