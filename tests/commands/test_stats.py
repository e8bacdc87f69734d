"""`infograph stats`: its numbers are those of a recount of the folder."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from infograph.cli import main
from infograph.commands.federate.run import federate
from infograph.formats.chunk_file import split


@pytest.fixture
def built(tmp_path: Path, write_tree: Callable[..., Path]) -> Path:
    same = "# Same\n\nThe same words in two places.\n"
    pages = {"a.md": "# A\n\nOne page.\n", "below/b.md": same, "below/c.md": same}
    out = tmp_path / "site"
    docs = write_tree(tmp_path / "docs", pages)
    built = CliRunner().invoke(main, ["build", str(docs), "--out", str(out), "--model", "static", "-q"])
    assert built.exit_code == 0, built.output
    return out


def stats(*arguments: str) -> tuple[int, str]:
    run = CliRunner().invoke(main, ["stats", *arguments])
    return run.exit_code, run.stdout


def test_the_numbers_are_those_of_a_recount(built: Path) -> None:
    status, text = stats(str(built), "--json")
    said = json.loads(text)
    chunks = list(built.rglob("_chunks/*.md"))
    texts = [hashlib.sha256(split(path.read_bytes()).text).digest() for path in chunks]
    root = json.loads((built / "index.json").read_bytes())
    manifest = json.loads((built / "_search/manifest.json").read_bytes())
    assert (status, said["problems"]) == (0, 0)
    assert said["build_id"] == root["build_id"]
    assert (said["model"], said["language"]) == (manifest["vectors"]["model"], manifest["language"])
    assert (said["topics"], said["documents"], said["chunks"]) == (2, 3, len(chunks))
    assert said["repeated"] == len(texts) - len(set(texts)) > 0
    counts = {kind: (count["files"], count["bytes"]) for kind, count in said["kinds"].items()}
    assert counts["chunks"] == (len(chunks), sum(path.stat().st_size for path in chunks))
    # The plain manifest and the one that the index leads to are both read.
    search = list((built / "_search").iterdir())
    assert counts["search"] == (len(search), sum(path.stat().st_size for path in search))


def test_a_person_reads_a_table(built: Path) -> None:
    status, text = stats(str(built))
    lines = text.splitlines()
    assert status == 0
    assert "2 topics, 3 documents, 3 chunks" in lines[1]
    assert lines[-1].startswith("all")


def test_what_cannot_be_counted_is_said(built: Path) -> None:
    next(built.rglob("_chunks/a*.md")).unlink()
    run = CliRunner().invoke(main, ["stats", str(built)])
    assert run.exit_code == 1
    assert "`infograph check` has 1 problem" in run.stderr


def test_a_federation_is_its_sites_and_their_sums(small_sites: Path, tmp_path: Path) -> None:
    """A line said that there is no bundle."""
    root = tmp_path / "sites"
    shutil.copytree(small_sites, root)
    federate(str(root), [str(root / name) for name in ("apples", "pears")])
    status, text = stats(str(root), "--json")
    said, one = json.loads(text), json.loads(stats(str(root / "pears"), "--json")[1])
    assert (status, said["problems"], list(said["sites"])) == (0, 0, ["apples", "pears"])
    assert {**said["sites"]["pears"], "target": one["target"]} == one
    for name in ("topics", "documents", "chunks", "tokens", "repeated"):
        assert said[name] == sum(site[name] for site in said["sites"].values())
    assert (said["model"], said["language"]) == (one["model"], "en")
    own = [root / "federation.json", *(root / "_federation").iterdir()]
    assert said["own"] == {"files": len(own), "bytes": sum(path.stat().st_size for path in own)}
    lines = stats(str(root / "federation.json"))[1].splitlines()
    assert lines[0].startswith(f"{root / 'federation.json'}: 2 sites, searched by static")
    assert [line.split()[0] for line in lines[2:]] == ["site", "apples", "pears", "federation", "all"]
    assert len({len(line) for line in lines[2:]}) == 1
    shutil.rmtree(root / "pears")
    run = CliRunner().invoke(main, ["stats", str(root)])
    assert run.exit_code == 1
    assert "`infograph check --sites` has 1 problem" in run.stderr
    (root / "federation.json").write_bytes(b"{}")
    run = CliRunner().invoke(main, ["stats", str(root)])
    assert "federation.json: not the manifest of a federation. Make it again" in run.stderr


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_place_that_is_no_tree_is_an_error(tmp_path: Path, options: tuple[str, ...]) -> None:
    """A table of zeros stood there."""
    run = CliRunner().invoke(main, ["stats", str(tmp_path), *options])
    assert run.exit_code == 1
    assert run.stderr.count("index.json: there is no such file in") == 1
    assert "Is this where `infograph build` wrote to?" in run.stderr
    assert run.stdout == "" or json.loads(run.stdout)["errors"][0]["place"] == "index.json"
