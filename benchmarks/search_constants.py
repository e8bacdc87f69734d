"""Search: would other weights of dense sum and neighbours do better, on questions that did not choose them?

    python benchmarks/search_constants.py --questions DIR --trees DIR [--cache DIR] [--sets NAME …] [--cuts 200 default]

Arguments, sets and measures as in `search_quality.py`; scores are the exact ones, in memory.

The pair that does best on some questions, by recall@5 + MRR@10 averaged over sets, is compared with the pair that is
built in on the others:

    halves      each set's questions are parted at random, many times over
    set by set  chosen on all sets but one, which then says what the choice is worth

Figures are gains over BM25, in percent. A choice that does no better there than what is built in is one that a few
questions made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product

from search_quality import Case, Measured, Scores, arguments, by_score  # first: it sets the number of threads

import numpy as np  # isort: skip
from numpy.typing import NDArray

from infograph.search.writing.bundle_options import SearchOptions

ALPHAS = (15.0, 20.0, 25.0, 30.0, 35.0)
NEIGHBOURS = (0.0, 0.05, 0.1, 0.15, 0.2)
HALVES = 200
SEED = 0

Weights = tuple[float, float]
"""Alpha and neighbour."""
Gains = NDArray[np.float64]
"""[questions, 2]: recall@5 and MRR@10 less BM25's."""


def with_neighbours(own: Sequence[Scores], share: float, joined: NDArray[np.bool_]) -> list[Scores]:
    """Each chunk's score and its share of the better neighbour's on the same page."""
    around = np.zeros((2, len(own), len(joined) + 1))
    around[0, :, 1:] = np.where(joined, np.array(own)[:, :-1], 0)
    around[1, :, :-1] = np.where(joined, np.array(own)[:, 1:], 0)
    return list(np.array(own) + share * around.max(axis=0))


def gains(case: Case) -> dict[Weights, Gains]:
    """What each pair of weights gains, question by question."""

    def table(values: Measured) -> Gains:
        return np.stack([values["recall@5"], values["MRR@10"]], axis=1)

    files = np.array([span.file for span in case.spans])
    base = table(case.measured(by_score(case.sparse)))
    dense = [case.exact.dense(question.text) for question in case.asked]
    found = {}
    for alpha, share in product(ALPHAS, NEIGHBOURS):
        own = [s + alpha * d for s, d in zip(case.sparse, dense, strict=True)]
        scores = with_neighbours(own, share, files[:-1] == files[1:])
        found[alpha, share] = table(case.measured(by_score(scores))) - base
    return found


def mean(
    found: Mapping[str, Mapping[Weights, Gains]], weights: Weights, taken: Mapping[str, NDArray[np.int64]]
) -> Gains:
    """Of the questions taken, each set counting alike."""
    means: Gains = np.mean([found[name][weights][rows].mean(axis=0) for name, rows in taken.items()], axis=0)
    return means


def best(found: Mapping[str, Mapping[Weights, Gains]], taken: Mapping[str, NDArray[np.int64]]) -> Weights:
    return max(product(ALPHAS, NEIGHBOURS), key=lambda weights: mean(found, weights, taken).sum())


def shown(gain: Gains) -> str:
    return f"recall@5 {gain[0]:+5.2f}  MRR@10 {gain[1]:+5.2f}"


def report(how: str, found: Mapping[str, Mapping[Weights, Gains]], own: Weights) -> None:
    everything = {name: np.arange(len(pairs[own])) for name, pairs in found.items()}
    top = best(found, everything)
    print(f"\n{how}: built in {own}: {shown(mean(found, own, everything))}")
    print(f"  best of all, on all questions, {top}: {shown(mean(found, top, everything))}")
    random = np.random.default_rng(SEED)
    chosen, kept = [], []
    votes: Counter[Weights] = Counter()
    for _ in range(HALVES):
        orders = {name: random.permutation(len(rows)) for name, rows in everything.items()}
        pair = best(found, {name: order[: len(order) // 2] for name, order in orders.items()})
        rest = {name: order[len(order) // 2 :] for name, order in orders.items()}
        votes[pair] += 1
        chosen.append(mean(found, pair, rest))
        kept.append(mean(found, own, rest))
    print(f"  halves, the other half: chosen {shown(np.mean(chosen, axis=0))}, built in {shown(np.mean(kept, axis=0))}")
    print("    chosen most: " + ", ".join(f"{pair} {times}×" for pair, times in votes.most_common(3)))
    for name, rows in everything.items():
        others = {other: found_rows for other, found_rows in everything.items() if other != name}
        if others:
            pair = best(found, others)
            print(
                f"  {name:<14} by the other sets {pair}: {shown(mean(found, pair, {name: rows}))}, "
                f"built in {shown(mean(found, own, {name: rows}))}"
            )


def main() -> None:
    args = arguments(__doc__).parse_args()
    options = SearchOptions()
    for how in args.cuts:
        found = {name: gains(Case(name, how, args, options)) for name in args.sets}
        report(how, found, (options.alpha, options.neighbour))


if __name__ == "__main__":
    main()
