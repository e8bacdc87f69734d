"""Fuzzes front matter: values are plain text, or a DocumentError says why; the quick parser reads as the YAML one."""

from __future__ import annotations

import re

from infograph.errors import DocumentError
from infograph.source.front_yaml import _BOMB, _full_yaml, _plain_yaml
from infograph.source.frontmatter import front_matter
from infograph.source.limits import SourceLimits

LIMITS = SourceLimits()

_LONE_SIGN = re.compile(r"^( *- +)([%?])(?= *\r?$)", re.MULTILINE)
"""A list item that is not YAML but is read as if it stood in quotes."""


def check(data: bytes) -> None:
    """Asserts what must hold for any input."""
    try:
        given = data.decode()
    except UnicodeDecodeError:
        return
    if "\0" in given:  # rejected before front matter is parsed
        return
    for text in (given, f"---\n{given}\n---\n# H\n", f"+++\n{given}\n+++\n# H\n"):
        _read(text)
    plain = _plain_yaml(given)
    # The YAML parser is not given what looks like a bomb, even inside of quotes, where the quick one reads it as text.
    if plain is not None and len(data) <= LIMITS.front_matter and not _BOMB.search(given):
        assert _full_yaml("page.md", _LONE_SIGN.sub(r"\1'\2'", given), []) == plain, given


def _read(text: str) -> None:
    """Asserts what must hold for the front matter of a page."""
    try:
        found = front_matter("page.md", text, LIMITS)
    except DocumentError as error:
        assert error.place.startswith("page.md:")
        return
    assert text.startswith(found.source)
    for value in (found.title, found.description, *found.keywords):
        assert value is None or value == " ".join(value.split()) != ""
    for words in (found.title or "", found.description or "", *found.keywords, *map("".join, found.addresses)):
        words.encode()
