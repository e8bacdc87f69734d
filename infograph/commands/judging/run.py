"""Runs `infograph eval --judge`: case by case, what was judged is kept, what could not be is counted by its reason."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from infograph.commands.cases import STAYS, CasesOutcome, CasesRun
from infograph.commands.judging.prompts import TOKENS_OF_CLAIM, VERSION, ask_of
from infograph.config.settings import Settings
from infograph.evaluate.bench import Request
from infograph.evaluate.evaluation import ReportFiles, evaluate, run
from infograph.evaluate.judged import SupportCase, Supports, SupportVerdict, read_verdicts, render_verdicts
from infograph.files.disk import read_file, write_durable
from infograph.llm.asking import Asker
from infograph.llm.model_run import DONE
from infograph.progress import Reporter, amount

_LARGEST = 1 << 28
"""Most bytes of a file of verdicts that are read."""


def verdicts_file(answers: str) -> Path:
    """Returns the file of the verdicts on the answers of a file: beside it."""
    place = Path(answers)
    return place.with_name(f"{place.stem}.judged.jsonl")


@dataclass(slots=True)
class JudgingOutcome(CasesOutcome):
    """The outcome of a run, or what one would cost; its models judged."""

    judged: int = 0
    """Cases that have a verdict."""
    recorded: int = 0
    """Cases whose verdict stood in the file before the run."""


class RecordedJudge:
    """Judges by the file of verdicts, and asks about the cases that it lacks; see `SupportJudge`."""

    def __init__(self, settings: Settings, answers: str, reporter: Reporter, *, dry: bool = False) -> None:
        """Raises FormatError for a broken file of verdicts.

        answers: file of the answers
        dry:     nobody is asked; the outcome says what that would cost
        """
        self.outcome = JudgingOutcome()
        self._run = CasesRun(settings, reporter, self.outcome)
        self._dry = dry
        self._place = verdicts_file(answers)
        self._known = read_verdicts(str(self._place), read_file(self._place, _LARGEST) or b"")
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
            elif any(own.stays or self._run.keeps(own.file) for own in case.texts):
                self._failed[digest] = STAYS
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
        own, model = self._known.get(case.sha256), self._run.model
        if own is None or own.prompt != VERSION or not case.fits(own.supports):
            return None
        return own if not model or own.model in (model, self._run.llm.fallback_model) else None

    def _estimate(self, missing: Mapping[str, SupportCase]) -> None:
        """Counts what would be asked, as far as no answer is kept."""
        run = self._run
        questions = [ask_of(case, run.model or "MODEL", run.llm, run.redact) for case in missing.values()]
        run.estimate(questions, [TOKENS_OF_CLAIM * len(case.claims) for case in missing.values()])

    def _ask(self, missing: Mapping[str, SupportCase]) -> None:
        try:
            self._run.ask("judge", missing, self._one)
        finally:
            write_durable(self._place.parent, self._place.name, render_verdicts(self._known.values()))

    def _one(self, asker: Asker, digest: str, case: SupportCase) -> None:
        reply = asker.ask(ask_of(case, asker.endpoint.model, self._run.llm, self._run.redact))
        with self._run.locked:
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
        return (json.dumps(outcome.as_dict(), indent=2) if as_json else estimate_text(outcome)), DONE
    report, passed = run(settings, request, files, reporter, as_json=as_json, judge=judge)
    if as_json:
        text = json.dumps(json.loads(report) | {"judge": outcome.as_dict()}, indent=2, ensure_ascii=False)
    else:
        text = f"{report}\n{outcome_text(outcome)}"
    return text, outcome.status or int(not passed)


def estimate_text(outcome: JudgingOutcome) -> str:
    """Returns what a person reads of a run that was only estimated."""
    return "\n".join(outcome.estimate_lines("verdict", f", {outcome.recorded:,} cases recorded"))


def outcome_text(outcome: JudgingOutcome) -> str:
    """Returns what a person reads at the end of a run."""
    by = ", ".join(f"{model} {count:,}" for model, count in outcome.models.most_common())
    said = f"judged {amount(outcome.judged, 'case')}{f' ({by})' if by else ''}, {outcome.recorded:,} of them before"
    return "\n".join(outcome.lines("verdict", said, "What was judged is kept"))
