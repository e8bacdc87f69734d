"""Other wordings of questions, made by rules: what people ask who mean a question that is known, or the contrary."""

from __future__ import annotations

import re
from collections.abc import Iterator

from infograph.search.format.question_hash import QuestionWords, turn

OPENING, SHORTER, LONGER, TURNED = "opening", "shorter", "longer", "turned"
KINDS = (OPENING, SHORTER, LONGER, TURNED)
"""Another opening; the last word that is no stop word left out; a word more; and the contrary, which is not the same
question."""

_OPENINGS = (
    (
        r"how (?:do|can|should|would|does) (?:i|you|we|one|someone|a user) ",
        ("How can you ", "How to ", "What is the way to "),
    ),
    (r"how to ", ("How do I ", "How can you ")),
    (r"what is ", ("What's ", "Explain what is ")),
    (r"what are ", ("Which are ", "Tell me what are ")),
    (r"what ", ("Which ",)),
    (r"which ", ("What ",)),
    (r"can (?:i|you|we|one) ", ("Is it possible to ", "Could I ")),
    (r"where (?:do|can|should) (?:i|you|we) ", ("Where can one ",)),
    (r"why ", ("For what reason ",)),
    (r"when ", ("At what time ",)),
    (r"does ", ("Will ",)),
)
_TURNS = re.compile(r"\b(do|does|did|is|are|was|were|can|could|should|would|has|have)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_MORE = "Windows"


def rewordings(question: str, said: QuestionWords) -> Iterator[tuple[str, str]]:
    """Yields the kind and the text of each other wording; none of a kind that no rule makes. What has a word that turns
    it around is not turned once more."""
    for pattern, others in _OPENINGS:
        if found := re.match(pattern, question, re.IGNORECASE):
            yield from ((OPENING, other + question[found.end() :]) for other in others)
            break
    words = [found for found in _WORD.finditer(question) if found[0].lower() not in said.stop_words]
    if len(words) > 2:
        yield SHORTER, question[: words[-1].start()] + question[words[-1].end() :]
    yield LONGER, f"{question.rstrip('?. ')} on {_MORE}?"
    if (found := _TURNS.search(question)) and not turn(question, said):
        yield TURNED, f"{question[: found.end()]} not{question[found.end() :]}"
