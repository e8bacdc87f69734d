"""Fuzzes every chunking strategy: the chunks tile any file byte for byte, know their places, and their files read back.

The first byte chooses the strategy, its options and the kind of file (`CASES`); the others are the file.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import Strategy, StrategyTools
from infograph.chunking.registry import STRATEGIES, strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import DocumentError
from infograph.formats.chunk_file import parse, render
from infograph.formats.names import chunk_name
from infograph.model import is_markdown, stem_of
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

_SMALL = {
    "semantic-250-750": {"minimum": 12, "deeper": 25, "maximum": 40},
    "structural": {"minimum": 12, "maximum": 40},
    "fixed": {"window": 40, "overlap": 8},
    "semantic-embedding": {"minimum": 12, "maximum": 40},
    "hierarchical": {"levels": (120, 40)},
    "code": {"minimum": 12, "maximum": 40},
    "tabular": {"maximum": 40},
    "transcript": {"minimum": 12, "maximum": 40},
    "agentic": {"maximum": 40},
}
"""Options of each strategy with which a few lines become several chunks."""
_FILES = {
    "code": ("a.py", "a.js", "a.ts", "a.tsx", "a.java", "a.go", "a.rs"),
    "tabular": ("a.csv", "a.tsv"),
    "transcript": ("a.vtt", "a.srt"),
}
"""Files other than Markdown that a strategy is for."""

CASES: list[tuple[Strategy, str]] = [
    (strategy(name, options), path)
    for name in STRATEGIES
    for path in ("a.md", *_FILES.get(name, ()))
    for options in (_SMALL[name], {})
]


def _vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors from the number of a text's words in each of 16 classes, in place of a model."""
    vectors = np.full((len(texts), 16), 1e-3, np.float32)
    for row, text in zip(vectors, texts, strict=True):
        for word in text.split():
            row[zlib.crc32(word.encode()) % 16] += 1
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


TOOLS = StrategyTools(WordPieceCounter(), _vectors)


def check(data: bytes) -> None:
    """Asserts what must hold for any input."""
    if not data:
        return
    made, path = CASES[data[0] % len(CASES)]
    data = data[1:]
    try:
        document = decode(path, data)
        blocks = parse_blocks(document)[0] if is_markdown(path) else ()
    except DocumentError as error:
        assert error.place.startswith(path)
        return
    chunks = chunk_document(document, blocks, made, TOOLS).chunks
    assert document.prefix.encode() + b"".join(chunk.text.encode() for chunk in chunks) == data
    for index, chunk in enumerate(chunks):
        begin, end = chunk.bytes
        assert data[begin:end] == chunk.text.encode() != b""
        assert (chunk.index, chunk.count, chunk.document) == (index, len(chunks), path)
        assert chunk.lines == (_line_of(data, begin), _line_of(data, end - 1))
        assert chunk.title and "\n" not in chunk.title
        assert parse(f"_chunks/{chunk_name(stem_of(path), index)}", render(chunk)).chunk == chunk


def _line_of(data: bytes, offset: int) -> int:
    """The number of a byte's line, from 1; CR, LF and CR LF are each one line end (CommonMark, section 2.1)."""
    before = data[:offset]
    crlf = before.count(b"\r\n")
    # Between the two bytes of a line end, the line has not ended.
    return (
        1 + before.count(b"\n") + before.count(b"\r") - crlf - data.startswith(b"\n", offset) * before.endswith(b"\r")
    )
