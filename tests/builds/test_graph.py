"""The graph of entities of a build that does only what changed is that of a build from nothing."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.client import Client
from infograph.client.answers import communities_text
from infograph.commands.check.crawl import check
from infograph.errors import ConfigError, FormatError
from infograph.formats.alias_table import parse_aliases
from infograph.formats.chunk_file import parse as parse_chunk
from infograph.formats.enrichment import EnrichmentFile, EnrichmentRecord, render
from infograph.formats.names import ALIASES, GRAPH_MANIFEST, PRIVATE, SEARCH_MANIFEST
from infograph.pipeline.memory.entities import ENTITIES
from infograph.search.format.layout import split_names

Tree = Any
ON = '[keywords]\nper_topic = 40\n[graph]\nentities = "terms"\n'


MAKERS = ("Brigham Works", "Corliss Brothers", "Hargreaves Mill", "Newcomen Yard")
PARTS = ("Watt Governor", "Savery Pump", "Crompton Mule", "Cugnot Wheel")


def pages(count: int = 24) -> dict[str, str]:
    """Pages on machines, each of one of four makers who use one part; an acronym and a tag are in all."""
    found = {}
    for n in range(count):
        maker, part = MAKERS[n % 4], PARTS[n % 4]
        found[f"part{n % 3}/machine-{n}.md"] = (
            f"---\nkeywords: [machinery]\n---\n# Machine {n}\n\n"
            f"The old machine was built by {maker} in the year {1800 + n}, and runs `drive_shaft_{n % 4}`.\n\n"
            f"It was repaired with a {part} by {maker}, times {n}. A Central Boiler Controller (CBC) watches it.\n"
        )
    found["start.md"] = "# The Beginning\n\nRead [this](part0/machine-0.md), then [that](part2/machine-5.md#x).\n"
    return found


@pytest.fixture(params=[pytest.param("in place", marks=pytest.mark.slow), "elsewhere"])
def tree(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    make_tree: type[Tree],
    write_tree: Callable[..., Path],
    quick: object,
) -> Tree:
    made = make_tree(tmp_path, request.param == "elsewhere")
    made.settings = ON
    write_tree(made.root, pages())
    made.build()
    return made


def manifest(tree: Tree) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((tree.out / GRAPH_MANIFEST).read_bytes())
    return found


def assert_same(mine: dict[str, bytes], clean: dict[str, bytes]) -> None:
    """But for files that earlier builds left for readers in the middle of their publications."""
    late = {name for name in mine if re.fullmatch(r"_(search|graph)/[a-z]-[0-9a-f]{16}\.(z|json)", name)} - clean.keys()
    assert {name: data for name, data in mine.items() if name not in late} == clean


def edit(tree: Tree) -> None:
    path = tree.root / "part1/machine-4.md"
    path.write_text(path.read_text().replace("Watt Governor", "Savery Pump"))


def add(tree: Tree) -> None:
    (tree.root / "part2/more.md").write_text("# More\n\nWhat Brigham Works made with a Savery Pump.\n")


def delete(tree: Tree) -> None:
    (tree.root / "part0/machine-0.md").unlink()


def rename(tree: Tree) -> None:
    (tree.root / "part0/machine-3.md").rename(tree.root / "part1/moved.md")


def empty(tree: Tree) -> None:
    (tree.root / "part0/machine-6.md").write_text("")


def many(tree: Tree) -> None:
    """So many that all slots are others."""
    for name, text in pages(40).items():
        (tree.root / name).write_text(text)


def retitle(tree: Tree) -> None:
    """The page that says who leads to it is another one."""
    path = tree.root / "part2/machine-5.md"
    path.write_text(path.read_text().replace("# Machine 5", "# The Great Wheel"))


def lead(tree: Tree) -> None:
    """A page leads on that did not, by an address alone."""
    path = tree.root / "part1/machine-4.md"
    path.write_text(path.read_text() + "\nMore is [here](../start.md).\n")


def lead_no_more(tree: Tree) -> None:
    (tree.root / "start.md").write_text("# The Beginning\n\nRead it.\n")


@pytest.mark.slow
@pytest.mark.parametrize("change", [edit, add, delete, rename, empty, many, retitle, lead, lead_no_more])
def test_incremental_is_clean(tree: Tree, change: Callable[[Tree], None]) -> None:
    before = manifest(tree)
    assert before["entities"] > 5 and before["relations"] > 3 and before["communities"]["count"] >= 1
    change(tree)
    tree.build()
    assert tree.outputs().keys() >= {GRAPH_MANIFEST, ALIASES}
    assert_same(tree.outputs(), tree.clean())


def test_a_relation_goes_with_its_last_chunks(tree: Tree) -> None:
    names = (tree.out / "_graph").glob("c-*.json")
    assert any("Watt Governor" in path.read_text() for path in names)
    for path in tree.root.rglob("*.md"):
        if "Watt" in path.read_text() and "_chunks" not in path.parts and path.parent.name.startswith("part"):
            path.write_text(path.read_text().replace("Watt Governor", "common governor"))
    tree.build()
    every = tree.out / "_graph" / manifest(tree)["communities"]["href"]
    current = {child["href"] for child in json.loads(every.read_bytes())["_links"]["infograph:community"]}
    assert current and not any("Watt Governor" in (tree.out / "_graph" / name).read_text() for name in current)


def entity(tree: Tree, key: str) -> Any:
    """An entity of the shards that the manifest names."""
    names = split_names(manifest(tree)["entity_shards"]["names"])
    shards = [json.loads(zlib.decompress((tree.out / f"_graph/{name}").read_bytes())) for name in names if name]
    return next((shard[key] for shard in shards if key in shard), None)


def test_links_are_known_to_a_build_that_makes_the_graph_alone(tree: Tree) -> None:
    assert len(entity(tree, "machine 5")[-1]) == 4, "its own chunk, and the one that leads to it"
    path = tree.out / ALIASES
    path.write_text(path.read_text() + "| Brigham Works | Savery Pump | yes |\n")
    tree.build()
    assert len(entity(tree, "machine 5")[-1]) == 4 and entity(tree, "brigham work") == "savery pump"
    lead_no_more(tree)
    tree.build()
    assert entity(tree, "machine 5") is None


def test_a_file_that_is_gone_is_made_again(tree: Tree) -> None:
    whole = tree.outputs()
    next((tree.out / "_graph").glob("e-*.z")).unlink()
    tree.build()
    assert tree.outputs() == whole


def test_aliases_that_a_person_pins_stay_and_hold(tree: Tree) -> None:
    path = tree.out / ALIASES
    assert "| CBC | Central Boiler Controller |" in path.read_text()
    entities = manifest(tree)["entities"]
    path.write_text(path.read_text() + "| Brigham Works | Savery Pump | yes |\n")
    tree.build()
    assert manifest(tree)["entities"] == entities - 1
    assert "| Brigham Works | Savery Pump | yes |" in path.read_text()
    add(tree)
    tree.build()
    assert "| Brigham Works | Savery Pump | yes |" in path.read_text()


def led_to(tree: Tree) -> Path:
    """The manifest of the graph that the bundle leads to, which is the newest one."""
    said = json.loads((tree.out / SEARCH_MANIFEST).read_bytes())["graph"]
    path: Path = tree.out / SEARCH_MANIFEST.replace("manifest.json", said["href"])
    data = path.read_bytes()
    assert hashlib.sha256(data).hexdigest() == said["sha256"]
    assert data == (tree.out / GRAPH_MANIFEST).read_bytes()
    return path.resolve()


def test_the_bundle_leads_to_the_graph_of_its_publication(tree: Tree) -> None:
    first = led_to(tree)
    path = tree.out / ALIASES
    path.write_text(path.read_text() + "| Brigham Works | Savery Pump | yes |\n")
    tree.build()  # the graph alone
    second = led_to(tree)
    edit(tree)
    tree.build()
    assert len({first, second, led_to(tree)}) == 3
    assert first.exists() and second.exists()
    add(tree)
    tree.build()
    led_to(tree)
    assert not first.exists() and second.exists()
    assert check(str(tree.out)).ok


def test_a_graph_that_the_bundle_does_not_mean_is_told(tree: Tree) -> None:
    path = led_to(tree)
    path.write_bytes(path.read_bytes().replace(b'"format":1', b'"format": 1'))
    assert [(own.kind, own.url) for own in check(str(tree.out)).problems] == [("hash", f"_graph/{path.name}")]
    path.unlink()
    assert [(own.kind, own.url) for own in check(str(tree.out)).problems] == [("missing", f"_graph/{path.name}")]


ROWS = ("|  | B | yes |", "| A | B | yes |\n| A | C | yes |")


@pytest.mark.parametrize(
    "row", ["| x |", "| A | B | perhaps |", *(pytest.param(row, marks=pytest.mark.slow) for row in ROWS)]
)
def test_a_table_of_aliases_that_does_not_parse_is_named_and_left_alone(tree: Tree, row: str) -> None:
    path = tree.out / ALIASES
    path.write_text(text := path.read_text() + row + "\n")
    if row == "| x |":
        tree.build()  # cells may be missing: nothing is pinned
        return
    with pytest.raises(FormatError, match=r"_graph/aliases\.md:\d+"):
        tree.build()
    assert path.read_text() == text


def publish_more(tree: Tree) -> None:
    """Publishes as often as what an index of an `--out` tree led to stays."""
    for number in range(2 * tree.elsewhere):
        (tree.root / "last.md").write_text(f"# Last {number}\n")
        tree.build()


@pytest.mark.slow
def test_pinned_aliases_outlive_the_graph(tree: Tree) -> None:
    path = tree.out / ALIASES
    path.write_text(path.read_text() + "| Brigham | Brigham Works | yes |\n")
    tree.build()
    tree.settings = "[keywords]\nper_topic = 40\n"
    tree.build()
    publish_more(tree)
    assert {name for name in tree.files() if name.startswith("_graph/")} == {ALIASES}
    tree.settings = ON
    tree.build()
    assert "| Brigham | Brigham Works | yes |" in path.read_text()


@pytest.mark.slow
def test_nothing_is_left_where_the_graph_is_turned_off(tree: Tree) -> None:
    tree.settings = "[keywords]\nper_topic = 40\n"
    tree.build()
    publish_more(tree)
    assert not [name for name in tree.files() if name.startswith("_graph/")]
    assert not list(tree.load().memory.glob(ENTITIES))


@pytest.mark.slow
def test_a_memory_that_is_torn_costs_nothing_but_time(tree: Tree) -> None:
    (tree.load().memory / ENTITIES).write_bytes(b"torn")
    edit(tree)
    tree.build()
    assert_same(tree.outputs(), tree.clean())


def test_a_graph_without_search_is_refused(tree: Tree) -> None:
    tree.settings = ON + "[search]\nenabled = false\n"
    with pytest.raises(ConfigError, match=r"graph\.entities.*search\.enabled"):
        tree.build()
    tree.settings = '[graph]\nentities = "words"\n'
    with pytest.raises(ConfigError, match=r"must be off, terms or records, not 'words'"):
        tree.build()


def test_a_tree_without_names_has_an_empty_graph(
    tmp_path: Path, make_tree: type[Tree], write_tree: Callable[..., Path], quick: object
) -> None:
    made = make_tree(tmp_path)
    made.settings = ON
    write_tree(made.root, {"a.md": "nothing of note\n", "b.md": "# One\n\n`Alone` is One.\n"})
    made.build()
    found = manifest(made)
    assert (found["relations"], found["communities"]["count"]) == (0, 0)
    assert PRIVATE not in json.dumps(found)


MARKUP = ("<script>alert(1)</script>", "**Bold**", "A | B", "[[Wiki]]", "&lt;b&gt;", "\u202eOver", "`Code`", '"; drop')


def hostile(count: int = 40) -> dict[str, str]:
    """A circle of links, a page that names and links every other, and names with markup in titles, prose and code."""
    found = {}
    for n in range(count):
        odd = MARKUP[n % len(MARKUP)]
        found[f"ring/page-{n}.md"] = (
            f"# {odd} Ring {n // 4}\n\nFrom [the last one](page-{(n - 1) % count}.md) to "
            f"[the next](page-{(n + 1) % count}.md), by Ring Road and `{odd}`.\n\n"
            f"The page of {odd} Ring {n // 4} has a Broken {odd} Name {n % 5}, says Page Zero ({odd}).\n"
        )
    links = "\n".join(f"- [{odd}](ring/page-{n}.md) and {odd} Ring {n // 4}" for n, odd in enumerate(MARKUP * 5))
    return found | {"index.md": f"# Every page\n\n{links}\n"}


@pytest.mark.slow
def test_circles_lists_of_everything_and_markup_cost_nothing(
    tmp_path: Path, make_tree: type[Tree], write_tree: Callable[..., Path], quick: object
) -> None:
    made = make_tree(tmp_path)
    made.settings = ON
    write_tree(made.root, hostile())
    assert list(made.build().errors) == []
    outputs = made.outputs()
    assert outputs == made.clean()
    assert parse_aliases(ALIASES, outputs[ALIASES]) == []
    assert manifest(made)["entities"] > 10
    for name, data in outputs.items():
        if name.startswith("_graph/c-") and name != "_graph/c-all.json":
            found = json.loads(data)
            assert 0 < len(found["entities"]) <= 12 and all(len(entity) <= 200 for entity in found["entities"])
    with Client(made.out, timeout=60) as client:
        for odd in (*MARKUP, "Ring 3", "Every page", "Ring Road"):
            for hops in (0, 1, 2):
                answer = client.search(f"{odd} Ring 1", graph=hops, rerank=False)
                assert answer.missing == {} and answer.hits
                assert all(len(hit.path) <= hops or hit.hops == 0 for hit in answer.hits)
        told = communities_text(client.communities())
    assert told and not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e]", told)


@pytest.mark.parametrize("row", [None, "| CBC | | |\n"], ids=["lost", "edited"])
def test_a_table_of_aliases_that_is_lost_or_edited_is_written_again(tree: Tree, row: str | None) -> None:
    whole, path = tree.outputs(), tree.out / ALIASES
    tree.build()  # whatever the first build remembers of its folder, a build that has nothing to do knows it, too
    if row is None:
        path.unlink()
    else:
        path.write_text(path.read_text() + row)
    tree.build()
    assert tree.outputs() == whole
    assert tree.build().written == 0


def test_a_build_after_one_that_wrote_the_table_of_aliases_has_nothing_to_do(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infograph.build._work", None)
    assert tree.build().written == 0


@pytest.mark.slow
def test_where_a_model_was_asked_its_names_make_the_graph(tree: Tree) -> None:
    terms = tree.outputs()
    tree.settings = ON.replace('"terms"', '"records"')
    tree.build()
    assert {n: d for n, d in tree.outputs().items() if n.startswith("_graph/e-")} == {
        n: d for n, d in terms.items() if n.startswith("_graph/e-")
    }, "without records it is the graph of terms"
    for n in range(0, 24, 2):
        place = f"part{n % 3}/machine-{n}"
        chunk = parse_chunk(f"part{n % 3}/_chunks/machine-{n}-0.md", _chunk_of(tree, place)).chunk
        entities = [{"name": "old machine", "type": "CONCEPT"}, {"name": MAKERS[n % 4], "type": "ORG"}]
        fields = {"title": "Machine", "summary": "A machine.", "entities": entities}
        record = EnrichmentRecord(chunk.sha256, "metadata", "metadata-1", "m", fields=fields)
        folder = tree.root / f"part{n % 3}/_enrichment"
        folder.mkdir(exist_ok=True)
        (folder / f"machine-{n}.json").write_bytes(render(EnrichmentFile(f"machine-{n}.md", records=(record,))))
    tree.build()
    found = {}
    for name in filter(None, split_names(manifest(tree)["entity_shards"]["names"])):
        found |= json.loads(zlib.decompress((tree.out / "_graph" / name).read_bytes()))
    assert found["old machine"][1:3] == ["CONCEPT", 12]
    assert found["brigham work"][1] == "ORG"
    assert "drive shaft 0" not in found and "drive shaft 1" in found, (
        "of pages with records only the model's names count"
    )
    assert tree.outputs() == tree.clean()


def _say(tree: Tree, place: str, relations: list[tuple[str, str, str]], **more: Any) -> None:
    """Records that a model named the ends of relations in the first chunk of a page, and said these of them."""
    topic, _, stem = place.partition("/")
    chunk = parse_chunk(f"{topic}/_chunks/{stem}-0.md", _chunk_of(tree, place)).chunk
    names = dict.fromkeys(name for source, _, target in relations for name in (source, target))
    fields = {
        "entities": [{"name": name, "type": "ORG", "description": f"A {name}."} for name in names],
        "relations": [{"source": source, "relation": said, "target": target} for source, said, target in relations],
    }
    record = EnrichmentRecord(chunk.sha256, "entities", "entities-1", "m", fields=fields, **more)
    folder = tree.root / topic / "_enrichment"
    folder.mkdir(exist_ok=True)
    (folder / f"{stem}.json").write_bytes(render(EnrichmentFile(f"{stem}.md", records=(record,))))


def said_of(tree: Tree) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in filter(None, split_names(manifest(tree)["said_shards"]["names"])):
        found |= json.loads(zlib.decompress((tree.out / "_graph" / name).read_bytes()))
    return found


def stated_in_communities(tree: Tree) -> dict[str, set[str]]:
    """Relations that files of communities state, with the names of the models."""
    every = json.loads((tree.out / "_graph" / manifest(tree)["communities"]["href"]).read_bytes())
    hrefs = [child["href"] for child in every["_links"]["infograph:community"]]
    told = [json.loads((tree.out / "_graph" / href).read_bytes()) for href in hrefs]
    return {own["stated_by"]: {text for *_, text in own["stated"]} for own in told if "stated" in own}


@pytest.mark.slow
def test_a_record_that_is_edited_or_goes_changes_what_it_said(tree: Tree) -> None:
    tree.settings = ON.replace('"terms"', '"records"')
    for n in range(0, 12, 2):
        maker, part = MAKERS[n % 4], PARTS[n % 4]
        _say(tree, f"part{n % 3}/machine-{n}", [(maker, "repaired it with a", part), (part, "belongs to", "Nobody")])
    tree.build()
    first = said_of(tree)
    assert first["brigham work"][:2] == ["A Brigham Works.", "m"]
    (row,) = first["brigham work"][2]
    assert row[:3] == [1, "repaired it with a", "watt governor"]
    assert len(row) == 4 + 2 * 3, "slot and index of three chunks"
    assert stated_in_communities(tree) == {"m": {"repaired it with a"}}
    assert manifest(tree)["stated"] == 2
    assert not [d for n, d in tree.outputs().items() if n.startswith("_graph/") and b"Nobody" in d]
    assert check(str(tree.out)).ok

    _say(tree, "part0/machine-0", [(MAKERS[0], "was <b>mended</b> by", PARTS[0])], pinned=True)
    (tree.root / "part2/_enrichment/machine-2.json").unlink()
    (tree.root / "part1/machine-4.md").unlink()
    tree.build()
    assert said_of(tree)["brigham work"][2][0][:3] == [1, "repaired it with a", "watt governor"]
    _say(tree, "part2/machine-8", [(MAKERS[0], "was mended by", PARTS[0])])
    tree.build()
    assert said_of(tree)["brigham work"][2][0][:3] == [1, "was mended by", "watt governor"]
    assert_same(tree.outputs(), tree.clean())

    for file in tree.root.rglob("_enrichment/*.json"):
        file.unlink()
    tree.build()
    assert not {"said_shards", "stated", "unlinked"} & manifest(tree).keys()
    assert_same(tree.outputs(), tree.clean())


def _chunk_of(tree: Tree, place: str) -> bytes:
    topic, _, stem = place.partition("/")
    data: bytes = next((tree.out / topic / "_chunks").glob(f"{stem}[.-]*.md")).read_bytes()
    return data
