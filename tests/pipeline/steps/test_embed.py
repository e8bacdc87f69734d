"""What a person is told before a model runs for long."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from infograph.build import build
from infograph.config import load
from infograph.pipeline.context import SlowModel
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


def test_a_build_waits_for_the_model_no_longer_than_it_is_told(tmp_path: Path, write_tree, quick) -> None:
    """What it would have to embed is in the error; nothing is published, and the next build does all of it."""
    root = write_tree(tmp_path / "docs", {"a.md": "# A\n\nOne page.\n", "b.md": "# B\n\nAnother.\n"})
    settings = load(str(root), environment={})
    build(settings)
    (root / "b.md").write_text("# B\n\nAnother text.\n")
    quick.seconds, seen = 95.0, len(quick.seen)
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file() and path.name != "lock"}
    with pytest.raises(SlowModel) as caught:
        build(settings, patience=94.0)
    assert (caught.value.missing, caught.value.seconds) == (1, 95.0)
    (file,) = caught.value.files
    assert file.texts == ["B\n\n# B\n\nAnother text.\n"]
    assert file.file_hash == hashlib.sha256((root / "b.md").read_bytes()).hexdigest()
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert not (root / ".infograph" / "staging").exists() and len(quick.seen) == seen
    assert build(settings, patience=95.0).embedded == 1
    assert build(settings, patience=0.0).embedded == 0


def test_no_build_is_cut_short_whose_vectors_nobody_else_may_make(
    tmp_path: Path, write_tree, quick, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check keeps nothing, and in batches the vectors are those of this build alone."""
    root = write_tree(tmp_path / "docs", {"a.md": "# A\n\nOne page.\n"})
    quick.seconds = 95.0
    assert build(load(str(root), environment={}), check=True, patience=1.0).stale
    monkeypatch.setattr(quick, "batch", 8, raising=False)
    assert build(load(str(root), flags={"embedding.batch": 8}, environment={}), patience=1.0).embedded == 1
