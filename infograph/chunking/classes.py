"""What kind of page a page is, told by its headings and blocks and not by its name: a page whose headings are versions
is a changelog."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from infograph.chunking.code.grammars import BY_FENCE
from infograph.chunking.code.listings import fences, language_of
from infograph.chunking.page import Page
from infograph.model import Block

_VERSION = re.compile(
    r"""\W{0,3}(?:[a-z][\w.-]{0,30}\s+){0,2}\W{0,3} v?\d+\.\d+(?:\.[\dx*]++)*(?!\.[\dx*])[\w.+-]*+ \W{0,3}  # `v1.2`
        (?:\S{1,30}\s+)? \W{0,3} (?:\d{4}.\d\d.\d\d|[\w ,]{0,20}\d{4})? \W{0,3}  # ` - May 2024`
      | \W{0,3}\d{4}-\d\d-\d\d\W{0,3}\S{0,30}
      | \W{0,3}(?:unreleased|next|upcoming)\W{0,3}""",
    re.IGNORECASE | re.VERBOSE,
)
"""A version, a date, or both, and hardly anything else."""
_QUESTION = re.compile(r".*\?\W*|Q\s*\d*\s*[:.)].*", re.DOTALL)
_ASKED = re.compile(r"(?:\*\*|__)?Q(?:uestion)?\s*\d*\s*[:.)]")
_CLAUSE = re.compile(
    r"(?:§+\s*|art(?:icle|\.)\s+|section\s+|clause\s+)?\d+(?:\.\d+)+[.)]?\s+\S|(?:§|article)\s*\d+", re.IGNORECASE
)
_TURN = re.compile(
    r"(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?\s*)?(?:\*\*|__)?([A-Z][\w.' -]{0,40}?)(?:\*\*|__)?:(?:\*\*|__)?\s"
)
"""`Ada:`, `**Ada:**`, `[00:12] Ada:` before what somebody says."""
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
"""What a reference has entries for, and the sections of a manual page."""
_LONG = 3_000
"""Characters of a page without headings from which on it is worth looking for borders in it."""
_LONG_FENCE = 1_500
"""Characters. `structural` cuts a longer fence between any two lines, `code` where a scope begins."""


def classify(page: Page) -> tuple[str, str]:
    """The class of a page of Markdown, and what tells it."""
    for name, rule in _RULES:
        reason = rule(page)
        if reason:
            return name, reason
    return "guide", f"{_amount(len(page.headings), 'heading')} over prose"


def _release_notes(page: Page) -> str:
    return _headings_that(page, _VERSION.fullmatch, 2, "versions or dates")


def _faq(page: Page) -> str:
    found = _headings_that(page, _QUESTION.fullmatch, 3, "questions")
    if found:
        return found
    paragraphs = _paragraphs(page)
    asked = sum(1 for text in paragraphs if _ASKED.match(text))
    return (
        f"{asked} of {len(paragraphs)} paragraphs begin with Q" if asked >= 3 and 3 * asked >= len(paragraphs) else ""
    )


def _reference(page: Page) -> str:
    return _headings_that(page, _NAME.fullmatch, 6, "names of an interface")


def _clauses(page: Page) -> str:
    return _headings_that(page, _CLAUSE.match, 5, "numbered clauses")


def _dialogue(page: Page) -> str:
    paragraphs = _paragraphs(page)
    speakers = [match[1] for text in paragraphs if (match := _TURN.match(text))]
    if len(speakers) < 8 or 2 * len(speakers) < len(paragraphs) or 2 * len(set(speakers)) > len(speakers):
        return ""
    return f"{len(speakers)} of {len(paragraphs)} paragraphs are turns of {len(set(speakers))} speakers"


def _tables(page: Page) -> str:
    return _mostly(page, page.texts(_of_kind(page.blocks, ("table",))), "tables")


def _source(page: Page) -> str:
    known = page.texts(fence for fence in fences(page.blocks) if language_of(fence) in BY_FENCE)
    return _mostly(page, [text for text in known if len(text) > _LONG_FENCE], "long listings of source code")


def _listings(page: Page) -> str:
    return _mostly(page, page.texts(_of_kind(page.blocks, ("fence", "code"))), "code")


def _prose(page: Page) -> str:
    return "" if page.headings or len(page.body) < _LONG else f"{len(page.body)} characters without a heading"


_RULES: Sequence[tuple[str, Callable[[Page], str]]] = (
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
"""In this order: each gives what it found, or the empty string. What headings say comes before what they head."""


def _headings_that(page: Page, says: Callable[[str], object], least: int, what: str) -> str:
    """Whether half of the headings of some level below the title are of a kind, at least so many."""
    levels: dict[int, list[str]] = {}
    for heading in page.headings[1:] if page.headings and page.headings[0].level == 1 else page.headings:
        levels.setdefault(heading.level, []).append(heading.text)
    for level, texts in sorted(levels.items()):
        hits = sum(1 for text in texts if says(text))
        if hits >= least and 2 * hits >= len(texts):
            return f"{hits} of {len(texts)} headings of level {level} are {what}"
    return ""


def _paragraphs(page: Page) -> list[str]:
    return page.texts(block for block in page.blocks if block.kind == "paragraph")


def _mostly(page: Page, texts: Iterable[str], what: str) -> str:
    length = sum(map(len, texts))
    return f"{100 * length // len(page.body)}% of the text are {what}" if 3 * length > 2 * len(page.body) else ""


def _of_kind(blocks: Iterable[Block], kinds: tuple[str, ...]) -> Iterable[Block]:
    for block in blocks:
        if block.kind in kinds:
            yield block
        elif block.children:
            yield from _of_kind(block.children, kinds)


def _amount(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
