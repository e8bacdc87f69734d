"""The pages that the first pages of a ranking lead to, with a share of the score of the page that leads there.

    score(b) = min(own(b) + share · own(A) / n,  own(A),  own(the fifth page))

for a chunk b of a page that one of the first eight pages, A, leads to. Where the best chunk of A links to b's page,
n is 1, and b is that page's best chunk, or the one that defines what A uses. Where b links to A, n is the number of
pages that do. So an answer that takes two pages comes into sight, and no page passes the one that led to it, nor one of
the first five: what the words found by themselves stays.

The numbers are from two sets of questions that take two pages or more, and from sets that take one
(`benchmarks/links.py`). With 3 in place of 5, more of the former have both pages among the first five, and some of the
latter lose theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from infograph.search.format.links import PageLists
from infograph.search.ranking.scoring import ChunkPlace

SHARE = 0.6
LEADERS = 8
AFTER = 5

Ranking = Sequence[tuple[ChunkPlace, float]]


@dataclass(frozen=True, slots=True)
class Lead:
    """Why a chunk stands where it does: the chunk that led to it, and by what evidence."""

    chunk: ChunkPlace
    """Best chunk of the page that led to it."""
    kind: int
    """Place in `links.KINDS`."""
    back: bool
    """Whether it is the led chunk that shows the link: it names the page that leads."""


@dataclass(frozen=True, slots=True)
class _Gain:
    score: float
    whole: float
    """The score without its bounds, which orders chunks that have the same one."""
    lead: Lead


def leading(ranking: Ranking, leaders: int) -> list[tuple[ChunkPlace, float]]:
    """Returns the best chunk of each of the first pages whose score is above 0, with its score."""
    found: dict[int, tuple[ChunkPlace, float]] = {}
    for chunk, score in ranking:
        if len(found) == leaders or score <= 0:
            break
        found.setdefault(chunk[0], (chunk, score))
    return list(found.values())


def linked(
    ranking: Ranking, leaders: Ranking, lists: Mapping[int, PageLists], share: float, after: int
) -> tuple[list[tuple[ChunkPlace, float]], dict[ChunkPlace, Lead]]:
    """Returns the ranking with the chunks that links raise or bring in, and what led to each of them.

    leaders: what `leading` returned
    lists:   links of their pages by slot
    after:   number of first pages that none passes
    """
    if not leaders or not any(found.to or found.come for found in lists.values()):
        return list(ranking), {}
    own = dict(ranking)
    best: dict[int, ChunkPlace] = {}
    for chunk, _ in ranking:
        best.setdefault(chunk[0], chunk)
    most = leaders[min(after, len(leaders)) - 1][1]
    gains: dict[ChunkPlace, _Gain] = {}
    for leader, score in leaders:
        found = lists.get(leader[0], PageLists())
        ways = [
            (best.get(slot, (slot, head)), 1, Lead(leader, kind, back=False))
            for chunk, slot, head, kind in found.to
            if chunk == leader[1]
        ]
        ways += [((slot, chunk), len(found.come), Lead(leader, kind, back=True)) for slot, chunk, kind in found.come]
        for chunk, count, lead in ways:
            whole = own.get(chunk, 0.0) + share * score / count
            gain = _Gain(min(whole, score, most), whole, lead)
            known = gains.get(chunk)
            if gain.score > own.get(chunk, 0.0) and (known is None or (gain.score, whole) > (known.score, known.whole)):
                gains[chunk] = gain
    return _inserted(ranking, gains), {chunk: gain.lead for chunk, gain in gains.items()}


def _inserted(ranking: Ranking, gains: Mapping[ChunkPlace, _Gain]) -> list[tuple[ChunkPlace, float]]:
    """Puts each chunk that gains behind the last one, of those that do not, whose score is as high."""
    waiting = sorted(gains.items(), key=lambda item: (item[1].score, item[1].whole, (-item[0][0], -item[0][1])))
    found: list[tuple[ChunkPlace, float]] = []
    for chunk, score in ranking:
        if chunk in gains:
            continue
        while waiting and waiting[-1][1].score > score:
            raised, gain = waiting.pop()
            found.append((raised, gain.score))
        found.append((chunk, score))
    return found + [(chunk, gain.score) for chunk, gain in reversed(waiting)]
