"""The table of README.md names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS = re.findall(
    r"^\| (?!threat |---)(.+?) \| (.+) \|$", (Path(__file__).parent / "README.md").read_text("utf-8"), re.M
)


def test_there_is_a_test_for_each_threat_and_every_one_named_exists() -> None:
    named = [(threat, name) for threat, tests in ROWS for name in re.findall(r"`([^`]+)`", tests)]
    assert len(ROWS) == 27 and {threat for threat, _ in named} == {threat for threat, _ in ROWS}
    missing = []
    for threat, name in named:
        file, _, test = name.partition("::")
        path = ROOT / file
        wanted = rf"^ *def {test.rpartition('::')[2]}\(" if test else r"^ *def test_"
        if not path.is_file() or not re.search(wanted, path.read_text("utf-8"), re.MULTILINE):
            missing.append(f"{threat}: {name}")
    assert missing == []
    print(f"{len(ROWS)} threats, {len({name for _, name in named})} files and tests")


def test_every_file_here_is_named() -> None:
    text = " ".join(tests for _, tests in ROWS)
    here = {f"tests/threats/{path.name}" for path in Path(__file__).parent.glob("test_*.py")} - {
        "tests/threats/test_table.py"
    }
    assert [name for name in sorted(here) if name not in text] == []
