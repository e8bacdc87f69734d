"""When a second look at the first chunks pays: the manifest's `rerank`, and the file `rerank.json`.

A **threshold** is the least confidence of a ranking at which nothing is asked of a language model: at least a share
`beta` of such rankings has the answer in its first five, with 95% confidence (section 3.4.2 of the specification).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import orjson

from infograph.errors import FormatError
from infograph.formats.codec import Bounds, DecodeError, decode, dump
from infograph.search.format.fusion_model import fitted_json
from infograph.search.format.layout import LARGEST_NUMBER

RERANK_FORMAT = 1
LARGEST_POLICY = 1 << 16
"""Most bytes of a `rerank.json`."""
_AGAIN = "Run `infograph fit rerank` again with this release"
Proportion = Annotated[float, Bounds(0, 1)]
QuestionCount = Annotated[int, Bounds(0, LARGEST_NUMBER)]


@dataclass(frozen=True, slots=True)
class Threshold:
    """The confidence from which on a ranking stays as it is."""

    tau: Proportion
    beta: Proportion
    """Least share of rankings at or above it that have the answer in the first five."""
    n: QuestionCount
    """Number of questions that the threshold rests on."""


@dataclass(frozen=True, slots=True)
class RerankPolicy:
    """The thresholds of a site. Without one, a model is asked whenever there is one to ask."""

    fused: Threshold | None = None
    """For rankings by words and the query's vector together."""
    words: Threshold | None = None
    """For rankings without the query's vector."""


NO_POLICY = RerankPolicy()
"""The policy of a site that was not calibrated."""


@dataclass(frozen=True, slots=True)
class PairedOutcomes:
    """How many questions are answered better, and worse, with one more look at the first chunks."""

    better: QuestionCount
    worse: QuestionCount


@dataclass(frozen=True, slots=True)
class RerankFile:
    """The contents of `rerank.json`: an input of the build."""

    format: int
    model: str
    """The model of the cosines as `name@revision`."""
    policy: RerankPolicy = RerankPolicy()
    vectors: PairedOutcomes | None = None
    """Whether the look at the vectors pays on this tree; None leaves it to what the release knows of the model."""
    about: str = ""
    """What it was fitted on, for people."""


def rerank_bytes(found: RerankFile) -> bytes:
    """Returns a policy as the bytes of its file."""
    return orjson.dumps(dump(found), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read_rerank(place: str, data: bytes) -> RerankFile:
    """Reads a rerank file.

    place: name of the file, for errors

    Raises FormatError for one that is malformed, too large, or of another version.
    """
    found = fitted_json(place, data, largest=LARGEST_POLICY, version=RERANK_FORMAT, hint=_AGAIN)
    try:
        return decode(RerankFile, found)
    except DecodeError as error:
        raise FormatError(place, error.placed, _AGAIN) from None
