"""Search: what fields and neighbours are worth, and whether other weights would do better, on questions that did not
choose them.

    python benchmarks/search_constants.py --questions DIR --trees DIR [--cache DIR] [--sets NAME …] [--cuts 200 default]

Arguments, sets and measures as in `search_quality.py`; scores are the exact ones, in memory.

The weights (of a heading, of the file's name, of the better neighbour) that do best on some questions, by recall@5 +
MRR@10 averaged over sets and kinds of chunks, are compared with those that are built in on others:

    set by set  chosen on all sets but one, which then says what the choice is worth
    halves      each set's questions are parted at random, many times over

Figures are gains over BM25 with the neighbours that are built in and without fields, in percent; in brackets the 95%
interval: questions drawn again, each set counting alike. A choice that does no better there than what is built in is
one that a few questions made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product

from search_quality import Case, Measured, arguments, by_score  # first: it sets the number of threads

import numpy as np  # isort: skip
from numpy.typing import NDArray

from infograph.search.format.impact import FIELDS, HEADING, NAME
from infograph.search.writing.bundle_options import SearchOptions

HEADINGS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2)
NAMES = (0.0, 0.2, 0.4, 0.6, 0.8)
NEIGHBOURS = (0.0, 0.1, 0.15, 0.2)
HALVES = 200
DRAWS = 2000
SEED = 0

Weights = tuple[float, float, float]
"""Of a heading, of the file's name, of the better neighbour."""
Gains = NDArray[np.float64]
"""[questions, 2]: recall@5 and MRR@10 less those without fields."""
Found = Mapping[tuple[str, str], Mapping[Weights, Gains]]
"""Gains of each pair of weights by set and kind of chunks."""

WEIGHTS: Sequence[Weights] = tuple(product(HEADINGS, NAMES, NEIGHBOURS))


def gains(case: Case, base: Weights) -> dict[Weights, Gains]:
    """Returns what each choice of weights gains over `base`, question by question."""
    fields = [case.exact.fields(question.text) for question in case.asked]

    def table(weights: Weights) -> NDArray[np.float64]:
        heading, name, share = weights
        scores = [
            case.exact.with_neighbours(own + heading * found[HEADING] + name * found[NAME], share)
            for own, found in zip(case.bm25, fields, strict=True)
        ]
        values: Measured = case.measured(by_score(scores))
        return np.stack([values["recall@5"], values["MRR@10"]], axis=1)

    zero = table(base)
    return {weights: table(weights) - zero for weights in WEIGHTS}


def best(found: Found, taken: Mapping[tuple[str, str], NDArray[np.int64]]) -> Weights:
    """Returns the weights that gain most on the questions taken, each case counting alike."""
    values = [
        sum(gain[weights][taken[case]].mean(axis=0).sum() for case, gain in found.items() if case in taken)
        for weights in WEIGHTS
    ]
    return WEIGHTS[int(np.argmax(values))]


def interval(parts: Sequence[Gains]) -> tuple[Gains, Gains, Gains]:
    """Returns the mean over sets of their questions' mean gains, and the ends of its 95% interval."""
    random = np.random.default_rng(SEED)
    draws = np.zeros((DRAWS, 2))
    for part in parts:
        chosen = random.multinomial(len(part), np.full(len(part), 1 / len(part)), size=DRAWS)
        draws += chosen @ part / len(part) / len(parts)
    low, high = np.quantile(draws, (0.025, 0.975), axis=0)
    return np.mean([part.mean(axis=0) for part in parts], axis=0), low, high


def shown(parts: Sequence[Gains]) -> str:
    """Returns the gains of some sets as text."""
    mean, low, high = interval(parts)
    return "  ".join(
        f"{metric} {mean[at]:+.2f} ({low[at]:+.2f} … {high[at]:+.2f})"
        for at, metric in enumerate(("recall@5", "MRR@10"))
    )


def report_sets(found: Found, sets: Sequence[str], cuts: Sequence[str], own: Weights) -> None:
    """Prints what is built in, the best of all, and the choice of each set's others."""
    everything = {case: np.arange(len(gain[own])) for case, gain in found.items()}
    top = best(found, everything)
    chosen = {
        name: best(found, {case: rows for case, rows in everything.items() if case[0] != name})
        for name in sets
        if len(sets) > 1
    }
    for how in cuts:
        print(f"\n{how}: built in {own}: {shown([found[name, how][own] for name in sets])}")
        print(f"  best of all, on all questions, {top}: {shown([found[name, how][top] for name in sets])}")
        for name, weights in chosen.items():
            print(f"  {name:<14} by the others {weights!s:<16} {shown([found[name, how][weights]])}")
        if chosen:
            print(f"  set by set, mean: {shown([found[name, how][weights] for name, weights in chosen.items()])}")


def report_halves(found: Found, own: Weights) -> None:
    """Prints what choices on one half of the questions are worth on the other."""
    random = np.random.default_rng(SEED)
    chosen, kept = [], []
    votes: Counter[Weights] = Counter()
    for _ in range(HALVES):
        orders = {case: random.permutation(len(gain[own])) for case, gain in found.items()}
        weights = best(found, {case: order[: len(order) // 2] for case, order in orders.items()})
        votes[weights] += 1
        for results, which in ((chosen, weights), (kept, own)):
            rest = [found[case][which][order[len(order) // 2 :]].mean(axis=0) for case, order in orders.items()]
            results.append(np.mean(rest, axis=0))
    means = [np.mean(results, axis=0) for results in (chosen, kept)]
    text = ", ".join(
        f"{name} recall@5 {mean[0]:+.2f} MRR@10 {mean[1]:+.2f}"
        for name, mean in zip(("chosen", "built in"), means, strict=True)
    )
    print(f"\nhalves, the other half: {text}")
    print("  chosen most: " + ", ".join(f"{weights} {times}×" for weights, times in votes.most_common(3)))


def main() -> None:
    args = arguments(__doc__).parse_args()
    options = SearchOptions()
    own = (FIELDS[HEADING], FIELDS[NAME], options.neighbour)
    base = (0.0, 0.0, options.neighbour)
    found = {(name, how): gains(Case(name, how, args, options), base) for how in args.cuts for name in args.sets}
    report_sets(found, args.sets, args.cuts, own)
    report_halves(found, own)


if __name__ == "__main__":
    main()
