"""One score of a chunk from two, the words' and the cosine of the query's vector, and how sure a ranking is of itself.

    R(c) = α · (cosine(c) + 1) / (best cosine + 1)  +  (1 - α) · words(c) / best words        TM2C2, 0 to 1
    score(c) = R(c) · S - weight        with S = best words + weight · (best cosine + 1)

The sum of words + weight · cosine is TM2C2 with α = weight · (best cosine + 1) / S, and `score` is that sum: so each
fusion has scores of one scale. The best R is the answer's `confidence`: 1 where one chunk is the best in both.

Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval", 2023. `web/fusion.js` does the same.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from infograph.search.format.fusion_model import LEAF, POOL, RIDGE, RRF, SUM, TM2C2, Fusion, RegressionTree, TreeSum

RRF_K = 60
"""Smoothing constant of reciprocal ranks, as in their paper."""
QUESTION_WORDS = frozenset(("who", "what", "where", "when", "why", "how"))

_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"[0-9]")
_ACRONYM = re.compile(r"[A-Z]{2}")


@dataclass(frozen=True, slots=True)
class FusedHead:
    """The first chunks of a ranking with the two scores that they had."""

    words: Sequence[float]
    """Scores by words, not below 0."""
    cosines: Sequence[float]

    @property
    def most_words(self) -> float:
        return max(self.words, default=0.0)

    @property
    def most_cosine(self) -> float:
        return max(self.cosines, default=-1.0)

    def scale(self, weight: float) -> float:
        """Returns S, the score that a chunk which is best in both would have, plus `weight`."""
        return self.most_words + weight * (self.most_cosine + 1)

    def scaled_words(self) -> list[float]:
        most = self.most_words
        return [value / most if most > 0 else 0.0 for value in self.words]

    def scaled_cosines(self) -> list[float]:
        most = self.most_cosine + 1
        return [(value + 1) / most if most > 0 else 0.0 for value in self.cosines]


def query_features(query: str) -> list[float]:
    """Returns the features of a query by itself, `QUERY_FEATURES`."""
    words = _WORD.findall(query)
    return [
        float(len(words)),
        float(_DIGIT.search(query) is not None),
        float(any(word.lower() in QUESTION_WORDS for word in words)),
        float(_ACRONYM.search(query) is not None),
    ]


def all_features(query: str, head: FusedHead) -> list[float]:
    """Returns the 25 features of a query and its head, `FEATURES`; 0 in place of chunks that there are not."""
    best_words, best_cosines = best_of_each(head)
    words, cosines = head.scaled_words(), head.scaled_cosines()
    tens = [cosines[place] for place in best_cosines] + [0.0] * (POOL - len(best_cosines))
    tens += [words[place] for place in best_words] + [0.0] * (POOL - len(best_words))
    return [*query_features(query), *tens, float(len(set(best_words).intersection(best_cosines)))]


def best_of_each(head: FusedHead) -> tuple[list[int], list[int]]:
    """Returns the places of the best `POOL` chunks by words and by cosine; of equal ones the earlier first."""
    places = range(len(head.words))
    by_words = sorted(places, key=lambda place: -head.words[place])[:POOL]
    return by_words, sorted(places, key=lambda place: -head.cosines[place])[:POOL]


def alpha_of(fusion: Fusion, trees: TreeSum | None, query: str, head: FusedHead, weight: float) -> float:
    """Returns the share of the cosine, 0 to 1, that a fusion other than `rrf` has for a query."""
    if fusion.kind == SUM:
        scale = head.scale(weight)
        return weight * (head.most_cosine + 1) / scale if scale > 0 else 0.0
    if fusion.kind == TM2C2:
        return fusion.alpha
    if fusion.kind == RIDGE:
        alpha = fusion.bias
        for value, own in zip(query_features(query), fusion.weights, strict=True):
            alpha += value * own
    else:
        alpha = 0.5 if trees is None else sum_of_trees(trees, all_features(query, head))
    return min(1.0, max(0.0, alpha))


def fused(
    fusion: Fusion, trees: TreeSum | None, query: str, head: FusedHead, weight: float
) -> tuple[list[float], float]:
    """Returns the score of each chunk of a head, on the scale of words + weight · cosine, and the confidence, 0 to 1:
    the best value before that scale."""
    if fusion.kind == RRF:
        values = reciprocal_ranks(head)
    else:
        values = tm2c2_values(head, alpha_of(fusion, trees, query, head, weight))
    confidence = min(1.0, max(values, default=0.0))
    if fusion.kind == SUM:
        return [own + weight * cosine for own, cosine in zip(head.words, head.cosines, strict=True)], confidence
    scale = head.scale(weight)
    return [value * scale - weight for value in values], confidence


def tm2c2_values(head: FusedHead, alpha: float) -> list[float]:
    """Returns R of each chunk, 0 to 1."""
    pairs = zip(head.scaled_words(), head.scaled_cosines(), strict=True)
    return [alpha * cosine + (1 - alpha) * words for words, cosine in pairs]


def reciprocal_ranks(head: FusedHead) -> list[float]:
    """Returns the sum of reciprocal ranks by words and by cosine of each chunk, over the most that it can be."""
    values = [0.0] * len(head.words)
    for scores in (head.words, head.cosines):
        for rank, place in enumerate(sorted(range(len(scores)), key=lambda place: -scores[place]), 1):
            values[place] += (RRF_K + 1) / 2 / (RRF_K + rank)
    return values


def sum_of_trees(trees: TreeSum, features: Sequence[float]) -> float:
    """Returns the sum of the leaves that the features lead to; features, bounds and sums are floats of 32 bits."""
    row = [float32(value) for value in features]
    total = float32(trees.base)
    for tree in trees.trees:
        total = float32(total + _leaf(tree, row))
    return total


def _leaf(tree: RegressionTree, row: Sequence[float]) -> float:
    place = 0
    while tree.features[place] != LEAF:
        below = row[tree.features[place]] < float32(tree.numbers[place])
        place = place + 1 if below else tree.right[place]
    return float32(tree.numbers[place])


def float32(value: float) -> float:
    """Returns the float of 32 bits that is nearest."""
    rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    return rounded


def words_confidence(best: float, most: float) -> float:
    """Returns the confidence of a ranking by words alone: the best score over the most that one can have.

    most: sum of the largest scores of the query's terms
    """
    return min(1.0, max(0.0, best / most)) if most > 0 else 0.0
