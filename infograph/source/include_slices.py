"""Takes from an included file what an include asks for: lines, a named part, what lies between two texts."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass

LineRange = tuple[int, int | None]
"""First and last line, 1-based and inclusive; None for the end of the file."""

_SECTION = re.compile(r"-+8<-+[ \t]*\[(?P<edge>start|end):[ \t]*(?P<name>[\w-]+)[ \t]*\]")
_ANCHOR = re.compile(r"\bANCHOR(?P<end>_END)?:[ \t]*(?P<name>[\w-]+)")
_REGION = re.compile(
    r"(?:#|//+|/\*|<!--|--|'|\")?[ \t]*#?(?P<end>end)?[ \t]?(?:region|snippet)\b[ \t]*(?P<name>[\w.-]*)"
    r"|<(?P<close>/)?(?P<tag>[\w.-]+)>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Selection:
    """What an include takes of a file; with nothing set, all of it."""

    lines: tuple[LineRange, ...] = ()
    section: str = ""
    """Name between `--8<-- [start:name]` and `--8<-- [end:name]`."""
    anchor: str = ""
    """Name between `ANCHOR: name` and `ANCHOR_END: name`."""
    anchors: bool = False
    """Whether lines that mark anchors are left out."""
    region: str = ""
    """Name of a `#region`, or of a tag in a comment: `// <name>`."""
    after: str = ""
    """Text after which the part begins."""
    before: str = ""
    """Text before which it ends."""
    at: str = ""
    """Text in the line in which the part begins."""
    until: str = ""
    """Text in the line with which it ends."""
    scope: str = ""
    """Dotted name of a Python class or function."""
    dedent: bool = False


WHOLE = Selection()
"""The whole file."""


def line_ranges(text: str, dash: str, comma: str) -> tuple[LineRange, ...]:
    """Reads `1-3,7,9-`; a part that is no range is passed over."""
    found: list[LineRange] = []
    for part in text.split(comma):
        first, between, last = part.strip().partition(dash)
        if between and first.strip().isdigit() | (not first.strip()) and last.strip().isdigit() | (not last.strip()):
            found.append((int(first) if first.strip() else 1, int(last) if last.strip() else None))
        elif first.strip().isdigit():
            found.append((int(first), int(first)))
    return tuple(found)


def selected(text: str, selection: Selection) -> str | None:
    """The part of a text that a selection takes, with line feeds as line ends; None where a name is not there."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if selection.lines:
        lines = [line for first, last in selection.lines for line in lines[max(0, first - 1) : last]]
    named = None
    if selection.section:
        named = _between(lines, _SECTION, lambda m: (m["name"] == selection.section, m["edge"] == "end"))
    elif selection.anchor:
        named = _between(lines, _ANCHOR, lambda m: (m["name"] == selection.anchor, bool(m["end"])))
    elif selection.region:
        named = _region(lines, selection.region.lower())
    elif selection.scope:
        named = _scope(lines, selection.scope)
    else:
        named = lines
    if named is None:
        return None
    named = [line for line in named if not (_ANCHOR.search(line) or _SECTION.search(line))]
    part = _bounded("\n".join(named), selection)
    if part is None:
        return None
    return textwrap.dedent(part) if selection.dedent or selection.region or selection.section else part


def _between(
    lines: list[str], pattern: re.Pattern[str], edge: Callable[[re.Match[str]], tuple[bool, bool]]
) -> list[str] | None:
    """The lines between the marks of a name; None where it is not there."""
    found: list[str] | None = None
    inside = False
    for line in lines:
        match = pattern.search(line)
        mine, end = edge(match) if match else (False, False)
        if mine:
            inside = not end
            found = [] if found is None else found
        elif inside and found is not None:
            found.append(line)
    return found


def _region(lines: list[str], name: str) -> list[str] | None:
    """The lines of a region; it ends with `#endregion`, which has no name, at its own depth."""
    depth = 0
    found: list[str] | None = None
    for line in lines:
        match = _REGION.search(line)
        if match and match["tag"]:
            if match["tag"].lower() == name:
                if match["close"]:
                    return found
                found = []
                continue
        elif match and (match["name"] or match["end"]):
            if found is None and not match["end"] and match["name"].lower() == name:
                found, depth = [], 1
                continue
            if found is not None and depth:
                depth += -1 if match["end"] else 1
                if depth == 0:
                    return found
        if found is not None:
            found.append(line)
    return found


def _scope(lines: list[str], name: str) -> list[str] | None:
    """The lines of a Python class or function by its indentation."""
    begin, end, indent = 0, len(lines), -1
    for part in name.split("."):
        head = re.compile(rf"[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+{re.escape(part)}\b")
        place = next((n for n in range(begin, end) if head.match(lines[n]) and _indent(lines[n]) > indent), None)
        if place is None:
            return None
        begin, indent = place, _indent(lines[place])
        below = (n for n in range(begin + 1, end) if lines[n].strip() and _indent(lines[n]) <= indent)
        end = next(below, end)
    while begin and lines[begin - 1].lstrip().startswith("@") and _indent(lines[begin - 1]) == indent:
        begin -= 1
    while end > begin and not lines[end - 1].strip():
        end -= 1
    return lines[begin:end]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _bounded(text: str, selection: Selection) -> str | None:
    """What lies between the texts that a selection names; None where one of them is not there."""
    begin, end = 0, len(text)
    if start := selection.after or selection.at:
        place = text.find(start)
        if place < 0:
            return None
        begin = place + len(start) if selection.after else text.rfind("\n", 0, place) + 1
    if stop := selection.before or selection.until:
        place = text.find(stop, begin)
        if place < 0:
            return None
        line_end = text.find("\n", place)
        end = place if selection.before else (line_end if line_end >= 0 else len(text))
    part = text[begin:end]
    return part.strip("\n") if start or stop else part


def longest_run(text: str, sign: str) -> int:
    """The length of the longest run of a sign."""
    runs: Iterable[str] = re.findall(rf"{re.escape(sign)}+", text)
    return max(map(len, runs), default=0)
