"""`infograph enrich --task communities` against the fake endpoint, and what a build and a search make of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from infograph.build import build
from infograph.cli import main
from infograph.client import Client
from infograph.client.answers import communities_text
from infograph.commands.enrich import modes
from infograph.commands.enrich.communities import enrich_communities
from infograph.commands.enrich.report import outcome_text
from infograph.commands.enrich.request import EnrichRequest
from infograph.errors import ConfigError, FormatError
from infograph.formats.community_records import parse
from infograph.llm.model_run import BUDGET, DONE, STOPPED
from infograph.progress import Silent

pytestmark = pytest.mark.usefixtures("in_this_process")

Site = Any
TASKS = {"enrich__tasks": ("communities",), "graph__entities": "terms", "model": "static"}
MAKERS, PARTS = ("Brigham Works", "Corliss Brothers"), ("Watt Governor", "Savery Pump")
KEY = "AKIA" + "Q3EXAMPLEKEY2345"
ANSWER = {"title": "Makers and parts", "summary": "Makers build. Parts turn. All is old.", "names": ["Nobody"]}


def pages(count: int = 12) -> dict[str, str]:
    return {
        f"machine{n}": f"# Machine {n}\n\nBuilt by {MAKERS[n % 2]} in {1800 + n}: it has `drive_shaft_{n % 2}`.\n\n"
        f"It was repaired with a {PARTS[n % 2]} by {MAKERS[n % 2]}, times {n}.\n"
        for n in range(count)
    }


@pytest.fixture
def telling(fake: Any) -> Any:
    fake.answer = lambda exchange: json.dumps(ANSWER)
    return fake


@pytest.fixture
def built(site: Site, telling: Any) -> Site:
    site.write(**pages())
    make(site, telling)
    return site


def make(site: Site, fake: Any) -> Any:
    return build(site.settings(fake, **TASKS), Silent())


def run(site: Site, fake: Any, request: EnrichRequest | None = None, **flags: Any) -> Any:
    return enrich_communities(site.settings(fake, **TASKS, **flags), request or EnrichRequest(), Silent())


def records(site: Site) -> dict[str, Any]:
    return parse("x", (site.root / "_enrichment/communities.jsonl").read_bytes())


def hits(site: Site, query: str = "") -> Any:
    with Client(site.root) as client:
        return client.communities(query)


def test_each_community_is_asked_about_once_and_shown_as_the_models_words(built: Site, telling: Any) -> None:
    plain = {hit.id: hit for hit in hits(built).hits}
    assert plain and all(not hit.enriched_by for hit in plain.values())
    outcome = run(built, telling)
    assert (outcome.status, outcome.enriched, telling.calls) == (DONE, len(plain), len(plain))
    assert f"{len(plain)} of {len(plain)} communit" in outcome_text(outcome)
    assert records(built).keys() == plain.keys()
    assert records(built)[next(iter(plain))].names == (), "a name that is not listed is dropped"
    make(built, telling)
    for hit in hits(built).hits:
        assert (hit.title, hit.sentences, hit.enriched_by) == (ANSWER["title"], (ANSWER["summary"],), "fake-1")
        file = json.loads((built.root / hit.href).read_bytes())
        assert (file["title"], file["summary"], file["enriched_by"]) == (hit.title, *hit.sentences, "fake-1")
        assert file["sentences"], "what the pages say stays"
    assert hits(built, "parts that turn").hits
    assert "title and summary by fake-1" in communities_text(hits(built))
    again = run(built, telling)
    assert (again.asked, again.standing.current, telling.calls) == (0, len(plain), len(plain))


def test_of_other_members_a_record_is_stale(built: Site, telling: Any) -> None:
    run(built, telling)
    make(built, telling)
    before = set(records(built))
    for number in range(0, 12, 2):
        path = built.root / f"machine{number}.md"
        path.write_text(path.read_text().replace("Watt Governor", "Cugnot Wheel"))
    make(built, telling)
    now = {hit.id: hit for hit in hits(built).hits}
    assert any(not hit.enriched_by for id, hit in now.items() if id not in before)
    outcome = run(built, telling)
    assert outcome.dropped == len(before - now.keys()) and records(built).keys() == now.keys()


def test_records_that_changed_are_noticed_and_a_build_from_nothing_gives_the_same(built: Site, telling: Any) -> None:
    run(built, telling)
    assert make(built, telling).written
    assert not make(built, telling).written
    file = built.root / "_enrichment/communities.jsonl"
    kept = file.read_bytes()
    file.unlink()
    assert make(built, telling).written and all(not hit.enriched_by for hit in hits(built).hits)
    file.write_bytes(kept.replace(b"Makers and parts", b"Edited by hand"))
    make(built, telling)
    assert {hit.title for hit in hits(built).hits} == {"Edited by hand"}
    mine = {path.name: path.read_bytes() for path in (built.root / "_graph").glob("c-*.json")}
    build(built.settings(telling, **TASKS), Silent(), force=True)
    assert {path.name: path.read_bytes() for path in (built.root / "_graph").glob("c-*.json")} == mine
    file.write_bytes(b"{}\n")
    with pytest.raises(FormatError, match=r"communities.jsonl:1"):
        make(built, telling)


def test_an_estimate_and_a_status_send_nothing(built: Site, telling: Any) -> None:
    settings = built.settings(telling, **TASKS)
    count = len(hits(built).hits)
    found = json.loads(modes.show_estimate(settings, EnrichRequest(), as_json=True))
    assert (found["calls"], found["standing"]["to_ask"], found["unit"]) == (count, count, "community")
    assert found["input_tokens"] > 200
    assert f"{count} to ask" in modes.show_status(settings, EnrichRequest(), as_json=False)
    assert telling.calls == 0


def test_a_budget_and_a_limit_end_it_with_what_was_said(built: Site, telling: Any) -> None:
    count = len(hits(built).hits)
    assert count > 1
    outcome = run(built, telling, EnrichRequest(limit=1))
    assert (outcome.enriched, len(records(built))) == (1, 1)
    outcome = run(built, telling, llm__max_calls=1, llm__concurrency=1, llm__model="fake-2")
    assert outcome.status == (BUDGET if count > 1 else DONE) and outcome.enriched == 1


def test_what_is_no_answer_is_recorded_and_asked_again_when_told_to(built: Site, telling: Any) -> None:
    telling.answer = lambda exchange: "They are machines."
    outcome = run(built, telling)
    assert outcome.failed == len(hits(built).hits) and all(own.failed for own in records(built).values())
    make(built, telling)
    assert all(not hit.enriched_by for hit in hits(built).hits)
    telling.answer = lambda exchange: json.dumps(ANSWER)
    assert run(built, telling).asked == 0
    assert run(built, telling, EnrichRequest(retry_failed=True)).enriched == outcome.failed


def test_a_pinned_record_stays(built: Site, telling: Any) -> None:
    run(built, telling)
    file = built.root / "_enrichment/communities.jsonl"
    file.write_text(file.read_text().replace('"prompt"', '"pinned": true, "prompt"'))
    outcome = run(built, telling, EnrichRequest(force=True))
    assert (outcome.asked, outcome.standing.pinned) == (0, len(records(built)))


def test_secrets_and_pages_that_stay_at_home_are_not_sent(built: Site, telling: Any) -> None:
    for path in built.root.glob("machine*.md"):
        path.write_text(path.read_text() + f"\nIts key is {KEY}.\n")
    make(built, telling)
    outcome = run(built, telling)
    assert outcome.redacted and KEY not in telling.record()
    before = telling.calls
    for path in built.root.glob("machine*.md"):
        path.write_text("---\ninfograph: {llm: false}\n---\n" + path.read_text())
    make(built, telling)
    (built.root / "_enrichment/communities.jsonl").unlink()
    outcome = run(built, telling)
    assert outcome.standing.at_home == len(hits(built).hits) and telling.calls == before


def test_an_endpoint_that_refuses_ends_it(built: Site, telling: Any, endpoints: Any) -> None:
    telling.always = endpoints.status(401, "who are you")
    outcome = run(built, telling)
    assert outcome.status == STOPPED and "401" in outcome.reason


def test_what_it_cannot_do_is_said(site: Site, telling: Any) -> None:
    site.write(**pages(3))
    with pytest.raises(ConfigError, match="has no graph"):
        run(site, telling)
    for request in (EnrichRequest(only=("a.md",)), EnrichRequest(log_calls="x")):
        with pytest.raises(ConfigError, match="does nothing with `communities`"):
            run(site, telling, request)
    with pytest.raises(ConfigError, match="not asked in batches"):
        modes.run(site.settings(telling, **TASKS), EnrichRequest(batch=True), Silent(), as_json=False)
    both = {**TASKS, "enrich__tasks": ("communities", "metadata")}
    with pytest.raises(ConfigError, match="by itself"):
        modes.run(site.settings(telling, **both), EnrichRequest(), Silent(), as_json=False)


def test_clean_takes_the_records_along(built: Site, telling: Any) -> None:
    run(built, telling)
    found = CliRunner().invoke(main, ["clean", str(built.root), "--enrichment"])
    assert found.exit_code == 0, found.output
    assert not (built.root / "_enrichment").exists()
