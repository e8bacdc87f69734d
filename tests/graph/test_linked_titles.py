"""Links between pages: the titles that they relate, and the chunks that name a title by an address alone."""

from __future__ import annotations

import numpy as np
import pytest

from infograph.graph.entities import LINK, gather
from infograph.graph.linked_titles import linked_titles, with_links
from infograph.graph.relations import STEPS, relations
from infograph.model import DocumentEntities, LinkedPages, Mention


def page(title: str, *chunks: str) -> DocumentEntities:
    """Chunks, each with its names separated by bars; the title stands in the first."""
    rows = [[Mention(name, "name", 1) for name in chunk.split("|") if name] for chunk in chunks or ("",)]
    rows[0].insert(0, Mention(title, "title", 1))
    return DocumentEntities(tuple(map(tuple, rows)), tuple(("", ()) for _ in rows), title=title)


def related(documents: dict[str, DocumentEntities], links: LinkedPages) -> dict[tuple[str, str], int]:
    """Weights of the relations, by the keys of the two."""
    documents = with_links(documents, links)
    numbered, at = [], 0
    for document in documents.values():
        numbered.append((at, document))
        at += len(document.chunks)
    entities = gather(numbered, at, {}, ())
    graph = relations(entities, linked_titles(entities, documents, links))
    ends = zip(graph.sources.tolist(), graph.neighbours.tolist(), graph.weights.tolist(), strict=True)
    return {(entities.keys[a], entities.keys[b]): weight for a, b, weight in ends if a < b}


def test_an_address_names_the_title_of_the_page_behind_it() -> None:
    documents = {"a.md": page("Alpha", "x", "y"), "b.md": page("Beta Works")}
    found = with_links(documents, {"a.md": [(1, "b.md", "link")], "b.md": [(0, "a.md", "relation")]})
    assert found["a.md"].chunks == (
        documents["a.md"].chunks[0],
        (Mention("y", "name", 1), Mention("Beta Works", LINK, 1)),
    )
    assert found["b.md"].chunks[0][-1] == Mention("Alpha", LINK, 1)
    assert found["a.md"].sentences == documents["a.md"].sentences


def test_what_a_chunk_writes_is_no_second_name() -> None:
    documents = {"a.md": page("Alpha", "x", "beta works"), "b.md": page("Beta Works")}
    links = {"a.md": [(0, "b.md", "title"), (0, "b.md", "identifier"), (1, "b.md", "link")]}
    assert with_links(documents, links) == documents


def test_links_to_what_has_no_name_and_from_what_is_not_there_are_nothing() -> None:
    documents = {"a.md": page("Alpha"), "b.md": DocumentEntities(((),), (("", ()),))}
    links = {
        "a.md": [(0, "b.md", "link"), (0, "gone.md", "link"), (9, "b.md", "link")],
        "gone.md": [(0, "a.md", "link")],
    }
    assert with_links(documents, links) == documents
    assert related(documents, links) == {}


def test_two_links_to_one_title_are_one_name() -> None:
    documents = {"a.md": page("Alpha"), "b.md": page("Beta"), "c.md": page("BETA")}
    found = with_links(documents, {"a.md": [(0, "b.md", "link"), (0, "c.md", "link")]})
    assert [mention.name for mention in found["a.md"].chunks[0]] == ["Alpha", "Beta"]


def test_titles_of_pages_that_lead_to_each_other_are_related() -> None:
    documents = {f"{name}.md": page(f"{name} Works") for name in "ABCD"}
    star = {"A.md": [(0, f"{name}.md", "link") for name in "BCD"]}
    assert related(documents, star) == {}, "the first title stands in one chunk only"

    documents = {path: page(document.title, "", document.title) for path, document in documents.items()}
    weights = related(documents, star | {"B.md": [(0, "A.md", "title")]})
    # Three pairs, both directions counting once: 2 · 3 / (3 · 1) is one bit. In so small a graph all weigh the same.
    assert weights == {("a work", f"{name} work"): 1 for name in "bcd"}

    chain = related(documents, {"A.md": [(0, "B.md", "title")], "B.md": [(0, "C.md", "title"), (0, "D.md", "title")]})
    assert chain.keys() == {("a work", "b work"), ("b work", "c work"), ("b work", "d work")}


def test_the_weight_of_a_link_is_the_less_the_more_its_ends_have() -> None:
    keys = [f"P{n} Works" for n in range(6)]
    documents = {f"{n}.md": page(key, "", key) for n, key in enumerate(keys)}
    links = {"0.md": [(0, f"{n}.md", "title") for n in (1, 2, 3)], "4.md": [(0, "5.md", "title")]}
    documents = with_links(documents, links)
    entities = gather([(2 * n, document) for n, document in enumerate(documents.values())], 12, {}, ())
    first, second, weights = linked_titles(entities, documents, links)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 1), (0, 2), (0, 3), (4, 5)]
    assert weights.tolist() == [int(STEPS * np.log2(8 / 3)), *[int(STEPS * np.log2(8 / 3))] * 2, STEPS * 3]


def test_an_alias_is_related_as_what_it_stands_for() -> None:
    documents = {"a.md": page("XHR", "", "Sharing"), "b.md": page("Preflight", "", "Preflight")}
    links = {"b.md": [(0, "a.md", "title")]}
    numbered = [(0, documents["a.md"]), (2, documents["b.md"])]
    entities = gather(numbered, 4, {"xhr": "sharing"}, ())
    first, second, _ = linked_titles(entities, documents, links)
    assert [entities.keys[number] for number in (*first, *second)] == ["preflight", "sharing"]


@pytest.mark.slow
def test_a_million_links_are_counted_once_each() -> None:
    count, each = 4_000, 250
    documents = {f"{n:04}.md": page(f"Page {n} Works", "", f"Page {n} Works") for n in range(count)}
    links = {
        path: [(1, f"{(n + k + 1) % count:04}.md", "link") for k in range(each)] for n, path in enumerate(documents)
    }
    found = with_links(documents, links)
    assert all(len(document.chunks[1]) == each + 1 for document in found.values())
    entities = gather([(2 * n, document) for n, document in enumerate(found.values())], 2 * count, {}, ())
    first, _, weights = linked_titles(entities, found, links)
    assert len(first) == count * each and set(weights.tolist()) == {int(STEPS * np.log2(count / 2 / each))}
