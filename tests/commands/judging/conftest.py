"""A small tree with questions and answers to them, and an endpoint that finds claims in texts by their last word."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from infograph.cli import main

KEY = "AKIA" + "Q3EXAMPLEKEY2345"
PAGES = {
    "vectors.md": f"# Vectors\n\nThe cache holds 512 vectors, with the key {KEY} in it.\n",
    "places.md": "# Places\n\nIt lies beside the sources of the tree, in a folder of its own.\n",
    "model.md": "# Model\n\nThe model has ninety megabytes and runs on a processor.\n",
}
ASKED = [
    {"id": "q1", "question": "How many vectors?", "gold": [{"file": "vectors.md"}], "answer": "512 vectors are held."},
    {"id": "q2", "question": "Where does the cache lie?", "gold": [{"file": "places.md"}]},
]
ANSWERS = [
    {"id": "q1", "answer": "There is room for 512 vectors. That is the number of all elephants."},
    {"id": "q2", "answer": "You find it next to the sources."},
]


def lines(*values: dict[str, Any]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def shown(prompt: str) -> list[str]:
    """What stands between two lines with the same code."""
    return [text for _, text in re.findall(r"^([0-9a-f]{16})\n(.*?)\n\1$", prompt, re.MULTILINE | re.DOTALL)]


def looking(exchange: Any) -> str:
    """Says that a text supports a claim where it has the claim's last word."""
    *texts, _, claims = shown(exchange.prompt)
    entries = []
    for number, claim in enumerate(re.findall(r"^\d+\. (.*)$", claims, re.MULTILINE), 1):
        word = claim.rstrip(".").split()[-1]
        entries.append({"claim": number, "texts": [at for at, text in enumerate(texts, 1) if word in text]})
    return json.dumps({"claims": entries})


class Judged:
    """A tree, and evaluations of it with a judge."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "docs"
        self.root.mkdir()
        for name, text in PAGES.items():
            (self.root / name).write_text(text, "utf-8")
        (self.root / "questions.jsonl").write_text(lines(*ASKED), "utf-8")
        self.answers = folder / "answers.jsonl"
        self.answers.write_text(lines(*ANSWERS), "utf-8")
        self.verdicts = folder / "answers.judged.jsonl"

    def run(self, fake: Any, *options: str, form: str = "openai-compatible", **settings: Any) -> Result:
        given = {"provider": form, "base_url": fake.url, "model": "fake-1", "retries": 0, **settings}
        (self.root / "infograph.toml").write_text(
            "[llm]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in given.items()), "utf-8"
        )
        named = ["--answers", str(self.answers), "--judge", "--retriever", "bm25", "--model", "static", *options]
        return CliRunner().invoke(main, ["eval", str(self.root), *named])

    def json(self, fake: Any, *options: str, **settings: Any) -> dict[str, Any]:
        result = self.run(fake, "--json", *options, **settings)
        return dict(json.loads(result.stdout))


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Judged:
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    return Judged(tmp_path)


@pytest.fixture
def fake(endpoints: Any) -> Any:
    with endpoints.serving(endpoints.FakeEndpoint(answer=looking)) as server:
        yield server
