"""gitignore patterns: those of the configuration, of a tree's .gitignore files, and of those above the tree."""

from __future__ import annotations

import codecs
import itertools
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.errors import ConfigError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MOST_BYTES = 1 << 20
"""Of an ignore file. Each pattern is tried on each path."""

_WITHOUT_SPACES = re.compile(r"(?:[^\\ ]|\\.?| +(?! |\Z))*", re.DOTALL)
"""A line up to the spaces at its end. One behind a backslash is part of the pattern."""
_BLANK_END = re.compile(r"(?<!\\)((?:\\\\)*)\\?([^\S ])\Z")
"""White space that is no space, at the end of a pattern."""

_STARS = re.compile(r"(?:\[\^/\]\*)+")
_PIECE = r"(?:\\.|\[(?!\^/\]\*)\^?\]?(?:\\.|[^\\\]])*\]|[^\\\[\]/().|^$?*+{}])+"
"""Of pathspec's regular expression: what stands for one character each, classes among them."""
_BETWEEN_STARS = re.compile(rf"\[\^/\]\*({_PIECE})(?=\[\^/\]\*)")
_BETWEEN_FOLDERS = re.compile(r"(\(\?:/\.\+\)\?|\(\?:\.\+/\)\?)(.+?)(?=\(\?:/\.\+\)\?)")

Ignored = Callable[[str, bool], bool | None]
"""(posix path relative to the root, is a directory) -> ignored, kept, or no opinion."""


def everything(relative: str, directory: bool) -> bool:
    """Ignores whatever there is."""
    return True


def patterns_of_setting(patterns: tuple[str, ...], setting: str) -> Ignored | None:
    """Patterns of the configuration, or None when there are none."""
    if broken := not_patterns(patterns):
        raise ConfigError(setting, f"not a gitignore pattern: `{broken[0]}`")
    return patterns_of_lines(list(patterns), "")


def not_patterns(lines: Sequence[str]) -> list[str]:
    """The lines that git would not understand: a lone `!`, a class of characters that goes backwards."""
    if not lines or _compiled(lines) is not None:
        return []
    return [line for line in lines if _compiled([line]) is None]


def _compiled(lines: Sequence[str]) -> GitIgnoreSpec | None:
    """None where one of them is no pattern."""
    from pathspec import GitIgnoreSpec  # 10 ms, and only trees with patterns need it

    try:
        spec = GitIgnoreSpec.from_lines(lines)
    except (ValueError, re.error):
        return None
    for pattern in spec.patterns:
        if pattern.regex is not None and (quick := quicker(pattern.regex.pattern)) != pattern.regex.pattern:
            pattern.regex = re.compile(quick)
    return spec


def quicker(regex: str) -> str:
    """pathspec's regular expression of a pattern as one that matches the same, without going back.

    What stands between two stars may be taken where it is first met: the second star takes what is left. As it is, five
    stars would keep a build busy for minutes with one name of 200 characters. The same holds for folders between `**`.
    """
    count = itertools.count()

    def first(inside: str) -> str:
        """Once matched, never matched otherwise. An atomic group, which Python 3.11.0 to 3.11.4 gets wrong."""
        name = f"q{next(count)}"
        return f"(?=(?P<{name}>{inside}))(?P={name})"

    regex = _STARS.sub("[^/]*", regex)
    regex = _BETWEEN_STARS.sub(lambda found: first(f"[^/]*?{found[1]}"), regex)
    any_folders = {"(?:/.+)?": "(?:/.+?)??", "(?:.+/)?": "(?:.+?/)??"}
    return _BETWEEN_FOLDERS.sub(lambda found: first(f"{any_folders[found[1]]}{found[2]}(?=/)"), regex)


def patterns_of_lines(lines: list[str], prefix: str, above: str = "") -> Ignored | None:
    """Compile gitignore lines that hold below `prefix`; None when there is no pattern among them. Lines that are none
    are left out, as git does.

    `above` is put before each path: what the root is called as seen from a directory above it.
    """
    if not any(line.strip() and not line.startswith("#") for line in lines):
        return None
    spec = _compiled(lines)
    if spec is None:
        broken = set(not_patterns(lines))
        spec = _compiled([line for line in lines if line not in broken])
    assert spec is not None
    cut = len(prefix)

    def ignored(relative: str, directory: bool) -> bool | None:
        path = above + relative[cut:]
        return spec.check_file(f"{path}/" if directory else path).include

    return ignored


def patterns_of_outer_files(root: Path) -> tuple[Ignored, ...]:
    """The .gitignore files between a git repository's root and `root`, outermost first. Raises ConfigError for one
    that is too large: what it hides stays hidden."""
    resolved = root.resolve()
    # .git is a directory, or a file in worktrees and submodules.
    top = next((parent for parent in (resolved, *resolved.parents) if os.path.lexists(parent / ".git")), None)
    if top is None or top == resolved:
        return ()
    found = []
    for parent in resolved.parents:
        try:
            lines = read_lines(os.fspath(parent / ".gitignore"))
        except OSError:
            lines = []  # there is none, or it is not ours to read
        if lines is None:
            reason = f"`{parent / '.gitignore'}` has more than {MOST_BYTES} bytes"
            raise ConfigError("source.gitignore", reason, "Shorten that file, or set this to false")
        above = resolved.relative_to(parent).as_posix() + "/"
        if compiled := patterns_of_lines(lines, "", above):
            found.append(compiled)
        if parent == top:
            break
    return tuple(reversed(found))


def read_lines(path: str) -> list[str] | None:
    """The patterns of an ignore file, one a line, whatever their encoding; None where it has more than `MOST_BYTES`.
    Raises OSError; a link is not followed."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    return None if len(data) > MOST_BYTES else lines_of(data)


def lines_of(data: bytes) -> list[str]:
    """The lines of an ignore file as git takes them, in a form that pathspec, which strips more, takes alike.

    git passes over a byte order mark, ends a line at a line feed alone, and takes one carriage return off its end. It
    reads no further than a NUL, and strips spaces alone.
    """
    text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    return [_line(line) for line in text.split("\n")]


def _line(line: str) -> str:
    kept = _WITHOUT_SPACES.match(line.removesuffix("\r").partition("\0")[0])
    assert kept is not None  # it matches nothing, too
    return _BLANK_END.sub(r"\1[\2]", kept[0])
