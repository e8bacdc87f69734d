"""`infograph federate`: what is read, what is written, what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from infograph.build import build
from infograph.cli import main
from infograph.client import Client, ClientError
from infograph.commands.federate import run
from infograph.commands.federate.run import federate
from infograph.config import load
from infograph.errors import ConfigError, FormatError, InfographError
from infograph.search.format.federation import MOST_SITES

PAGES = ("apples", "pears", "stones")


@pytest.fixture
def sites(small_sites: Path, tmp_path: Path) -> Path:
    shutil.copytree(small_sites, tmp_path / "sites")
    return tmp_path / "sites"


def own(sites: Path, *names: str) -> list[str]:
    return [str(sites / name) for name in names or PAGES]


def files(sites: Path) -> dict[str, bytes]:
    return {
        path.relative_to(sites).as_posix(): path.read_bytes()
        for path in [sites / "federation.json", *sites.glob("_federation/*")]
    }


def test_it_is_made_and_read(sites: Path) -> None:
    report = federate(str(sites), own(sites))
    assert (report.sites, report.read, report.skipped) == (3, PAGES, {})
    assert report.bytes == sum(map(len, files(sites).values()))
    assert report.files == len(files(sites))
    with Client(sites) as client:
        assert [hit.site for hit in client.search("quarry").hits] == ["stones"]
        assert {hit.site for hit in client.search("fruit").hits} == {"apples", "pears"}
    said = json.loads((sites / "federation.json").read_bytes())
    assert [(site["id"], site["href"], site["title"]) for site in said["sites"]] == [
        ("apples", "apples/", "Apples"),
        ("pears", "pears/", "Pears"),
        ("stones", "stones/", "Stones"),
    ]


def test_a_site_as_it_was_is_not_read_again(sites: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    federate(str(sites), own(sites))
    before = files(sites)
    read: list[str] = []
    reading = run.read_terms
    monkeypatch.setattr(run, "read_terms", lambda client, said: (read.append("read"), reading(client, said))[1])
    assert federate(str(sites), own(sites)).read == ()
    assert (files(sites), read) == (before, [])
    shutil.rmtree(sites / "stones")
    shutil.copytree(sites / "pears", sites / "stones")  # published anew
    assert federate(str(sites), own(sites)).read == ()  # what is the same was read of another site
    docs = sites.parent / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("# Sand\n\nSand is small stones.\n")
    build(load(str(docs), flags={"out": str(sites / "stones"), "model": "static"}, environment={}))
    assert federate(str(sites), own(sites)).read == ("stones",)
    assert len(read) == 1
    changed = files(sites)
    shutil.rmtree(sites / ".infograph")
    federate(str(sites), own(sites))
    assert files(sites) == changed  # as from nothing
    assert len(list((sites / ".infograph" / "federation").iterdir())) == 3


@pytest.mark.parametrize(
    "damage",
    [b"", *(pytest.param(data, marks=pytest.mark.slow) for data in (b"1", b"1" + bytes(40), b"2" + bytes(40)))],
)
def test_a_memory_that_is_damaged_is_read_again(sites: Path, damage: bytes) -> None:
    federate(str(sites), own(sites))
    before = files(sites)
    for path in (sites / ".infograph" / "federation").iterdir():
        path.write_bytes(damage)
    assert federate(str(sites), own(sites)).read == PAGES
    assert files(sites) == before


def test_a_site_that_is_gone_is_named_or_skipped(sites: Path) -> None:
    shutil.rmtree(sites / "pears" / "_search")
    with pytest.raises(ClientError, match="pears") as caught:
        federate(str(sites), own(sites))
    assert caught.value.code == "missing"
    assert not (sites / "federation.json").exists()
    report = federate(str(sites), own(sites), skip_broken=True)
    assert (report.sites, list(report.skipped)) == (2, ["pears"])
    for name in ("apples", "stones"):
        shutil.rmtree(sites / name / "_search")
    with pytest.raises(ConfigError, match="none of the sites can be read"):
        federate(str(sites), own(sites), skip_broken=True)


def test_a_damaged_site_is_named(sites: Path) -> None:
    shard = next((sites / "pears" / "_search").glob("p-*.z"))
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(ClientError, match=rf"pears.*{shard.name}"):
        federate(str(sites), own(sites))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": 99}, "pears.*its format is 99"),
        ({"language": "de"}, "pears.*its language is de, and that of the federation en"),
        ({"neighbour": 0.5}, "pears.*it is of another release"),
    ],
)
def test_a_site_that_does_not_fit_in_is_named(sites: Path, change: dict[str, object], reason: str) -> None:
    manifest = sites / "pears" / "_search" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_bytes()) | change))
    with pytest.raises(InfographError, match=reason) as caught:
        federate(str(sites), own(sites))
    assert isinstance(caught.value, ClientError)
    assert caught.value.code == "version"
    assert list(federate(str(sites), own(sites), skip_broken=True).skipped) == ["pears"]


def test_a_federation_is_no_site(sites: Path) -> None:
    federate(str(sites / ".." / "sites"), own(sites))
    with pytest.raises(ClientError, match="is itself a federation"):
        federate(str(sites.parent), [str(sites)])


def test_ids_and_addresses_are_told_apart(sites: Path) -> None:
    with pytest.raises(ConfigError, match="has the same id"):
        federate(str(sites), [str(sites / "pears"), f"Pears={sites / 'stones'}"])
    with pytest.raises(ConfigError, match="has the same address"):
        federate(str(sites), [str(sites / "pears"), f"other={sites / 'pears'}"])
    report = federate(str(sites), [f"fruit={sites / 'pears'}"])
    assert report.sites == 1
    with Client(sites) as client:
        assert client.search("pear").hits[0].page == "fruit/index.md"
    with pytest.raises(ConfigError, match=f"takes 1 to {MOST_SITES} sites"):
        federate(str(sites), [])


def test_a_folder_elsewhere_is_refused(sites: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not lie below"):
        federate(str(tmp_path / "out"), own(sites))
    with pytest.raises(ConfigError, match="is neither a folder nor"):
        federate(str(sites), [str(sites / "nowhere")])
    with pytest.raises(ConfigError, match="is neither a folder nor"):
        federate(str(sites), ["ftp://example.org/"])


def test_what_somebody_else_wrote_stays(sites: Path) -> None:
    (sites / "federation.json").write_text('{"mine": 1}')
    with pytest.raises(ConfigError, match="was not written by"):
        federate(str(sites), own(sites))
    (sites / "federation.json").unlink()
    federate(str(sites), own(sites))
    (sites / "_federation" / "mine.txt").write_text("x")
    federate(str(sites), own(sites, "pears"))
    assert (sites / "_federation" / "mine.txt").exists()
    listed = {path.name for path in (sites / "_federation").glob("*.z")}
    federate(str(sites), own(sites))
    federate(str(sites), own(sites, "pears"))
    assert {path.name for path in (sites / "_federation").glob("*.z")} == listed


def test_the_command_says_what_it_did(sites: Path) -> None:
    result = CliRunner().invoke(main, ["federate", str(sites), *own(sites)])
    assert result.exit_code == 0, result.output
    assert "3 sites (3 of them read)" in result.output
    shutil.rmtree(sites / "pears" / "_search")
    result = CliRunner().invoke(main, ["federate", str(sites), *own(sites), "--skip-broken", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["sites"] == 2
    assert "left out pears" in result.stderr
    result = CliRunner().invoke(main, ["federate", str(sites), *own(sites)])
    assert result.exit_code == 1
    assert "pears" in result.stderr


def test_commands_read_it_like_a_site(sites: Path) -> None:
    federate(str(sites), own(sites))
    place = str(sites / "federation.json")
    found = CliRunner().invoke(main, ["search", place, "quarry"])
    assert found.exit_code == 0, found.output
    assert "stones/index.md" in found.output
    href = json.loads(CliRunner().invoke(main, ["search", place, "quarry", "--json"]).stdout)["hits"][0]["href"]
    assert "found in a quarry" in CliRunner().invoke(main, ["get", place, href]).output
    assert "cellar" in CliRunner().invoke(main, ["ask", place, "how are apples stored?"]).output


def test_shards_that_are_cut_off_are_refused() -> None:
    from infograph.commands.federate.site_terms import rows_in

    with pytest.raises(FormatError, match="cut off"):
        list(rows_in(b"\x01a\x04\x01\x05\x00\x00", [0.0] * 1024, "p-x.z"))
    with pytest.raises(FormatError):
        list(rows_in(b"\x05a", [0.0] * 1024, "p-x.z"))
