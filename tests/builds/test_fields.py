"""Fields that a search can be narrowed by, through builds that follow each other."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infograph.build import build
from infograph.client import Client
from infograph.config import load
from infograph.errors import ConfigError

SETTINGS = 'model = "static"\n[search]\nfields = ["tags", "weight:number", "created_at"]\n'


def pages(client: Client, **filters: Any) -> list[str]:
    return sorted(
        {hit.page for hit in client.search("cache", filters=filters, limit=99, rerank=False, collapse=False).hits}
    )


def written(root: Path, name: str, front: str = "", text: str = "The cache.") -> None:
    (root / name).write_text(f"---\n{front}\n---\n\n# Page\n\n{text}\n" if front else f"# Page\n\n{text}\n")


@pytest.mark.slow
@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_is_edited_in_a_front_matter_is_found_by_it(built_tree: Callable[..., Any], elsewhere: bool) -> None:
    tree = built_tree(elsewhere)
    tree.settings = SETTINGS.replace(', "created_at"', "")
    for number in range(6):
        written(tree.root, f"page-{number}.md", f"tags: [all, t{number}]\nweight: {number}")
    for edit in (
        lambda: None,
        lambda: written(tree.root, "page-1.md", "tags: [t2]\nweight: 40"),
        lambda: written(tree.root, "page-2.md", "weight: 9.5", "The cache.\n\n" + "## More\n\nThe cache again. " * 300),
        lambda: (tree.root / "page-3.md").unlink(),
        lambda: written(tree.root, "page-4.md"),
    ):
        edit()
        tree.build()
        assert tree.outputs() == tree.clean()
    with Client(tree.out) as client:
        assert pages(client, tags="all") == ["page-0.md", "page-5.md"]
        assert pages(client, tags="t2") == ["page-1.md"]
        assert pages(client, weight={"gt": 5}) == ["page-1.md", "page-2.md"]
        assert "page-4.md" in pages(client, weight={"exists": False})


@pytest.mark.slow
def test_other_fields_are_another_bundle(built_tree: Callable[..., Any]) -> None:
    tree = built_tree()
    written(tree.root, "page.md", "tags: [a]\nproduct: b")
    for fields in ('["tags"]', '["product", "tags"]', "[]"):
        tree.settings = f"[search]\nfields = {fields}\n"
        tree.build()
        assert tree.outputs() == tree.clean()
    assert "fields" not in json.loads((tree.out / "_search/manifest.json").read_bytes())


def test_a_search_is_narrowed_to_units_by_default(tmp_path: Path, quick: object) -> None:
    words = "The cache and its index. " * 80
    table = "| cache | size |\n| --- | --- |\n| index | 7 |\n"
    written(tmp_path, "a.md", "title: A", f"# A\n\n{words}\n\n## Sizes\n\n{table}\n{words}")
    written(tmp_path, "b.md", "title: B", f"# B\n\n{words}")
    build(load(str(tmp_path), flags={"out": str(tmp_path / "site")}, environment={}))
    with Client(tmp_path / "site") as client:
        (hit,) = client.search("cache index", filters={"units": "table"}).hits
        assert hit.page == "a.md" and "| index | 7 |" in client.read(hit).readable
        assert client.search("cache index", filters={"units": "table.2"}).hits[0].href == hit.href
        assert not client.search("cache index", filters={"units": "table.1"}).hits
        counts = client.search("cache index", facets=["units"]).facets["units"]
        assert dict(counts) == {"table": 1, "table.2": 1}
        units = client.topic("").documents["a"].units
        assert [group.type for group in units] == ["table"], "the index has its slices"


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_commit_changes_the_day_of_what_it_changes(
    tmp_path: Path, quick: object, monkeypatch: pytest.MonkeyPatch, snapshot: Callable[[Path], dict[str, bytes]]
) -> None:
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "a")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.org")
    root, out = tmp_path / "docs", tmp_path / "out"
    root.mkdir()
    (tmp_path / "infograph.toml").write_text(SETTINGS)

    def commit(day: str) -> None:
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{day}T12:00:00Z")
        for command in (["add", "docs"], ["commit", "-qm", "a"]):
            subprocess.run(["git", *command], cwd=tmp_path, check=True, capture_output=True)

    def built(folder: Path) -> Path:
        build(load(str(root), flags={"out": str(folder)}, environment={}))
        return folder

    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    written(root, "a.md")
    written(root, "b.md", "date: 2020-05-05")
    written(root, "c.md")
    commit("2024-01-31")
    with Client(built(out)) as client:
        assert pages(client, created_at="2024-01-31") == ["a.md", "c.md"]
        assert pages(client, created_at={"lt": "2024-01-01"}) == ["b.md"]
    written(root, "a.md", text="The cache, anew.")
    written(root, "d.md")
    built(out)  # which is not committed yet
    for name in ("a.md", "d.md"):
        assert (root / name).is_file()
    commit("2024-02-01")
    with Client(built(out)) as client:
        assert pages(client, created_at={"gte": "2024-02-01"}) == ["a.md", "d.md"]
        assert pages(client, freshness={"gt": 0.000001}) != []
    clean = built(tmp_path / "clean")
    manifest = "_search/manifest.json"
    assert (out / manifest).read_bytes() == (clean / manifest).read_bytes()


def test_few_files_have_room_for_few_fields(tmp_path: Path, quick: object) -> None:
    written(tmp_path, "a.md", "tags: a")
    (tmp_path / "infograph.toml").write_text("[search]\nmax_files = 16\nfields = ['a', 'b', 'c', 'd', 'e', 'f']\n")
    with pytest.raises(ConfigError, match=r"of 16 has no room for 6 `search\.fields`\. Allow 17, or name fewer fields"):
        load(str(tmp_path), environment={})
    (tmp_path / "infograph.toml").write_text("[search]\nmax_files = 16\n")
    build(load(str(tmp_path), environment={}))
    assert len(list((tmp_path / "_search").iterdir())) <= 16


def test_a_setting_that_names_no_field_is_refused(tmp_path: Path) -> None:
    for fields, said in (('["a=b"]', "is no name"), ('["a:b"]', "there is no type 'b'"), ('["tags", "tags"]', "twice")):
        (tmp_path / "infograph.toml").write_text(f"[search]\nfields = {fields}\n")
        with pytest.raises(ConfigError, match=said) as caught:
            load(str(tmp_path), environment={})
        assert "Write them like" in caught.value.hint
