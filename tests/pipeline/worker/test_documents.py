"""Which chunk of a document is its technical baseline."""

from __future__ import annotations

import pytest

from infograph.chunking.quick_reference import is_quick_reference
from infograph.errors import ConfigError
from infograph.pipeline.worker.documents import different, digests_of, technical_baseline


@pytest.mark.parametrize(
    "title",
    [
        "Quick Reference",
        "quick-reference",
        "Quickref",
        "QUICK REFERENCE:",
        "API Reference",
        "API reference (v2)",
        "API",
        "Reference",
        "References",
        "Cheat sheet",
        "Cheatsheet",
        "CLI reference",
        "Command-line reference",
        "Configuration reference",
        "Options reference",
        "Quick reference: types",
        "The API reference of the client",
        "Reference card",
        "At a glance",
        "API docs",
    ],
)
def test_quick_references(title: str) -> None:
    assert is_quick_reference(title)
    assert technical_baseline(["Overview", title]) == 1


@pytest.mark.parametrize(
    "title",
    [
        "Overview",
        "Quick start",
        "Quickstart",
        "Getting started",
        "Object references in C",
        "References to variables",
        "Rapid API design",
        "Preference",
        "Why an API",
        "Cross-reference your pages",
        "",
        "Usage",
    ],
)
def test_other_titles(title: str) -> None:
    assert not is_quick_reference(title)
    assert technical_baseline(["Overview", title]) is None


def test_only_chunk_1_counts() -> None:
    assert technical_baseline([]) is None
    assert technical_baseline(["Quick Reference"]) is None
    assert technical_baseline(["Quick Reference", "Usage", "Quick Reference"]) is None


def test_first_code() -> None:
    titles = ["Overview", "Usage", "Example"]
    assert technical_baseline(titles, [True, False, True], "first-code") == 2
    assert technical_baseline(titles, [True, False, False], "first-code") is None
    assert technical_baseline(["Overview", "API", "Example"], [False, False, True], "first-code") == 1
    with pytest.raises(ConfigError, match="Valid: title, first-code"):
        technical_baseline(titles, [], "last")


def test_texts_are_counted_once_whatever_document_has_them() -> None:
    documents = [["one", "two"], [], ["two", "three", "two"], ["é\n"]]
    assert different(map(digests_of, documents)) == (6, 4)
    assert different([]) == (0, 0)
