"""gitignore patterns: those of the configuration, of a tree's .gitignore files, and of those above the tree."""

from __future__ import annotations

import codecs
import itertools
import os
import re
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import pairwise
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
_MADE_SET = re.compile(r"\\.|(?P<set>\[(?!\^/\])\^?\]?(?:\\.|[^\\\]])*\])", re.DOTALL)
"""In pathspec's regular expression: a character behind a backslash, or a class of the pattern's, unlike `[^/]`."""
_BETWEEN_FOLDERS = re.compile(r"(\(\?:/\.\+\)\?|\(\?:\.\+/\)\?)(.+?)(?=\(\?:/\.\+\)\?)")

_ENDS = {"(?:(?P<ps_d>/)|$)": r"/?\Z", "(?P<ps_d>/)": r"/\Z"}
"""How pathspec's regular expressions end, where what lies below a folder is meant along with it, and how they would if
it were not."""
_FOLDERS_BELOW = re.compile(r"/\*\*/( *)\Z")
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \t",
    "cntrl": "\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "0-~!-.",
    "lower": "a-z",
    "print": " -.0-~",
    "punct": ":-@[-`{-~!-.",
    "space": " \t\r\n",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
"""Git's named classes of characters as ranges, without the slash, which no pattern's class stands for. None begins with
the `!` that would mean all others."""
_CLASS = re.compile(rf"\[:({'|'.join(_CLASSES)}):\]")
_SET = re.compile(r"\\.|\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]", re.DOTALL)
"""A character behind a backslash, or a class of characters: names mean others only in one, `[[:digit:]]`."""

Ignored = Callable[[str, bool], bool | None]
"""(posix path relative to the root, is a directory) -> ignored, kept, or no opinion."""


def everything(relative: str, directory: bool) -> bool:
    """Ignores whatever there is."""
    return True


def wanted_by_setting(patterns: tuple[str, ...], setting: str) -> Ignored | None:
    """Patterns of the configuration that ask for files, by their own names or for all below a folder; None when there
    are none."""
    _refuse_broken(patterns, setting)
    spec = _compiled(patterns) if patterns else None
    if spec is None:
        return None
    return lambda relative, directory: spec.check_file(f"{relative}/" if directory else relative).include


def patterns_of_setting(patterns: tuple[str, ...], setting: str) -> Ignored | None:
    """Patterns of the configuration that leave out, as a .gitignore does, or None when there are none."""
    _refuse_broken(patterns, setting)
    return patterns_of_lines(list(patterns), "")


def _refuse_broken(patterns: tuple[str, ...], setting: str) -> None:
    if broken := not_patterns(patterns):
        raise ConfigError(setting, f"not a gitignore pattern: `{broken[0]}`")


def not_patterns(lines: Sequence[str]) -> list[str]:
    """The lines that git would not understand: a lone `!`, a class of characters that goes backwards."""
    if not lines or _compiled(lines) is not None:
        return []
    return [line for line in lines if _compiled([line]) is None]


def _nested_sets_meant() -> AbstractContextManager[None]:
    """Without Python's warning of `[[`, which may become a set within a set one day."""
    return warnings.catch_warnings(action="ignore", category=FutureWarning)


def _compiled(lines: Sequence[str]) -> GitIgnoreSpec | None:
    """None where one of them is no pattern."""
    from pathspec import GitIgnoreSpec  # 10 ms, and only trees with patterns need it

    try:
        with _nested_sets_meant():
            spec = GitIgnoreSpec.from_lines([_pathspec_line(line) for line in lines])
            for pattern in spec.patterns:
                if pattern.regex is None:
                    continue
                made = pattern.regex.pattern
                if (meant := _within_names(quicker(made))) != made:
                    pattern.regex = re.compile(meant)
    except (ValueError, re.error):
        return None
    return spec


def _pathspec_line(line: str) -> str:
    """A pattern as pathspec takes it for what git takes it for: `a/**/` is each folder below `a` and not `a` itself,
    and classes of characters have names."""
    line = _FOLDERS_BELOW.sub(r"/**/*/\1", line)
    return _SET.sub(_with_ranges, line) if "[:" in line else line


def _with_ranges(found: re.Match[str]) -> str:
    return found[0][0] + _CLASS.sub(lambda name: _CLASSES[name[1]], found[0][1:])


def _within_names(regex: str) -> str:
    """pathspec's regular expression as one whose classes stand for no slash, such as `[!a]` and `[+-9]`."""
    return _MADE_SET.sub(lambda found: f"(?!/){found[0]}" if found["set"] else found[0], regex)


def own(regex: str) -> str:
    """pathspec's regular expression as one that matches a path that the pattern means, and not what lies below it. A
    folder's path ends in a slash."""
    for end, exact in _ENDS.items():
        if regex.endswith(end):
            return regex.removesuffix(end) + exact
    return regex + "." if regex.endswith("/") else regex  # all below a folder, which it is not itself


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


def patterns_of_lines(lines: list[str], prefix: str) -> Ignored | None:
    """Compile gitignore lines that hold below `prefix`; None when there is no pattern among them. Lines that are none
    are left out, as git does. Of what lies in a folder that is ignored nobody is to ask.
    """
    if not any(line.strip() and not line.startswith("#") for line in lines):
        return None
    spec = _compiled(lines)
    if spec is None:
        broken = set(not_patterns(lines))
        spec = _compiled([line for line in lines if line not in broken])
    assert spec is not None
    made = [(own(p.regex.pattern), p.include) for p in spec.patterns if p.regex is not None]
    with _nested_sets_meant():
        patterns = [(re.compile(regex), include) for regex, include in made]
    patterns.reverse()
    cut = len(prefix)

    def ignored(relative: str, directory: bool) -> bool | None:
        path = f"{relative[cut:]}/" if directory else relative[cut:]
        # The last one that means this very path; its folders were asked about before. pathspec has other rules: of
        # `*`, `!*/`, `!*.md` it takes the first one for a folder.
        return next((include for regex, include in patterns if regex.search(path)), None)

    return ignored


def patterns_of_outer_files(root: Path) -> tuple[Ignored, ...]:
    """The .gitignore files between a git repository's root and `root`, outermost first; `everything` where they ignore
    `root`, or a folder that it is in. Raises ConfigError for one that is too large: what it hides stays hidden."""
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
        return []  # there is none, or it is not ours to read
    if lines is None:
        reason = f"`{place}` has more than {MOST_BYTES} bytes"
        raise ConfigError("source.gitignore", reason, "Shorten that file, or set this to false")
    patterns = patterns_of_lines(lines, prefix)
    return [patterns] if patterns else []


def _below(ignored: Ignored, base: str, relative: str, directory: bool) -> bool | None:
    return ignored(base + relative, directory)


def ignored_by(files: Sequence[Ignored], relative: str, directory: bool) -> bool:
    """Whether ignore files, the outermost first, leave out a path: the deepest one that has an opinion holds. What lies
    in a folder that is left out cannot be kept."""
    if everything in files:
        return True
    opinions = (ignored(relative, directory) for ignored in reversed(files))
    return next((opinion for opinion in opinions if opinion is not None), False)


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
