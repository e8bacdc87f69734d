"""Measures written answers against what is retrieved by the verdicts of a language model, and keeps these verdicts.

    answers, retrieved texts ─cases▶ claims beside texts ─a judge▶ which texts support which claim ─▶ the same metrics

Verdicts are kept in a JSON Lines file, one of each case a line: `sha256`, of the case, `id`, that of the question,
`model`, `prompt`, the version of the prompt, and `supports`: for each claim the texts that support it, by their places
from 0. Committed, it gives the same figures for ever, without a model; a person may correct it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from infograph.errors import FormatError
from infograph.evaluate.questions import Question
from infograph.evaluate.synthesis import COMPLETENESS, WrittenAnswer, claims_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Supports = tuple[tuple[int, ...], ...]
"""For each claim the places of the texts that support it, ascending."""
_HINT = "Mend it, or remove the line and run `infograph eval --judge` again."


@dataclass(frozen=True, slots=True)
class JudgedText:
    """A text that may support a claim."""

    text: str
    file: str = ""
    """Path of the document that it is of; empty for an answer."""
    stays: bool = False
    """Whether the document says that it is never sent to a model."""


@dataclass(frozen=True, slots=True)
class SupportCase:
    """Claims, and the texts that may support them."""

    id: str
    """Id of the question."""
    question: str
    claims: tuple[str, ...]
    texts: tuple[JudgedText, ...]

    @property
    def sha256(self) -> str:
        """The digest by which a verdict is found: of all that it depends on but the judge."""
        value = [self.question, self.claims, [own.text for own in self.texts]]
        return hashlib.sha256(json.dumps(value).encode()).hexdigest()

    def fits(self, supports: Supports) -> bool:
        """Whether these may be the supports of the claims: of each, by texts that there are."""
        known = range(len(self.texts))
        return len(supports) == len(self.claims) and all(place in known for own in supports for place in own)


@dataclass(frozen=True, slots=True)
class SupportVerdict:
    """What was said of a case."""

    sha256: str
    id: str
    model: str
    prompt: str
    supports: Supports


class SupportJudge(Protocol):
    """Says which texts support which claims."""

    def judge(self, cases: Sequence[SupportCase]) -> Sequence[Supports | None]:
        """Returns the supports of each case; None where there are none, for whatever reason."""


def judged_metrics(
    judge: SupportJudge,
    answers: Mapping[str, WrittenAnswer],
    questions: Sequence[Question],
    retrieved: Sequence[Sequence[JudgedText]],
    k: int,
) -> dict[str, NDArray[np.float64]]:
    """Returns the metrics of `synthesis_metrics` as a model judges them, one value for each question; NaN where a
    question has no answer, the answer no claim, or the judge no verdict.

    retrieved: for each question the units, best first
    """
    import numpy as np

    names = (f"faithfulness@{k}", f"utilisation@{k}", COMPLETENESS)
    values = np.full((len(questions), len(names)), np.nan)
    cases: list[tuple[int, bool, SupportCase]] = []
    for row, (question, texts) in enumerate(zip(questions, retrieved, strict=True)):
        claims = answers[question.id].claims if question.id in answers else ()
        wanted = claims_of(question.answer)
        if claims and texts:
            cases.append((row, True, SupportCase(question.id, question.text, claims, tuple(texts[:k]))))
        if claims and wanted == claims:  # the reference answer itself
            values[row, 2] = 1.0
        elif claims and wanted:
            said = JudgedText(" ".join(claims))
            cases.append((row, False, SupportCase(question.id, question.text, wanted, (said,))))
    verdicts = judge.judge([case for _, _, case in cases])
    for (row, of_context, case), supports in zip(cases, verdicts, strict=True):
        if supports is None:
            continue
        share = sum(map(bool, supports)) / len(supports)
        if of_context:
            used = {place for own in supports for place in own}
            values[row, :2] = share, len(used) / len(case.texts)
        else:
            values[row, 2] = share
    return {name: values[:, at] for at, name in enumerate(names)}


def read_verdicts(place: str, data: bytes) -> dict[str, SupportVerdict]:
    """Returns the verdicts of a file by the digest of their case. Raises FormatError.

    place: name of the file, for errors
    """
    found: dict[str, SupportVerdict] = {}
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise FormatError(place, f"not UTF-8: {error.reason} at byte {error.start}", _HINT) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            verdict = _verdict(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise FormatError(f"{place}:{number}", f"is no verdict: {error}", _HINT) from None
        if verdict.sha256 in found:
            raise FormatError(f"{place}:{number}", "a second verdict of one case", "Remove one of them.")
        found[verdict.sha256] = verdict
    return found


def _verdict(value: Any) -> SupportVerdict:
    """Returns what a line holds. Raises ValueError that says what is wrong with it."""
    if not isinstance(value, dict):
        raise ValueError("not an object")
    digest, name, model, prompt = (value.get(key) for key in ("sha256", "id", "model", "prompt"))
    if not (isinstance(digest, str) and isinstance(name, str) and isinstance(model, str) and isinstance(prompt, str)):
        raise ValueError("`sha256`, `id`, `model` and `prompt` must be texts")
    supports = value.get("supports")
    if not isinstance(supports, list) or not all(
        isinstance(own, list) and all(map(_is_place, own)) for own in supports
    ):
        raise ValueError("`supports` must be a list of lists of whole numbers from 0")
    return SupportVerdict(digest, name, model, prompt, tuple(tuple(sorted(set(own))) for own in supports))


def _is_place(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def render_verdicts(verdicts: Iterable[SupportVerdict]) -> bytes:
    """Returns the bytes of a file, sorted by question and digest."""
    lines = []
    for own in sorted(verdicts, key=lambda own: (own.id, own.sha256)):
        value = {"id": own.id, "sha256": own.sha256, "model": own.model, "prompt": own.prompt, "supports": own.supports}
        lines.append(json.dumps(value, ensure_ascii=False) + "\n")
    return "".join(lines).encode()
