"""Runs `infograph questions`: passage by passage, what was answered is kept, what does not hold is dropped by name."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from infograph.commands.questions.prompts import MadeQuestion, ask_of, judge_of
from infograph.commands.questions.segments import Segment, pairs, segments
from infograph.config.origins import naming_origins
from infograph.config.settings import Settings
from infograph.errors import ConfigError
from infograph.evaluate.dataset import read_documents
from infograph.files.disk import write_durable
from infograph.llm.answer_cache import AnswerCache, alone, cache_folder
from infograph.llm.asking import Asker, ModelReply
from infograph.llm.endpoint import endpoint_of
from infograph.llm.model_run import DONE, ModelRun, ending_lines, redaction_lines
from infograph.progress import Reporter, amount, money
from infograph.remote.transport import Transport
from infograph.search.format.question_hash import simhash, words_of
from infograph.source.ignores import patterns_of_setting
from infograph.text.language import stop_words

ALIKE = 6
"""Bits that the hashes of two questions may differ in to count as one."""


@dataclass(frozen=True, slots=True)
class QuestionsRequest:
    """Options of the command beyond the settings."""

    out: str
    words: int = 300
    least: int = 100
    per_kind: int | None = None
    """Most passages, or pairs of them, that are asked about for each kind of question."""
    seed: int = 0
    judge: bool = False
    """Drop questions about two passages that one of them answers."""


@dataclass(slots=True)
class QuestionsOutcome:
    """The outcome of a run."""

    kinds: Counter[str] = field(default_factory=Counter)
    """Questions of each kind."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Questions and answers that were not taken, by reason."""
    asked: int = 0
    """Passages and pairs that were asked about."""
    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    redacted: Counter[str] = field(default_factory=Counter)
    status: int = DONE
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Part:
    """What one request is about."""

    kind: str
    passages: tuple[Segment, ...]
    name: str = ""


class QuestionsRun:
    """One run."""

    def __init__(self, settings: Settings, request: QuestionsRequest, asker: Asker, reporter: Reporter) -> None:
        self.settings, self.request, self.asker, self.reporter = settings, request, asker, reporter
        self.outcome = QuestionsOutcome()
        self._run = ModelRun(self.outcome, settings.config.llm.redact, cache_folder(settings))

    def run(self) -> list[dict[str, Any]]:
        """Asks, and returns the questions as lines of a set. Raises ConfigError."""
        parts = self._parts()
        found: list[list[dict[str, Any]]] = []
        with (
            self.reporter.phase("questions", amount(len(parts), "request")) as advance,
            ThreadPoolExecutor(self.settings.config.llm.concurrency) as pool,
        ):
            try:
                for number, lines in enumerate(pool.map(self._part, parts), 1):
                    found.append(lines)
                    advance(number / max(1, len(parts)))
            finally:
                self._run.ending.set()
        return self._distinct(line for lines in found for line in lines)

    def _parts(self) -> list[_Part]:
        """Returns what is asked about, in an order that depends on the documents and the seed alone."""
        settings, request = self.settings, self.request
        kept = patterns_of_setting(settings.config.llm.exclude, "llm.exclude")
        stops = stop_words(settings.config.keywords.language)
        documents, _ = read_documents(settings, plain=False)
        whole = [
            segment
            for parsed in documents
            if parsed.blocks and not parsed.document.stays and not (kept and kept(parsed.document.path, False))
            for segment in segments(parsed, request.words, request.least, stops)
        ]
        if not whole:
            hint = "Take smaller passages: --words 150 --least 50."
            raise ConfigError(str(settings.root), f"has no passage of {request.least} words", hint)
        one, two = pairs(whole, request.seed)
        most = request.per_kind
        singles = [_Part("SF1H", (segment,)) for segment in whole]
        if most is not None and len(singles) > most:  # spread over the tree
            singles = [singles[place * len(singles) // most] for place in range(most)]
        twos = [_Part(pair.kind, (pair.first, pair.second), pair.name) for pair in (*one[:most], *two[:most])]
        return singles + twos

    def _part(self, part: _Part) -> list[dict[str, Any]]:
        """Asks about one or two passages; returns lines. Nothing once the run is ending."""
        lines: list[dict[str, Any]] = []
        if self._run.ending.is_set():
            return lines
        model, llm = self.asker.endpoint.model, self.settings.config.llm
        with self._run.ending_by_errors():
            reply = self.asker.ask(ask_of(part.passages, part.name, model, llm, self._run.redact))
            made = self._unanswered_by_one(part, reply) if self.request.judge else reply.value or ()
            lines = [_line(part, question, reply.model) for question in made]
            with self._run.lock:
                self.outcome.asked += 1
                if reply.failed:
                    self.outcome.dropped[reply.failed.partition(": ")[2] or reply.failed] += 1
        return lines

    def _unanswered_by_one(self, part: _Part, reply: ModelReply[Any]) -> Sequence[MadeQuestion]:
        """Returns the questions that neither of two passages answers alone."""
        if len(part.passages) == 1 or not reply.value:
            return reply.value or ()
        kept = []
        for made in reply.value:
            asked = [
                judge_of(passage, made, self.asker.endpoint.model, self.settings.config.llm, self._run.redact)
                for passage in part.passages
            ]
            answers = [str(self.asker.ask(question).value or "").casefold() for question in asked]
            if any(
                answer and (made.answer.casefold() in answer or answer in made.answer.casefold()) for answer in answers
            ):
                self._drop("one passage answers it")
            else:
                kept.append(made)
        return kept

    def _distinct(self, lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Returns the lines without those that ask nearly what one before them asks, numbered by kind."""
        language, hashes = self.settings.config.keywords.language, list[int]()
        kept = []
        for line in lines:
            own = simhash(line["question"], words_of(language))
            if any((own ^ other).bit_count() <= ALIKE for other in hashes):
                self._drop("another question is nearly the same")
                continue
            hashes.append(own)
            self.outcome.kinds[line["kind"]] += 1
            kept.append({"id": f"{line['kind'].lower()}-{self.outcome.kinds[line['kind']]}", **line})
        return kept

    def _drop(self, reason: str) -> None:
        with self._run.lock:
            self.outcome.dropped[reason] += 1

    def wait(self, seconds: float) -> None:
        """Waits before a call, see `ModelRun.wait`."""
        self._run.wait(seconds)

    def count(self) -> None:
        """Adds what was spent to the outcome."""
        self._run.count(self.asker)


def _line(part: _Part, made: MadeQuestion, model: str) -> dict[str, Any]:
    line: dict[str, Any] = {
        "question": made.text,
        "gold": [{"file": span.file, "start": span.start, "end": span.end} for span in made.gold],
        "kind": part.kind,
        "answer": made.answer,
        "segments": [{"file": s.span.file, "start": s.span.start, "end": s.span.end} for s in part.passages],
        "model": model,
    }
    return line | ({"entity": part.name} if part.name else {})


@naming_origins
def make_questions(
    settings: Settings, request: QuestionsRequest, reporter: Reporter, sleep: Callable[[float], object] | None = None
) -> QuestionsOutcome:
    """Asks for questions about a tree, and writes those that hold. Raises InfographError.

    sleep: waits between two tries of a call; for tests
    """
    endpoint = endpoint_of(settings.config.llm, os.environ)
    folder = cache_folder(settings)
    with alone(folder):
        transport = Transport(endpoint, settings.config.llm.timeout)
        asker = Asker(endpoint, settings.config.llm, AnswerCache(folder), transport)
        run = QuestionsRun(settings, request, asker, reporter)
        asker.sleep = sleep or run.wait
        try:
            lines = run.run()
        finally:
            transport.close()
    run.count()
    if lines:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        place = Path(request.out)
        write_durable(place.parent, place.name, text.encode())
    return run.outcome


def outcome_text(outcome: QuestionsOutcome, out: str) -> str:
    """Returns what a person reads at the end of a run."""
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(outcome.kinds.items())) or "no question"
    lines = [f"dropped {count:,}: {reason}" for reason, count in outcome.dropped.most_common(10)]
    lines += redaction_lines(outcome.redacted, "redacted before sending")
    lines.append(f"{kinds}" + (f" in {out}" if outcome.kinds else ""))
    lines.append(
        f"{amount(outcome.calls, 'call')} about {outcome.asked:,}, {outcome.cached:,} cached · "
        f"{outcome.input_tokens:,} tokens in, {outcome.output_tokens:,} out · cost {money(outcome.cost)}"
    )
    return "\n".join([*lines, *ending_lines(outcome, "What was answered is kept")])
