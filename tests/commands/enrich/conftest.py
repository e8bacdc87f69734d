"""A small tree that is asked about, and the endpoint that answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from infograph.commands.enrich.request import EnrichOutcome, EnrichRequest
from infograph.commands.enrich.run import enrich
from infograph.config import load
from infograph.progress import Silent

KEY = "canary-key-of-the-endpoint"


class Site:
    """A tree, asked about."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {"INFOGRAPH_LLM_API_KEY": KEY}

    def write(self, **pages: str) -> Site:
        self.root.mkdir(exist_ok=True)
        for name, text in pages.items():
            (self.root / f"{name}.md").write_text(text)
        return self

    def settings(self, fake: Any, **flags: Any) -> Any:
        given = {"llm.base_url": fake.url, "llm.provider": "openai-compatible", "llm.model": "fake-1", "llm.retries": 1}
        named = {name.replace("__", "."): value for name, value in flags.items()}
        return load(str(self.root), flags={**given, "strategy": "structural", **named}, environment={})

    def run(self, fake: Any, request: EnrichRequest | None = None, **flags: Any) -> EnrichOutcome:
        return enrich(self.settings(fake, **flags), request or EnrichRequest(), Silent())

    def records(self, name: str) -> dict[str, Any]:
        value: dict[str, Any] = json.loads((self.root / "_enrichment" / f"{name}.json").read_bytes())
        return value


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setenv("INFOGRAPH_LLM_API_KEY", KEY)
    monkeypatch.setattr("infograph.remote.retries.wait_before", lambda *args: 0.0)
    monkeypatch.setattr("infograph.llm.asking.wait_before", lambda *args: 0.0)
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    return Site(tmp_path / "docs")


@pytest.fixture
def fake(endpoints: Any) -> Any:
    with endpoints.serving(endpoints.FakeEndpoint()) as server:
        yield server
