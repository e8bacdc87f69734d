from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import Strategy, StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.formats.chunk_file import parse, render
from infograph.formats.names import chunk_name
from infograph.model import Chunk, is_markdown
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

DEFAULT = strategy()
Cut = Callable[..., tuple[Chunk, ...]]


@pytest.fixture(scope="session")
def counter() -> WordPieceCounter:
    return WordPieceCounter()


def count_words(texts: Sequence[str]) -> NDArray[np.float32]:
    """Embeds texts as unit vectors that count a text's words by 16 classes."""
    vectors = np.full((len(texts), 16), 1e-3, np.float32)
    for row, text in zip(vectors, texts, strict=True):
        for word in text.split():
            row[zlib.crc32(word.encode()) % 16] += 1
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture(scope="session")
def tools(counter: WordPieceCounter) -> StrategyTools:
    return StrategyTools(counter, count_words)


@pytest.fixture(scope="session")
def cut(counter: WordPieceCounter, tools: StrategyTools) -> Cut:
    """Returns a function that cuts a file and asserts everything that holds for any strategy and any file."""

    def cut(source: str | bytes, strategy: Strategy = DEFAULT, path: str = "guide/page.md") -> tuple[Chunk, ...]:
        data = source.encode() if isinstance(source, str) else source
        document = decode(path, data)
        blocks = parse_blocks(document)[0] if is_markdown(path) else ()
        chunks = chunk_document(document, blocks, strategy, tools).chunks
        prefix = document.prefix.encode()
        assert prefix + b"".join(chunk.text.encode() for chunk in chunks) == data
        assert chunk_document(document, blocks, strategy, tools).chunks == chunks
        line_ends = _line_ends(data)
        folder = path[: path.rfind("/") + 1]
        for index, chunk in enumerate(chunks):
            begin, end = chunk.bytes
            assert data[begin:end] == chunk.text.encode() != b""
            assert (chunk.index, chunk.count, chunk.document) == (index, len(chunks), path)
            assert chunk.lines == (_line_of(line_ends, begin), _line_of(line_ends, end - 1))
            assert [chunk.tokens] == counter.count([chunk.text])
            assert chunk.text in chunk.embed_text or not is_markdown(path)
            assert chunk.title and "\n" not in chunk.title
            name = f"{folder}_chunks/{chunk_name('page', index)}"
            assert parse(name, render(chunk)).chunk == chunk
        return chunks

    return cut


def _line_ends(data: bytes) -> list[int]:
    """Indexes of the last bytes of line ends, by CommonMark's definition."""
    return [at for at, byte in enumerate(data) if byte == 10 or (byte == 13 and data[at + 1 : at + 2] != b"\n")]


def _line_of(line_ends: list[int], offset: int) -> int:
    """The 1-based line of a byte: one more than the lines that end before it."""
    return sum(end < offset for end in line_ends) + 1
