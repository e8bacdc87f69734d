"""`infograph enrich --batch`: submitted together, collected later, at half the price, in both forms of endpoints."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infograph.commands.enrich import modes
from infograph.commands.enrich.batch import enrich_by_batch
from infograph.commands.enrich.request import EnrichOutcome, EnrichRequest
from infograph.errors import ConfigError, EndpointError, FormatError
from infograph.llm.model_run import BUDGET, DONE
from infograph.progress import Silent

FORMS = pytest.mark.parametrize("form", ["openai-compatible", "anthropic"])
BATCH = EnrichRequest(batch=True)


def page(name: str, sections: int = 4) -> str:
    text = "".join(f"## Part {n} of {name}\n\n{f'{name}word{n} turns. ' * 150}\n\n" for n in range(sections))
    return f"# Page {name}\n\n{text}"


def run(site: Any, fake: Any, request: EnrichRequest = BATCH, **flags: Any) -> EnrichOutcome:
    return enrich_by_batch(site.settings(fake, **flags), request)


@FORMS
def test_what_is_submitted_is_collected(site: Any, fake: Any, form: str) -> None:
    prices = {"input": 100.0, "output": 100.0}
    site.write(a=page("a"), b=page("b"))
    fake.batch_ends = False
    first = run(site, fake, llm__provider=form, llm__prices=prices)
    chunks = first.standing.chunks
    assert chunks > 4
    assert (first.batched, first.enriched, fake.calls, len(fake.batches)) == (chunks, 0, 0, 1)
    assert not list(site.root.rglob("_enrichment/*.json"))
    waits = run(site, fake, llm__provider=form)
    assert (waits.batched, waits.batches, len(fake.batches)) == (chunks, first.batches, 1)
    fake.batch_ends = True
    last = run(site, fake, llm__provider=form, llm__prices=prices)
    assert (last.enriched, last.calls, last.batched, last.status) == (chunks, chunks, 0, DONE)
    assert last.cost == pytest.approx((last.input_tokens + last.output_tokens) * 50 / 1e6)
    again = run(site, fake, llm__provider=form)
    assert (again.standing.current, again.asked, len(fake.batches), fake.calls) == (chunks, 0, 1, 0)


def test_no_question_of_a_batch_depends_on_another(site: Any, fake: Any) -> None:
    site.write(a=page("a"))
    run(site, fake)
    (calls,) = fake.batches.values()
    assert len(calls) > 2
    for call in calls:
        text = call["body"]["messages"][1]["content"]
        assert "Known keys" not in text and "The chunk before says: (" in text


def test_a_document_at_a_time_is_one_call(site: Any, fake: Any) -> None:
    site.write(a=page("a"), b=page("b"))
    assert run(site, fake, enrich__unit="document").batched == 2
    outcome = run(site, fake, enrich__unit="document")
    assert outcome.enriched == outcome.standing.chunks and outcome.calls == 2


@FORMS
def test_calls_that_failed_go_into_the_next_batch_or_are_recorded(site: Any, fake: Any, form: str) -> None:
    expired = {"result": {"type": "expired"}, "response": None, "error": {"message": "expired"}}
    error = {"type": "invalid_request_error", "message": "is too long"}
    refused = {
        "result": {"type": "errored", "error": {"type": "error", "error": error}},
        "response": {"status_code": 400, "body": {"error": error}},
    }
    site.write(a=page("a"))
    chunks = run(site, fake, llm__provider=form).batched
    fake.batch_fault = lambda number, body: {1: expired, 2: refused}.get(number)
    outcome = run(site, fake, llm__provider=form)
    assert (outcome.enriched, outcome.failed, outcome.batched) == (chunks - 2, 1, 1)
    (said,) = [record["failed"] for record in site.records("a")["records"] if "failed" in record]
    assert said == "is too long"
    fake.batch_fault = lambda number, body: None
    outcome = run(site, fake, llm__provider=form)
    assert (outcome.enriched, outcome.batched) == (1, 0)
    assert (run(site, fake, EnrichRequest(batch=True, retry_failed=True), llm__provider=form).batched) == 1


def test_an_answer_that_is_not_valid_is_mended_in_the_next_batch(site: Any, fake: Any) -> None:
    site.write(a=page("a", 1))
    honest, fake.answer = fake.answer, lambda exchange: "no JSON at all"
    chunks = run(site, fake).batched
    assert run(site, fake).batched == chunks
    (turns,) = {len(call["body"]["messages"]) for call in fake.batches["batch_1"]}
    assert turns == 4
    fake.answer = honest
    outcome = run(site, fake)
    assert (outcome.enriched, outcome.batched) == (chunks, 0)


def test_many_calls_are_several_batches(site: Any, fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infograph.llm.batch_asking.MOST_CALLS", 3)
    site.write(a=page("a"), b=page("b"))
    outcome = run(site, fake)
    assert len(outcome.batches) == len(fake.batches) == -(-outcome.batched // 3) > 1
    last = run(site, fake)
    assert (last.enriched, last.batched) == (outcome.batched, 0)


def test_a_budget_holds_and_what_fits_is_submitted(site: Any, fake: Any) -> None:
    site.write(a=page("a"), b=page("b"))
    outcome = run(site, fake, llm__max_calls=2)
    assert (outcome.status, outcome.batched, len(fake.batches["batch_0"])) == (BUDGET, 2, 2)
    some = run(site, fake, EnrichRequest(batch=True, limit=3))
    assert (some.enriched, some.batched) == (2, 1)


def test_a_tree_with_a_waiting_batch_is_not_asked_call_by_call(site: Any, fake: Any) -> None:
    site.write(a=page("a"))
    run(site, fake)
    with pytest.raises(ConfigError, match="so this would be paid for twice"):
        site.run(fake)
    with pytest.raises(ConfigError, match="a batch is waiting at"):
        run(site, fake, llm__base_url="https://elsewhere.example/v1")
    (site.root / ".llm-cache/batch.json").write_text("[]")
    with pytest.raises(FormatError, match="is no list of batches"):
        run(site, fake)


def test_an_endpoint_without_batches_says_so(site: Any, fake: Any) -> None:
    site.write(a=page("a"))
    fake.handle_batch = lambda *arguments: None
    fake.always = lambda exchange: exchange.error(404, "no such address") or True
    fake.handle = _refusing
    outcome = run(site, fake)
    assert outcome.status == 1 and "Without --batch it is asked call by call" in outcome.reason


def _refusing(handler: Any) -> None:
    handler.rfile.read(int(handler.headers.get("content-length", 0)))
    handler.send_response(404)
    handler.send_header("content-length", "0")
    handler.end_headers()


def test_results_that_nobody_can_read_lose_nothing(site: Any, fake: Any) -> None:
    site.write(a=page("a"))
    chunks = run(site, fake).batched
    results, fake._results = fake._results, lambda batch, path: b'{"no": "id"}\n'
    with pytest.raises(EndpointError, match="a result is not to be read"):
        run(site, fake)
    fake._results = results
    assert run(site, fake).enriched == chunks


def test_the_text_says_what_to_do_next(site: Any, fake: Any) -> None:
    site.write(a=page("a"))
    text, status = modes.run(site.settings(fake), BATCH, Silent(), as_json=False)
    assert status == 0
    assert "in the batch batch_0, at half the price: the same command again collects them" in text
    text, _ = modes.run(site.settings(fake), BATCH, Silent(), as_json=True)
    assert json.loads(text)["batched"] == 0
