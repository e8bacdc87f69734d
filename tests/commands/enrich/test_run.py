"""`infograph enrich` against the fake endpoint: what is asked, kept, asked again, dropped, and never sent."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.commands.enrich import modes
from infograph.commands.enrich.report import outcome_text
from infograph.commands.enrich.request import EnrichRequest
from infograph.enrich.rolling import keys_before
from infograph.errors import ConfigError, EndpointError
from infograph.formats.enrichment import parse
from infograph.llm.model_run import BUDGET, DONE, STOPPED

PATIENCE = 300.0
"""Seconds until a test gives up; never a measure."""
AWS = "AKIA" + "Q3EXAMPLEKEY2345"
KEY = "canary-key-of-the-endpoint"
"""As the fixture `site` sets it."""


def page(name: str, sections: int = 3) -> str:
    parts = [f"# Page {name}\n\nAbout {name} in general and what it holds.\n"]
    for number in range(sections):
        words = " ".join(f"{name}word{number} turns gear{n}." for n in range(60))
        parts.append(f"## Part {number} of {name}\n\n{words}\n")
    return "\n".join(parts)


Site = Any


def test_each_chunk_is_asked_about_once(site: Site, fake: Any) -> None:
    outcome = site.write(a=page("a"), b=page("b")).run(fake)
    chunks = outcome.standing.chunks
    assert chunks > 4
    assert (outcome.status, outcome.asked, outcome.enriched, outcome.calls, fake.calls) == (DONE, *[chunks] * 4)
    again = site.run(fake)
    assert (again.asked, again.standing.current, fake.calls) == (0, chunks, chunks)
    assert not list(site.root.rglob("*.tmp"))


def test_answers_serve_a_tree_that_lost_its_records(site: Site, fake: Any) -> None:
    site.write(a=page("a")).run(fake)
    before, calls = (site.root / "_enrichment/a.json").read_bytes(), fake.calls
    (site.root / "_enrichment/a.json").unlink()
    outcome = site.run(fake)
    assert (fake.calls, outcome.cached) == (calls, calls)
    assert (site.root / "_enrichment/a.json").read_bytes() == before


def test_only_what_changed_is_asked_again_and_old_records_go(site: Site, fake: Any) -> None:
    site.write(a=page("a"), b=page("b"))
    calls = site.run(fake).calls
    site.write(a=page("a").replace("aword1 turns gear5.", "aword1 stops gear5."))
    outcome = site.run(fake)
    assert (outcome.asked, outcome.dropped, fake.calls) == (1, 1, calls + 1)
    site.write(b="Moved down by a new first section.\n\n" + page("b"))
    outcome = site.run(fake)
    assert 1 <= outcome.asked <= 2


def test_the_prompt_of_a_chunk_shows_the_keys_before_it(site: Site, fake: Any) -> None:
    site.write(a=page("a", 4), b=page("b", 4)).run(fake)
    prompts = {}
    for body in fake.bodies:
        prompt = body["messages"][1]["content"]
        name = re.search(r"Document: Page (\w)", prompt)
        place = re.search(r"Position: chunk (\d+) of", prompt)
        assert name and place
        prompts[name[1], int(place[1]) - 1] = prompt
    for (name, index), prompt in prompts.items():
        records = sorted(site.records(name)["records"], key=lambda record: record["chunk"])
        keys = keys_before(((record["chunk"], record["fields"].get("key", "")) for record in records), index)
        for line in keys.lines():
            assert f"- {line}\n" in prompt
        shown = prompt.partition("how often each was given:\n")[2].partition("The chunk:")[0]
        assert len(re.findall(r"^- ", shown, re.MULTILINE)) == len(keys.names)
        before = records[index - 1]["fields"]["summary"] if index else "(first)"
        assert f"The chunk before says: {before}\n" in prompt


def test_without_rolling_no_keys_are_shown(site: Site, fake: Any) -> None:
    site.write(a=page("a")).run(fake, enrich__rolling=False)
    assert "Known keys" not in fake.record()


def test_one_call_serves_several_tasks_and_a_whole_document(site: Site, fake: Any) -> None:
    site.write(a=page("a"))
    tasks = ("metadata", "context", "queries", "propositions", "entities")
    outcome = site.run(fake, enrich__tasks=tasks)
    assert outcome.calls == outcome.asked
    assert {record["task"] for record in site.records("a")["records"]} == set(tasks)
    site.write(b=page("b"))
    outcome = site.run(fake, enrich__tasks=tasks, enrich__unit="document")
    assert (outcome.calls, outcome.asked > 1, outcome.enriched) == (1, True, outcome.asked)
    site.write(c=page("c"))
    outcome = site.run(fake, enrich__tasks=("context",))
    assert (outcome.calls, outcome.asked > 1) == (1, True)


def test_chunks_that_are_missing_in_an_answer_are_marked_as_failed(site: Site, fake: Any, endpoints: Any) -> None:
    def lazy(exchange: Any) -> str:
        value = json.loads(endpoints.honest(exchange))
        value["chunks"] = value["chunks"][:1]
        return json.dumps(value)

    fake.answer = lazy
    site.write(a=page("a"))
    outcome = site.run(fake, enrich__unit="document")
    assert (outcome.enriched, outcome.failed, outcome.repaired) == (1, outcome.asked - 1, 0)
    assert site.run(fake).asked == 0
    fake.answer = endpoints.honest
    assert site.run(fake, EnrichRequest(retry_failed=True)).failed == 0


def test_pinned_records_stay_whatever_happens(site: Site, fake: Any) -> None:
    site.write(a=page("a")).run(fake)
    place = site.root / "_enrichment/a.json"
    value = json.loads(place.read_bytes())
    value["records"][1] |= {"pinned": True, "fields": {"title": "By hand", "key": "a key of mine"}}
    place.write_text(json.dumps(value))
    outcome = site.run(fake, EnrichRequest(force=True))
    assert outcome.asked == len(value["records"]) - 1
    assert "By hand" in place.read_text()
    assert "a key of mine (1)" in fake.record()
    site.write(a="# Page a\n\nNothing is left of it.\n")
    outcome = site.run(fake)
    assert "pinned record of a text that is gone, kept" in "".join(outcome.problems)
    assert "By hand" in place.read_text()


def test_two_records_of_one_text_are_named(site: Site, fake: Any) -> None:
    site.write(a=page("a")).run(fake)
    place = site.root / "_enrichment/a.json"
    value = json.loads(place.read_bytes())
    value["records"].append(value["records"][0])
    place.write_text(json.dumps(value))
    outcome = site.run(fake)
    assert "two records of task `metadata`" in "".join(outcome.problems)
    assert len(site.records("a")["records"]) == len(value["records"]) - 1


def test_a_broken_file_of_records_costs_its_document_alone(site: Site, fake: Any) -> None:
    site.write(a=page("a"), b=page("b")).run(fake)
    calls = fake.calls
    (site.root / "_enrichment/a.json").write_text('{"format": 9, "records": []}')
    site.write(b=page("b", 4))
    outcome = site.run(fake)
    assert "Install a newer infograph" in "".join(outcome.problems)
    assert fake.calls > calls
    assert (site.root / "_enrichment/a.json").read_text() == '{"format": 9, "records": []}'


def test_secrets_and_excluded_pages_never_leave(site: Site, fake: Any, tmp_path: Path) -> None:
    log = tmp_path / "calls.jsonl"
    site.write(
        a=page("a") + f"\nThe key is {AWS} and never told.\n",
        b="---\ninfograph: {llm: false}\n---\n" + page("homeword"),
        c=page("secretword"),
    )
    outcome = site.run(fake, EnrichRequest(log_calls=str(log)), llm__exclude=("c.md",))
    assert outcome.redacted == {"aws-key": 1}
    assert outcome.standing.at_home > 2
    for word in (AWS, "homeword", "secretword"):
        assert word not in fake.record()
    assert KEY in fake.record()  # the endpoint alone gets it
    kept = [path.read_text() for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".md"]
    assert not [text for text in kept if KEY in text or AWS in text]
    assert len(log.read_text().splitlines()) == fake.calls


def test_what_would_be_redacted_can_keep_a_chunk_at_home(site: Site, fake: Any) -> None:
    outcome = site.write(a=f"# A\n\nThe key is {AWS}.\n").run(fake, enrich__fail_on_redaction=True)
    assert fake.calls == 0
    assert "not sent, it holds 1 aws-key" in outcome.problems[0]


def test_the_budget_ends_a_run_and_the_next_one_goes_on(site: Site, fake: Any) -> None:
    site.write(a=page("a"), b=page("b"))
    outcome = site.run(fake, llm__max_calls=2)
    assert (outcome.status, fake.calls, "2 of 2 calls" in outcome.reason) == (BUDGET, 2, True)
    rest = site.run(fake)
    assert (rest.status, fake.calls) == (DONE, rest.standing.chunks)


def test_a_limit_of_chunks(site: Site, fake: Any) -> None:
    site.write(a=page("a"), b=page("b"))
    outcome = site.run(fake, EnrichRequest(limit=2), llm__concurrency=1)
    assert (outcome.asked, outcome.standing.to_ask, fake.calls) == (2, 6, 2)
    assert not (site.root / "_enrichment/b.json").exists()
    outcome = site.run(fake, EnrichRequest(only=("b.md",), limit=100))
    assert (outcome.asked, fake.calls) == (3, 5)


def test_an_endpoint_that_is_down_ends_the_run_soon(site: Site, fake: Any, endpoints: Any) -> None:
    fake.always = endpoints.status(503, "down")
    outcome = site.write(**{name: page(name) for name in "abcdefgh"}).run(fake, llm__concurrency=1)
    assert (outcome.status, outcome.unanswered) == (STOPPED, 5)
    assert "5 calls in a row failed, the last one: down" in outcome.reason
    assert not (site.root / "_enrichment").exists()


def test_an_endpoint_that_is_down_fails_a_small_run_too(site: Site, fake: Any, endpoints: Any) -> None:
    fake.always = endpoints.status(503, "down")
    outcome = site.write(a="# A\n\nFew words.\n").run(fake)
    assert (outcome.status, outcome.unanswered) == (STOPPED, 1)
    assert outcome.reason == "no call was answered, the last one: down"


def test_what_was_said_stays_where_nothing_valid_is_said_of_it_again(site: Site, fake: Any) -> None:
    site.write(a=page("a")).run(fake)
    before = (site.root / "_enrichment/a.json").read_bytes()
    fake.answer = lambda exchange: "not json"
    outcome = site.run(fake, EnrichRequest(force=True))
    assert outcome.failed == outcome.asked == outcome.standing.chunks
    assert (site.root / "_enrichment/a.json").read_bytes() == before


def test_questions_without_an_answer_yet_do_not_end_the_run(site: Site, fake: Any, endpoints: Any) -> None:
    fake.always = endpoints.status(503, "nobody has answered this yet", x_should_retry="false")
    outcome = site.write(**{name: page(name) for name in "abcdefgh"}).run(fake, llm__concurrency=1)
    assert (outcome.status, outcome.unanswered, fake.calls) == (DONE, 8, 8)


def test_chunks_without_a_key_are_counted(site: Site, fake: Any, endpoints: Any) -> None:
    fake.answer = lambda exchange: json.dumps({**json.loads(endpoints.honest(exchange)), "key": "gears"})
    outcome = site.write(a=page("a")).run(fake)
    assert (outcome.enriched, outcome.keyless) == (outcome.asked, outcome.asked)
    said = outcome_text(outcome)
    assert f"{outcome.asked} chunks without a key: the model wrote none of two to five words" in said
    assert "without a key" not in outcome_text(site.run(fake))
    assert site.run(fake, EnrichRequest(force=True), enrich__tasks=("context",)).keyless == 0


@pytest.mark.parametrize("provider", ["openai-compatible", "anthropic"])
def test_names_that_a_chunk_does_not_have_are_counted_and_listed(
    site: Site, fake: Any, endpoints: Any, provider: str
) -> None:
    def inventive(exchange: Any) -> str:
        value = json.loads(endpoints.honest(exchange))
        value["entities"].append({"name": "Phantom", "type": "ORG", "description": "Nobody."})
        value["relations"].append({"source": "Phantom", "relation": "owns", "target": value["entities"][0]["name"]})
        return json.dumps(value)

    fake.answer = inventive
    how: dict[str, Any] = {"enrich__tasks": ("entities",), "llm__provider": provider}
    outcome = site.write(a=page("a")).run(fake, **how)
    assert (outcome.enriched, outcome.repaired) == (outcome.asked, 0)
    assert outcome.phantoms == outcome.lost_relations == outcome.asked > 1
    said = (
        f"dropped: {outcome.asked} entities that the text of their chunk does not name, and {outcome.asked} relations"
    )
    assert said in outcome_text(outcome)
    for record in site.records("a")["records"]:
        fields = record["fields"]
        assert fields["dropped_entities"] == ["Phantom"]
        assert "Phantom – owns" in fields["dropped_relations"][0]
        assert len(fields["entities"]) == 2
        assert len(fields["relations"]) == 1
    assert site.run(fake, **how).asked == 0
    assert "dropped" not in outcome_text(site.run(fake, **how))
    settings = site.settings(fake, **how)
    told = json.loads(modes.show_status(settings, EnrichRequest(), as_json=True))["report"]
    assert (told["described entities a chunk"], told["dropped entities"]) == (2, outcome.asked)
    both = site.run(fake, **(how | {"enrich__tasks": ("metadata", "entities")}))
    assert both.calls == both.asked, "what is asked for a second task is one call with the first, whose record stays"


def test_a_wrong_key_ends_the_run_at_once(site: Site, fake: Any, endpoints: Any) -> None:
    fake.always = endpoints.status(401, f"bad key {KEY}")
    outcome = site.write(**{name: page(name) for name in "abcdefgh"}).run(fake, llm__concurrency=1)
    assert (outcome.status, fake.calls) == (STOPPED, 1)
    assert KEY not in outcome.reason
    assert "INFOGRAPH_LLM_API_KEY" in outcome.reason


@pytest.mark.parametrize("concurrency", [1, 3])
def test_as_many_calls_are_open_as_was_said(site: Site, fake: Any, concurrency: int) -> None:
    fake.seconds = 0.05
    site.write(**{name: page(name, 2) for name in "abcdef"}).run(fake, llm__concurrency=concurrency)
    assert fake.most_open == concurrency


def test_an_estimate_opens_no_connection_and_comes_close(site: Site, fake: Any) -> None:
    site.write(a=page("a"), b=page("b"))
    settings = site.settings(fake)
    said = json.loads(modes.show_estimate(settings, EnrichRequest(), as_json=True))
    assert fake.calls == 0
    outcome = site.run(fake)
    assert said["calls"] == outcome.calls
    assert abs(said["input_tokens"] / outcome.input_tokens - 1) < 0.15
    assert json.loads(modes.show_estimate(settings, EnrichRequest(), as_json=True))["standing"]["to_ask"] == 0
    assert "0 to ask" in modes.show_status(settings, EnrichRequest(), as_json=False)


def test_the_payload_of_a_chunk_is_what_is_sent(site: Site, fake: Any) -> None:
    site.write(a=page("a") + f"\n{AWS}\n")
    shown = json.loads(modes.show_payload(site.settings(fake), "_chunks/a-0.md"))
    assert KEY not in json.dumps(shown)
    site.run(fake, EnrichRequest(limit=1))
    assert fake.bodies == [shown]
    with pytest.raises(ConfigError, match="there is no chunk"):
        modes.show_payload(site.settings(fake), "_chunks/a-99.md")


def test_without_a_model_nothing_is_asked(site: Site, fake: Any) -> None:
    with pytest.raises(ConfigError, match="names no model"):
        site.write(a=page("a")).run(fake, llm__model=None)


def test_records_can_lie_in_a_folder_of_their_own(site: Site, fake: Any, tmp_path: Path) -> None:
    site.write(a=page("a")).run(fake, enrich__dir=str(tmp_path / "records"))
    assert parse("a", (tmp_path / "records/a.json").read_bytes()).records
    assert not (site.root / "_enrichment").exists()


def start(site: Site, url: str, *options: str, **more: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "infograph", "enrich", str(site.root), "--model", "fake-1", "--base-url", url]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3]), "INFOGRAPH_STRATEGY": "structural"}
    how = {"env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more
    return subprocess.Popen([*command, *options], **how)


def finish(process: subprocess.Popen[bytes]) -> None:
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, (out, err)


def killing(process: Callable[[], subprocess.Popen[bytes]], number: int) -> Callable[[Any], bool]:
    """A call whose asker is killed before it is answered."""

    def fault(exchange: Any) -> bool:
        process().send_signal(signal.SIGKILL)
        exchange.handler.close_connection = True
        return True

    return fault


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "names", "sections", "calls"), [("metadata", "ab", 6, 12), ("summaries", "abcd", 2, 4)]
)
def test_killed_at_every_call_nothing_is_asked_twice_but_what_was_in_flight(
    site: Site, tmp_path: Path, endpoints: Any, task: str, names: str, sections: int, calls: int
) -> None:
    pages, options = {name: page(name, sections) for name in names}, ("--concurrency", "2", "--task", task)
    whole = site.write(**pages)
    with endpoints.serving(endpoints.FakeEndpoint()) as fake:
        finish(start(whole, fake.url, *options))
        total = fake.calls
    assert total == calls
    expected = {name: whole.records(name) for name in names}
    for number in range(1, total + 1):
        site = type(whole)(tmp_path / f"cut-{number}").write(**pages)
        held: list[subprocess.Popen[bytes]] = []
        with endpoints.serving(endpoints.FakeEndpoint()) as fake:
            fake.faults = {number: killing(lambda held=held: held[0], number)}
            held.append(start(site, fake.url, *options))
            held[0].communicate()
            assert held[0].returncode == -signal.SIGKILL
            for path in site.root.rglob("_enrichment/*.json"):
                parse(path.name, path.read_bytes())
            finish(start(site, fake.url, *options))
            assert fake.calls <= total + 2
        assert {name: site.records(name) for name in names} == expected


@pytest.mark.slow
def test_an_interruption_keeps_what_was_answered(
    site: Site, endpoints: Any, tmp_path: Path, interruptible: dict[str, Any]
) -> None:
    site, log = site.write(a=page("a"), b=page("b")), tmp_path / "said"
    with endpoints.serving(endpoints.FakeEndpoint()) as fake, log.open("w") as said:
        held: list[subprocess.Popen[bytes]] = []

        def interrupt(exchange: Any) -> bool:
            """The call in flight is answered when the run knows of the interruption."""
            held[0].send_signal(signal.SIGINT)
            end = time.monotonic() + PATIENCE
            while "waiting for the calls in flight" not in log.read_text() and time.monotonic() < end:
                time.sleep(0.01)
            return False

        fake.faults = {3: interrupt}
        held.append(start(site, fake.url, "--concurrency", "1", stderr=said, **interruptible))
        held[0].communicate(timeout=PATIENCE)
        assert held[0].returncode == 130, log.read_text()
        assert len(site.records("a")["records"]) == 3
        calls = fake.calls
        fake.faults = {}
        finish(start(site, fake.url))
        assert calls == 3


def test_errors_name_the_way_out(site: Site, fake: Any) -> None:
    fake.always = None
    with pytest.raises(ConfigError, match="there is no task `poems`"):
        site.write(a=page("a")).run(fake, enrich__tasks=("poems",))
    assert issubclass(EndpointError, Exception)


def test_a_budget_without_prices_is_refused(site: Site, fake: Any) -> None:
    free = {"input": 0.0, "output": 0.0}
    with pytest.raises(ConfigError, match=r"`llm\.max_cost` limits nothing while all prices are 0.*llm\.max_calls"):
        site.write(a=page("a")).run(fake, llm__max_cost=1.0, llm__prices=free)
    assert fake.calls == 0
