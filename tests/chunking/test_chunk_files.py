"""Chunks of real documents in their files; the format itself is tested in `tests/formats/test_chunk_file.py`."""

from __future__ import annotations

from collections.abc import Callable

from infograph.formats.chunk_file import render
from infograph.model import Chunk

Cut = Callable[..., tuple[Chunk, ...]]


def test_a_repeated_table_header_of_odd_characters(cut: Cut) -> None:
    """The repeated header travels in the front matter, quoted."""
    chunks = cut('| "a" | b: c |\r\n| --- | --- |\r\n' + "| 1 \\| 2 | x |\r\n" * 300)
    assert len(chunks) > 1
    assert b'repeat_before: "| \\"a\\" | b: c |\\r\\n| --- | --- |\\n"' in render(chunks[1])
