"""What every chunking strategy takes and returns.

Document, Blocks ─▶ DocumentLayout ─Strategy▶ Cutting (ChunkPiece…) ─make_chunks▶ Chunk…
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from infograph.chunking.tokens import TokenCounter
from infograph.errors import Notice
from infograph.model import Block, Document, Facts, KeyedRows
from infograph.text.lines import line_starts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DocumentLayout:
    """A document with its Markdown blocks, ready to be cut."""

    def __init__(self, document: Document, blocks: tuple[Block, ...]) -> None:
        self.document = document
        self.body = document.body
        self.blocks = with_anchors(self.body, blocks)
        """The top-level blocks, which tile the body's lines; empty where the document is not Markdown."""

    @cached_property
    def starts(self) -> list[int]:
        """Offsets of the body's lines, followed by the body's length."""
        return line_starts(self.body)

    @cached_property
    def headings(self) -> tuple[Block, ...]:
        """The headings that make sections: those outside of quotes and lists."""
        return tuple([block for block in self.blocks if block.kind == "heading"])

    @cached_property
    def title(self) -> str:
        """The document's title: its first H1 with a text, else the front matter's title, else the file's stem."""
        h1 = next((block.text for block in self.headings if block.level == 1 and block.text), None)
        return h1 or self.document.title or self.document.stem

    @cached_property
    def titled_by_front_matter(self) -> bool:
        """Whether the front matter's title replaces the H1 and heads the body from its first line."""
        return self.document.title is not None and not any(block.level == 1 for block in self.headings)

    def text(self, block: Block) -> str:
        return self.body[self.starts[block.start] : self.starts[block.end]]

    def texts(self, blocks: Iterable[Block]) -> list[str]:
        """The texts of several blocks; faster than calling `text` for each."""
        body, starts = self.body, self.starts
        return [body[starts[block.start] : starts[block.end]] for block in blocks]


_ANCHORS = re.compile(
    r"\s*(?:(?:<(a|span|div)\s+(?:name|id)\s*=[^<>]*>(?:\s*</\1\s*>)?|<!--(?:(?!-->).){0,2000}-->)\s*){1,50}",
    re.IGNORECASE | re.DOTALL,
)
"""Anchors, and comments beside them, which the reader of a page does not see."""


def with_anchors(body: str, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Returns the blocks with each heading beginning at the anchors above it, which are its own: a link leads there."""
    if not any(sign in body for sign in ("<a ", "<span ", "<div ", "<A ")):
        return blocks
    starts = line_starts(body)
    kept: list[Block] = []
    anchors: list[Block] = []
    for block in blocks:
        text = body[starts[block.start] : starts[block.end]] if block.kind in ("html", "paragraph") else ""
        if text and _ANCHORS.fullmatch(text):
            anchors.append(block)
            continue
        named = any("<" in body[starts[b.start] : starts[b.end]].replace("<!--", "") for b in anchors)
        if block.kind == "heading" and named:
            block = block._replace(start=anchors[0].start)
        else:
            kept += anchors
        anchors = []
        kept.append(block)
    return (*kept, *anchors)


class ChunkPiece(NamedTuple):
    """The range of a document that becomes one chunk. The pieces of a document tile its body."""

    start: int
    """Offset of the piece's first character in the body."""
    end: int
    """Offset after the piece's last character."""
    continues: bool = False
    """Whether the piece begins inside a block that had to be cut."""
    before: str = ""
    """Text embedded before the slice: the header of a cut table, the opener of a cut fence."""
    after: str = ""
    """Text embedded after the slice: the closer of a cut fence."""
    tokens: int | None = None
    """Number of tokens of the slice; None where the strategy did not count exactly this text."""
    embed: str | None = None
    """Text embedded instead of the slice: a table's rows as sentences, a transcript's words without its times."""
    path: tuple[str, ...] | None = None
    """Section path that replaces the headings' one: the scopes of code. Its last part is the chunk's title."""
    parents: tuple[tuple[int, int], ...] = ()
    """Larger units that contain the piece, nearest first: half-open ranges of pieces, the children of that parent."""
    facts: Facts = ()
    """Further metadata of the piece: a transcript's times and speakers, a table's columns."""
    keyed: tuple[KeyedRows, ...] = ()
    """Rows of tables in the piece that have a key."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """The result of a strategy for one document."""

    pieces: list[ChunkPiece]
    """Pieces that tile the body; empty where the body is empty."""
    notices: tuple[Notice, ...] = ()
    """Warnings for the user: code that does not parse, …"""


@dataclass(frozen=True, slots=True)
class StrategyTools:
    """Functions that a strategy may call: a token counter and an embedder."""

    counter: TokenCounter
    embed: Callable[[Sequence[str]], NDArray[np.float32]] | None = None
    """Embeds texts as unit vectors [texts, dimension]; None where no model is available."""
    breaks: Callable[[str], tuple[int, ...] | None] | None = None
    """Returns the offsets at which a language model would cut a body, None where it was not asked about just this one;
    None where nothing is recorded of the document."""


class Strategy(Protocol):
    """A chunking strategy: a picklable, pure function of the layout, the tools and the strategy's options."""

    embeds: ClassVar[bool]
    """Whether the strategy needs `StrategyTools.embed`."""
    extensions: ClassVar[tuple[str, ...]]
    """Suffixes of the files other than Markdown that this strategy cuts unless a glob says otherwise: `.csv`, …"""

    @property
    def chunk_type(self) -> str:
        """Family of the strategy, written to each chunk: `structural`, …"""
        ...

    @property
    def key(self) -> str:
        """Name and options in a form fit for a directory's name: `semantic-250-750`."""
        ...

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        """Returns pieces that tile the layout's body."""
        ...
