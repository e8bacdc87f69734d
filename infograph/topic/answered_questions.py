"""The questions that a topic answers: reads them from `qa-pairs.md` and matches them with the chunks that answer
them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING

from infograph.model import Block
from infograph.text.inline import inline_text
from infograph.text.language import question_words
from infograph.text.lines import split_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLANK = " \t>"
"""Characters of a blank line, also in a quote, and of the indentation of other lines."""
# The text that may precede the label of a pair, then the label itself: `Q:`, `**Q:**`, `Q1.`, `1. Question 1)`.
_BEFORE = r"[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)*(?P<bold>\*\*|__)?"
_ANSWER = r"(?:A|Answer)[ ]?\d*[.:)](?:\*\*|__)?(?=\s|$)"
_ASKED = re.compile(
    rf"{_BEFORE}(?:Q|Question)[ ]?\d*[.:)](?P<closed>\*\*|__)?(?=\s|$)[ \t]*(?P<text>.*)", re.IGNORECASE
)
_ANSWERED = re.compile(_BEFORE + _ANSWER, re.IGNORECASE)
_ANSWERED_BESIDE = re.compile(rf"(?<=[?？؟\u037e])(\*\*|__)?(?:[ \t]+|(?<=？))(?:\*\*|__)?{_ANSWER}.*", re.IGNORECASE)
"""Matches an answer on the line of its question."""
_NUMBERED_OR_BOLD = re.compile(r"(?:\d+[.)][ \t]+(.+)|(?:[-*+][ \t]+)?\*\*([^*]+)\*\*)[ \t]*")
_NUMBER = re.compile(r"^\d+[.)][ \t]+")
_COSINES_AT_ONCE = 1 << 20
"""Number of cosines computed at once, which bounds the memory for a page of many questions."""
_QUESTION_MARKS = ("?", "？", "؟", "\u037e")


def questions_asked(body: str, blocks: Iterable[Block], language: str = "en") -> Iterator[tuple[int, str]]:
    """Yields questions in order, without markup, each with the 0-based line of the body where it begins.

    Questions are: text after `Q:`, also bold or numbered, up to its answer or the end of its paragraph; headings
    that end with a question mark or begin with a question word; numbered items and bold lines that end with a
    question mark. Only headings and paragraphs are read, also those in lists and quotes.

    blocks: blocks of the body
    """
    lines = split_lines(body)
    for block in _texts(blocks):
        found = _of_heading(block, lines, language) if block.kind == "heading" else _of_lines(_filled(block, lines))
        yield from (question for question in found if question[1])


def _texts(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind in ("heading", "paragraph"):
            yield block
        elif block.kind != "table":
            yield from _texts(block.children)


def _filled(block: Block, lines: Sequence[str]) -> list[tuple[int, str]]:
    """Returns the lines of a heading or a paragraph with their numbers, without the blank lines around them."""
    numbered = [(number, lines[number]) for number in range(block.start, block.end)]
    begun = dropwhile(lambda line: not line[1].strip(_BLANK), numbered)
    return list(takewhile(lambda line: line[1].strip(_BLANK), begun))


def _of_heading(block: Block, lines: Sequence[str], language: str) -> Iterator[tuple[int, str]]:
    rows = _filled(block, lines)
    # Pairs directly above a rule parse as a setext heading.
    if len(rows) > 1 and (found := list(_of_lines(rows[:-1]))):
        yield from found
        return
    label = _ASKED.match(block.text)
    title = _ANSWERED_BESIDE.sub(r"\1", label["text"].strip() if label else _NUMBER.sub("", block.text))
    if label or _asks(title) or title.split(" ", 1)[0].lower() in question_words(language):
        yield rows[0][0], title


def _of_lines(rows: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yields the questions in the lines of one paragraph."""
    begun, asked = 0, list[str]()
    for number, line in rows:
        label = _ASKED.match(line)
        if asked and (label or _ANSWERED.match(line)):
            yield begun, _question(asked)
            asked = []
        if label:
            begun, asked = number, [_after(label)]
        elif asked:
            asked.append(line.lstrip(_BLANK))
        elif item := _NUMBERED_OR_BOLD.fullmatch(_ANSWERED_BESIDE.sub(r"\1", line.lstrip(_BLANK).strip())):
            title = inline_text(item[1] or item[2])
            if _asks(title):
                yield number, title
    if asked:
        yield begun, _question(asked)


def _asks(text: str) -> bool:
    return text.endswith(_QUESTION_MARKS)


def _after(label: re.Match[str]) -> str:
    """Returns the question on a label's line; where label and question are bold together, with the opening marker."""
    return (label["bold"] or "") * (not label["closed"]) + label["text"]


def _question(lines: Iterable[str]) -> str:
    return inline_text(_ANSWERED_BESIDE.sub(r"\1", " ".join(lines)))


def match_questions(
    chunk_vectors: NDArray[np.float32],
    question_vectors: NDArray[np.float32],
    threshold: float,
    top_k: int,
) -> list[list[tuple[int, float]]]:
    """Returns for each question the chunks that answer it, each with its cosine, the best first.

    A question is matched with its `top_k` nearest chunks whose cosine reaches `threshold`; the earlier of equal
    chunks wins. Rows of both matrices are unit vectors.
    """
    import numpy as np  # imported here: only builds need it

    found: list[list[tuple[int, float]]] = []
    if len(chunk_vectors):
        chunks = chunk_vectors.astype(np.float64).T
        step = max(1, _COSINES_AT_ONCE // len(chunk_vectors))
        for start in range(0, len(question_vectors), step):
            # Rounded like written similarities, so that the last bits of a sum decide nothing.
            cosines = np.round(question_vectors[start : start + step].astype(np.float64) @ chunks, 6)
            for row in cosines:
                near = np.flatnonzero(row >= threshold)
                best = near[np.argsort(-row[near], kind="stable")[:top_k]]
                found.append(list(zip(best.tolist(), row[best].tolist(), strict=True)))
    return found or [[] for _ in range(len(question_vectors))]
