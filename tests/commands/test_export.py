"""`infograph export`: what is printed, and what a person is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from infograph.cli import main


def infograph(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_it_says_what_it_wrote(manual: Path, manual_url: str, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = infograph("export", manual_url, out, "--vectors", "search", "--timeout", "20")
    assert done.exit_code == 0 and done.stdout == ""
    count = len(out.read_bytes().splitlines())
    assert done.stderr == f"wrote {count} chunks, {count} with vectors, to {out}\n"
    assert infograph("export", manual, out, "-q").output == ""


@pytest.mark.parametrize(
    ("name", "reason"),
    [("out.txt", "its name does not say the format"), ("_search/out.jsonl", "holds only what infograph writes")],
)
def test_a_wrong_place_is_one_line(name: str, reason: str, manual: Path) -> None:
    done = infograph("export", manual, manual / name)
    assert done.exit_code == 1 and done.stderr.startswith("error:") and reason in done.stderr
    assert done.stderr.count("\n") == 1 and not (manual / name).exists()


def test_no_tree(tmp_path: Path) -> None:
    done = infograph("export", tmp_path / "no", tmp_path / "out.jsonl")
    assert done.exit_code == 1 and "Name the published tree's root" in done.stderr
