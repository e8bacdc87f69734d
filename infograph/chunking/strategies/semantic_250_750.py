"""The default strategy: a sliding window over headings.

The open chunk is closed

- at a heading no deeper than its start, or no deeper than the deepest it has seen, once it has 250 tokens;
- at a deeper heading once it has 500;
- before anything that would exceed 750: a section that fits into a chunk of its own stays in one piece, a longer
  one is cut between blocks;
- at its second H2, when it starts at the H1: the first chunk is the overview;
- before and after a quick reference that follows the overview: that is chunk 1, however short both are.

A last chunk of fewer than 250 tokens joins the one before it, where both fit into 750.

Tokens are WordPiece tokens; with `tokens = "words"` they are int(1.3 × words), as the tools count that this strategy
comes from. Code is dense in WordPiece tokens, so that chunks in words are larger there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, StrategyTools
from infograph.chunking.pieces.units import Unit, units
from infograph.chunking.quick_reference import reference_borders
from infograph.errors import ConfigError
from infograph.model import Block
from infograph.text.wordpiece import LONGEST_WORD

WORDS = "words"
PIECES = "wordpiece"
PER_WORD = 1.3
"""Tokens that a word counts as."""


@dataclass(frozen=True, slots=True)
class SemanticWindow:
    """The `semantic-250-750` strategy with its limits in tokens."""

    minimum: int = 250
    """Size from which a chunk ends at a heading of its own level, and a last chunk stands alone."""
    deeper: int = 500
    """Size from which a chunk ends at a heading deeper than all it has seen."""
    maximum: int = 750
    """Largest size of a chunk, unless a single block with its heading is larger."""
    tokens: str = PIECES
    """Unit of these sizes: `wordpiece`, or `words`, of which each is 1.3 tokens."""

    embeds: ClassVar[bool] = False
    extensions: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if self.tokens not in (PIECES, WORDS):
            reason = f"there is no unit `{self.tokens}` of tokens"
            raise ConfigError("strategies.semantic-250-750", reason, f"Valid: `{PIECES}`, `{WORDS}`")
        if not 1 <= self.minimum <= self.deeper <= self.maximum:
            raise ConfigError(
                "strategies.semantic-250-750",
                f"minimum {self.minimum}, deeper {self.deeper} and maximum {self.maximum} are not in ascending order",
            )

    @property
    def chunk_type(self) -> str:
        return "structural"

    @property
    def key(self) -> str:
        middle = "" if 2 * self.deeper == self.minimum + self.maximum else f"{self.deeper}-"
        return f"semantic-{self.minimum}-{middle}{self.maximum}{'-words' * (self.tokens == WORDS)}"

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        if self.tokens == WORDS:
            pieces = self._in_words()(layout, replace(tools, counter=WordCounter())).pieces
            return Cutting([piece._replace(tokens=None) for piece in pieces])
        counter = tools.counter
        borders = reference_borders(layout, self.maximum, counter)
        sections = list(_sections(layout, borders))
        spans = [
            (layout.starts[section.blocks[0].start], layout.starts[section.blocks[-1].end]) for section in sections
        ]
        counts = counter.count([layout.body[start:end] for start, end in spans])
        window = _Window(self, borders)
        if layout.titled_by_front_matter:
            window.see((1,))
        for section, (start, end), tokens in zip(sections, spans, counts, strict=True):
            if window.ends_before(start, section.levels, tokens):
                window.seal()
            if window.tokens + tokens <= self.maximum:
                window.take(Unit(start, end, tokens))
                window.see(section.levels)
                continue
            counted = zip(section.blocks, counter.count(layout.texts(section.blocks)), strict=True)
            for number, unit in enumerate(units(layout, counted, self.maximum, counter)):
                if window.tokens + unit.tokens > self.maximum:
                    window.seal()
                    if number:
                        window.resume(section.levels)
                window.take(unit)
                if number == 0:
                    window.see(section.levels)
        window.seal()
        return Cutting(window.pieces())

    def _in_words(self) -> SemanticWindow:
        """Returns the same limits as numbers of words, which add up where rounded tokens do not: the least number that
        is `minimum` tokens, the largest that is `maximum`."""
        least, deeper = (math.ceil(limit / PER_WORD) for limit in (self.minimum, self.deeper))
        most = max(1, math.ceil((self.maximum + 1) / PER_WORD) - 1)
        return SemanticWindow(min(least, most), min(deeper, most), most)


class WordCounter:
    """Counts words, between white space; of one that is longer than any, as keys and data are, each 64 characters."""

    name = WORDS

    def count(self, texts: Sequence[str]) -> list[int]:
        return [sum(-(-len(word) // LONGEST_WORD) for word in text.split()) for text in texts]


@dataclass(frozen=True, slots=True)
class _Section:
    """Consecutive headings and the blocks below them, up to the next heading."""

    levels: tuple[int, ...]
    blocks: list[Block]
    """The section's blocks, headings included."""


def _sections(layout: DocumentLayout, borders: tuple[int, ...]) -> Iterator[_Section]:
    """Yields the document's sections, also one that ends at a border. Only the first one may have no heading."""
    levels: list[int] = []
    members: list[Block] = []
    for block in layout.blocks:
        if block.level:
            if members and (not members[-1].level or layout.starts[block.start] in borders):
                yield _Section(tuple(levels), members)
                levels, members = [], []
            levels.append(block.level)
        members.append(block)
    if members:
        yield _Section(tuple(levels), members)


class _Window:
    """The open chunk, and the closed chunks before it."""

    def __init__(self, limits: SemanticWindow, borders: tuple[int, ...]) -> None:
        self.limits = limits
        self.borders = borders
        self.tokens = 0
        self.exact = True
        """Whether `tokens` is the exact count of the chunk's text: counts add up only over whole lines."""
        self.sealed: list[tuple[ChunkPiece, int]] = []
        self.first: Unit | None = None
        self.last: Unit | None = None
        self.deepest = 0
        self.headings = 0
        self.from_h1 = False
        self.h2 = 0

    def ends_before(self, start: int, levels: tuple[int, ...], tokens: int) -> bool:
        """Whether a section, by its place, its headings and its size, begins the next chunk."""
        if self.first is None or not levels:
            return False
        if (self.borders and start <= self.borders[0]) or start in self.borders:
            return start in self.borders
        if self.tokens >= (self.limits.minimum if min(levels) <= self.deepest else self.limits.deeper):
            return True
        if self.from_h1 and self.h2 and 2 in levels:
            return True
        # Beyond the maximum, a chunk too short to stand alone is filled only from a section that is cut in any case.
        return self.tokens + tokens > self.limits.maximum and (
            tokens <= self.limits.maximum or self.tokens >= self.limits.minimum
        )

    def see(self, levels: tuple[int, ...]) -> None:
        """Records the levels of a section's headings as seen by the open chunk."""
        if levels:
            self.from_h1 = levels[0] == 1 if not self.headings else self.from_h1
            self.headings += len(levels)
            self.deepest = max(self.deepest, *levels)
            self.h2 += levels.count(2)

    def resume(self, levels: tuple[int, ...]) -> None:
        """Continues a section with these headings in the open chunk."""
        if levels:
            self.headings = 1
            self.deepest = levels[-1]

    def take(self, unit: Unit) -> None:
        self.first = self.first or unit
        self.last = unit
        self.tokens += unit.tokens
        self.exact = self.exact and unit.whole_lines

    def seal(self) -> None:
        """Closes the open chunk, if there is one."""
        if self.first is None or self.last is None:
            return
        first, last = self.first, self.last
        tokens = self.tokens if self.exact else None
        piece = ChunkPiece(first.start, last.end, first.continues, first.before, last.after, tokens)
        self.sealed.append((piece, self.tokens))
        self.first = self.last = None
        self.tokens = self.deepest = self.headings = self.h2 = 0
        self.from_h1, self.exact = False, True

    def pieces(self) -> list[ChunkPiece]:
        """Returns the closed chunks, a short last one joined to the one before it."""
        pieces = [piece for piece, _ in self.sealed]
        if len(pieces) > 1:
            tokens, last = self.sealed[-2][1], self.sealed[-1][1]
            short = last < self.limits.minimum and tokens + last <= self.limits.maximum
            if short and pieces[-1].start not in self.borders:
                end = pieces.pop()
                exact = None not in (pieces[-1].tokens, end.tokens)
                pieces[-1] = pieces[-1]._replace(end=end.end, after=end.after, tokens=tokens + last if exact else None)
        return pieces
