"""Fits texts into a token budget: near-duplicates, excerpts, and the order for a reader. Pure functions.

Near-duplicates are found by the resemblance of two texts: the share of their distinct runs of `SHINGLE` words that
both have (Broder, "On the resemblance and containment of documents", 1997). That takes only the texts, which are read
in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from infograph.client.token_estimate import part_tokens, weight
from infograph.search.format.results import Hit

SHINGLE = 4
"""Number of words in a run."""
SAME = 0.7
"""Least resemblance of two texts that counts as a near-duplicate."""
LEFT_OUT = "…"
"""Mark in an excerpt for what is left out."""

Shingles = frozenset[tuple[str, ...]]

_WORD = re.compile(r"\w+")
_BLANK = re.compile(r"\n[ \t\r]*\n")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")


def shingles(text: str) -> Shingles:
    """Returns the runs of words; for a text with fewer words, all of them as one run."""
    words = [word.lower() for word in _WORD.findall(text)]
    return frozenset(zip(*(words[start:] for start in range(SHINGLE)), strict=False)) or frozenset({tuple(words)})


def resemblance(a: Shingles, b: Shingles) -> float:
    """Returns 0 for nothing in common, 1 for the same runs."""
    return len(a & b) / len(a | b)


@dataclass(slots=True)
class ShownChunk:
    """A chunk to show, whole or as an excerpt."""

    hit: Hit
    text: str
    tokens: int
    excerpt: bool = False
    duplicates: tuple[Hit, ...] = ()


def in_order(pieces: Iterable[ShownChunk]) -> list[list[ShownChunk]]:
    """Groups chunks into runs of whole neighbours: the page with the best chunk first, each page in its own order."""
    pages: dict[str, list[ShownChunk]] = {}
    for piece in sorted(pieces, key=lambda piece: -piece.hit.score):
        pages.setdefault(piece.hit.page, []).append(piece)
    runs: list[list[ShownChunk]] = []
    for page in pages.values():
        last: ShownChunk | None = None
        for piece in sorted(page, key=lambda piece: piece.hit.index):
            joins = last and piece.hit.index == last.hit.index + 1 and not (last.excerpt or piece.excerpt)
            if joins:
                runs[-1].append(piece)
            else:
                runs.append([piece])
            last = piece
    return runs


def excerpt(text: str, tokens: int, most: int, terms_of: Callable[[str], set[str]], query: set[str]) -> tuple[str, int]:
    """Returns the parts of a text with most of the query's terms, in no more than `most` tokens, and their number;
    empty where nothing of it fits. Tokens of parts are counted as `part_tokens` does.

    Parts are paragraphs, with the heading above them and fences whole. Where none fits, they are lines, then sentences.
    """
    whole = weight(text)

    def size(part: str) -> int:
        return part_tokens(weight(part), tokens, whole)

    for parts in (_paragraphs(text), text.split("\n"), _SENTENCE.split(text)):
        found = _best(parts, lambda part: size(part) <= most, terms_of, query)
        if found:
            return found, size(found)
    return "", 0


def _best(
    parts: Sequence[str], fits: Callable[[str], bool], terms_of: Callable[[str], set[str]], query: set[str]
) -> str:
    """Returns the parts with the most terms of the query, in order, that fit together. Parts that repeat the terms of a
    better one come after those that have others."""
    found = {place: terms for place, part in enumerate(parts) if (terms := terms_of(part) & query)}
    chosen: set[int] = set()
    covered: set[str] = set()
    shown = ""
    while found:
        place = max(found, key=lambda place: (len(found[place] - covered), len(found[place]), -place))
        terms = found.pop(place)
        longer = _shown(parts, chosen | {place})
        if fits(longer):
            shown = longer
            chosen.add(place)
            covered |= terms
    return shown


def _shown(parts: Sequence[str], chosen: set[int]) -> str:
    lines: list[str] = []
    last = -1
    for place in sorted(chosen):
        if place != last + 1:
            lines.append(LEFT_OUT)
        lines.append(parts[place].strip("\r\n").rstrip())
        last = place
    if last != len(parts) - 1:
        lines.append(LEFT_OUT)
    return "\n\n".join(lines)


def _paragraphs(text: str) -> list[str]:
    """Splits a text at blank lines; a fence stays whole, and a heading stays with what follows."""
    parts: list[str] = []
    open_part = ""
    for part in _BLANK.split(text):
        open_part = f"{open_part}\n\n{part}" if open_part else part
        is_heading = part.lstrip().startswith("#") and "\n" not in part.strip()
        if len(_FENCE.findall(open_part)) % 2 == 0 and not is_heading:
            parts.append(open_part)
            open_part = ""
    return [*parts, open_part] if open_part else parts
