"""How the words' score and the cosine of a chunk become one: the manifest's `fusion`, and the file `fusion.json`.

    sum     words + weight × cosine, the default, which the manifest does not spell out
    rrf     sum of reciprocal ranks; Cormack et al., "Reciprocal Rank Fusion", 2009
    tm2c2   convex sum of both, each scaled by its theoretical minimum and its maximum, with one α for all queries
    ridge   the same, with an α that is a linear function of four features of the query
    trees   the same, with an α that is a sum of regression trees over 25 features

`infograph fit fusion` writes the last two. The numbers of `trees` lie in a file of their own, which only a reader that
has the query's vector reads. `search/ranking/fusion.py` evaluates them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import orjson

from infograph.errors import ConfigError, FormatError
from infograph.formats.codec import Bounds, DecodeError, decode, dump

FUSION_FORMAT = 1
LARGEST_FUSION = 60_000
"""Most bytes of a fusion file."""
SUM, RRF, TM2C2, RIDGE, TREES = "sum", "rrf", "tm2c2", "ridge", "trees"
KINDS = (SUM, RRF, TM2C2, RIDGE, TREES)
QUERY_FEATURES = ("words", "digit", "question_word", "acronym")
"""Features of a query by itself: number of words; 1 where it has a digit, a word that asks, an acronym."""
POOL = 10
"""Best chunks by either score that the features of scores are taken from."""
FEATURES = (
    *QUERY_FEATURES,
    *(f"cosine_{place}" for place in range(1, POOL + 1)),
    *(f"bm25_{place}" for place in range(1, POOL + 1)),
    "overlap",
)
"""All 25 features: those of the query, the scaled scores of the best ten by cosine and by words, and how many chunks
are among both tens."""
LEAF = -1
"""Feature of a node that is a leaf."""
_AGAIN = "Run `infograph fit fusion` again with this release"
_LARGEST = 1e30
"""Largest number of a tree: so many as a file holds add up to a float of 32 bits, whose largest is 3.4e38."""
_Place = Annotated[int, Bounds(LEAF, len(FEATURES) - 1)]


@dataclass(frozen=True, slots=True)
class RegressionTree:
    """A tree over features: nodes from the root on, each followed by all that lies below it on the left."""

    features: tuple[_Place, ...]
    """The feature that a node asks for; `LEAF` for a leaf."""
    numbers: tuple[float, ...]
    """The bound below which a node leads to the left; the value of a leaf."""
    right: tuple[Annotated[int, Bounds(0)], ...]
    """The node to the right, to the left is the next one; 0 for a leaf."""

    def sound(self) -> bool:
        """Whether every path ends in a leaf and the numbers are finite."""
        size = len(self.features)
        return (
            size == len(self.numbers) == len(self.right)
            and size > 0
            and all(abs(number) <= _LARGEST for number in self.numbers)
            and all(
                feature == LEAF or place + 1 < after < size
                for place, (feature, after) in enumerate(zip(self.features, self.right, strict=True))
            )
        )


@dataclass(frozen=True, slots=True)
class TreeSum:
    """A sum of regression trees, worked out in floats of 32 bits as XGBoost does."""

    base: float
    """What the sum begins with."""
    trees: tuple[RegressionTree, ...]

    def sound(self) -> bool:
        """Whether it gives a number for all features."""
        return abs(self.base) <= _LARGEST and all(tree.sound() for tree in self.trees)


@dataclass(frozen=True, slots=True)
class Fusion:
    """How the two scores of a chunk become one."""

    kind: str = SUM
    alpha: Annotated[float, Bounds(0, 1)] = 0.5
    """Share of the cosine under `tm2c2`."""
    features: tuple[str, ...] = ()
    """Names of the features that α is worked out from, in their order."""
    weights: tuple[float, ...] = ()
    """Weight of each feature under `ridge`."""
    bias: float = 0.0
    """What the linear function begins with."""
    file: str = ""
    """Name of the bundle's file with the `TreeSum`, under `trees`."""

    def sound(self) -> bool:
        """Whether the fields belong together."""
        wanted = {RIDGE: QUERY_FEATURES, TREES: FEATURES}.get(self.kind, ())
        weights = len(wanted) if self.kind == RIDGE else 0
        return (
            self.kind in KINDS
            and self.features == wanted
            and len(self.weights) == weights
            and all(map(math.isfinite, (*self.weights, self.bias)))
        )


PLAIN_SUM = Fusion()
"""The fusion of a site that names none."""


@dataclass(frozen=True, slots=True)
class FusionFile:
    """The contents of `fusion.json`: an input of the build."""

    format: int
    kind: str
    model: str
    """The model of the cosines as `name@revision`: those of another one have another scale."""
    features: tuple[str, ...] = ()
    alpha: Annotated[float, Bounds(0, 1)] = 0.5
    weights: tuple[float, ...] = ()
    bias: float = 0.0
    base: float = 0.0
    trees: tuple[RegressionTree, ...] = ()
    about: str = ""
    """What it was fitted on and how well, for people."""

    def fusion(self, file: str = "") -> Fusion:
        """Returns the manifest's field. `file`: name of the file of the trees."""
        return Fusion(self.kind, self.alpha, self.features, self.weights, self.bias, file)

    def tree_sum(self) -> bytes:
        """Returns the contents of the file of the trees; empty for another kind."""
        return orjson.dumps(dump(TreeSum(self.base, self.trees))) if self.kind == TREES else b""


def plain_fusion(text: str) -> FusionFile | None:
    """Returns the fusion that a word names: `sum`, `rrf`, `tm2c2` or `tm2c2:0.4`, a share of the cosine; None for
    anything else, such as the name of a file."""
    kind, _, given = text.partition(":")
    if kind not in (SUM, RRF, TM2C2) or (given and kind != TM2C2):
        return None
    try:
        alpha = float(given) if given else 0.5
    except ValueError:
        return None
    return FusionFile(FUSION_FORMAT, kind, "", alpha=alpha) if 0 <= alpha <= 1 else None


def fusion_bytes(fusion: FusionFile) -> bytes:
    """Returns a fusion as the bytes of its file. Raises ConfigError for more than `LARGEST_FUSION` of them."""
    data = orjson.dumps(dump(fusion), option=orjson.OPT_APPEND_NEWLINE)
    if len(data) > LARGEST_FUSION:
        reason = f"{len(data):,} bytes, more than the {LARGEST_FUSION:,} that a site publishes"
        raise ConfigError("fusion.json", reason, "Fit fewer or smaller trees.")
    return data


def fitted_json(place: str, data: bytes, *, largest: int, version: int, hint: str) -> Any:
    """Returns the value of a file of `infograph fit`: JSON with a format number.

    place:   name of the file, for errors
    largest: most bytes that it may have
    version: its format, which this release knows

    Raises FormatError, with the hint, for one that is too large, no JSON, or of another version.
    """
    if len(data) > largest:
        raise FormatError(place, f"has {len(data):,} bytes, more than {largest:,}", hint)
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise FormatError(place, f"is not JSON: {error}", hint) from None
    said = found.get("format") if isinstance(found, dict) else None
    if said != version or isinstance(said, bool):
        raise FormatError(place, f"its format is {str(said)[:40]}, and this release of infograph knows {version}", hint)
    return found


def read_fusion(place: str, data: bytes) -> FusionFile:
    """Reads a fusion file.

    place: name of the file, for errors

    Raises FormatError for one that is malformed, too large, or of another version.
    """
    found = fitted_json(place, data, largest=LARGEST_FUSION, version=FUSION_FORMAT, hint=_AGAIN)
    try:
        fusion = decode(FusionFile, found)
    except DecodeError as error:
        raise FormatError(place, error.placed, _AGAIN) from None
    trees = TreeSum(fusion.base, fusion.trees).sound() and bool(fusion.trees) == (fusion.kind == TREES)
    if not (fusion.fusion().sound() and trees):
        raise FormatError(place, "its fields do not belong together", _AGAIN)
    return fusion


def read_tree_sum(place: str, value: object) -> TreeSum:
    """Reads the trees of a bundle's file, from its JSON value. Raises FormatError."""
    try:
        found = decode(TreeSum, value)
    except DecodeError as error:
        raise FormatError(place, error.placed, "Build the site again") from None
    if not found.sound():
        raise FormatError(place, "its trees do not hold together", "Build the site again")
    return found
