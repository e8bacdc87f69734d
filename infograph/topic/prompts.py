"""Questions a topic answers: found in `qa-pairs.md` and matched with the chunks that answer them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from infograph.topic.language import question_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
# What may stand before the label of a pair, then the label itself: `Q:`, `**Q:**`, `Q1.`, `1. Question 1)`.
_BEFORE = r"[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+|#{1,6}[ \t]+)*(?:\*\*|__)?"
_ASKED = re.compile(rf"{_BEFORE}(?:Q|Question)[ ]?\d*[.:)](?:\*\*|__)?(?=\s|$)(.*)", re.IGNORECASE)
_ANSWERED = re.compile(rf"{_BEFORE}(?:A|Answer)[ ]?\d*[.:)](?:\*\*|__)?(?=\s|$)", re.IGNORECASE)
_NUMBERED_OR_BOLD = re.compile(r"(?:\d+[.)][ \t]+(.+)|(?:[-*+][ \t]+)?\*\*([^*]+)\*\*)[ \t]*")
_NUMBER = re.compile(r"^\d+[.)][ \t]+")
_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?")
_MARKUP = re.compile(r"<[^<>]*>|\{[ \t]*[#.][^{}]*\}|\*\*|__|[`*]|(?<!\w)_|_(?!\w)")
_AT_ONCE = 1 << 20
"""Cosines: bounds the memory that a page of many questions takes."""
_QUESTION_MARKS = ("?", "？", "؟", "\u037e")


def questions(text: str, language: str = "en") -> tuple[str, ...]:
    """The questions of a `qa-pairs.md`, in order, without markup, each once.

    These are: what stands after `Q:`, also bold or numbered, up to its answer or the end of its paragraph; headings
    that end with a question mark or begin with a question word; numbered items and bold lines that end with a
    question mark. Nothing inside fences.
    """
    found: dict[str, None] = {}
    asked: list[str] | None = None
    fence = ""
    for line in [*text.split("\n"), ""]:
        mark = _FENCE.match(line)
        if fence or mark:
            if mark and not fence:
                fence = mark[1]
            elif mark and mark[1].startswith(fence):
                fence = ""
            line = ""
        label = _ASKED.match(line)
        heading = _HEADING.match(line)
        if asked is not None and (label or heading or not line.strip() or _ANSWERED.match(line)):
            found[_plain(" ".join(asked))] = None
            asked = None
        if label:
            asked = [label[1]]
        elif asked is not None:
            asked.append(line)
        elif heading:
            title = _NUMBER.sub("", _plain(heading[1]))
            if _asks(title) or title.split(" ", 1)[0].lower() in question_words(language):
                found[title] = None
        elif (item := _NUMBERED_OR_BOLD.fullmatch(line.strip())) and _asks(title := _plain(item[1] or item[2])):
            found[title] = None
    found.pop("", None)
    return tuple(found)


def _asks(text: str) -> bool:
    return text.endswith(_QUESTION_MARKS)


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", text)).split())


def match_prompts(
    chunk_vectors: NDArray[np.float32],
    question_vectors: NDArray[np.float32],
    hashes: Sequence[int],
    threshold: float,
    top_k: int,
) -> list[tuple[int, ...]]:
    """For each chunk the hashes of the questions it answers, ascending.

    A question goes to its `top_k` nearest chunks, as far as their cosine reaches `threshold`; ties go to the
    earlier chunk. Rows of both matrices are unit vectors, `hashes` belong to the rows of `question_vectors`.
    """
    import numpy as np  # only a build needs it, not every command

    found: list[set[int]] = [set() for _ in range(len(chunk_vectors))]
    if len(chunk_vectors) and len(question_vectors):
        chunks = chunk_vectors.astype(np.float64).T
        step = max(1, _AT_ONCE // len(chunk_vectors))
        for start in range(0, len(hashes), step):
            # Rounded as they would be written, so that the last bits of a sum decide nothing.
            cosines = np.round(question_vectors[start : start + step].astype(np.float64) @ chunks, 6)
            for row, value in zip(cosines, hashes[start : start + step], strict=True):
                near = np.flatnonzero(row >= threshold)
                for chunk in near[np.argsort(-row[near], kind="stable")[:top_k]].tolist():
                    found[chunk].add(value)
    return [tuple(sorted(values)) for values in found]
