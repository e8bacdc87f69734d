"""Patterns mean what they mean to git: random ones are tried on random paths, and git is the judge."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from infograph.text.gitignore import PatternError, as_bytes, compiled, wanted

NEEDS_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

SIMPLE = ["*", "**", "a", "b", "?", "[ab]", "[!a]", "/", "/", "/", "*", "ab", "a*b"]
ODD = [
    *("*", "*", "*", "*", "*", "**", "***", "/", "/", "/", "/", "/", "/", "/", "/", "?", "a", "b", "ab", ".md", "1"),
    *("[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[!]a]", "[a\\]b]", "[a/b]", "[--a]", "[--]", "[a-]", "[\\a-c]"),
    *("[a-\\c]", "[[:alpha:]]", "[![:digit:]]", "[[:digit:]-z]", "[[:nope:]]", "[[:]", "[[:]]", "[[::]]", "[[:a]"),
    *("[&&a]", "[a||b]", "[~~a]", "[ä]", "[", "]", "[b", "\\*", "\\a", "\\/", "\\ ", "\\[", "ä", "é", " ", "-", "~"),
    *("!", "#", "{", "}", "(", "|", "+", "$", "^", ".", "&&"),
]
NAMES = ["a", "b", "ab", "ba", "c", "aab", "abb", "abab", "b-a", "a.md", "b.md", "1", "x", "z", "A"]
ODD_NAMES = [*("*", "-", "ä", "é", " ", "a ", "[", "]", "a]", "[b", "{", "(", "|", "^", "~", "&", "a\\", "!", "#", "$")]

Case = tuple[list[str], list[str]]
"""Lines of an ignore file, and paths beside it."""


def cases(seed: int, count: int) -> list[Case]:
    chance = random.Random(seed)

    def pattern() -> str:
        pieces = chance.choices(chance.choice([SIMPLE, ODD]), k=chance.randint(1, 7))
        start = "!" * (chance.random() < 0.25) + "/" * (chance.random() < 0.15)
        return start + "".join(pieces) + "/" * (chance.random() < 0.2) + " " * (chance.random() < 0.05)

    def path() -> str:
        names = NAMES if chance.random() < 0.7 else NAMES + ODD_NAMES
        return "/".join(chance.choices(names, k=chance.choice([1, 1, 2, 2, 3, 4])))

    made = []
    for _ in range(count):
        lines = [pattern() for _ in range(chance.choice([1, 1, 2, 3]))]
        made.append((list(filter(is_comparable, lines)), sorted({path() for _ in range(25)})))
    return made


def is_comparable(line: str) -> bool:
    """Whether git has one opinion of a line, and infograph does not refuse it.

    Releases before 2.53 take the literal beginning off a pattern first, and read `a**/b` as `a` and then `**/b`. Of a
    set with a range that goes backwards, git takes the other members.
    """
    try:
        compiled(line)
    except PatternError:
        return False
    return re.match(r"!?/?[^*?\[\\]*[^*?\[\\/]\*\*", line) is None


def ignored(lines: Sequence[str], path: str) -> bool:
    """Whether the lines ignore a file or a folder that it is in."""
    patterns = [pattern for line in reversed(lines) if (pattern := compiled(line))]
    parts = path.split("/")
    for end, name in enumerate(parts, 1):
        place = as_bytes("/".join(parts[:end]))
        opinions = (not p.keeps for p in patterns if p.matches(place, as_bytes(name), end < len(parts)))
        if next(opinions, False):
            return True
    return False


def ignored_by_git(repository: Path, given: Sequence[Case]) -> list[set[str]]:
    """The paths of each case that git ignores. Every case has a folder of its own in one repository."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    subprocess.run(["git", "init", "-q", repository], check=True, env=environment)
    for number, (lines, _) in enumerate(given):
        (repository / str(number)).mkdir()
        (repository / str(number) / ".gitignore").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    asked = "\0".join(f"{number}/{path}" for number, (_, paths) in enumerate(given) for path in paths)
    command = ["git", "check-ignore", "-z", "--stdin", "--no-index"]
    done = subprocess.run(command, cwd=repository, input=asked.encode(), capture_output=True, env=environment)
    assert done.returncode in (0, 1), done.stderr
    found: list[set[str]] = [set() for _ in given]
    for line in filter(None, done.stdout.decode().split("\0")):
        number, _, path = line.partition("/")
        found[int(number)].add(path)
    return found


def compare(repository: Path, given: Sequence[Case]) -> int:
    """The number of ignored paths, after each was found ignored here exactly where git ignores it."""
    hidden = ignored_by_git(repository, given)
    for (lines, paths), by_git in zip(given, hidden, strict=True):
        assert {path for path in paths if ignored(lines, path)} == by_git, lines
    return sum(map(len, hidden))


@NEEDS_GIT
def test_random_patterns_agree_with_git(tmp_path: Path) -> None:
    assert compare(tmp_path, cases(1, 400)) > 1000


@NEEDS_GIT
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_random_patterns_agree_with_git(tmp_path: Path, seed: int) -> None:
    assert compare(tmp_path, cases(seed, 3000)) > 8000


@NEEDS_GIT
def test_odd_patterns_agree_with_git(tmp_path: Path) -> None:
    paths = ["a", "b", "ä", "a/b", "a/x/b", "a/b/c", "x/a/b", "x/a", "a/x/y/b", "b/a/a", "-", "a]", "["]
    lines = ["**/", "*/", "/**/", "**//", "//", "/", "!/", "a//b", "a\\/b", "a/***/b", "a/**", "a/**/", "**/a/**"]
    lines += [
        "**\\/b",
        "a/**\\/b",
        "a/**\\/**\\/c",
        "?",
        "??",
        "[!a]",
        "[ä]",
        "[a/b]",
        "a[/]b",
        "x[a-",
        "[a-]",
        "[]-a]",
    ]
    given: list[Case] = [([line], paths) for line in lines]
    given += [(["*", f"!{line}"], paths) for line in lines]
    assert compare(tmp_path, given) > 100


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("!", "nothing after the `!`"),
        ("!   ", "nothing after the `!`"),
        ("a\\", "nothing after the backslash"),
        ("[z-a]", "bad character range z-a"),
        ("x/[!b-a]", "bad character range b-a"),
    ],
)
def test_lines_that_are_no_patterns(line: str, reason: str) -> None:
    with pytest.raises(PatternError, match=reason):
        compiled(line)


@pytest.mark.parametrize("line", ["", "   ", "# a", "/", "//", "[", "[a", "[[:nope:]]", "[[:a", "a/[b", "x" * 4097])
def test_lines_that_match_nothing(line: str) -> None:
    assert compiled(line) is None


@pytest.mark.parametrize(
    ("lines", "asked", "not_asked"),
    [
        (["*.md"], ["a.md", "x/a.md"], ["a.rst", "a.md.rst"]),
        (["guide/"], ["guide/a.md", "x/guide/y/a.md"], ["guide", "guides/a.md"]),
        (["/guide"], ["guide", "guide/x/a.md"], ["x/guide", "x/guide/a.md"]),
        (["guide/", "!a.md"], ["guide/b.md"], ["guide/a.md", "a.md"]),
        (["*.md", "!guide/"], ["a.md", "guide/a.md"], ["guide/a.rst"]),
        (["guide/", "!guide/old/"], ["guide/a.md"], ["guide/old/a.md"]),
        (["!a.md", "*.md"], ["a.md", "b.md"], []),
        (["!a.md"], [], ["a.md", "b.md"]),
        ([], [], ["a.md"]),
        (["caf?.md", "[é].md", "??.md"], ["café.md", "cafe.md", "é.md", "日本.md"], ["日本語.md", "É.md"]),
    ],
)
def test_patterns_that_ask_for_files(lines: list[str], asked: list[str], not_asked: list[str]) -> None:
    asks = wanted([pattern for line in lines if (pattern := compiled(line, characters=True))])
    assert [path for path in (*asked, *not_asked) if asks(path)] == asked
