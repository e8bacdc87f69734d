"""One question, against a server that does everything wrong: what is asked again, what is mended, what ends a run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from infograph.commands.enrich.request import EnrichOutcome
from infograph.config.settings import LlmSettings
from infograph.errors import EndpointError
from infograph.llm.answer_cache import AnswerCache
from infograph.llm.asking import Asker, BudgetReached, Checked, ModelQuestion
from infograph.llm.endpoint import Endpoint
from infograph.llm.model_run import ModelRun, RunEnded
from infograph.llm.wire import Call
from infograph.remote.transport import Transport

SCHEMA = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
FORMS = pytest.mark.parametrize("form", ["openai", "anthropic"])


def check(text: str) -> Checked[str]:
    try:
        value = json.loads(text)["title"]
    except (ValueError, KeyError, TypeError) as error:
        return Checked(None, (f"no title: {type(error).__name__}",))
    return Checked(value)


def question(text: str = "chunk") -> ModelQuestion[str]:
    return ModelQuestion("metadata", "v1", "a/_chunks/b-0.md", Call("m", "sys", "", text, SCHEMA, 50, 0.2), check)


@contextmanager
def asking(
    endpoints: Any,
    folder: Path,
    *,
    form: str = "openai",
    fallback: str = "",
    llm: LlmSettings | None = None,
    **fake: Any,
) -> Iterator[tuple[Asker, Any, list[float]]]:
    waits: list[float] = []
    fake.setdefault("answer", lambda exchange: '{"title": "fine"}')
    with endpoints.serving(endpoints.FakeEndpoint(**fake)) as server:
        endpoint = Endpoint(form, server.url, "m", fallback, "canary-key")
        transport = Transport(endpoint, 5.0)
        yield Asker(endpoint, llm or LlmSettings(), AnswerCache(folder), transport, sleep=waits.append), server, waits
        transport.close()


@FORMS
def test_an_answer_is_asked_for_once(endpoints: Any, tmp_path: Path, form: str) -> None:
    with asking(endpoints, tmp_path, form=form) as (asker, server, _):
        first, second = asker.ask(question()), asker.ask(question())
        assert (first.value, first.cached, second.value, second.cached) == ("fine", False, "fine", True)
        assert (server.calls, asker.budget.calls, asker.tally.cached) == (1, 1, 1)
        asker.fresh = True
        asker.ask(question())
        assert server.calls == 2


@FORMS
@pytest.mark.parametrize(
    ("faults", "calls", "waits"),
    [
        (lambda e: {1: e.status(429, retry_after="1")}, 2, [1.0]),
        (lambda e: {1: e.status(429, retry_after="Thu, 01 Jan 2015 00:00:00 GMT")}, 2, [0.0]),
        (lambda e: {1: e.status(500), 2: e.status(500)}, 3, None),
        (lambda e: {1: e.status(529)}, 2, None),
        (lambda e: {1: e.half}, 2, None),
        (lambda e: {1: e.status(408), 2: e.status(425), 3: e.status(503), 4: e.status(409)}, 5, None),
    ],
)
def test_what_may_pass_is_tried_again(
    endpoints: Any, tmp_path: Path, form: str, faults: Callable[[Any], Any], calls: int, waits: list[float] | None
) -> None:
    with asking(endpoints, tmp_path, form=form, faults=faults(endpoints)) as (asker, server, waited):
        assert asker.ask(question()).value == "fine"
        assert (server.calls, asker.tally.retried, asker.budget.calls) == (calls, calls - 1, 1)
        assert waits is None or waited == waits
        assert all(0 <= wait <= 30 for wait in waited)


def test_after_the_last_retry_the_endpoint_is_at_fault(endpoints: Any, tmp_path: Path) -> None:
    with asking(endpoints, tmp_path, always=endpoints.status(503, "overloaded")) as (asker, server, _):
        reply = asker.ask(question())
        assert (reply.value, reply.transient, reply.failed) == (None, True, "overloaded")
        assert server.calls == 1 + LlmSettings().retries
        assert asker.budget.usage.input == 0


def test_a_busy_endpoint_is_asked_for_longer(endpoints: Any, tmp_path: Path) -> None:
    storm = {number: endpoints.status(429, retry_after="20") for number in range(1, 13)}
    with asking(endpoints, tmp_path, faults=storm) as (asker, server, waits):
        assert asker.ask(question()).value == "fine"
        assert (server.calls, sum(waits)) == (13, 240.0)
    with asking(endpoints, tmp_path, always=endpoints.status(429, "slow down", retry_after="20")) as (asker, _, waits):
        reply = asker.ask(question("other"))
        assert (reply.transient, reply.later, reply.failed, sum(waits)) == (True, False, "slow down", 300.0)


def test_an_endpoint_can_say_that_trying_again_is_of_no_use(endpoints: Any, tmp_path: Path) -> None:
    fault = endpoints.status(503, "nobody has answered this yet", x_should_retry="false")
    with asking(endpoints, tmp_path, always=fault) as (asker, server, _):
        reply = asker.ask(question())
        assert (reply.transient, reply.later, server.calls) == (True, True, 1)


@pytest.mark.parametrize("code", [401, 402, 403, 404, 422, 302])
def test_what_every_question_would_meet_ends_the_run(endpoints: Any, tmp_path: Path, code: int) -> None:
    fault = endpoints.status(code, "no model canary-key", location="http://127.0.0.1:1/")
    with asking(endpoints, tmp_path, always=fault) as (asker, server, _):
        with pytest.raises(EndpointError, match=f"answered {code}") as caught:
            asker.ask(question())
        assert server.calls == 1
        assert "canary-key" not in str(caught.value)


def test_an_endpoint_without_schemas_is_asked_in_a_simpler_way_from_then_on(endpoints: Any, tmp_path: Path) -> None:
    def fault(exchange: Any) -> bool:
        kind = exchange.body.get("response_format", {}).get("type")
        if kind is not None:
            exchange.error(400, f"response_format {kind} is not supported")
        return kind is not None

    with asking(endpoints, tmp_path, always=fault) as (asker, server, _):
        assert asker.ask(question()).value == "fine"
        assert [body.get("response_format", {}).get("type") for body in server.bodies] == [
            "json_schema",
            "json_object",
            None,
        ]
        asker.ask(question("other"))
        assert server.calls == 4
    with asking(endpoints, tmp_path, always=fault, llm=LlmSettings(structured="json_schema")) as (asker, server, _):
        assert "not supported" in asker.ask(question("third")).failed


def test_too_long_is_shortened_once(endpoints: Any, tmp_path: Path) -> None:
    fault = endpoints.status(400, "This model's maximum context length is 10 tokens")
    short = question("less")
    asked = replace(question("much more"), shorter=lambda: short)
    with asking(endpoints, tmp_path, faults={1: fault}) as (asker, server, _):
        assert asker.ask(asked).value == "fine"
        assert "less" in endpoints.prompt_of(server.bodies[1])
    with asking(endpoints, tmp_path, always=fault) as (asker, server, _):
        assert "cannot read as much" in asker.ask(replace(asked, call=replace(asked.call, text="x"))).failed
        assert server.calls == 2


@FORMS
def test_a_wrong_answer_is_shown_to_the_model_once(endpoints: Any, tmp_path: Path, form: str) -> None:
    with asking(endpoints, tmp_path, form=form, faults={1: endpoints.saying("I think it is fine.")}) as (
        asker,
        server,
        _,
    ):
        reply = asker.ask(question())
        assert (reply.value, reply.repaired, asker.tally.repaired, server.calls) == ("fine", True, 1, 2)
        turns = server.bodies[1]["messages"][-2:]
        assert turns[0] == {"role": "assistant", "content": "I think it is fine."}
        assert "no title: JSONDecodeError" in turns[1]["content"]


def test_what_stays_wrong_is_given_up_and_said(endpoints: Any, tmp_path: Path) -> None:
    with asking(endpoints, tmp_path, always=endpoints.saying("{}")) as (asker, server, _):
        reply = asker.ask(question())
        assert (reply.value, reply.failed, reply.transient) == (None, "no title: KeyError", False)
        assert (server.calls, asker.tally.degraded) == (2, 1)


def test_an_answer_cut_at_its_limit_is_none_and_not_kept(endpoints: Any, tmp_path: Path) -> None:
    cut = endpoints.saying('{"title": "wrongly who', cut=True)
    with asking(endpoints, tmp_path, faults={1: cut}) as (asker, server, _):
        assert asker.ask(question()).failed == "the answer reached the limit of 50 tokens"
        assert asker.ask(question()).value == "fine"
        assert server.calls == 2


def test_another_model_takes_over(endpoints: Any, tmp_path: Path) -> None:
    cut = endpoints.saying("{", cut=True)
    with asking(endpoints, tmp_path, fallback="big", faults={1: cut}) as (asker, server, _):
        reply = asker.ask(question())
        assert (reply.value, reply.model, [body["model"] for body in server.bodies]) == ("fine", "big", ["m", "big"])
    busy = {number: endpoints.status(500) for number in (1, 2, 3)}
    with asking(endpoints, tmp_path, fallback="big", faults=busy) as (asker, server, _):
        assert asker.ask(question("other")).model == "big"
        assert [body["model"] for body in server.bodies] == ["m", "m", "m", "big"]


def test_a_budget_ends_before_it_is_passed(endpoints: Any, tmp_path: Path) -> None:
    with asking(endpoints, tmp_path, llm=LlmSettings(max_calls=1)) as (asker, server, _):
        asker.ask(question())
        with pytest.raises(BudgetReached):
            asker.ask(question("other"))
        assert asker.ask(question()).cached
        assert server.calls == 1


def test_the_log_has_figures_and_no_text(endpoints: Any, tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = []
    with asking(endpoints, tmp_path) as (asker, _, _):
        asker.log = lines.append
        asker.ask(question("secret text"))
    (line,) = lines
    assert {"task", "chunk", "model", "status", "milliseconds", "input", "cached_input", "output"} == set(line)
    assert "secret" not in json.dumps(line)
    assert "canary" not in json.dumps(line)


def test_a_call_that_waits_for_its_turn_is_not_sent_once_the_run_ends(endpoints: Any, tmp_path: Path) -> None:
    """With a limit of calls in a minute an interrupted run waited for its turn, and then paid for the call."""
    with asking(endpoints, tmp_path, llm=LlmSettings(requests_per_minute=1)) as (asker, server, _):
        run = ModelRun(EnrichOutcome(), (), tmp_path)
        asker.sleep = run.wait
        assert asker.ask(question()).value == "fine"
        Timer(0.02, run.ending.set).start()
        with pytest.raises(RunEnded):
            asker.ask(question("another"))
        assert (server.calls, asker.budget.calls) == (1, 1)
