"""`infograph publish`: what a person is shown, and the exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from infograph.cli import main


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name in ("index.json", "c#/_chunks/a-0.md", "infograph.js"):
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text("x" * 1000)
    return tmp_path / "site"


def test_all_hosts_are_shown(site: Path) -> None:
    result = CliRunner().invoke(main, ["publish", str(site)])
    assert result.exit_code == 0
    assert "3 files" in result.output and "chunks" in result.output
    assert "cloudflare-pages: takes it" in result.output
    assert "netlify: 1 path with # or ?" in result.output
    assert "github-pages: note: without `.nojekyll`" in result.output


@pytest.mark.parametrize(("host", "status"), [("netlify", 1), ("s3", 0)])
def test_the_status_is_of_the_host_that_was_named(site: Path, host: str, status: int) -> None:
    result = CliRunner().invoke(main, ["publish", str(site), "--to", host, "--json"])
    assert result.exit_code == status
    value = json.loads(result.stdout)
    assert (value["files"], value["bytes"]) == (3, 3000)
    assert [found["host"] for found in value["hosts"]] == [host]


def test_a_folder_that_is_missing_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["publish", str(tmp_path / "none")])
    assert result.exit_code == 1
    assert "is no folder" in result.output and result.output.count("\n") == 1
