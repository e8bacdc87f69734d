"""How much of the answer's wording is retrieved: the gold-span and chunk metrics of section 4.3 of the specification.

    T1EM, T5EM       1 when the first unit, one of the first five, holds a whole gold span
    T1C              coverage of the answer by the first unit
    BC, AC           the best, the mean coverage by one of the units
    MC               coverage by all units together
    T1O, BO, AO      overlap of the first, the best, the mean of the units with a gold span

Coverage is the length of the longest common subsequence of words over the words of the gold span; overlap is twice that
length over the words of both, so that it falls where a passage holds much else. With several gold spans, exact match,
T1O and BO take the best one, coverage the mean over them, and AO the mean over all pairs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from infograph.evaluate.corpus import Corpus, RetrievalUnit
from infograph.evaluate.extra import missing_package
from infograph.evaluate.questions import Span

WORD_METRICS = ("T1EM", "T5EM", "T1C", "BC", "AC", "MC", "T1O", "BO", "AO")

FIVE = 5
"""Number of units that T5EM looks at, however many are returned."""
_WORD = re.compile(r"\w+")
_MOST_WORDS = 5_000
"""Words of a gold span that are compared; longer ones, such as a whole page, are cut there."""


def word_metrics(
    gold: Sequence[Span], ranked: Sequence[RetrievalUnit], corpus: Corpus, k: int = FIVE
) -> dict[str, float]:
    """The metrics of one question.

    ranked: units, best first; at least `FIVE` of them, if there are as many
    k:      number of them that are retrieved
    corpus: source of the gold spans' text
    """
    first = ranked[:k]
    if not first:
        return dict.fromkeys(WORD_METRICS, 0.0)
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError as error:
        raise missing_package("rapidfuzz", error) from None
    answers = [_words(text_of(corpus, span))[:_MOST_WORDS] for span in gold]
    found = [_words(unit.text) for unit in first]
    joined = [word for words in found for word in words]
    common = [[LCSseq.similarity(answer, words) for words in found] for answer in answers]
    covers = [  # by unit
        _mean([row[at] / max(1, len(answer)) for row, answer in zip(common, answers, strict=True)])
        for at in range(len(found))
    ]
    overlaps = [  # by unit, then by gold span
        [2 * row[at] / max(1, len(answer) + len(words)) for row, answer in zip(common, answers, strict=True)]
        for at, words in enumerate(found)
    ]
    return {
        "T1EM": float(_holds(first[:1], gold)),
        "T5EM": float(_holds(ranked[:FIVE], gold)),
        "T1C": covers[0],
        "BC": max(covers),
        "AC": _mean(covers),
        "MC": _mean([LCSseq.similarity(answer, joined) / max(1, len(answer)) for answer in answers]),
        "T1O": max(overlaps[0]),
        "BO": max(map(max, overlaps)),
        "AO": _mean([value for row in overlaps for value in row]),
    }


def text_of(corpus: Corpus, span: Span) -> str:
    """The text of a span of the documents, without the parts that no unit holds."""
    parts: list[str] = []
    end = span.start
    for position in sorted(corpus.overlapping([span])):
        unit = corpus.units[position]
        begin = max(end, unit.span.start)
        stop = min(span.end, unit.span.end)
        if begin < stop:
            parts.append(unit.text[begin - unit.span.start : stop - unit.span.start])
            end = stop
    return "".join(parts)


def _holds(units: Sequence[RetrievalUnit], gold: Sequence[Span]) -> bool:
    """Whether one of the units holds a whole gold span."""
    return any(unit.span.overlap(span) == span.length for unit in units for span in gold)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
