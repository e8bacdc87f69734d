"""`infograph enrich` killed at random moments: nothing is paid for twice, torn, or missing in the end.

`test_run.py` kills it at every call; here it dies wherever it happens to be: while it reads, asks, keeps or writes.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from infograph.formats.enrichment import parse
from infograph.llm.answer_cache import _unsealed

KILLS = 200
PAGES, SECTIONS, CONCURRENCY = 3, 4, 2
Site = Any
_RUN = """
import os
from infograph.cli import main
os.environ |= {environment!r}
main(["enrich", {root!r}, "--model", "fake-1", "--base-url", {url!r}, "--concurrency", "{concurrency}", "-q"])
"""


def page(name: str) -> str:
    parts = [f"# Page {name}\n"]
    for number in range(SECTIONS):
        words = " ".join(f"{name}word{number} turns gear{n}." for n in range(60))
        parts.append(f"## Part {number} of {name}\n\n{words}\n")
    return "\n".join(parts)


def document_of(body: dict[str, Any]) -> str:
    """The page that a call is about."""
    named = re.search(r"Document: Page (\w)", body["messages"][1]["content"])
    assert named
    return named[1]


def torn(site: Site) -> list[str]:
    """Files of records and kept answers that cannot be read."""
    found = []
    for path in site.root.rglob("*.json"):
        data = path.read_bytes()
        if "_enrichment" in path.parts:
            parse(path.name, data)
        elif _unsealed(data) is None:
            found.append(str(path))
    return found


def asked_again(runs: list[list[dict[str, Any]]]) -> list[str]:
    """Calls that a later run repeated although the one before had gone on after them."""
    found = []
    in_flight: set[str] = set()
    known: set[str] = set()
    for bodies in runs:
        texts = [json.dumps(body, sort_keys=True) for body in bodies]
        found += [text for text in texts if text in known - in_flight]
        found += [text for text, count in Counter(texts).items() if count > 1]
        known.update(texts)
        # A page's calls follow one another: the last one of each may have been without its answer.
        in_flight |= set({document_of(body): text for body, text in zip(bodies, texts, strict=True)}.values())
    return found


def wait_for(process: Any, moment: float | None) -> bool:
    """Kills a run at a moment, or waits for its end; returns whether it was killed."""
    process.join(moment if moment is not None else 600)
    if process.exitcode is None:
        assert moment is not None, "the run does not end"
        process.kill()
        process.join()
    return bool(process.exitcode)


def settle(fake: Any) -> None:
    """Waits for what a killed run had sent, which the endpoint may take a moment to read."""
    calls = -1
    while calls != fake.calls:
        calls = fake.calls
        time.sleep(0.03)


@pytest.mark.slow
def test_killed_at_random_moments_nothing_is_asked_twice_but_what_was_in_flight(
    site: Site, tmp_path: Path, endpoints: Any
) -> None:
    method = multiprocessing.get_context("forkserver")
    method.set_forkserver_preload(["infograph.cli", "infograph.commands.enrich.modes", "httpx2"])
    names = "abc"[:PAGES]
    dice = random.Random(20)

    def started(site: Site, fake: Any) -> Any:
        environment = {**site.environment, "INFOGRAPH_STRATEGY": "structural"}
        code = _RUN.format(root=str(site.root), url=fake.url, concurrency=CONCURRENCY, environment=environment)
        process = method.Process(target=exec, args=(code,))
        process.start()
        return process

    def fresh(number: int) -> Site:
        (tmp_path / f"tree-{number}").mkdir()
        return type(site)(tmp_path / f"tree-{number}" / "docs").write(**{name: page(name) for name in names})

    with endpoints.serving(endpoints.FakeEndpoint(seconds=0.01)) as fake:
        for number in (-1, 0):  # the first one waits for the server of forks
            whole, begun = fresh(number), time.monotonic()
            assert not wait_for(started(whole, fake), None)
        lasting = time.monotonic() - begun
        expected = {name: whole.records(name) for name in names}
    total, killed, trees = sum(len(file["records"]) for file in expected.values()), 0, 0
    assert total >= PAGES * SECTIONS
    while killed < KILLS:
        trees += 1
        tree, runs = fresh(trees), []
        with endpoints.serving(endpoints.FakeEndpoint(seconds=0.01)) as fake:
            ended = False
            while not ended:
                before = fake.calls
                moment = dice.uniform(0, lasting) if killed < KILLS else None
                was_killed = wait_for(started(tree, fake), moment)
                settle(fake)
                runs.append(fake.bodies[before:])
                killed, ended = killed + was_killed, not was_killed
                assert not torn(tree)
        assert not asked_again(runs)
        assert sum(map(len, runs)) <= total + CONCURRENCY * (len(runs) - 1)
        assert {name: tree.records(name) for name in names} == expected
