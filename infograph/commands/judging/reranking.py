"""`infograph eval --rerank llm`: what a language model's order of the first chunks is worth, and when to ask for it.

questions ─fit.candidates▶ chunks by words and vector ─a model▶ their order ─▶ Table 5, metrics of each policy

The prompt, the cut of each chunk and the repairs of an answer are those of the clients' `rerank_with`, and so is the
policy: a ranking that is surer of itself than τ stays as it is. Nothing is published, and no search asks anybody.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from infograph.client.judging import JUDGED, cut_text, permutation, prompt
from infograph.commands.cases import STAYS, CasesOutcome, CasesRun
from infograph.config.settings import LlmSettings, Settings
from infograph.evaluate.bootstrap import difference
from infograph.evaluate.extra import check_installed
from infograph.evaluate.report import aligned
from infograph.fit import tables, thresholds
from infograph.fit.candidates import FIRST_FIVE, SITE, Candidates, FitData, gather
from infograph.fit.fusion import METRICS, measured
from infograph.fit.thresholds import RankedQuestion
from infograph.llm.asking import Asker, Checked, ModelQuestion
from infograph.llm.model_run import DONE
from infograph.llm.wire import Call
from infograph.progress import Reporter, amount
from infograph.search.format.fusion_model import PLAIN_SUM, TreeSum
from infograph.search.format.rerank_policy import Threshold

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    PerMetric = Mapping[str, NDArray[np.float64]]

TASK = "rerank"
VERSION = "rerank-1"
"""Version of the prompt."""
MOST_TOKENS = 1000
"""Most tokens of an answer."""
TOKENS_OF_NUMBER = 4
"""Tokens that a number of an answer takes."""
GAINS = ("T1EM", "MRR")
"""Metrics whose gain over the order as it is stands in the table with its interval."""
_ROLE = "You rank passages of a documentation by how well they answer a question."
SPECIFIED = (
    "the specification's Table 5 (34,000 questions, Claude Haiku 3.5, $0.0215 and 1.20 s a call): τ* 0.95, 16.6% "
    "skipped, $0.0172 and 0.96 s a query; T1EM 0.537 asked nobody, 0.606 at τ 0.8, 0.632 always asked"
)
Orders = Mapping[int, Sequence[int]]
"""Places of a question's first chunks in the order of the model, by the number of the question."""


def ask_of(asked: str, model: str, llm: LlmSettings, name: str, count: int) -> ModelQuestion[tuple[int, ...]]:
    """Returns the request about one question.

    asked: the prompt
    name:  what the question is called in logs
    count: number of chunks in it
    """
    most = min(MOST_TOKENS, llm.max_output_tokens)
    call = Call(model, _ROLE, "", asked, schema=None, max_tokens=most, temperature=llm.temperature)
    # As in a client, an answer without an order is not asked to be mended: the ranking stays.
    return ModelQuestion(TASK, VERSION, name, call, lambda text: Checked(tuple(permutation(text, count) or ())))


def evaluate_reranked(
    settings: Settings, questions: Sequence[str], reporter: Reporter, *, as_json: bool, dry: bool
) -> tuple[str, int]:
    """Returns the text to print and the exit status; with `dry` what asking would cost. Raises InfographError.

    questions: files of questions; none takes those beside the documents, or makes some
    """
    check_installed()
    own = settings.fusion
    chosen, trees = (PLAIN_SUM, None) if own is None else (own.fusion(), TreeSum(own.base, own.trees))
    data = gather(settings, questions, SITE, reporter)
    ranked = thresholds.by_fusion(data.rows, chosen, data.weight, trees)
    outcome = CasesOutcome()
    run = CasesRun(settings, reporter, outcome)
    prompts = _prompts(run, data, ranked)
    if dry:
        model = run.model or "MODEL"
        counts = {number: len(_first(ranked[number])) for number in prompts}
        asked = [ask_of(text, model, run.llm, str(at), counts[at]) for at, text in prompts.items()]
        run.estimate(asked, [TOKENS_OF_NUMBER * count for count in counts.values()])
        return (json.dumps(outcome.as_dict(), indent=2) if as_json else _estimate_text(outcome)), DONE
    orders = _orders(run, prompts, ranked)
    report = _Report(data, ranked, orders, _tau(settings, ranked), run)
    return (json.dumps(report.as_dict(), indent=2) if as_json else report.text()), outcome.status


def _first(own: RankedQuestion) -> Sequence[int]:
    """Returns the places that a model is shown of a question's chunks."""
    return own.ranking[:JUDGED]


def _prompts(run: CasesRun[CasesOutcome], data: FitData, ranked: Sequence[RankedQuestion]) -> dict[int, str]:
    """Returns the prompt of each question, but for those that would show a page which is never sent."""
    found = {}
    for number, own in enumerate(ranked):
        shown = [data.shown[own.row.units[place]] for place in _first(own)]
        if any(chunk.stays or run.keeps(chunk.file) for chunk in shown):
            run.outcome.without[STAYS] += 1
        elif len(shown) > 1:
            passages = [(chunk.heading, cut_text(chunk.text, chunk.tokens)) for chunk in shown]
            found[number] = run.redact(prompt(own.row.question, passages))
    return found


def _orders(run: CasesRun[CasesOutcome], prompts: Mapping[int, str], ranked: Sequence[RankedQuestion]) -> Orders:
    """Asks, and returns the order of each question that has one."""
    found: dict[int, Sequence[int]] = {}
    failed: dict[int, str] = {}
    outcome = run.outcome

    def one(asker: Asker, number: int, text: str) -> None:
        first = _first(ranked[number])
        reply = asker.ask(ask_of(text, asker.endpoint.model, run.llm, str(number), len(first)))
        with run.locked:
            if reply.value:
                found[number] = [first[place] for place in reply.value]
                outcome.models[reply.model] += 1
            else:
                failed[number] = reply.failed or "it answered without an array of numbers"

    if prompts:
        run.ask("rerank", prompts, one)
    for number in prompts:
        if number not in found:
            outcome.without[failed.get(number, "not asked")] += 1
    return found


def _tau(settings: Settings, ranked: Sequence[RankedQuestion]) -> Threshold | None:
    """Returns the threshold of the site: that of `search.rerank`, else the one that these questions give."""
    if settings.rerank is not None:
        return settings.rerank.policy.fused
    return thresholds.best_threshold(thresholds.threshold_rows(ranked, thresholds.FUSED_GRID, None), thresholds.BETA)


class _Report:
    """What is printed."""

    def __init__(
        self,
        data: FitData,
        ranked: Sequence[RankedQuestion],
        orders: Orders,
        tau: Threshold | None,
        run: CasesRun[CasesOutcome],
    ) -> None:
        self._data, self._ranked, self._orders, self._tau, self._run = data, ranked, orders, tau, run
        by_row = {id(own.row): number for number, own in enumerate(ranked)}

        def judge(row: Candidates, places: Sequence[int]) -> Sequence[int]:
            return orders.get(by_row[id(row)], places)

        self._rows = thresholds.threshold_rows(ranked, thresholds.FUSED_GRID, judge)
        self._ways = {"as it is": self._measured(None, asked=False), "always asked": self._measured(None)}
        if tau is not None:
            self._ways[f"asked below τ {tau.tau:g}"] = self._measured(tau.tau)

    def _measured(self, tau: float | None, *, asked: bool = True) -> PerMetric:
        """Returns the metrics of Table 4 and T5EM of a policy, a value for each question."""
        import numpy as np

        rows = [own.row for own in self._ranked]
        rankings = []
        for number, own in enumerate(self._ranked):
            order: Sequence[int] = (
                self._orders.get(number, ()) if asked and (tau is None or own.confidence < tau) else ()
            )
            rankings.append((*order, *(place for place in own.ranking if place not in set(order))))
        scores = [[-float(ranking.index(place)) for place in range(len(ranking))] for ranking in rankings]
        five = [float(any(row.exact[at] for at in own[:FIRST_FIVE])) for row, own in zip(rows, rankings, strict=True)]
        return {**measured(rows, scores), "T5EM": np.array(five)}

    def text(self) -> str:
        """Returns what a person reads."""
        outcome, data = self._run.outcome, self._data
        plain = self._ways["as it is"]
        table = [["order of the first chunks", *METRICS, "T5EM", *(f"{metric}, gain (95%)" for metric in GAINS)]]
        for name, values in self._ways.items():
            table.append([name, *(f"{values[metric].mean():.3f}" for metric in (*METRICS, "T5EM"))])
            table[-1] += ["" if values is plain else _gain(values[metric], plain[metric]) for metric in GAINS]
        price = self._price()
        rows = tables.thresholds_text(self._rows, float(plain["T1EM"].mean()), self._tau, price, "T1EM, model")
        parts = [
            f"questions: {data.said}, {len(data.rows)} of them; cosines of {data.model}",
            "\n".join(aligned(table, left=1)),
            f"by words and the query's vector\n{rows}\n{SPECIFIED}",
            "\n".join(_outcome_lines(outcome)),
        ]
        return "\n\n".join(parts)

    def _price(self) -> tables.CallPrice:
        """Returns what a call of this run came to; nothing where all answers were kept."""
        outcome, tally = self._run.outcome, self._run.tally
        dollars = outcome.cost / outcome.calls if outcome.cost is not None and outcome.calls else None
        return tables.CallPrice(dollars, tally.seconds / tally.tried if tally.tried else None)

    def as_dict(self) -> dict[str, Any]:
        """Returns the same as JSON has it."""
        names = ("tau", "skipped", "right", "low", "high", "calls", "first")
        return {
            "questions": len(self._ranked),
            "tau": self._tau.tau if self._tau else None,
            "ways": {
                way: {name: float(own.mean()) for name, own in values.items()} for way, values in self._ways.items()
            },
            "thresholds": [{name: getattr(row, name) for name in names} for row in self._rows],
            "rerank": self._run.outcome.as_dict(),
        }


def _gain(values: NDArray[np.float64], plain: NDArray[np.float64]) -> str:
    """Returns the mean gain of questions, with the interval of a paired bootstrap."""
    low, high = difference(values, plain)
    return f"{(values - plain).mean():+.3f} ({low:+.3f} to {high:+.3f})"


def _estimate_text(outcome: CasesOutcome) -> str:
    """Returns what a person reads of a run that was only estimated."""
    return "\n".join(outcome.estimate_lines("order"))


def _outcome_lines(outcome: CasesOutcome) -> list[str]:
    """Returns what a person reads at the end of a run."""
    by = ", ".join(f"{model} {count:,}" for model, count in outcome.models.most_common())
    said = f"ranked {amount(sum(outcome.models.values()), 'question')}{f' ({by})' if by else ''}"
    return outcome.lines("order", said, "What was answered is kept")
