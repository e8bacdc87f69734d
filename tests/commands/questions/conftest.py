"""Six pages in two topics whose passages share names, and an endpoint that copies its answers from them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from infograph.commands.questions.run import QuestionsOutcome, QuestionsRequest, make_questions
from infograph.config import load
from infograph.progress import Silent


def copying(exchange: Any) -> str:
    """Answers with the first words of each passage that was shown."""
    passages = re.findall(r"^([0-9a-f]{16})\n(.*?)\n\1$", exchange.prompt, re.MULTILINE | re.DOTALL)
    texts = [re.sub(r"^#.*$", "", text, flags=re.MULTILINE).strip() for _, text in passages]
    if "from this passage alone" in exchange.prompt:
        return json.dumps({"answer": ""})
    said = [" ".join(text.split("\n")[0].split()[:6]) for text in texts]
    asked = f"Who or what is told of in place {exchange.prompt.count('e')} of {texts[0].split()[-1]} there?"
    pair = {"question": asked, "answer": said[0]} | ({"support": said[1]} if said[1:] else {})
    return json.dumps({"pairs": [pair]})


class Asked:
    """A tree, and questions about it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.out = root.parent / "questions.jsonl"

    def settings(self, fake: Any, **flags: Any) -> Any:
        given = {"llm.base_url": fake.url, "llm.provider": "openai-compatible", "llm.model": "fake-1", "llm.retries": 1}
        named = {name.replace("__", "."): value for name, value in flags.items()}
        return load(str(self.root), flags=given | named, environment={})

    def run(self, fake: Any, flags: dict[str, Any] | None = None, **options: Any) -> QuestionsOutcome:
        request = QuestionsRequest(**{"out": str(self.out), "words": 60, "least": 20, **options})
        return make_questions(self.settings(fake, **(flags or {})), request, Silent(), sleep=lambda seconds: None)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.read_text("utf-8").splitlines()]

    def text(self, name: str) -> str:
        return (self.root / name).read_text("utf-8")


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    root = tmp_path / "docs"
    for number in range(6):
        topic = root / ("guide" if number < 3 else "reference")
        topic.mkdir(parents=True, exist_ok=True)
        shared = ("Ada Lovelace", "Alan Turing", "Grace Hopper")[number // 2]
        parts = [f"# Page {number}\n\nThis page of {number} is short, as é shows.\n"]
        for part in range(2):
            words = " ".join(f"word{number}x{part}x{n}" for n in range(60))
            said = f"Here the wheel of {shared} turns in room {number}{part}."
            parts.append(f"## Part {part} of {number}\n\n{said} {words}\n")
        (topic / f"page{number}.md").write_text("\n".join(parts), "utf-8")
    return Asked(root)


@pytest.fixture
def fake(endpoints: Any) -> Any:
    with endpoints.serving(endpoints.FakeEndpoint(answer=copying)) as server:
        yield server
