"""Runs `infograph eval --judge`: case by case, what was judged is kept, what could not be is counted by its reason."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from infograph.commands.judging.prompts import TASK, TOKENS_OF_CLAIM, VERSION, ask_of
from infograph.config.settings import Settings
from infograph.evaluate.bench import Request
from infograph.evaluate.evaluation import ReportFiles, evaluate, run
from infograph.evaluate.judged import SupportCase, Supports, SupportVerdict, read_verdicts, render_verdicts
from infograph.files.disk import read_file, write_durable
from infograph.llm.answer_cache import AnswerCache, alone, cache_folder, request_digest
from infograph.llm.asking import Asker
from infograph.llm.endpoint import endpoint_of
from infograph.llm.model_run import DONE, ModelRun, ending_lines, redaction_lines
from infograph.llm.pacing import Budget
from infograph.llm.wire import Usage, estimated_input
from infograph.progress import Reporter, amount, money
from infograph.remote.transport import Transport
from infograph.source.ignores import patterns_of_setting

_LARGEST = 1 << 28
"""Most bytes of a file of verdicts that are read."""


def verdicts_file(answers: str) -> Path:
    """Returns the file of the verdicts on the answers of a file: beside it."""
    place = Path(answers)
    return place.with_name(f"{place.stem}.judged.jsonl")


@dataclass(slots=True)
class JudgingOutcome:
    """The outcome of a run, or what one would cost."""

    judged: int = 0
    """Cases that have a verdict."""
    recorded: int = 0
    """Cases whose verdict stood in the file before the run."""
    without: Counter[str] = field(default_factory=Counter)
    """Cases without a verdict, by reason."""
    calls: int = 0
    """Calls that were made; of an estimate those that would be."""
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    redacted: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    """Cases by the model that judged them."""
    status: int = DONE
    reason: str = ""


class RecordedJudge:
    """Judges by the file of verdicts, and asks about the cases that it lacks; see `SupportJudge`."""

    def __init__(self, settings: Settings, answers: str, reporter: Reporter, *, dry: bool = False) -> None:
        """Raises FormatError for a broken file of verdicts.

        answers: file of the answers
        dry:     nobody is asked; the outcome says what that would cost
        """
        self.outcome = JudgingOutcome()
        self._settings, self._reporter, self._dry = settings, reporter, dry
        self._llm = settings.config.llm
        self._place = verdicts_file(answers)
        self._known = read_verdicts(str(self._place), read_file(self._place, _LARGEST) or b"")
        self._model = self._llm.model or os.environ.get("LLM_MODEL", "")
        self._excluded = patterns_of_setting(self._llm.exclude, "llm.exclude")
        self._run = ModelRun(self.outcome, self._llm.redact, cache_folder(settings))
        self.sleep: Callable[[float], object] = self._run.wait
        """Waits between two tries of a call."""
        self._seen = set[str]()
        """Digests of the cases of this run: several retrievers may find the same."""
        self._failed: dict[str, str] = {}
        """Why a case has no verdict, by its digest."""

    def judge(self, cases: Sequence[SupportCase]) -> list[Supports | None]:
        """Returns the supports of each case. Raises ConfigError where somebody would have to be asked, and cannot."""
        new = {case.sha256: case for case in cases if case.sha256 not in self._seen}
        self._seen |= new.keys()
        missing = {}
        for digest, case in new.items():
            if self._recorded(case) is not None:
                self.outcome.recorded += 1
            elif any(own.stays or (self._excluded and self._excluded(own.file, False)) for own in case.texts):
                self._failed[digest] = "a text is of a page that is never sent"
            else:
                missing[digest] = case
        if missing and self._dry:
            self._estimate(missing)
        elif missing and not self.outcome.status:
            self._ask(missing)
        for digest, case in new.items():
            if (verdict := self._recorded(case)) is not None:
                self.outcome.judged += 1
                self.outcome.models[verdict.model] += 1
            elif digest in self._failed or not self._dry:
                self.outcome.without[self._failed.get(digest, "not asked")] += 1
        found = map(self._recorded, cases)
        return [verdict.supports if verdict else None for verdict in found]

    def _recorded(self, case: SupportCase) -> SupportVerdict | None:
        """Returns the verdict on a case, where it holds: of this prompt, and of the model that is named, if one is."""
        own = self._known.get(case.sha256)
        if own is None or own.prompt != VERSION or not case.fits(own.supports):
            return None
        return own if not self._model or own.model in (self._model, self._llm.fallback_model) else None

    def _estimate(self, missing: Mapping[str, SupportCase]) -> None:
        """Counts what would be asked, as far as no answer is kept."""
        cache, outcome = AnswerCache(cache_folder(self._settings)), self.outcome
        for case in missing.values():
            question = ask_of(case, self._model or "MODEL", self._llm, self._run.redact)
            if cache.get(TASK, question.call, request_digest(TASK, VERSION, question.call)):
                outcome.cached += 1
                continue
            outcome.calls += 1
            outcome.input_tokens += estimated_input(question.call)
            outcome.output_tokens += min(question.call.max_tokens, TOKENS_OF_CLAIM * len(case.claims))
        budget = Budget(self._llm)
        if budget.priced:
            outcome.cost = budget.price(Usage(outcome.input_tokens, outcome.output_tokens))

    def _ask(self, missing: Mapping[str, SupportCase]) -> None:
        endpoint = endpoint_of(self._llm, os.environ)
        folder = cache_folder(self._settings)
        with alone(folder):
            transport = Transport(endpoint, self._llm.timeout)
            asker = Asker(endpoint, self._llm, AnswerCache(folder), transport)
            asker.sleep = self.sleep
            try:
                self._judged(asker, missing)
            finally:
                transport.close()
                self._run.count(asker)
                write_durable(self._place.parent, self._place.name, render_verdicts(self._known.values()))

    def _judged(self, asker: Asker, missing: Mapping[str, SupportCase]) -> None:
        self._run.ending.clear()
        with (
            self._reporter.phase("judge", amount(len(missing), "case")) as advance,
            ThreadPoolExecutor(self._llm.concurrency) as pool,
        ):
            try:
                asked = pool.map(lambda item: self._one(asker, *item), missing.items())
                for number, _ in enumerate(asked, 1):
                    advance(number / len(missing))
            finally:
                self._run.ending.set()

    def _one(self, asker: Asker, digest: str, case: SupportCase) -> None:
        """Asks about one case; nothing once the run is ending."""
        if self._run.ending.is_set():
            return
        with self._run.ending_by_errors():
            reply = asker.ask(ask_of(case, asker.endpoint.model, self._llm, self._run.redact))
            with self._run.lock:
                if reply.value is None:
                    self._failed[digest] = reply.failed
                else:
                    self._known[digest] = SupportVerdict(digest, case.id, reply.model, VERSION, reply.value)


def evaluate_judged(
    settings: Settings, request: Request, files: ReportFiles, reporter: Reporter, *, as_json: bool, dry: bool
) -> tuple[str, int]:
    """Evaluates with a model that judges, and returns the text to print and the exit status; with `dry` what the judge
    would cost. Raises InfographError.

    request: names a file of answers
    """
    judge = RecordedJudge(settings, str(request.answers), reporter, dry=dry)
    outcome = judge.outcome
    if dry:
        evaluate(settings, request, reporter, judge)
        return (json.dumps(_as_dict(outcome), indent=2) if as_json else estimate_text(outcome)), DONE
    report, passed = run(settings, request, files, reporter, as_json=as_json, judge=judge)
    if as_json:
        text = json.dumps(json.loads(report) | {"judge": _as_dict(outcome)}, indent=2, ensure_ascii=False)
    else:
        text = f"{report}\n{outcome_text(outcome)}"
    return text, outcome.status or int(not passed)


def _as_dict(outcome: JudgingOutcome) -> dict[str, Any]:
    counters = {name: dict(getattr(outcome, name)) for name in ("without", "redacted", "models")}
    return {name: getattr(outcome, name) for name in JudgingOutcome.__slots__} | counters


def estimate_text(outcome: JudgingOutcome) -> str:
    """Returns what a person reads of a run that was only estimated."""
    lines = [*_without(outcome), *redaction_lines(outcome.redacted, "would be redacted")]
    kept = f", {outcome.cached:,} kept answers" if outcome.cached else ""
    lines.append(
        f"{amount(outcome.calls, 'call')} to ask{kept}, {outcome.recorded:,} cases recorded · about "
        f"{outcome.input_tokens:,} tokens in, {outcome.output_tokens:,} out · cost {money(outcome.cost)}"
    )
    return "\n".join(lines)


def outcome_text(outcome: JudgingOutcome) -> str:
    """Returns what a person reads at the end of a run."""
    by = ", ".join(f"{model} {count:,}" for model, count in outcome.models.most_common())
    lines = [*_without(outcome), *redaction_lines(outcome.redacted, "redacted before sending")]
    lines.append(
        f"judged {amount(outcome.judged, 'case')}{f' ({by})' if by else ''}, {outcome.recorded:,} of them before · "
        f"{amount(outcome.calls, 'call')}, {outcome.cached:,} cached · {outcome.input_tokens:,} tokens in, "
        f"{outcome.output_tokens:,} out · cost {money(outcome.cost)}"
    )
    return "\n".join([*lines, *ending_lines(outcome, "What was judged is kept")])


def _without(outcome: JudgingOutcome) -> list[str]:
    return [f"no verdict on {count:,}: {reason}" for reason, count in outcome.without.most_common(10)]
