"""A document between two steps of a save is neither gone nor empty."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import infograph.build
from infograph.config import load
from infograph.pipeline.steps.cut import setup_of
from infograph.pipeline.worker.worker import Worker


def settings_of(docs: Path) -> Any:
    return load(str(docs), environment={}, flags={"model": "words"})


@pytest.mark.slow
def test_a_document_renamed_away_for_a_moment_is_kept(
    docs: Path, word_counts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    infograph.build.build(settings_of(docs))
    page = docs / "guide" / "intro.md"
    backup = page.rename(docs / "guide" / "intro.md~")
    monkeypatch.setattr(time, "sleep", lambda seconds: page.write_bytes(backup.read_bytes()))
    summary = infograph.build.build(settings_of(docs))
    assert (summary.documents, summary.removed) == (3, 0)


@pytest.mark.parametrize("step", ["emptied", "gone"])
def test_a_document_caught_in_a_save_is_read_again(docs: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    page = docs / "guide" / "intro.md"
    page.write_text("") if step == "emptied" else page.unlink()
    worker = Worker("0", setup_of(settings_of(docs), "a-build", dry=True))
    monkeypatch.setattr(time, "sleep", lambda seconds: page.write_text("# Saved\n"))
    result = worker.process("guide/intro.md")
    assert result.error is None and result.record is not None
    assert result.record.title == "Saved"


def test_a_document_that_stays_empty_is_an_empty_document(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs / "guide" / "intro.md").write_text("")
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    worker = Worker("0", setup_of(settings_of(docs), "a-build", dry=True))
    assert worker.process("guide/intro.md").error is None


def test_a_document_that_stays_gone_is_an_error(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs / "guide" / "intro.md").unlink()
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    worker = Worker("0", setup_of(settings_of(docs), "a-build", dry=True))
    assert "No such file" in str(worker.process("guide/intro.md").error)
