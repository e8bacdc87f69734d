"""Cuts a document where a language model said that its topic, section, logic or focus changes.

`infograph enrich --task breakpoints` asks the model, once a document, and records the places; this strategy reads them
and asks nobody. A place lies before a sentence, a block or an item: inside of a listing, a table or a quote there is
none. A document without places is filled into chunks from heading to heading, and so is one that has changed since.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, StrategyTools
from infograph.chunking.pieces.atoms import document_atoms
from infograph.chunking.pieces.greedy_packing import filled
from infograph.chunking.pieces.units import Unit
from infograph.errors import BREAKPOINTS, ConfigError, Notice

_UNASKED = 750
"""Most tokens of a chunk of a document that no model was asked about."""
_LEAST = 10
"""Tokens below which no limit makes sense."""
LEAST_ATOMS = 4
"""Atoms of a document below which no model is asked where to cut it."""


@dataclass(frozen=True, slots=True)
class Agentic:
    """The `agentic` strategy."""

    maximum: int = 2000
    """Most tokens of a chunk; what lies between two places of the model and is longer is cut in addition."""

    embeds: ClassVar[bool] = False
    extensions: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if self.maximum < _LEAST:
            raise ConfigError("strategies.agentic", f"maximum {self.maximum} is not {_LEAST} or more")

    @property
    def chunk_type(self) -> str:
        return "agentic"

    @property
    def key(self) -> str:
        return f"agentic-{self.maximum}"

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        parts = document_atoms(layout, self.maximum, tools.counter) if layout.blocks else []
        breaks = tools.breaks(layout.body) if tools.breaks is not None else None
        if breaks is None or not parts:
            return self._without(layout, tools, asked=len(parts) >= LEAST_ATOMS)
        cuts = sorted({0, *snapped(breaks, parts), len(parts)})
        pieces: list[ChunkPiece] = []
        for begin, end in pairwise(cuts):
            pieces += packed_evenly(parts[begin:end], self.maximum)
        return Cutting(pieces)

    def _without(self, layout: DocumentLayout, tools: StrategyTools, *, asked: bool) -> Cutting:
        """Cuts a document that has no places.

        asked: whether a model would be asked about it
        """
        pieces = filled(layout, min(_UNASKED, self.maximum), tools.counter)
        if not asked:
            return Cutting(pieces)
        said = "no language model has said where to cut it as it is (run `infograph enrich --task breakpoints`)"
        return Cutting(pieces, (Notice(layout.document.path, BREAKPOINTS, said),))


def snapped(breaks: tuple[int, ...], parts: list[Unit]) -> list[int]:
    """Returns the atoms before which to cut: those that begin at the places, or else nearest to them."""
    starts = [part.start for part in parts]
    found = []
    for place in breaks:
        at = bisect_left(starts, place)
        if at == len(starts) or (at and place - starts[at - 1] < starts[at] - place):
            at -= 1
        found.append(at)
    return found


def packed_evenly(parts: list[Unit], maximum: int) -> list[ChunkPiece]:
    """Returns pieces of consecutive atoms of at most so many tokens, as few and as equal as the atoms allow."""
    total = sum(part.tokens for part in parts)
    share = total / max(1, -(-total // maximum))
    pieces: list[ChunkPiece] = []
    held: list[Unit] = []
    tokens = 0
    for part in parts:
        if held and (tokens + part.tokens > maximum or tokens >= share):
            pieces.append(_piece(held))
            held, tokens = [], 0
        held.append(part)
        tokens += part.tokens
    return [*pieces, _piece(held)] if held else pieces


def _piece(held: list[Unit]) -> ChunkPiece:
    first, last = held[0], held[-1]
    return ChunkPiece(first.start, last.end, first.continues, first.before, last.after)
