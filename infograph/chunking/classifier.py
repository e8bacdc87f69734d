"""Determines the class of a Markdown document from its headings and blocks, not from its name: a document whose
headings are versions is a changelog."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from infograph.chunking.code.grammars import BY_FENCE
from infograph.chunking.code.listings import fences, language_of
from infograph.chunking.interface import DocumentLayout
from infograph.model import Block

_VERSION = re.compile(
    r"""\W{0,3}(?:[a-z][\w.-]{0,30}\s+){0,2}\W{0,3} v?\d+\.\d+(?:\.[\dx*]++)*(?!\.[\dx*])[\w.+-]*+ \W{0,3}  # `v1.2`
        (?:\S{1,30}\s+)? \W{0,3} (?:\d{4}.\d\d.\d\d|[\w ,]{0,20}\d{4})? \W{0,3}  # ` - May 2024`
      | \W{0,3}\d{4}-\d\d-\d\d\W{0,3}\S{0,30}
      | \W{0,3}(?:unreleased|next|upcoming)\W{0,3}""",
    re.IGNORECASE | re.VERBOSE,
)
"""Matches a version, a date or both, with hardly anything else."""
_QUESTION = re.compile(r".*\?\W*|Q\s*\d*\s*[:.)].*", re.DOTALL)
_ASKED = re.compile(r"(?:\*\*|__)?Q(?:uestion)?\s*\d*\s*[:.)]")
_CLAUSE = re.compile(
    r"(?:§+\s*|art(?:icle|\.)\s+|section\s+|clause\s+)?\d+(?:\.\d+)+[.)]?\s+\S|(?:§|article)\s*\d+", re.IGNORECASE
)
_TURN = re.compile(
    r"(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?\s*)?(?:\*\*|__)?([A-Z][\w.' -]{0,40}?)(?:\*\*|__)?:(?:\*\*|__)?\s"
)
"""Matches the speaker before a turn of a dialogue: `Ada:`, `**Ada:**`, `[00:12] Ada:`."""
_NAME = re.compile(
    r"""(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+/\S*                        # an endpoint
      | --?[A-Za-z][\w-]*(?:[ =,].*)?                                           # an option
      | (?:class|def|func|function|fn|struct|enum|interface|type|trait|impl|method|property)\s+[\w.:<>$]+.*
      | [$@]?[^\W\d]\w*(?:(?:\.|::|->|\#)\w+)*\(.*\)\s*\S{0,20}                 # a call
      | [$@]?[^\W\d]\w*(?:(?:\.|::|->)\w+)+ | [A-Za-z]+_\w+ | [a-z]+[A-Z]\w* | [A-Z][a-z]+-[A-Z]\w+
      | (?:SYNOPSIS|SYNTAX|DESCRIPTION|EXAMPLES?|PARAMETERS|ARGUMENTS|OPTIONS|INPUTS|OUTPUTS|RETURNS?|NOTES
        |ENVIRONMENT|FILES|EXIT[ ]STATUS|RELATED[ ]LINKS|SEE[ ]ALSO)""",
    re.VERBOSE,
)
"""Matches the name of an entry in a reference, and the section titles of a manual page."""
_LONG_PROSE = 3_000
"""Length in characters from which a document without headings counts as prose."""
_LONG_FENCE = 1_500
"""Length in characters of a long fence: `structural` cuts it between any two lines, `code` where a scope begins."""


def classify(layout: DocumentLayout) -> tuple[str, str]:
    """Returns the class of a Markdown document, and the observation that decided it."""
    for name, rule in _RULES:
        reason = rule(layout)
        if reason:
            return name, reason
    return "guide", f"{_amount(len(layout.headings), 'heading')} over prose"


def _release_notes(layout: DocumentLayout) -> str:
    return _headings_that(layout, _VERSION.fullmatch, 2, "versions or dates")


def _faq(layout: DocumentLayout) -> str:
    found = _headings_that(layout, _QUESTION.fullmatch, 3, "questions")
    if found:
        return found
    paragraphs = _paragraphs(layout)
    asked = sum(1 for text in paragraphs if _ASKED.match(text))
    return (
        f"{asked} of {len(paragraphs)} paragraphs begin with Q" if asked >= 3 and 3 * asked >= len(paragraphs) else ""
    )


def _reference(layout: DocumentLayout) -> str:
    return _headings_that(layout, _NAME.fullmatch, 6, "names of an interface")


def _clauses(layout: DocumentLayout) -> str:
    return _headings_that(layout, _CLAUSE.match, 5, "numbered clauses")


def _dialogue(layout: DocumentLayout) -> str:
    paragraphs = _paragraphs(layout)
    speakers = [match[1] for text in paragraphs if (match := _TURN.match(text))]
    if len(speakers) < 8 or 2 * len(speakers) < len(paragraphs) or 2 * len(set(speakers)) > len(speakers):
        return ""
    return f"{len(speakers)} of {len(paragraphs)} paragraphs are turns of {len(set(speakers))} speakers"


def _tables(layout: DocumentLayout) -> str:
    return _mostly(layout, layout.texts(_of_kind(layout.blocks, ("table",))), "tables")


def _source(layout: DocumentLayout) -> str:
    known = layout.texts(fence for fence in fences(layout.blocks) if language_of(fence) in BY_FENCE)
    return _mostly(layout, [text for text in known if len(text) > _LONG_FENCE], "long listings of source code")


def _listings(layout: DocumentLayout) -> str:
    return _mostly(layout, layout.texts(_of_kind(layout.blocks, ("fence", "code"))), "code")


def _prose(layout: DocumentLayout) -> str:
    return (
        "" if layout.headings or len(layout.body) < _LONG_PROSE else f"{len(layout.body)} characters without a heading"
    )


_RULES: Sequence[tuple[str, Callable[[DocumentLayout], str]]] = (
    ("release-notes", _release_notes),
    ("faq", _faq),
    ("reference", _reference),
    ("clauses", _clauses),
    ("dialogue", _dialogue),
    ("tables", _tables),
    ("source", _source),
    ("listings", _listings),
    ("prose", _prose),
)
"""Classes with their rules, tried in this order; a rule returns its observation or the empty string.

What headings say takes precedence over what stands below them.
"""


def _headings_that(layout: DocumentLayout, says: Callable[[str], object], least: int, what: str) -> str:
    """Returns the observation that at least half of the headings of one level below the title match; else the empty
    string.

    least: least number of matching headings
    """
    levels: dict[int, list[str]] = {}
    for heading in layout.headings[1:] if layout.headings and layout.headings[0].level == 1 else layout.headings:
        levels.setdefault(heading.level, []).append(heading.text)
    for level, texts in sorted(levels.items()):
        hits = sum(1 for text in texts if says(text))
        if hits >= least and 2 * hits >= len(texts):
            return f"{hits} of {len(texts)} headings of level {level} are {what}"
    return ""


def _paragraphs(layout: DocumentLayout) -> list[str]:
    return layout.texts(block for block in layout.blocks if block.kind == "paragraph")


def _mostly(layout: DocumentLayout, texts: Iterable[str], what: str) -> str:
    length = sum(map(len, texts))
    return f"{100 * length // len(layout.body)}% of the text are {what}" if 3 * length > 2 * len(layout.body) else ""


def _of_kind(blocks: Iterable[Block], kinds: tuple[str, ...]) -> Iterable[Block]:
    for block in blocks:
        if block.kind in kinds:
            yield block
        elif block.children:
            yield from _of_kind(block.children, kinds)


def _amount(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
