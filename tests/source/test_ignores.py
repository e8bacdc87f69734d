from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infograph.source.ignores import everything, ignored_by, patterns_of_lines, read_patterns


@pytest.mark.parametrize(
    "pattern, path",
    [
        ("*a" * 14 + "*b", "a" * 240),
        ("*a" * 7 + "/" + "*a" * 7 + "*b", "a" * 240 + "/" + "a" * 240),
        ("*" * 40 + "b", "a" * 240),
        ("*[a]*\\a*?" * 5 + "b", "a" * 240),
        ("**/a/" * 12 + "b", "/".join("a" * 1000)),
        ("**\\/a\\/" * 12 + "b", "/".join("a" * 1000)),
        ("x/**/a*/**/" + "a/**/" * 6 + "b", "x/" + "/".join("a" * 1000)),
        ("**/" + "*a*/" * 9 + "b", "/".join(["a" * 200] * 20)),
        ("*a" * 2000, "a" * 4000 + "b"),
    ],
)
def test_no_pattern_keeps_a_build_busy(pattern: str, path: str) -> None:
    code = f"from infograph.source.ignores import patterns_of_lines as p; print(p([{pattern!r}], '')({path!r}, False))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert run.stdout == "None\n"


def test_a_pattern_with_many_stars_is_followed() -> None:
    ignored = patterns_of_lines(["*-*-*-*-*.tmp", "!keep-*-*-*-*.tmp"], "")
    assert ignored is not None
    assert ignored("docs/a-b-c-d-e.tmp", False)
    assert ignored("a-b-c-d.tmp", False) is None
    assert ignored("keep-b-c-d-e.tmp", False) is False


def test_broken_lines_are_told_apart_and_the_rest_is_used() -> None:
    patterns, broken = read_patterns(["# comment", "", "a/", "!", "[z-a]", "!b"])
    assert broken == ["!", "[z-a]"]
    assert [(pattern.keeps, pattern.folders_only) for pattern in patterns] == [(False, True), (True, False)]
    assert patterns_of_lines(["# comment", "", "!", "/"], "") is None


def test_a_file_that_ignores_everything_ignores_each_path() -> None:
    assert everything("a.md", False) is True
    assert ignored_by((patterns, everything), "a.md", False)
    assert not ignored_by((patterns,), "a.md", False)


def patterns(relative: str, directory: bool) -> bool | None:
    """What an ignore file says of paths that it does not name."""
    return None


def test_an_ignore_file_holds_below_its_own_folder() -> None:
    ignored = patterns_of_lines(["/a", "b/c", "d"], "docs/")
    assert ignored is not None
    assert [ignored(f"docs/{path}", False) for path in ("a", "x/a", "b/c", "x/b/c", "d", "x/d")] == [
        True,
        None,
        True,
        None,
        True,
        True,
    ]


def test_a_question_mark_of_an_ignore_file_is_one_byte_as_in_git() -> None:
    ignored = patterns_of_lines(["caf?.md", "th??.md"], "")
    assert ignored is not None
    assert [ignored(name, False) for name in ("cafe.md", "café.md", "thé.md")] == [True, None, True]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a FIFO is a thing of Unix")
def test_an_ignore_file_that_is_a_fifo_keeps_no_build_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".gitignore")
    code = f"from infograph.source.ignores import read_lines; print(read_lines({str(tmp_path / '.gitignore')!r}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert run.stdout == "['']\n"
