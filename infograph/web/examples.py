"""Questions to begin with, taken from the titles of a tree, and the file that the explorer's first page reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from infograph.formats.marks import WEB_MARK

MOST = 6
"""Questions that are shown."""
WORDS = (3, 12)
"""Words of a title that may be a question."""
LONGEST = 80
"""Characters of one."""

_REMEMBERED = 1 << 16
"""Titles whose rank is remembered."""
_QUESTION = re.compile(r"[?？؟]\s*$")
_ASKING = re.compile(
    r"(?:how|why|what|when|where|which|who|can|should|is|are|comment|pourquoi|wie|warum|was|wann|cómo|qué"
    r"|como|come|perché|hoe|waarom)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_MARKUP = re.compile(r"[`*_<>{}\[\]|\\]|https?:|^\W*[\d.]+\b| [-–—:] |: ")
"""What a sentence for readers does not have; versions, dates and titles in two parts are no questions either."""


@dataclass(frozen=True, slots=True)
class TitledPage:
    """A page by its titles."""

    path: str
    title: str
    sections: list[str]
    """Titles of its chunks."""


def examples(pages: Iterable[TitledPage]) -> list[str]:
    """Returns titles that may be asked as questions, `MOST` at most: those that are questions first, then those that
    tell how something is done, then those of the largest pages; one from each folder before a second from any."""
    best: dict[str, tuple[int, int, str, str]] = {}
    ranked = lru_cache(_REMEMBERED)(_rank)  # most titles of reference pages are alike
    for page in pages:
        for title in {page.title, *page.sections}:
            shown = " ".join(title.split())
            rank = ranked(shown)
            if rank is None:
                continue
            key = shown.casefold()
            row = (rank, -len(page.sections), page.path, shown)
            best[key] = min(row, best.get(key, row))
    rows = sorted(best.values())
    seen: dict[str, int] = {}
    turns = []
    for row in rows:
        folder = row[2].rpartition("/")[0]
        seen[folder] = seen.get(folder, 0) + 1
        turns.append((row[0], seen[folder], row))
    turns.sort()
    found: list[str] = []
    for _, _, (*_, title) in turns:
        if len(found) < MOST and not any(_alike(title, other) for other in found):
            found.append(title)
    return found


def _rank(title: str) -> int | None:
    """Returns 0 for a question, 1 for what tells how, 2 for other titles of some words, None for what is none."""
    count = len(_WORD.findall(title))
    if not WORDS[0] <= count <= WORDS[1] or len(title) > LONGEST or _MARKUP.search(title):
        return None
    if _QUESTION.search(title):
        return 0
    return 1 if _ASKING.match(title) else 2


def _alike(title: str, other: str) -> bool:
    """Whether two titles share most of their words."""
    words, others = ({word.lower() for word in _WORD.findall(text)} for text in (title, other))
    return 2 * len(words & others) > min(len(words), len(others))


def start_file(pages: int, chunks: int, questions: Sequence[str], bytes_each: int) -> bytes:
    """Returns the file that the explorer's first page reads.

    bytes_each: that a question takes on the average
    """
    value = {
        "//": WEB_MARK.decode(),
        "pages": pages,
        "chunks": chunks,
        "bytes": bytes_each,
        "questions": list(questions),
    }
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
