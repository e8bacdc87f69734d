"""What the graph's files say of the names that documents have."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from infograph.model import DocumentEntities, LinkedPages, Mention, SaidOfEntities, Stated
from infograph.pipeline.steps.graph import made_files
from infograph.search.format.graph_layout import MOST_OF_COMMON
from infograph.search.ranking.walking import MOST_CHUNKS
from infograph.search.writing.slots import assign_slots

Pages = Mapping[str, Sequence[Sequence[str]]]
"""Names of each chunk, by path of the page."""


def made(pages: Pages) -> dict[str, Any]:
    """The manifest and the contents of all shards, joined by their kind."""
    documents = {}
    for path, chunks in sorted(pages.items()):
        rows = tuple(tuple(Mention(name, "name", 1) for name in names) for names in chunks)
        documents[path] = DocumentEntities(rows, tuple(("", ()) for _ in rows), (), 0)
    found: dict[str, Any] = {"e": {}, "k": {}}
    for name, data in made_files(documents, set(), {}, {}, {}).items():
        if name == "manifest.json" or name.startswith("c-"):
            found[name] = json.loads(data)
        elif name[0] in found:
            found[name[0]] |= json.loads(zlib.decompress(data))
    return found


def test_a_name_of_one_page_is_counted_and_not_written() -> None:
    found = made({"a/one.md": [["Here", "Both"], ["Here"]], "a/two.md": [["Both"]]})
    assert found["e"].keys() == {"both"}
    assert [row for block in found["k"].values() for row in block] == [["both", 2], ["both", 2]]
    assert (found["manifest.json"]["entities"], found["manifest.json"]["written"]) == (2, 1)


def test_a_compound_is_no_way_on() -> None:
    rows = ((Mention("old mill", "compound", 3), Mention("Cresswell", "name", 1)),)
    documents = {
        f"a/{n}.md": DocumentEntities((*rows, (Mention(f"N {n}", "name", 1),)), (("", ()),) * 2, (), 0) for n in "12"
    }
    documents["b/3.md"] = DocumentEntities(
        ((Mention("old mill", "compound", 1), Mention("Cresswell", "name", 2)),), (("", ()),), (), 0
    )
    files = made_files(documents, {"old mill"}, {}, {}, {})
    said = json.loads(files["manifest.json"])
    assert (said["entities"], said["written"]) == (2, 1)
    (shard,) = (json.loads(zlib.decompress(data)) for name, data in files.items() if name[0] == "e")
    assert shard.keys() == {"cresswell"}


def test_versions_of_a_page_are_one_page() -> None:
    pages = {f"{n}/core/item.md": [["Same", f"Only In {n}"]] for n in range(4)}
    assert made(pages)["e"] == {} and made(pages)["k"] == {}
    assert made(pages | {"4/core/other.md": [["Same"]]})["e"].keys() == {"same"}


def test_a_common_name_is_not_followed_and_keeps_few_places() -> None:
    many = {f"a/p{n:02}.md": [["Common", f"Rare {n // 2}", f"Only In {n}"]] for n in range(MOST_CHUNKS + 2)}
    found = made(many)
    name, _, chunks, *_, places = found["e"]["common"]
    assert (name, chunks, len(places)) == ("Common", MOST_CHUNKS + 2, 2 * MOST_OF_COMMON)
    assert all(len(found["e"][f"rare {n}"][-1]) == 4 for n in range(MOST_CHUNKS // 2))
    assert not any("common" in row for block in found["k"].values() for row in block)


def test_a_name_that_is_its_key_is_written_once() -> None:
    found = made({"a/one.md": [["use_state", "cache", "here"]], "a/two.md": [["use_state", "cache"]]})
    assert {key: row[0] for key, row in found["e"].items()} == {"cache": "", "use state": "use_state"}
    slots = assign_slots(["a/one.md", "a/two.md"])
    assert found["e"]["cache"][-1] == [slots["a/one.md"], 0, slots["a/two.md"], 0]


@pytest.mark.parametrize("pages", [{}, {"a.md": []}, {"a.md": [[]]}, {"a.md": [["Alone"]]}])
def test_a_graph_of_nothing_or_of_one_name(pages: Pages) -> None:
    found = made(pages)
    assert found["e"] == found["k"] == {}
    assert found["manifest.json"]["entities"] == 0 and found["c-all.json"]["count"] == 0


def test_a_graph_of_one_node() -> None:
    found = made({f"a/{n}.md": [["Only One", f"Other {n}"]] for n in range(5)})
    assert found["e"].keys() == {"only one"}
    assert found["manifest.json"]["entities"] == 1 and found["manifest.json"]["relations"] == 0
    assert found["c-all.json"]["count"] == 0


def test_a_walk_may_follow_a_link_that_names_nothing() -> None:
    title = {"a/one.md": "Alpha Works", "b/two.md": "Beta Mill"}
    documents = {
        path: DocumentEntities(((Mention(name, "title", 1),), ()), (("", ()),) * 2, title=name)
        for path, name in title.items()
    }
    files = made_files(documents, set(), {}, {}, {"a/one.md": [(1, "b/two.md", "link")]})
    shards = {name[0]: json.loads(zlib.decompress(data)) for name, data in files.items() if name[0] in "ek"}
    slots = assign_slots(title)
    assert shards["e"].keys() == {"beta mill"}
    assert shards["e"]["beta mill"][-1] == [slots["b/two.md"], 0, slots["a/one.md"], 1]
    assert [row for block in shards["k"].values() for row in block if row] == [["beta mill", 2]] * 2


def test_linked_titles_are_neighbours() -> None:
    names = {"a/one.md": "Alpha Works", "b/two.md": "Beta Mill"}
    pages: Pages = {path: [[name], [name]] for path, name in names.items()} | {"c/x.md": [[*names.values()]]}
    documents = {
        path: DocumentEntities(
            tuple(tuple(Mention(name, "name", 1) for name in row) for row in rows),
            tuple(("", ()) for _ in rows),
            title=names.get(path, ""),
        )
        for path, rows in pages.items()
    }

    def neighbours(links: LinkedPages) -> list[str]:
        files = made_files(documents, set(), {}, {}, links)
        (shard,) = (json.loads(zlib.decompress(data)) for name, data in files.items() if name[0] == "e")
        found: list[str] = shard["alpha work"][4]
        return found

    assert neighbours({}) == []
    assert neighbours({"a/one.md": [(0, "b/two.md", "title")]}) == ["beta mill"]


def test_what_a_model_said_stands_beside_the_entities_that_lead_on() -> None:
    said = SaidOfEntities(
        ((0, "Alpha", "A tool."), (0, "Inner", "No page but one has it.")),
        (Stated(0, "Alpha", "runs on", "Beta"), Stated(0, "Alpha", "has", "Inner"), Stated(0, "Beta", "is", "Alone")),
        ("m",),
    )
    rows = {"a/one.md": [["Alpha", "Beta", "Inner"], ["Inner", "x"]], "b/two.md": [["Alpha", "Beta", "Alone"]]}
    documents = {
        path: DocumentEntities(
            tuple(tuple(Mention(name, "TECH", 1) for name in row) for row in own),
            tuple(("", ()) for _ in own),
            said=said if path == "a/one.md" else SaidOfEntities(),
        )
        for path, own in rows.items()
    }
    files = made_files(documents, set(), {}, {}, {})
    shards = {name[0]: json.loads(zlib.decompress(data)) for name, data in files.items() if name[0] in "er"}
    slot = assign_slots(rows)["a/one.md"]
    assert shards["r"] == {
        "alpha": ["A tool.", "m", [[1, "runs on", "beta", 2, slot, 0]]],
        "beta": ["", "m", [[0, "runs on", "alpha", 2, slot, 0]]],
    }
    manifest = json.loads(files["manifest.json"])
    assert (manifest["stated"], manifest["unlinked"]) == (2, 1)
    assert shards["e"]["alpha"][4] == ["beta"], "they are neighbours, too"
    plain = made_files(
        {path: replace(own, said=SaidOfEntities()) for path, own in documents.items()}, set(), {}, {}, {}
    )
    assert not [name for name in plain if name.startswith("r-")]
    assert not {"said_shards", "stated", "unlinked"} & json.loads(plain["manifest.json"]).keys()
    assert "related" not in json.loads(plain["manifest.json"])["walk"]
