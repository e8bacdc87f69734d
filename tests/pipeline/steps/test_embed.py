"""What a person is told before a model runs for long."""

from __future__ import annotations

from pathlib import Path

import pytest

from infograph.build import build
from infograph.config import load
from infograph.progress import Silent


class Words(Silent):
    """A reporter that keeps what is said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, message: str) -> None:
        self.said.append(message)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, []),
        (59.0, []),
        (
            95.0,
            [
                "Embedding 2 texts with words will take about 1:35 min; each is embedded once and remembered. "
                "`--model static` takes seconds."
            ],
        ),
    ],
)
def test_a_long_build_is_announced(tmp_path: Path, write_tree, quick, seconds: float | None, said: list[str]) -> None:
    root = write_tree(tmp_path / "docs", {"a.md": "# A\n\nOne page.\n", "b.md": "# B\n\nAnother.\n"})
    quick.seconds = seconds
    words = Words()
    build(load(str(root), environment={}), words)
    assert words.said == said
