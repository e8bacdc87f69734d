"""Cuts transcripts between cues: WebVTT and SubRip files.

A piece ends at a pause, at a change of speaker or at the end of a sentence, whichever is available in this order.
Times and speakers are metadata of the piece; the words are embedded without the times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import ClassVar

from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, StrategyTools
from infograph.chunking.pieces.greedy_packing import filled, packed
from infograph.chunking.pieces.sentences import sentence_ends
from infograph.chunking.pieces.units import units
from infograph.chunking.subtitles import ARROW, FAULTS, Cue, cues, has_times, words
from infograph.chunking.tokens import TokenCounter
from infograph.errors import ConfigError, Notice, lines_named
from infograph.model import TRANSCRIPTS, Block, Fact, Facts, is_markdown
from infograph.text.lines import split_lines


@dataclass(frozen=True, slots=True)
class Transcript:
    """The `transcript` strategy with its limits in tokens of the file's text. Blocks of a Markdown document are
    packed into pieces."""

    minimum: int = 250
    """Size from which a piece ends at a good place."""
    maximum: int = 750
    """Largest size of a piece."""
    pause: float = 2.0
    """Length of a pause in seconds: time without a cue."""

    embeds: ClassVar[bool] = False
    extensions: ClassVar[tuple[str, ...]] = TRANSCRIPTS

    def __post_init__(self) -> None:
        if not 1 <= self.minimum <= self.maximum:
            raise ConfigError(
                "strategies.transcript", f"minimum {self.minimum} and maximum {self.maximum} are not in ascending order"
            )
        if not 0 < self.pause < 86_400:
            raise ConfigError("strategies.transcript", f"pause {self.pause} is not a number of seconds within a day")

    @property
    def chunk_type(self) -> str:
        return "transcript"

    @property
    def key(self) -> str:
        pause = "" if self.pause == 2 else f"{self.pause:g}s-"
        return f"transcript-{pause}{self.minimum}-{self.maximum}"

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        path = layout.document.path
        if is_markdown(path) or not layout.body:
            return Cutting(filled(layout, self.maximum, tools.counter))
        lines = [layout.body[start:end] for start, end in pairwise(layout.starts)]
        found = cues([line.rstrip("\r\n") for line in lines])
        if not found:
            notice = Notice(path, "cues", f"no line with times around `{ARROW}`, so it is cut between lines")
            return Cutting(filled(layout, self.maximum, tools.counter), (notice,))
        before = list(accumulate(tools.counter.count(lines), initial=0))
        pieces: list[ChunkPiece] = []
        for group in _groups(found, [before[cue.end] - before[cue.start] for cue in found], self):
            first, last = group[0], group[-1]
            tokens = before[last.end] - before[first.start]
            if tokens <= self.maximum:
                start, end = layout.starts[first.start], layout.starts[last.end]
                pieces.append(ChunkPiece(start, end, tokens=tokens, embed=_said(group), facts=_facts(group)))
            else:
                pieces.extend(_long(layout, first, tokens, self.maximum, tools.counter))
        return Cutting(pieces, tuple(_notices(path, found)))


def _groups(found: list[Cue], sizes: list[int], options: Transcript) -> Iterator[list[Cue]]:
    """Yields the cues of each piece; a cue that is too large is alone."""
    ranks = _ranks(found, options.pause)
    start = 0
    while start < len(found):
        end, tokens = start, 0
        best, best_rank = start + 1, -1
        while end < len(found) and (tokens + sizes[end] <= options.maximum or end == start):
            tokens += sizes[end]
            end += 1
            rank = ranks[end - 1] if tokens >= options.minimum else 0
            if rank >= best_rank:
                best, best_rank = end, rank
        stop = end if end == len(found) else best
        yield found[start:stop]
        start = stop


def _ranks(found: list[Cue], pause: float) -> list[int]:
    """Returns how good a place to cut the end of each cue is.

    A pause counts for more than a change of speaker, that for more than the end of a sentence; several together
    count for most.
    """
    ranks = []
    shown = 0.0
    for cue, following in pairwise(found):
        shown = max(shown, cue.ends)
        silent = following.begins - shown >= pause
        turns = bool(cue.turns and following.turns) and cue.turns[-1][0] != following.turns[0][0]
        ended = bool(cue.turns) and _ends_sentence(cue.turns[-1][1])
        ranks.append(4 * silent + 2 * turns + ended)
    return [*ranks, 8]


def _ends_sentence(said: str) -> bool:
    """Whether words end a sentence. Captions often lack capitals, so the words that follow are replaced by one."""
    return len(said) + 1 in sentence_ends(f"{said} A")


def _said(group: list[Cue]) -> str:
    """Returns `Speaker: words`, a line for each turn; turns continue over cues."""
    lines: list[str] = []
    speaker: str | None = None
    for cue in group:
        for name, said in cue.turns:
            if name == speaker:
                lines[-1] += f" {said}"
            else:
                lines.append(f"{name}: {said}" if name else said)
                speaker = name
    return "".join(f"{line}\n" for line in lines)


def _facts(group: list[Cue]) -> Facts:
    facts: dict[str, Fact] = {
        "start": round(min(cue.begins for cue in group), 3),
        "end": round(max(cue.ends for cue in group), 3),
    }
    if speakers := tuple(dict.fromkeys(name for cue in group for name, _ in cue.turns if name)):
        facts["speakers"] = speakers
    return tuple(sorted(facts.items()))


def _long(layout: DocumentLayout, cue: Cue, tokens: int, maximum: int, counter: TokenCounter) -> Iterator[ChunkPiece]:
    """Yields pieces of a cue that is too large, or of the text before it, cut between lines or inside of them."""
    block = Block("other", cue.start, cue.end)
    for piece in packed(units(layout, [(block, tokens)], maximum, counter), maximum):
        lines = split_lines(layout.body[piece.start : piece.end])
        said = words(" ".join(line for line in lines if not has_times(line)))
        yield piece._replace(embed=f"{said}\n" if cue.turns else "", facts=_facts([cue]))


def _notices(path: str, found: list[Cue]) -> Iterator[Notice]:
    for fault in FAULTS:
        if lines := [cue.line + 1 for cue in found if cue.fault == fault]:
            yield Notice(path, "time-stamp", f"{fault}, words kept: {lines_named(lines)}", len(lines))
