"""Chooses pieces of texts for a token budget. Pure functions; `infograph/web/packing.js` has the same.

    a chunk's text ─▶ pieces: paragraphs, long ones cut at lines and sentences ─▶ the value of each: how well its chunk
    ranks, times the share of the question's rare words that it has ─▶ those that fit, by one of three packings

    greedy      the most valuable first, each that still fits
    ratio       the same by value for each token (section 9.11.6 of the specification)
    knapsack    the set with the greatest sum of values, exact, of the 50 most valuable pieces and up to 8,000 tokens

    What names the source of a chunk is paid for with the first of its pieces.

Values are whole numbers, so that both clients choose the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from infograph.client.budget import LEFT_OUT
from infograph.search.reading.highlight import TextRange

MARKS = 2
"""Number of the marks for what is left out that a piece may add, before it and after it."""
COVERED = 3.0
"""Weight of the question's words that a piece has, beside the rank of its chunk."""
KNAPSACK_PIECES, KNAPSACK_TOKENS = 50, 8000
"""Most pieces, and most tokens, that the exact packing takes; beyond them pieces are packed by ratio."""

_UNIT = 1_000_000
_NEVER = -(2**52)
"""Far below any sum of values, and a whole number in JavaScript, too."""
_SPACES = " \t\r\n"
_BLANK = re.compile(r"\n[ \t\r]*\n")
_FENCE = re.compile(r"(?<![^\n]) {0,3}(?:```|~~~)")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"(?<=[.!?])[ \n]+|(?<=[。！？])")


def pieces(text: str, characters: int) -> list[TextRange]:
    """Returns the pieces of a text, which together are all of it: paragraphs, where a fence stays whole and a heading
    stays with what follows. Those longer than `characters` are cut at their lines, and longer lines at sentences."""
    found: list[TextRange] = []
    for start, end in _paragraphs(text):
        if end - start <= characters:
            found.append((start, end))
        else:
            found += _joined(_cut(text, start, end, characters), characters)
    return found


def values(shares: Sequence[float], terms: Sequence[Set[str]], query: Sequence[str]) -> list[int]:
    """Returns the value of each piece.

    shares: score of its chunk, over the best one's
    terms:  terms of each piece
    query:  terms of the question, each once

    A term weighs the root of the number of pieces over that of those that have it: what few have tells them apart.
    """
    having = {term: count for term in query if (count := sum(term in own for own in terms))}
    weights = {term: math.sqrt(len(terms) / count) for term, count in having.items()}
    total = _added(weights.values()) or 1.0
    found = []
    for share, own in zip(shares, terms, strict=True):
        covered = _added(weight for term, weight in weights.items() if term in own) / total
        found.append(math.floor(share * math.sqrt(share) * (1 + COVERED * covered) * _UNIT + 0.5))
    return found


def chosen(
    packing: str, worth: Sequence[int], costs: Sequence[int], room: int, owners: Sequence[int], heads: Sequence[int]
) -> list[int]:
    """Returns which pieces to take, in ascending order; their costs, and those of the heads of their chunks, are never
    more than `room` together.

    packing: `greedy`, `ratio` or `knapsack`
    worth:   value of each piece, at least 0
    costs:   tokens of each piece, at least 0
    owners:  chunk of each piece, in ascending order
    heads:   tokens of the lines above each chunk, which the first of its pieces that is taken costs, too
    """
    order = sorted(range(len(worth)), key=lambda piece: -worth[piece])
    if packing == "knapsack" and 0 < room <= KNAPSACK_TOKENS:
        return _knapsack(_by_chunk(sorted(order[:KNAPSACK_PIECES]), owners), worth, costs, room, heads)
    if packing != "greedy":
        order = sorted(range(len(worth)), key=lambda piece: -(worth[piece] / max(1, costs[piece])))
    found: list[int] = []
    opened: set[int] = set()
    for piece in order:
        price = costs[piece] + (0 if owners[piece] in opened else heads[owners[piece]])
        if price <= room:
            found.append(piece)
            opened.add(owners[piece])
            room -= price
    return sorted(found)


def shown(text: str, ranges: Iterable[TextRange]) -> str:
    """Returns the ranges of a text, in order, with a mark for what is left out between and beside them."""
    parts: list[str] = []
    after = 0
    for start, end in _runs(ranges):
        own = text[start:end].strip("\r\n").rstrip(_SPACES)
        if start > after:
            parts.append(LEFT_OUT)
        parts.append(own)
        after = end
    if after < len(text):
        parts.append(LEFT_OUT)
    return "\n\n".join(parts)


def _added(numbers: Iterable[float]) -> float:
    """Returns a sum as JavaScript adds it up: `sum` compensates for what is lost."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def _runs(ranges: Iterable[TextRange]) -> list[TextRange]:
    """Joins ranges that follow each other."""
    found: list[TextRange] = []
    for start, end in ranges:
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _paragraphs(text: str) -> Iterator[TextRange]:
    start = begin = fences = 0
    for end in [*(match.end() for match in _BLANK.finditer(text)), len(text)]:
        part = text[begin:end].strip(_SPACES)
        fences += len(_FENCE.findall(text[begin:end]))
        begin = end
        is_heading = part.startswith("#") and "\n" not in part
        if end == len(text) or (fences % 2 == 0 and not is_heading):
            if end > start:
                yield start, end
            start, fences = end, 0


def _cut(text: str, start: int, end: int, characters: int) -> Iterator[TextRange]:
    """Cuts a paragraph at its lines, and lines that are too long at their sentences."""
    for first, after in _between(_LINE, text, start, end):
        if after - first <= characters:
            yield first, after
        else:
            yield from _between(_SENTENCE, text, first, after)


def _between(mark: re.Pattern[str], text: str, start: int, end: int) -> Iterator[TextRange]:
    for match in mark.finditer(text, start, end):
        if start < match.end() < end:
            yield start, match.end()
            start = match.end()
    yield start, end


def _joined(ranges: Iterable[TextRange], characters: int) -> list[TextRange]:
    """Joins neighbours as long as they have no more than some characters together."""
    found: list[TextRange] = []
    for start, end in ranges:
        if found and end - found[-1][0] <= characters:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _by_chunk(candidates: Iterable[int], owners: Sequence[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for piece in candidates:
        found.setdefault(owners[piece], []).append(piece)
    return found


def _knapsack(
    candidates: Mapping[int, Sequence[int]], worth: Sequence[int], costs: Sequence[int], room: int, heads: Sequence[int]
) -> list[int]:
    """Returns the candidates with the greatest sum of values in a room, by dynamic programming over the chunks, each
    with its head paid or left out, and over the pieces of each; of equals those with later ones left out.

    candidates: pieces by chunk
    """
    best = [0] * (room + 1)
    steps: list[tuple[int, bytearray, list[tuple[int, bytearray]]]] = []
    for chunk, own in candidates.items():
        head = heads[chunk]
        opened = [_NEVER] * min(head, room + 1) + best[: max(0, room + 1 - head)]
        taken = [(piece, _taken(opened, worth[piece], costs[piece])) for piece in own]
        entered = bytearray(room + 1)
        for tokens, value in enumerate(opened):
            if value > best[tokens]:
                best[tokens] = value
                entered[tokens] = 1
        steps.append((chunk, entered, taken))
    found = []
    left = room
    for chunk, entered, taken in reversed(steps):
        if not entered[left]:
            continue
        for piece, marks in reversed(taken):
            if marks[left]:
                found.append(piece)
                left -= costs[piece]
        left -= heads[chunk]
    return found[::-1]


def _taken(best: list[int], value: int, size: int) -> bytearray:
    """Puts a piece among those that may be taken, where the sum of values becomes greater by it.

    best: greatest sum by the tokens that there are, which this changes

    Returns where it is taken.
    """
    marks = bytearray(len(best))
    for tokens in range(len(best) - 1, size - 1, -1):
        if (other := best[tokens - size] + value) > best[tokens]:
            best[tokens] = other
            marks[tokens] = 1
    return marks
