"""How a run ends, redacts and counts, whatever it asks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from infograph.errors import EndpointError
from infograph.llm.asking import ModelReply
from infograph.llm.model_run import (
    BUDGET,
    DONE,
    FAILED_IN_A_ROW,
    STOPPED,
    ModelRun,
    ending_lines,
    redaction_lines,
)
from infograph.llm.pacing import BudgetReached
from infograph.llm.wire import Usage

FAILED: ModelReply[str] = ModelReply(None, failed="status 500", transient=True)


@dataclass
class Outcome:
    status: int = DONE
    reason: str = ""
    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    redacted: Counter[str] = field(default_factory=Counter)


@pytest.fixture
def outcome() -> Outcome:
    return Outcome()


@pytest.fixture
def run(outcome: Outcome) -> ModelRun:
    return ModelRun(outcome, ("default",), Path("kept"))


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (BudgetReached("2 of 2 calls"), BUDGET, "the budget is reached: 2 of 2 calls"),
        (EndpointError("http://x", "answered 401"), STOPPED, "http://x: answered 401"),
        (
            OSError(28, "No space left on device"),
            STOPPED,
            "kept: cannot be written: [Errno 28] No space left on device",
        ),
    ],
)
def test_what_every_question_would_meet_ends_the_run(
    run: ModelRun, outcome: Outcome, error: Exception, status: int, reason: str
) -> None:
    with run.ending_by_errors():
        raise error
    assert run.ending.is_set() and (outcome.status, outcome.reason) == (status, reason)


def test_any_other_error_is_nobody_elses(run: ModelRun, outcome: Outcome) -> None:
    with pytest.raises(ValueError, match="odd"), run.ending_by_errors():
        raise ValueError("odd")
    assert not run.ending.is_set() and outcome.status == DONE


def test_once_the_run_ends_nobody_waits_and_nothing_more_is_done(run: ModelRun, outcome: Outcome) -> None:
    run.wait(0.0)
    run.ending.set()
    with run.ending_by_errors():
        run.wait(60.0)
        raise AssertionError("it waited")
    assert outcome.status == DONE, "what set the end says why"


def test_the_first_reason_counts(run: ModelRun, outcome: Outcome) -> None:
    run.end(BUDGET, "first")
    run.end(STOPPED, "second")
    assert (outcome.status, outcome.reason) == (BUDGET, "first")
    assert ending_lines(outcome, "All is kept") == ["stopped: first. All is kept; the next run goes on from there."]
    assert ending_lines(Outcome(), "All is kept") == []


def test_failures_in_a_row_end_the_run_and_an_answer_begins_anew(run: ModelRun, outcome: Outcome) -> None:
    for reply in [FAILED] * (FAILED_IN_A_ROW - 1) + [ModelReply("said")] + [FAILED] * (FAILED_IN_A_ROW - 1):
        run.took(reply)
    run.took(ModelReply(None, failed="not yet", later=True))
    assert not run.ending.is_set(), "what has no answer yet is no failure"
    run.took(FAILED)
    assert (outcome.status, outcome.reason) == (STOPPED, "5 calls in a row failed, the last one: status 500")


def test_secrets_are_counted_from_any_thread(run: ModelRun, outcome: Outcome) -> None:
    secret = "AKIA" + "ABCDEFGHIJKLMNOP"
    threads = [Thread(target=lambda: [run.redact(f"key {secret}") for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert secret not in run.redact(f"key {secret}")
    assert redaction_lines(outcome.redacted, "would be redacted") == ["would be redacted: 201 aws-key"]
    assert redaction_lines({}, "would be redacted") == []


def test_what_several_askers_spent_is_added(run: ModelRun, outcome: Outcome) -> None:
    for calls, priced in ((2, False), (3, True), (1, True)):
        budget = SimpleNamespace(calls=calls, usage=Usage(10, 5), priced=priced, cost=0.5)
        asker: Any = SimpleNamespace(budget=budget, tally=SimpleNamespace(cached=1))
        run.count(asker)
    assert (outcome.calls, outcome.cached, outcome.input_tokens, outcome.output_tokens) == (6, 3, 30, 15)
    assert outcome.cost == 1.0
