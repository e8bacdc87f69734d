"""Finds what MyST adds to Markdown: directives that are written as fences, roles, targets.

A fence such as ```` ```{note} ```` holds prose, which a reader sees; ```` ```{code-block} python ```` holds code.
"""

from __future__ import annotations

import re

from infograph.source.markup_names import ADMONITIONS
from infograph.text.edits import TextEdit

_PROSE = ADMONITIONS | {
    *("admonition", "card", "card-body", "details", "dropdown", "epigraph", "exercise", "figure", "grid", "grid-item"),
    *("grid-item-card", "highlights", "margin", "prf:theorem", "proof", "pull-quote", "rubric", "sidebar", "solution"),
    *("tab", "tab-item", "tab-set", "tabs", "topic", "versionremoved"),
}
"""Directives whose content is prose."""
_SILENT = frozenset(
    ("contents", "currentmodule", "highlight", "index", "py:currentmodule", "tableofcontents", "toctree")
)
"""Directives that show nothing of what stands in them."""
_UNTITLED = frozenset(("card-body", "epigraph", "figure", "grid", "highlights", "pull-quote", "tab-set", "tabs"))
"""Directives whose argument is no title."""

_OPENER = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,}|:{3,})(?:\{(?P<name>[A-Za-z][\w:.+-]*)\})?(?P<title>.*)$")
_OPTION = re.compile(r"[ \t]*:[\w-]+:(?:[ \t].*)?$")
_TITLED = re.compile(r"(?P<text>[^<>]*)<[^<>]+>$")
_PLAIN_ROLES = frozenset(
    ("abbr", "doc", "eq", "guilabel", "kbd", "menuselection", "numref", "ref", "sub", "sup", "term", "any", "download")
)
"""Roles whose text is no code."""

HIDDEN = "\ue000"
"""Stands for each character of code in the text that rules look at."""
ROLE = re.compile(rf"(?<![\\\w}}])\{{(?P<role>[a-z][\w:+.-]{{0,60}})\}}(?P<code>{HIDDEN}+)")
TARGET = re.compile(r"^\([\w:. /-]{1,200}\)=[ \t]*$", re.MULTILINE)


def is_directive(text: str, start: int) -> bool:
    """Whether the fence that begins at an offset is a directive whose content is no code."""
    end = text.find("\n", start)
    match = _OPENER.match(text[start : end if end >= 0 else len(text)])
    return match is not None and (match["name"] or "").lower() in _PROSE | _SILENT


def directive(text: str, start: int, end: int) -> tuple[list[TextEdit], list[tuple[int, int]]]:
    """Reads a fence that is a directive, and what is nested in it. Returns the edits of its marks, and where its
    listings lie."""
    edits: list[TextEdit] = []
    code: list[tuple[int, int]] = []
    opened: list[tuple[str, str, int]] = []  # fence, name (empty for a listing), offset
    heads = False
    at = start
    for line in text[start:end].splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        match = _OPENER.match(bare)
        fence, name, first = opened[-1] if opened else ("", "-", at)
        closes = (
            match is not None and not match["name"] and not match["title"].strip() and match["fence"].startswith(fence)
        )
        if opened and closes:
            opened.pop()
            if name in _SILENT:
                edits.append(TextEdit(first, at + len(bare), ""))
            elif name:
                edits.append(TextEdit(at, at + len(bare), ""))
            else:
                code.append((first, at + len(line)))
            heads = False
        elif match is not None and name and name not in _SILENT:
            own = (match["name"] or "").lower()
            is_prose = own in _PROSE | _SILENT
            opened.append((match["fence"], own if is_prose else "", at))
            heads = is_prose and own not in _SILENT
            if heads:
                edits.append(TextEdit(at, at + len(bare), _title(own, match["title"].strip())))
        elif heads and _OPTION.match(bare):
            edits.append(TextEdit(at, at + len(bare), ""))
        else:
            heads = False
        at += len(line)
    edits += (TextEdit(first, end, "") for _, name, first in opened if name in _SILENT)
    code += ((first, end) for _, name, first in opened if not name)
    return edits, code


def _title(name: str, title: str) -> str:
    """What stands in the place of a directive's first line."""
    if name in _UNTITLED:
        return ""
    if not title and name in ADMONITIONS and name != "admonition":
        title = name.replace("-", " ").capitalize()
    return f"**{title}**" if title else ""


def role_text(role: str, code: str) -> str:
    """What a reader sees of a role: of `{ref}`title <target>`` the title, of `{func}`~pkg.run`` the name as code."""
    text = code.strip("`").strip()
    titled = _TITLED.match(text)
    if titled and titled["text"].strip():
        return titled["text"].strip()
    kind = role.rpartition(":")[2]
    return text if kind in _PLAIN_ROLES else f"`{text.lstrip('~!')}`"
