"""Structural splitting: sections by headings, whole blocks, a minimum and a maximum of size.

Six types of block: prose, heading, fence, table, list, quote. A chunk ends

- at a heading, once it has the minimum;
- before a block with which it would exceed the maximum. Headings above that block go with it;
- before and after a quick reference that follows the overview: that is chunk 1, however short both are.

A list may be split between its items. Every other block is whole, unless it alone exceeds the maximum: then it is
cut between lines, rows or the blocks within it (`units.py`), and its pieces are marked as continuing. A last chunk
below the minimum joins the one before it, where both fit. So a chunk is larger than the maximum only where a
heading and the block below it are, which are never separated.

The section path of a chunk is the stack of headings above it, which `chunks.py` tracks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, StrategyTools
from infograph.chunking.pieces.greedy_packing import whole
from infograph.chunking.pieces.units import Unit, leads_in, units
from infograph.chunking.quick_reference import reference_borders
from infograph.chunking.tokens import TokenCounter
from infograph.errors import ConfigError
from infograph.model import Facts

CHARACTERS, TOKENS = "characters", "tokens"

_DEFAULTS = {CHARACTERS: (100, 1500), TOKENS: (25, 400)}
"""Minimum and maximum by unit."""

_TYPES = {"heading": "heading", "fence": "fence", "code": "fence", "table": "table", "list": "list", "quote": "quote"}
"""Type of a block by its kind; all other kinds are prose."""


@dataclass(frozen=True, slots=True)
class Structural:
    """The `structural` strategy with its limits. White space at the end of a chunk does not count."""

    minimum: int | None = None
    """Size from which a chunk ends at a heading: by default 100 characters or 25 tokens. 1 makes every section a
    chunk."""
    maximum: int | None = None
    """Largest size of a chunk: by default 1500 characters or 400 tokens."""
    unit: str = CHARACTERS
    """Unit of the limits: `characters` or `tokens`."""

    embeds: ClassVar[bool] = False
    extensions: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if self.unit not in _DEFAULTS:
            raise ConfigError(
                "strategies.structural", f"there is no unit `{self.unit}`", "Valid: `characters`, `tokens`"
            )
        minimum, maximum = self.limits
        if not 1 <= minimum <= maximum:
            reason = f"minimum {minimum} and maximum {maximum} {self.unit} are not in ascending order"
            raise ConfigError("strategies.structural", reason)

    @property
    def limits(self) -> tuple[int, int]:
        """The minimum and the maximum, defaults filled in."""
        minimum, maximum = _DEFAULTS[self.unit]
        return minimum if self.minimum is None else self.minimum, maximum if self.maximum is None else self.maximum

    @property
    def chunk_type(self) -> str:
        return "structural"

    @property
    def key(self) -> str:
        minimum, maximum = self.limits
        return f"structural-{self.unit}-{minimum}-{maximum}"

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        starts, blocks = layout.starts, layout.blocks or ((whole(layout),) if layout.body else ())
        minimum, maximum = self.limits
        counter: TokenCounter = tools.counter if self.unit == TOKENS else _Characters()
        if self.unit == TOKENS:
            sizes = counter.count(layout.texts(blocks))
        else:
            sizes = [starts[end] - starts[start] for _, start, end, _, _, _ in blocks]
        window = _Window(layout.body, minimum, maximum, self.unit)
        window.borders = reference_borders(layout, maximum, counter)
        for number, (block, size) in enumerate(zip(blocks, sizes, strict=True)):
            kind, _, last, level, _, _ = block
            end = starts[last]
            following = blocks[number + 1] if number + 1 < len(blocks) else None
            if following is not None and kind == "paragraph" and leads_in(layout, block, following):
                both, both_end = size + sizes[number + 1], starts[following.end]
                if not window.fits(both_end, both) and both <= maximum:
                    window.seal_before_headings()
            if level:
                window.heading(end, size)
                continue
            type_ = _TYPES.get(kind, "prose")
            if window.fits(end, size):
                window.take(end, size, type_)
            elif window.fits_alone(end, size) and (type_ != "list" or window.size >= minimum):
                window.seal_before_headings()
                window.take(end, size, type_)
            else:
                for part in units(layout, [(block, size)], maximum, counter):
                    size = part.tokens if self.unit == TOKENS else part.end - part.start
                    if not window.fits(part.end, size):
                        window.seal_before_headings()
                    window.take_part(part, size, type_)
        return Cutting(window.pieces())


class _Characters:
    """A token counter that counts characters instead."""

    name = CHARACTERS

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.rstrip()) for text in texts]


class _Window:
    """The open chunk, and the closed chunks before it.

    All sizes are in the strategy's unit, all ends are offsets in the body.
    """

    def __init__(self, body: str, minimum: int, maximum: int, unit: str) -> None:
        self.body = body
        self.minimum = minimum
        self.maximum = maximum
        self.in_tokens = unit == TOKENS
        self.borders: tuple[int, ...] = ()
        """Offsets of headings at which a chunk begins in any case."""
        self.sealed: list[tuple[ChunkPiece, int]] = []
        self.end = 0
        self.open()

    def open(self) -> None:
        """Begins a chunk at the end of the previous one."""
        self.start = self.end
        self.size = self.headings_size = 0
        self.types: set[str] = set()
        self.headings_from: int | None = None
        """Offset of the headings at the end of the open chunk; None where it does not end with headings."""
        self.exact = self.in_tokens
        """Whether `size` is the exact token count of the chunk's text: counts add up only over whole lines."""
        self.continues = False
        self.before = self.after = ""

    def fits(self, end: int, size: int) -> bool:
        """Whether the open chunk has room for text that ends at `end`."""
        return self.size + size <= self.maximum or self._fits_stripped(end, self.maximum - self.size)

    def fits_alone(self, end: int, size: int) -> bool:
        return size <= self.maximum or self._fits_stripped(end, self.maximum)

    def _fits_stripped(self, end: int, room: int) -> bool:
        """Whether the text fits without the white space around it, which has characters but no tokens."""
        return not self.in_tokens and room > 0 and len(self.body[self.end : end].strip()) <= room

    def heading(self, end: int, size: int) -> None:
        """Adds a heading; first closes a chunk that has the minimum, unless it is the overview."""
        if self.end in self.borders:
            self.seal()
            self.headings_from = self.end
        elif self.headings_from is None:
            if self.size >= self.minimum and not (self.borders and self.end < self.borders[0]):
                self.seal()
            self.headings_from = self.end
        elif self.headings_size > self.maximum:  # thousands of headings in a row
            self.seal()
            self.headings_from = self.end
        self.end = end
        self.size += size
        self.headings_size += size
        self.after = ""

    def take(self, end: int, size: int, type_: str) -> None:
        """Adds a block, or a part of one, to the open chunk."""
        if self.headings_from is not None:
            self.types.add("heading")
            self.headings_from, self.headings_size = None, 0
        self.types.add(type_)
        self.end = end
        self.size += size
        self.after = ""

    def take_part(self, part: Unit, size: int, type_: str) -> None:
        if self.start == self.end:
            self.continues, self.before = part.continues, part.before
        self.take(part.end, size, type_)
        self.after = part.after
        self.exact = self.exact and part.whole_lines

    def seal_before_headings(self) -> None:
        """Closes the open chunk, if there is one; the headings at its end begin the next one."""
        begin, end, size = self.headings_from, self.end, self.headings_size
        if begin is None:
            self.seal()
        elif begin > self.start:
            self.end, self.headings_from = begin, None
            self.size -= size
            self.seal()
            self.end, self.headings_from = end, begin
            self.size = self.headings_size = size

    def seal(self) -> None:
        """Closes the open chunk, if there is one."""
        if self.start == self.end:
            return
        if self.headings_from is not None:
            self.types.add("heading")
        tokens = self.size if self.exact else None
        facts = _facts(frozenset(self.types))
        piece = ChunkPiece(self.start, self.end, self.continues, self.before, self.after, tokens, facts=facts)
        self.sealed.append((piece, self.size))
        self.open()

    def pieces(self) -> list[ChunkPiece]:
        """Returns the closed chunks, a short last one joined to the one before it."""
        self.seal()
        pieces = [piece for piece, _ in self.sealed]
        if len(pieces) > 1:
            (before, size), (end, last) = self.sealed[-2:]
            if last < self.minimum and size + last <= self.maximum and end.start not in self.borders:
                exact = None not in (before.tokens, end.tokens)
                types = frozenset(_types(before)) | frozenset(_types(end))
                tokens = size + last if exact else None
                pieces[-2:] = [before._replace(end=end.end, after=end.after, tokens=tokens, facts=_facts(types))]
        return pieces


@lru_cache(maxsize=64)
def _facts(types: frozenset[str]) -> Facts:
    """Returns the types of a chunk's blocks as metadata."""
    return (("content_types", tuple(sorted(types))),)


def _types(piece: ChunkPiece) -> tuple[str, ...]:
    ((_, types),) = piece.facts
    assert isinstance(types, tuple)
    return types
