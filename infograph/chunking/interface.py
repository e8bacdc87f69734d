"""What passes between the parts of the ChunkingTool.

Document, Blocks ─▶ Page ─strategy▶ Cutting (Piece…) ─assemble▶ Chunk…
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from infograph.chunking.tokens import TokenCounter
from infograph.errors import Notice
from infograph.model import Block, Document, Facts
from infograph.text.lines import line_starts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class DocumentLayout:
    """A parsed document, ready to be cut."""

    def __init__(self, document: Document, blocks: tuple[Block, ...]) -> None:
        self.document = document
        self.body = document.body
        self.blocks = blocks
        """The blocks that tile the body's lines."""

    @cached_property
    def starts(self) -> list[int]:
        """Offset of each line in the body, then the body's length."""
        return line_starts(self.body)

    @cached_property
    def headings(self) -> tuple[Block, ...]:
        """The headings that make sections: those outside of quotes and lists."""
        return tuple([block for block in self.blocks if block.kind == "heading"])

    @cached_property
    def title(self) -> str:
        """The first H1 that says something, else the front matter's title, else the file's stem."""
        h1 = next((block.text for block in self.headings if block.level == 1 and block.text), None)
        return h1 or self.document.title or self.document.stem

    @cached_property
    def titled_by_front_matter(self) -> bool:
        """The front matter's title stands for the H1: it heads the body, from its first line."""
        return self.document.title is not None and not any(block.level == 1 for block in self.headings)

    def text(self, block: Block) -> str:
        return self.body[self.starts[block.start] : self.starts[block.end]]

    def texts(self, blocks: Iterable[Block]) -> list[str]:
        """`text` of many blocks."""
        body, starts = self.body, self.starts
        return [body[starts[block.start] : starts[block.end]] for block in blocks]


class ChunkPiece(NamedTuple):
    """Where a strategy cuts: one chunk to be. The pieces of a page tile its body."""

    start: int
    """First character, in the body."""
    end: int
    """Character after the last one."""
    continues: bool = False
    """Begins inside a block that had to be cut."""
    before: str = ""
    """Repeated before the slice for embedding: a cut table's header, a cut fence's opener."""
    after: str = ""
    """Put after the slice for embedding: a cut fence's closer."""
    tokens: int | None = None
    """Of the slice; None where the strategy did not count just this text."""
    embed: str | None = None
    """Embedded instead of the slice: a table's rows as sentences, a transcript's words without its times."""
    path: tuple[str, ...] | None = None
    """The section path where headings do not say it: the scopes of code. The last is the chunk's title."""
    parents: tuple[tuple[int, int], ...] = ()
    """Larger units it is part of, nearest first: each a half-open range of pieces, which are the parent's children."""
    facts: Facts = ()
    """What else is known of it: a transcript's times and speakers, a table's columns."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """What a strategy makes of a page."""

    pieces: list[ChunkPiece]
    """They tile the body; none when the body is empty."""
    notices: tuple[Notice, ...] = ()
    """What a person should know: code that does not parse, …"""


@dataclass(frozen=True, slots=True)
class StrategyTools:
    """What a strategy may use beside the page."""

    counter: TokenCounter
    embed: Callable[[Sequence[str]], NDArray[np.float32]] | None = None
    """Texts to unit vectors [texts, dimension]; None where no model is at hand."""


class Strategy(Protocol):
    """Cuts documents: a pure function of the layout, the tools and the strategy's options, which pickles."""

    embeds: ClassVar[bool]
    """Whether the strategy needs `StrategyTools.embed`."""
    extensions: ClassVar[tuple[str, ...]]
    """Suffixes of the files, other than Markdown, that this strategy cuts unless a glob says otherwise: `.csv`, …"""

    @property
    def chunk_type(self) -> str:
        """The family, written to each chunk: `structural`, …"""
        ...

    @property
    def key(self) -> str:
        """Name and options in a form fit for a directory's name: `semantic-250-750`."""
        ...

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        """Pieces that tile the body."""
        ...
