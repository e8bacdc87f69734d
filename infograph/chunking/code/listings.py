"""Cuts the long fences of a Markdown document where scopes begin, as far as they parse, for the `code` strategy."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from textwrap import dedent

from infograph.chunking.interface import ChunkPiece, DocumentLayout
from infograph.chunking.pieces.greedy_packing import counted_blocks, packed, sections
from infograph.chunking.pieces.units import Unit, joined, units
from infograph.chunking.tokens import TokenCounter
from infograph.model import Block
from infograph.text.lines import unified

_LANGUAGE = re.compile(r"[{.\s]*([\w+#-]+)")
"""Matches the first word of an info string, also in the forms `{.python}`, `{r}` (Pandoc, knitr) and `rust,ignore`."""
_CLOSER = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*\Z")

Cuts = Callable[[str, str], list[int] | None]
"""Returns the offsets at which scopes begin, given text and language; None where they cannot be determined."""


def cut_listings(layout: DocumentLayout, counter: TokenCounter, maximum: int, cuts: Cuts) -> list[ChunkPiece]:
    """Returns pieces of at most `maximum` tokens that tile a document. In a longer fence, the lines of a scope stay
    together where they fit."""
    blocks = counted_blocks(layout, counter)
    parts = units(layout, blocks, maximum, counter)
    long = [fence for fence in fences(layout.blocks) if counter.count([layout.text(fence)])[0] > maximum]
    if long:
        parts = list(_scoped(layout, parts, long, maximum, cuts))
    return packed(parts, maximum, sections(layout))


def fences(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yields the fences outside of quotes; in quotes, markers stand before each line of code."""
    for block in blocks:
        if block.kind == "fence":
            yield block
        elif block.kind in ("list", "item"):
            yield from fences(block.children)


def language_of(fence: Block) -> str:
    """Returns the first word of a fence's info string in lower case; empty where there is none."""
    found = _LANGUAGE.match(fence.text)
    return found[1].lower() if found else ""


def _scoped(layout: DocumentLayout, parts: list[Unit], long: list[Block], maximum: int, cuts: Cuts) -> Iterator[Unit]:
    spans = [(layout.starts[fence.start], layout.starts[fence.end], _borders(layout, fence, cuts)) for fence in long]
    starts = [start for start, _, _ in spans]

    def belongs(held: Unit, part: Unit) -> bool:
        _, end, borders = spans[max(0, bisect_right(starts, part.start) - 1)]
        inside = bool(borders) and starts[0] < part.start < end and part.start not in borders
        return inside and held.tokens + part.tokens <= maximum

    return joined(parts, belongs)


def _borders(layout: DocumentLayout, fence: Block, cuts: Cuts) -> frozenset[int]:
    """Returns the offsets in the document at which the scopes of a fence begin."""
    language = language_of(fence)
    first, end = fence.start + 1, fence.end
    while not layout.body[layout.starts[end - 1] : layout.starts[end]].strip():  # the opener is not blank
        end -= 1
    if _CLOSER.match(layout.body[layout.starts[end - 1] : layout.starts[end]].rstrip("\r\n")):
        end -= 1
    text = dedent(unified(layout.body[layout.starts[first] : layout.starts[end]]))
    offsets = cuts(text, language) if language else None
    return frozenset(layout.starts[first + text.count("\n", 0, offset)] for offset in offsets or ())
