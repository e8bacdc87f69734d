"""The line that says how far a run is."""

from __future__ import annotations

from typing import Any

import pytest

from infograph.commands.enrich import run
from infograph.commands.enrich.request import EnrichRequest
from infograph.commands.enrich.spent import progress_text
from infograph.progress import Silent


@pytest.mark.parametrize(
    ("finished", "seconds", "left"),
    [(1, 9.0, "81 s"), (1, 60.0, "9 min"), (1, 3600.0, "9.0 h"), (0, 9.0, "")],
)
def test_time_and_money_left(finished: int, seconds: float, left: str) -> None:
    line = progress_text(finished, 10, 1234, "0.4200 of 2.50", seconds)
    assert line == f"{finished} of 10 documents · 1,234 calls · cost 0.4200 of 2.50{left and f' · about {left} left'}"


def test_a_run_tells_it(site: Any, fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infograph.commands.enrich.run.TOLD_EVERY", 0.0)
    said: list[str] = []

    class Listener(Silent):
        def say(self, message: str) -> None:
            said.append(message)

    text = "# Page\n\n" + "".join(f"## Part {n}\n\n{f'word{n} turns. ' * 150}\n\n" for n in range(3))
    site.write(a=text, b=text, c=text)
    prices = {"input": 1.0, "output": 1.0}
    settings = site.settings(fake, llm__prices=prices, llm__max_cost=5.0, llm__concurrency=1)
    outcome = run.enrich(settings, EnrichRequest(), Listener())
    assert len(said) == outcome.asked
    assert said[-1].startswith(f"2 of 3 documents · {fake.calls} calls · cost 0.") and " of 5.00 · about" in said[-1]
