"""The Markdown that a document was converted to, `_chunks/{stem}.converted.md`: a front matter, then what its chunks
tile."""

from __future__ import annotations

import json

from infograph.formats.chunk_file import split

_MARKS = (b"\nsource: ", b"\nconverter: ")


def head_of(title: str, source: str, converter: str, facts: tuple[tuple[str, str], ...] = ()) -> str:
    """Returns the front matter with its fences.

    title:     title of the document; empty where it is a heading of the text
    source:    name of the document within its topic
    converter: what made the text
    facts:     what else is known of the document; empty values are left out
    """
    rows = [("title", title), ("source", source), ("converter", converter), *facts]
    lines = (f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in rows if value or name == "title")
    return "\n".join(["---", *lines, "---\n"])


def is_converted_file(data: bytes) -> bool:
    """Whether a file in `_chunks` is a converted document of ours, by its front matter."""
    head = split(data.replace(b"\r\n", b"\n")).head
    return head.startswith(b"title: ") and all(mark in head for mark in _MARKS)
