"""Which paths gitignore patterns leave out: those of the configuration, of a tree's .gitignore files and above it."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

from infograph.errors import ConfigError
from infograph.text.gitignore import IgnorePattern, PatternError, as_bytes, compiled, wanted

MOST_BYTES = 1 << 20
"""Size limit of an ignore file, since each pattern is tried on each path."""

Ignored = Callable[[str, bool], bool | None]
"""(posix path relative to the root, is a directory) -> ignored, kept, or no opinion."""


def everything(relative: str, directory: bool) -> bool:
    """Ignores every path."""
    return True


def wanted_by_setting(patterns: Sequence[str], setting: str) -> Callable[[str], bool] | None:
    """A function that tells whether patterns of the configuration ask for a file; None when there are no patterns.

    A pattern asks for files by their own path or by that of a folder above them. Raises ConfigError for a broken one.
    """
    return wanted(_of_setting(patterns, setting)) if patterns else None


def patterns_of_setting(patterns: Sequence[str], setting: str) -> Ignored | None:
    """Compiles patterns of the configuration that leave out files, as a .gitignore in the root would.

    None when there are no patterns. Raises ConfigError for a broken one.
    """
    return ignoring(_of_setting(patterns, setting), "", str)


def _of_setting(lines: Sequence[str], setting: str) -> list[IgnorePattern]:
    patterns, broken = read_patterns(lines, characters=True)
    if broken:
        raise ConfigError(setting, f"not a gitignore pattern: `{broken[0]}`")
    return patterns


def read_patterns(lines: Sequence[str], *, characters: bool = False) -> tuple[list[IgnorePattern], list[str]]:
    """The patterns of lines, in order, and the lines that are broken, such as a lone `!`.

    characters: see `compiled`
    """
    patterns: list[IgnorePattern] = []
    broken: list[str] = []
    for line in lines:
        try:
            pattern = compiled(line, characters=characters)
        except PatternError:
            broken.append(line)
        else:
            patterns += [pattern] if pattern else []
    return patterns, broken


def ignoring(
    patterns: Sequence[IgnorePattern], prefix: str, as_compared: Callable[[str], str] = as_bytes
) -> Ignored | None:
    """What an ignore file's patterns say of a path; None when there are no patterns.

    As in git, the last pattern that matches the path itself decides, and a caller must not ask for what lies in an
    ignored folder.

    prefix: the ignore file's folder relative to the root, with a slash at its end; empty for the root
    as_compared: a path in the form that the patterns compare
    """
    if not patterns:
        return None
    last_first = tuple(reversed(patterns))
    cut = len(prefix)

    def ignored(relative: str, directory: bool) -> bool | None:
        path = as_compared(relative[cut:])
        name = path.rpartition("/")[2]
        for pattern in last_first:
            if pattern.matches(path, name, directory):
                return not pattern.keeps
        return None

    return ignored


def patterns_of_lines(lines: Sequence[str], prefix: str) -> Ignored | None:
    """Compiles an ignore file's lines, as `ignoring` does; broken lines are left out, as git does."""
    return ignoring(read_patterns(lines)[0], prefix)


def patterns_of_outer_files(root: Path) -> tuple[Ignored, ...]:
    """The .gitignore files between a git repository's root and `root`, outermost first.

    Just `everything` where they ignore `root` or a folder above it. Raises ConfigError for a file above the size limit,
    because what it hides must stay hidden.
    """
    resolved = root.resolve()
    # .git is a directory, or a file in worktrees and submodules.
    top = next((parent for parent in (resolved, *resolved.parents) if os.path.lexists(parent / ".git")), None)
    if top is None or top == resolved:
        return ()
    base = resolved.relative_to(top)
    found: list[Ignored] = []
    for folder, below in pairwise((*reversed(base.parents), base)):
        prefix = "" if folder == Path() else folder.as_posix() + "/"
        found += _of_file(top / folder / ".gitignore", prefix)
        if ignored_by(found, below.as_posix(), True):
            return (everything,)
    return tuple(partial(_below, ignored, base.as_posix() + "/") for ignored in found)


def _of_file(place: Path, prefix: str) -> list[Ignored]:
    try:
        lines = read_lines(os.fspath(place))
    except OSError:
        return []  # missing or unreadable
    if lines is None:
        reason = f"`{place}` has more than {MOST_BYTES} bytes"
        raise ConfigError("source.gitignore", reason, "Shorten that file, or set this to false")
    patterns = patterns_of_lines(lines, prefix)
    return [patterns] if patterns else []


def _below(ignored: Ignored, base: str, relative: str, directory: bool) -> bool | None:
    return ignored(base + relative, directory)


def ignored_by(files: Sequence[Ignored], relative: str, directory: bool) -> bool:
    """Whether ignore files, the outermost first, leave out a path: the deepest file with an opinion decides.

    A path in an ignored folder cannot be kept, so a caller must not ask for it.
    """
    if everything in files:
        return True
    opinions = (ignored(relative, directory) for ignored in reversed(files))
    return next((opinion for opinion in opinions if opinion is not None), False)


def read_lines(path: str) -> list[str] | None:
    """Reads the lines of an ignore file in any encoding; None when it has more than `MOST_BYTES` bytes.

    Follows no symbolic link. Raises OSError.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    return None if len(data) > MOST_BYTES else lines_of(data)


def lines_of(data: bytes) -> list[str]:
    """Splits an ignore file into lines as git does.

    git skips a byte order mark, ends a line at a line feed only, removes one carriage return from its end, and reads a
    line up to its first NUL.
    """
    text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    return [line.removesuffix("\r").partition("\0")[0] for line in text.split("\n")]
