"""`infograph enrich --task breakpoints` against the fake endpoint, and what a build makes of its records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.commands.enrich import modes
from infograph.commands.enrich.breakpoints import enrich_breakpoints
from infograph.commands.enrich.report import outcome_text
from infograph.commands.enrich.request import EnrichRequest
from infograph.errors import ConfigError
from infograph.formats.chunk_file import parse
from infograph.llm.model_run import BUDGET, DONE, STOPPED
from infograph.progress import Silent

pytestmark = pytest.mark.usefixtures("in_this_process")

Site = Any
TASKS = {"enrich__tasks": ("breakpoints",), "strategy": "agentic"}


def page(name: str) -> str:
    parts = [f"# Page {name}\n"]
    for number in range(4):
        parts.append(
            f"## Part {number} of {name}\n\n" + " ".join(f"The {name} turns gear{n}." for n in range(40)) + "\n"
        )
    return "\n".join(parts)


@pytest.fixture
def cutting(fake: Any) -> Any:
    """An endpoint that would cut at the parts 41 and 82, headings both."""
    fake.answer = lambda exchange: '{"breakpoints": [40, 80]}'
    return fake


def run(site: Site, fake: Any, request: EnrichRequest | None = None, **flags: Any) -> Any:
    return enrich_breakpoints(site.settings(fake, **TASKS, **flags), request or EnrichRequest(), Silent())


def chunks(site: Site, fake: Any, name: str = "a") -> list[str]:
    """The first lines of a page's chunk files after a build."""
    build(site.settings(fake, **TASKS, model="static"), Silent())
    files = sorted(site.root.glob(f"_chunks/{name}-*.md"))
    return [parse(path.name, path.read_bytes()).chunk.text.split("\n")[0] for path in files]


@pytest.mark.slow
def test_a_document_is_asked_about_once_and_cut_there(site: Site, cutting: Any) -> None:
    site.write(a=page("a"), b="# Short\n\nNothing to cut.\n")
    outcome = run(site, cutting)
    assert (outcome.status, outcome.enriched, cutting.calls) == (DONE, 1, 1)
    assert "1 of 1 document enriched" in outcome_text(outcome)
    found = site.records("a")["breakpoints"]
    assert [place["text"][:6] for place in found["places"]] == ["## Par", "## Par"]
    assert (found["model"], found["prompt"]) == ("fake-1", "breakpoints-1")
    built = chunks(site, cutting)
    assert built[1:] == ["## Part 1 of a", "## Part 2 of a"]
    assert run(site, cutting).standing.current == 1
    assert cutting.calls == 1
    checked = build(site.settings(cutting, **TASKS, model="static"), Silent(), check=True)
    assert (checked.stale, checked.notices) == ([], [])  # nobody was asked about its chunks


@pytest.mark.slow
def test_a_page_that_changed_is_cut_at_headings_until_it_is_asked_about(site: Site, cutting: Any) -> None:
    site.write(a=page("a"))
    run(site, cutting)
    cut = chunks(site, cutting)
    site.write(a=page("a") + "\nMore.\n")
    summary = build(site.settings(cutting, **TASKS, model="static"), Silent())
    (notice,) = summary.notices
    assert (notice.kind, summary.failed(strict=True)) == ("breakpoints", False)
    assert run(site, cutting).enriched == 1
    assert chunks(site, cutting)[1:] == cut[1:]
    assert not build(site.settings(cutting, **TASKS, model="static"), Silent(), check=True).stale


def test_records_of_chunks_stay_beside_the_places(site: Site, cutting: Any, endpoints: Any) -> None:
    site.write(a=page("a"))
    run(site, cutting)
    cutting.answer = endpoints.honest
    outcome = site.run(cutting, strategy="agentic")
    assert (outcome.enriched, len(site.records("a")["records"])) == (3, 3)
    assert len(site.records("a")["breakpoints"]["places"]) == 2
    assert site.run(cutting, strategy="agentic").asked == 0


def test_what_stays_wrong_is_recorded_and_asked_again_only_when_told(site: Site, fake: Any) -> None:
    fake.answer = lambda exchange: '{"breakpoints": [999]}'
    site.write(a=page("a"))
    outcome = run(site, fake)
    assert (outcome.enriched, outcome.failed, fake.calls) == (0, 1, 2)
    assert "has 999" in site.records("a")["breakpoints"]["failed"]
    assert run(site, fake).asked == 0
    fake.answer = lambda exchange: "40, 80"
    assert run(site, fake, EnrichRequest(retry_failed=True)).enriched == 1


def test_a_page_that_is_too_long_to_be_read_at_once_is_asked_about_in_parts(site: Site, fake: Any) -> None:
    fake.answer = lambda exchange: '{"breakpoints": [6]}'
    outcome = run(site.write(a=page("a")), fake, llm__context_tokens=1024)
    assert (outcome.problems, outcome.enriched, outcome.calls > 1) == ([], 1, True)
    places = [place["at"] for place in site.records("a")["breakpoints"]["places"]]
    assert len(places) == outcome.calls
    assert places == sorted(places)


def test_limits_budgets_and_pages_that_stay_at_home(site: Site, cutting: Any, endpoints: Any) -> None:
    site.write(a=page("a"), b=page("b"), c="---\ninfograph: {llm: false}\n---\n" + page("c"))
    assert run(site, cutting, EnrichRequest(limit=1)).asked == 1
    assert run(site, cutting, EnrichRequest(only=("a.md",))).standing.chunks == 1
    outcome = run(site, cutting, EnrichRequest(force=True), llm__max_calls=1, llm__concurrency=1)
    assert (outcome.status, outcome.asked, outcome.standing.at_home) == (BUDGET, 1, 1)
    cutting.always = endpoints.status(401)
    assert run(site, cutting, EnrichRequest(force=True)).status == STOPPED


def test_it_is_estimated_and_asked_by_itself(site: Site, cutting: Any) -> None:
    site.write(a=page("a"))
    said = json.loads(modes.show_estimate(site.settings(cutting, **TASKS), EnrichRequest(), as_json=True))
    assert (said["calls"], said["standing"]["to_ask"], cutting.calls) == (1, 1, 0)
    both = site.settings(cutting, enrich__tasks=("breakpoints", "metadata"))
    with pytest.raises(ConfigError, match="asked by itself"):
        modes.run(both, EnrichRequest(), Silent(), as_json=False)
    with pytest.raises(ConfigError, match="not asked in batches"):
        modes.run(site.settings(cutting, **TASKS), EnrichRequest(batch=True), Silent(), as_json=False)
    text, status = modes.run(site.settings(cutting, **TASKS), EnrichRequest(), Silent(), as_json=False)
    assert (status, "1.00 a document" in text) == (0, True)


def test_places_can_lie_in_a_folder_of_their_own(site: Site, cutting: Any, tmp_path: Path) -> None:
    site.write(a=page("a"))
    run(site, cutting, enrich__dir=str(tmp_path / "records"))
    assert json.loads((tmp_path / "records/a.json").read_bytes())["breakpoints"]["places"]
