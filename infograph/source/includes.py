"""Says what a site generator writes on a page and infograph does not index: files that are not there, and text that
templates make."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from infograph.errors import GENERATED, Notice
from infograph.model import Document
from infograph.source.include_syntax import Include, attributes
from infograph.source.markup_names import ADMONITIONS, QUIET_SHORTCODES, SHOWN_VALUES, TITLE_FIRST
from infograph.text.lines import lone_returns_fed

UNRESOLVED = "unresolved-include"
"""Kind of notice for includes whose file is not there, or that may not be read."""

# What stands before the end of a tag or shortcode. No blank line and no further beginning, so that one which is only
# mentioned does not reach the end of the next.
_BLANK = r"[ \t]*+\r?\n"
_IN_TAG = rf"(?:[^\n{{%]++|%(?!\}})|\{{(?!%)|\n(?!{_BLANK})){{0,200}}"
_IN_SHORTCODE = rf"(?:[^\n{{>%]++|[>%](?!\}}\}})|\{{(?!\{{[<%])|\n(?!{_BLANK})){{0,200}}"

# A name follows, unlike in `{{</* … */>}}`, which shows a shortcode, and `{{< /name >}}`, which closes one.
_SHORTCODE = re.compile(rf"\{{\{{[<%]\s*+(?=\w)(?P<name>[\w./-]+)(?P<rest>{_IN_SHORTCODE})[>%]\}}\}}")
_CLOSED = re.compile(r"\{\{[<%]\s*+/\s*+([\w./-]+)\s*+[>%]\}\}")
_TEMPLATE = re.compile(rf"(?<!\{{)\{{%-?\s*+include(?:_relative|_cached)?\s++(?![\"']){_IN_TAG}%\}}")
_DATA = re.compile(
    r"\{%-?\s*+(?:for\s++[\w, ]{1,80}?\s++in|assign\s++\w++\s*+=)\s++"
    r"(?:site\.(?!time\b)|collections\b|page\.(?!title\b|url\b))[^%\n]{0,300}%\}"
    r"|\{\{-?\s*+site\.data\.[^{}\n]{0,300}\}\}"
)


@dataclass(frozen=True, slots=True)
class _Made:
    """One place where a template makes text."""

    kind: str
    start: int
    text: str


def unresolved_includes(
    document: Document, lost: Sequence[tuple[Include, str]], patterns: Collection[str] = ()
) -> tuple[Notice, ...]:
    """Returns at most one notice for the includes that were not resolved, and one for text that templates make.

    lost:     includes with the reason why they were not resolved
    patterns: names of shortcodes for which the configuration says what they stand for
    """
    found = []
    if lost:
        include, reason = lost[0]
        example = " ".join(document.body[include.start : include.end].split())[:80]
        message = (
            f"{len(lost)} include{'s' * (len(lost) > 1)} not resolved, so the text is not indexed: "
            f"`{example}` ({reason})"
        )
        found.append(Notice(document.path, UNRESOLVED, message, len(lost)))
    edits = {edit.start for edit in document.edits} | {include.start for include, _ in lost}
    made = [place for place in _made(document.body, patterns) if place.start not in edits]
    if made:
        named = []
        for kind in dict.fromkeys(place.kind for place in made):
            same = [place for place in made if place.kind == kind]
            example = " ".join(same[0].text.split())[:80]
            named.append(f"{len(same)} {kind}{'s' * (len(same) > 1)} (`{example}`)")
        message = f"made by the site generator, so its text is not indexed: {', '.join(named)}"
        found.append(Notice(document.path, GENERATED, message, len(made)))
    return tuple(found)


def _made(body: str, patterns: Collection[str]) -> Iterator[_Made]:
    """Yields where templates make text: shortcodes of Hugo without text of their own, templates and data of Jekyll."""
    shortcodes, tags = "{{<" in body or "{{%" in body, "{%" in body or "site.data" in body
    if not (shortcodes or tags):
        return
    text = lone_returns_fed(body)
    if shortcodes:
        closed = set(_CLOSED.findall(text))
        for match in _SHORTCODE.finditer(text):
            if match["name"] not in closed and not _has_text(match["name"], match["rest"], patterns):
                yield _Made("Hugo shortcode", match.start(), match[0])
    if tags:
        for match in _TEMPLATE.finditer(text):
            yield _Made("Jekyll include", match.start(), match[0])
        for match in _DATA.finditer(text):
            yield _Made("use of site data", match.start(), match[0])


def _has_text(name: str, rest: str, patterns: Collection[str]) -> bool:
    """Whether nothing is lost of a shortcode: it is a link, an image or layout, or its values are its text."""
    lower = name.lower()
    if name in patterns or lower in QUIET_SHORTCODES or lower in ADMONITIONS or lower in TITLE_FIRST:
        return True
    return lower.startswith("blocks/") or any(attributes(rest).get(key) for key in SHOWN_VALUES)
