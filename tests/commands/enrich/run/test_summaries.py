"""`infograph enrich --task summaries`: what is asked of documents and sections, kept, asked again, and published."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client
from infograph.commands.enrich import modes
from infograph.commands.enrich.batch import enrich_by_batch
from infograph.commands.enrich.report import outcome_text
from infograph.commands.enrich.request import EnrichRequest
from infograph.errors import ConfigError
from infograph.llm.model_run import BUDGET, DONE
from infograph.progress import Silent

pytestmark = pytest.mark.usefixtures("in_this_process")

Site = Any
TASKS: dict[str, Any] = {"enrich__tasks": ("summaries",)}
FORMS = pytest.mark.parametrize("form", ["openai-compatible", "anthropic"])


def page(name: str) -> str:
    """A page of four chunks, of which two are below one heading."""
    parts = [f"# Page {name}\n\nAbout {name} in general and what it holds.\n"]
    for heading in (f"## Gears of {name}", "### Steel", "### Brass", "## Springs"):
        words = " ".join(f"{heading.split()[1].lower()}{name} turns gear{n}." for n in range(60))
        parts.append(f"{heading}\n\n{words}\n")
    return "\n".join(parts)


def run(site: Site, fake: Any, request: EnrichRequest | None = None, **flags: Any) -> Any:
    return site.run(fake, request, **TASKS, **flags)


def said(site: Site, name: str = "a") -> dict[int, str]:
    return {record["chunk"]: record["fields"]["summary"] for record in site.records(name)["records"]}


@FORMS
def test_one_call_a_document_asks_of_all_its_sections(site: Site, fake: Any, form: str) -> None:
    site.write(a=page("a"), b=page("b"), c="# Short\n\nOne chunk.\n")
    outcome = run(site, fake, llm__provider=form)
    assert (outcome.status, outcome.asked, outcome.enriched, outcome.calls) == (DONE, 4, 4, 2)
    assert "4 of 4 sections enriched" in outcome_text(outcome)
    records = site.records("a")["records"]
    assert [(record["task"], record["prompt"], record["chunk"]) for record in records] == [
        ("summaries", "summaries-1", 0),
        ("summaries", "summaries-1", 1),
    ]
    assert site.records("a")["sections"] == 2
    again = run(site, fake, llm__provider=form)
    assert (again.asked, again.standing.current, fake.calls) == (0, 4, 2)


def test_only_what_changed_and_what_it_is_part_of_is_asked_again(site: Site, fake: Any) -> None:
    site.write(a=page("a"))
    run(site, fake)
    site.write(a=page("a").replace("springsa turns gear5.", "springsa stops gear5."))
    outcome = run(site, fake)
    assert (outcome.asked, outcome.dropped, outcome.standing.current) == (1, 1, 1)
    site.write(a=page("a").replace("steela turns gear5.", "steela stops gear5."))
    assert run(site, fake).asked == 2


def test_a_chunk_is_shown_once_however_many_sections_it_is_part_of(site: Site, fake: Any) -> None:
    site.write(a=page("a"))
    run(site, fake)
    prompt = fake.bodies[0]["messages"][1]["content"]
    assert prompt.count("steela turns gear7.") == 1
    assert "section 0: chunks 0 to 3, Page a\n" in prompt
    assert "section 1: chunks 1 to 2, Page a > Gears of a\n" in prompt


def test_what_is_too_long_is_shown_by_its_summaries(site: Site, fake: Any) -> None:
    site.write(a=page("a"))
    site.run(fake)
    first = said(site)[2]
    outcome = run(site, fake, llm__context_tokens=1024)
    assert (outcome.enriched, outcome.problems) == (2, [])
    prompts = [body["messages"][1]["content"] for body in fake.bodies[-outcome.calls :]]
    assert any(first in prompt for prompt in prompts)
    assert not any("steela turns gear9." in prompt for prompt in prompts)


def test_records_of_chunks_and_of_sections_stay_beside_each_other(site: Site, fake: Any) -> None:
    site.write(a=page("a"))
    chunks = site.run(fake).enriched
    sections = run(site, fake).enriched
    assert len(site.records("a")["records"]) == chunks + sections
    assert site.run(fake).asked == run(site, fake).asked == 0
    calls = fake.calls
    site.write(a=page("a") + "\n## More\n\nAnd more of it.\n")
    assert site.run(fake).asked == 1
    assert len(site.records("a")["records"]) == chunks + sections - 1  # that of the document is gone
    assert (run(site, fake).asked, fake.calls) == (1, calls + 2)


def test_pinned_failed_and_limited(site: Site, fake: Any, endpoints: Any) -> None:
    fake.answer = lambda exchange: '{"sections": [{"section": 0, "summary": "Of the whole."}]}'
    site.write(a=page("a"))
    outcome = run(site, fake)
    assert (outcome.enriched, outcome.failed) == (1, 1)
    assert run(site, fake).asked == 0
    fake.answer = endpoints.honest
    assert run(site, fake, EnrichRequest(retry_failed=True)).failed == 0
    place = site.root / "_enrichment/a.json"
    value = json.loads(place.read_bytes())
    value["records"][0] |= {"pinned": True, "fields": {"summary": "By hand."}}
    place.write_text(json.dumps(value))
    assert run(site, fake, EnrichRequest(force=True)).asked == 1
    assert "By hand." in place.read_text()
    site.write(b=page("b"), c=page("c"))
    assert run(site, fake, EnrichRequest(limit=1)).asked == 1
    assert run(site, fake, EnrichRequest(force=True), llm__max_calls=1, llm__concurrency=1).status == BUDGET


@FORMS
def test_they_are_asked_in_batches(site: Site, fake: Any, form: str) -> None:
    site.write(a=page("a"), b=page("b"))
    settings = site.settings(fake, llm__provider=form, **TASKS)
    assert enrich_by_batch(settings, EnrichRequest(batch=True)).batched == 2
    assert enrich_by_batch(settings, EnrichRequest(batch=True)).enriched == 4


def test_estimate_status_and_payload_send_nothing(site: Site, fake: Any) -> None:
    settings = site.write(a=page("a")).settings(fake, **TASKS)
    found = json.loads(modes.show_estimate(settings, EnrichRequest(), as_json=True))
    assert (found["unit"], found["calls"], found["standing"]["to_ask"]) == ("section", 1, 2)
    assert "2 sections: 0 up to date" in modes.show_status(settings, EnrichRequest(), as_json=False)
    shown = json.loads(modes.show_payload(settings, "_chunks/a-2.md"))
    assert fake.calls == 0
    run(site, fake)
    assert fake.bodies == [shown]


def test_they_are_asked_by_themselves(site: Site, fake: Any) -> None:
    with pytest.raises(ConfigError, match="asked by itself"):
        site.write(a=page("a")).run(fake, enrich__tasks=("metadata", "summaries"))


@pytest.mark.slow
def test_a_build_publishes_them_marked_and_finds_by_them_where_that_is_asked_for(
    site: Site, fake: Any, endpoints: Any
) -> None:
    site.write(a=page("a"))
    words = {0: "All about zebrafish.", 1: "Of <b>okapis</b>, see https://evil.example/x."}
    fake.answer = lambda exchange: json.dumps({"sections": [{"section": n, "summary": w} for n, w in words.items()]})
    run(site, fake)
    flags = {"model": "static", **TASKS}
    summary = build(site.settings(fake, **flags), Silent())
    assert (summary.errors, summary.notices) == ([], [])
    items = json.loads((site.root / "index.json").read_bytes())["_embedded"]["chunks"]["a"]["items"]
    assert items[0]["enriched"] == {"by": "fake-1", "sections": [{"chunks": 4, "summary": "All about zebrafish."}]}
    assert items[1]["enriched"]["sections"] == [{"chunks": 2, "summary": "Of okapis, see"}]
    assert "enriched" not in items[2]
    assert b"evil.example" not in (site.root / "topic-spec.md").read_bytes()
    with Client(str(site.root)) as client:
        chunk = client.read("_chunks/a-1.md")
        assert chunk.enriched is not None
        assert [(part.chunks, part.summary) for part in chunk.enriched.sections] == [(2, "Of okapis, see")]
        assert not client.search("zebrafish", exact=True).hits
    build(site.settings(fake, search__enriched=("sections",), **flags), Silent())
    with Client(str(site.root)) as client:
        assert [hit.href for hit in client.search("zebrafish", exact=True).hits] == ["_chunks/a-0.md"]
    fake.answer = endpoints.honest
    site.run(fake, EnrichRequest(limit=1))
    (notice,) = build(site.settings(fake, **flags), Silent()).notices
    assert (notice.kind, notice.count) == ("enrichment", 3)
