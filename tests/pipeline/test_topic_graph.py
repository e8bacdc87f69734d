"""Topics among topics."""

from __future__ import annotations

import pytest

from infograph.index import ChildTopic
from infograph.pipeline.memory.records import DocumentRecord
from infograph.pipeline.topic_graph import describe, outline


def document(name: str, title: str, description: str = "") -> DocumentRecord:
    return DocumentRecord(f"pay/{name}", "", 0, title, description, [], None, [], b"")


ANNEX, ZEBRA = document("annex.md", "Annex", "Of no interest."), document("zebra.md", "Zebra", "How to pay.")


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        ([ANNEX, ZEBRA, document("README.md", "Payment", "All about it.")], ("Payment", "All about it.")),
        ([ANNEX, ZEBRA, document("overview.md", "Payment")], ("Payment", "")),
        ([ZEBRA], ("Zebra", "How to pay.")),
        ([ANNEX, ZEBRA], ("Pay", "Annex, Zebra")),
        ([], ("Pay", "")),
    ],
)
def test_the_document_that_speaks_for_a_topic(documents: list[DocumentRecord], said: tuple[str, str]) -> None:
    """No other does: its first words are about something else."""
    assert describe("pay", documents, "") == said


def test_a_root_without_such_a_document_has_the_name_of_the_site() -> None:
    documents = [document("a.md", "A"), document("b.md", "B")]
    assert describe("", documents, "Pay") == ("Pay", "A, B")
    assert describe("", documents, "") == ("Documentation", "A, B")
    assert describe("guide", documents, "Pay") == ("Guide", "A, B")


def test_long_lists_of_titles_are_cut() -> None:
    _, description = describe("pay", [document(f"{n}.md", f"Title {n}") for n in range(99)], "")
    assert len(description) <= 300 and description.startswith("Title 0, Title 1, ") and description.endswith("…")


def test_outline_has_every_topic_below_a_child_of_the_root_the_nearer_ones_first() -> None:
    def topic(id: str) -> ChildTopic:
        return ChildTopic(id, id, "", 1, 1, 0)

    names = {"": ["a", "b"], "a": ["a/x", "a/y"], "a/x": ["a/x/1"], "a/x/1": [], "a/y": [], "b": []}
    children = {name: [topic(child) for child in below] for name, below in names.items()}
    found = [(section.id, [child.id for child in below]) for section, below in outline(children)]
    assert found == [("a", ["a/x", "a/y", "a/x/1"]), ("b", [])]
