from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from infograph.source.ignores import patterns_of_lines, quicker

PATTERNS = st.text("ab*?/![]-\\.", min_size=1, max_size=14)
PATHS = st.lists(st.text("ab.-]", min_size=1, max_size=7), min_size=1, max_size=5).map("/".join)


@pytest.mark.filterwarnings("ignore::FutureWarning")  # classes in which pathspec leaves a bracket
@given(PATTERNS, st.lists(PATHS, min_size=1, max_size=8), st.booleans())
@settings(max_examples=1500)
@example("*a*b*a", ["abba", "aba/b", "bababa", "ab/ba"], False)
@example("**/a*b/**/*b/**/a", ["ab/ab/a", "b/ab/b/bb/a/a", "axb/b/a/x", "ab/x/ab/y/bb/z/a"], False)
@example("a/**/b*/**/*", ["a/b/b", "a/a/b/ba/a", "a/x"], True)
@example("*[!a]*[]b]*?*", ["ab]", "b]b", "aab"], False)
@example("***a***b**", ["ab", "xxaxxbxx", "ba"], False)
def test_quicker_patterns_match_the_same(pattern: str, paths: list[str], directory: bool) -> None:
    try:
        (made,) = GitIgnoreSpec.from_lines([pattern]).patterns
    except (ValueError, re.error):
        return
    if made.regex is None:
        return
    quick = re.compile(quicker(made.regex.pattern))
    for path in paths:
        path = f"{path}/" if directory else path
        found, same = made.regex.search(path), quick.search(path)
        assert (found is None) == (same is None), path
        if found is not None and same is not None:
            known = found.groupdict()
            assert {name: same.group(name) for name in known} == known


@pytest.mark.parametrize(
    "pattern, path",
    [
        ("*a" * 14 + "*b", "a" * 240),
        ("*a" * 7 + "/" + "*a" * 7 + "*b", "a" * 240 + "/" + "a" * 240),
        ("*" * 40 + "b", "a" * 240),
        ("*[a]*\\a*?" * 5 + "b", "a" * 240),
        ("**/a/" * 12 + "b", "/".join("a" * 1000)),
        ("x/**/a*/**/" + "a/**/" * 6 + "b", "x/" + "/".join("a" * 1000)),
    ],
)
def test_no_pattern_keeps_a_build_busy(pattern: str, path: str) -> None:
    code = f"from infograph.source.ignores import patterns_of_lines as p; print(p([{pattern!r}], '')({path!r}, False))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "None\n"


def test_a_pattern_with_many_stars_is_followed() -> None:
    ignored = patterns_of_lines(["*-*-*-*-*.tmp", "!keep-*-*-*-*.tmp"], "")
    assert ignored is not None
    assert ignored("docs/a-b-c-d-e.tmp", False)
    assert ignored("a-b-c-d.tmp", False) is None
    assert ignored("keep-b-c-d-e.tmp", False) is False
