"""One score from two: the arithmetic, the features, the files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.embedding import identify
from infograph.errors import ConfigError, FormatError
from infograph.search.format.fusion_model import (
    FEATURES,
    FUSION_FORMAT,
    LEAF,
    QUERY_FEATURES,
    RIDGE,
    RRF,
    SUM,
    TM2C2,
    TREES,
    Fusion,
    FusionFile,
    RegressionTree,
    TreeSum,
    fusion_bytes,
    plain_fusion,
    read_fusion,
    read_tree_sum,
)
from infograph.search.ranking.fusion import (
    FusedHead,
    all_features,
    alpha_of,
    fused,
    query_features,
    sum_of_trees,
    words_confidence,
)

STATIC = "@".join(identify("static"))
scores = st.lists(st.tuples(st.floats(0, 60), st.floats(-1, 1)), min_size=1, max_size=32)
# 1 where the query has a digit, else .2 where the best ten by either score have at most seven chunks in common.
TREE = RegressionTree((1, FEATURES.index("overlap"), LEAF, LEAF, LEAF), (0.5, 7.5, 0.2, 0.4, 1.0), (4, 3, 0, 0, 0))


def head_of(rows: Sequence[tuple[float, float]]) -> FusedHead:
    rows = sorted(rows, reverse=True)
    return FusedHead([words for words, _ in rows], [cosine for _, cosine in rows])


@given(scores, st.floats(0, 60))
def test_a_sum_is_a_convex_sum_of_scaled_scores(rows: list[tuple[float, float]], weight: float) -> None:
    head = head_of(rows)
    sums, confidence = fused(Fusion(), None, "", head, weight)
    assert sums == [own + weight * cosine for own, cosine in zip(head.words, head.cosines, strict=True)]
    alpha = alpha_of(Fusion(), None, "", head, weight)
    values, same = fused(Fusion(TM2C2, alpha), None, "", head, weight)
    assert values == pytest.approx(sums, abs=1e-6)
    assert confidence == pytest.approx(same) and 0 <= confidence <= 1


@given(scores, st.floats(0, 1), st.sampled_from([SUM, TM2C2, RRF]))
def test_confidence_is_1_where_one_chunk_is_the_best_in_both(
    rows: list[tuple[float, float]], alpha: float, kind: str
) -> None:
    head = head_of([*rows, (61.0, 1.0)])
    _, confidence = fused(Fusion(kind, alpha), None, "", head, 25.0)
    assert confidence == pytest.approx(1)
    _, less = fused(Fusion(kind, alpha), None, "", head_of(rows), 25.0)
    assert 0 <= less <= 1


def test_the_extremes_are_the_order_by_words_and_by_cosine() -> None:
    head = FusedHead([9.0, 6.0, 3.0], [0.1, 0.2, 0.9])
    for alpha, expected in ((0.0, [0, 1, 2]), (1.0, [2, 1, 0])):
        values, _ = fused(Fusion(TM2C2, alpha), None, "", head, 25.0)
        assert sorted(range(3), key=lambda place: -values[place]) == expected
    ranks, confidence = fused(Fusion(RRF), None, "", head, 25.0)
    assert confidence == pytest.approx((61 / 2) * (1 / 61 + 1 / 63))
    assert ranks[0] == pytest.approx(ranks[2]) and ranks[1] < ranks[0]


def test_features() -> None:
    assert query_features("How many KB has v2?") == [5, 1, 1, 1]
    assert query_features("somewhere-else İstanbul naïve 東京") == [5, 0, 0, 0]
    assert query_features("…") == [0, 0, 0, 0]
    head = FusedHead([4.0, 2.0, 1.0], [0.0, 1.0, 0.5])
    features = dict(zip(FEATURES, all_features("what", head), strict=True))
    assert [features[f"cosine_{n}"] for n in (1, 2, 3, 4)] == [1, 0.75, 0.5, 0]
    assert [features[f"bm25_{n}"] for n in (1, 2, 3, 4)] == [1, 0.5, 0.25, 0]
    assert features["overlap"] == 3 and len(FEATURES) == 25


@pytest.mark.parametrize(("bias", "share"), [(-0.5, 0.0), (0.4, 0.4), (1.5, 1.0)])
def test_a_share_that_was_learned_stays_between_none_and_all(bias: float, share: float) -> None:
    ridge = Fusion(RIDGE, features=QUERY_FEATURES, weights=(0.0,) * len(QUERY_FEATURES), bias=bias)
    assert alpha_of(ridge, None, "a query", FusedHead([2.0, 1.0], [0.5, 0.0]), 25) == share


def test_trees_are_followed() -> None:
    trees = TreeSum(0.25, (TREE, TREE))
    assert sum_of_trees(trees, [1.0, 1.0, *[0.0] * 23]) == 2.25
    assert sum_of_trees(trees, [*[0.0] * 24, 7.0]) == pytest.approx(0.65)
    assert sum_of_trees(trees, [*[0.0] * 24, 8.0]) == pytest.approx(1.05)
    assert sum_of_trees(trees, [0.0, 0.5, *[0.0] * 23]) == 2.25, "at the bound of a node it goes to the right"


@pytest.mark.parametrize(
    "tree",
    [
        RegressionTree((), (), ()),
        RegressionTree((0, LEAF), (0.5, 1.0), (1, 0)),
        RegressionTree((0, LEAF, LEAF), (0.5, 1.0, 2.0), (3, 0, 0)),
        RegressionTree((0, LEAF, LEAF), (0.5, float("nan"), 2.0), (2, 0, 0)),
        RegressionTree((0, LEAF, LEAF), (0.5, 1e39, 2.0), (2, 0, 0)),
        RegressionTree((0, LEAF), (0.5, 1.0, 2.0), (2, 0)),
    ],
)
def test_trees_that_lead_nowhere_are_refused(tree: RegressionTree) -> None:
    assert not tree.sound()
    value = {
        "base": 0.5,
        "trees": [{"features": [*tree.features], "numbers": [*tree.numbers], "right": [*tree.right]}],
    }
    with pytest.raises(FormatError, match="its trees do not hold together"):
        read_tree_sum("f-0000000000000000.z", value)


def test_words_confidence() -> None:
    assert words_confidence(3.0, 4.0) == 0.75
    assert words_confidence(5.0, 4.0) == 1.0
    assert words_confidence(-1.0, 4.0) == words_confidence(1.0, 0.0) == 0.0
    assert words_confidence(0.2, 0.8) == 0.25


def test_of_nothing_one_is_not_sure() -> None:
    assert fused(Fusion(TM2C2, 0.5), None, "", FusedHead([], []), 25.0) == ([], 0.0)
    assert FusedHead([], []).scale(25.0) == 0.0


def test_what_is_nowhere_above_its_minimum_is_scaled_to_nothing() -> None:
    assert FusedHead([0.0, 0.0], [0.5, 0.0]).scaled_words() == [0.0, 0.0]
    assert FusedHead([1.0, 0.5], [-1.0, -1.0]).scaled_cosines() == [0.0, 0.0]
    assert alpha_of(Fusion(), None, "", FusedHead([0.0], [-1.0]), 25.0) == 0.0
    assert alpha_of(Fusion(), None, "", FusedHead([0.25], [0.0]), 0.25) == 0.5


def test_one_is_never_more_than_sure() -> None:
    """Whatever weight a manifest has: of -2.5 the first chunk has more than the whole scale."""
    assert fused(Fusion(), None, "", FusedHead([10.0, 0.0], [0.0, 1.0]), -2.5)[1] == 1.0


def test_a_share_is_learned_from_the_features_of_the_query() -> None:
    ridge = Fusion(RIDGE, features=QUERY_FEATURES, weights=(0.0625, 0.125, 0.25, -0.5), bias=0.25)
    head = FusedHead([2.0, 1.0], [0.5, 0.0])
    assert alpha_of(ridge, None, "two words", head, 25) == 0.375
    assert alpha_of(ridge, None, "how many v2", head, 25) == 0.25 + 3 * 0.0625 + 0.125 + 0.25
    assert alpha_of(ridge, None, "HTTP how 2", head, 25) == 0.25 + 3 * 0.0625 + 0.125 + 0.25 - 0.5


def test_without_its_trees_a_fusion_weighs_both_alike() -> None:
    head = FusedHead([2.0, 1.0], [0.5, 0.0])
    assert alpha_of(Fusion(TREES, file="f-0.json"), None, "a query", head, 25.0) == 0.5
    assert alpha_of(Fusion(TREES, file="f-0.json"), TreeSum(0.75, ()), "a query", head, 25.0) == 0.75


@pytest.mark.parametrize(
    ("said", "kind", "alpha"),
    [
        ("sum", SUM, 0.5),
        ("rrf", RRF, 0.5),
        ("tm2c2", TM2C2, 0.5),
        ("tm2c2:0.4", TM2C2, 0.4),
        ("tm2c2:1", TM2C2, 1.0),
        ("tm2c2:0", TM2C2, 0.0),
    ],
)
def test_a_word_names_a_fusion(said: str, kind: str, alpha: float) -> None:
    found = plain_fusion(said)
    assert found is not None and (found.kind, found.alpha) == (kind, alpha)


@pytest.mark.parametrize(
    "said", ["", "sum:1", "rrf:60", "tm2c2:", "tm2c2:2", "tm2c2:-0.5", "tm2c2:nan", "tm2c2:x", "fusion.json"]
)
def test_other_words_name_none(said: str) -> None:
    found = plain_fusion(said)
    assert found is None or (said == "tm2c2:" and found.alpha == 0.5)


RIDGE_FILE = FusionFile(FUSION_FORMAT, RIDGE, STATIC, QUERY_FEATURES, weights=(0.01, 0.3, -0.2, 0.1), bias=0.45)
TREES_FILE = FusionFile(FUSION_FORMAT, TREES, STATIC, FEATURES, base=0.1, trees=(TREE, TREE))


def test_what_a_file_leaves_out() -> None:
    found = read_fusion("fusion.json", b'{"format": 1, "kind": "rrf", "model": ""}')
    assert (found.alpha, found.bias, found.base) == (0.5, 0.0, 0.0)
    assert found.fusion() == Fusion(RRF, 0.5, bias=0.0)
    assert (Fusion().kind, Fusion().alpha, Fusion().bias) == (SUM, 0.5, 0.0)


def test_the_trees_of_a_file_are_read_from_one_of_their_own() -> None:
    assert RIDGE_FILE.tree_sum() == b""
    assert read_tree_sum("f", orjson.loads(TREES_FILE.tree_sum())) == TreeSum(0.1, (TREE, TREE))
    assert TREES_FILE.fusion("f.z").file == "f.z"


@pytest.mark.parametrize(
    ("number", "sound"), [(1e30, True), (-1e30, True), (math.nextafter(1e30, math.inf), False), (math.nan, False)]
)
def test_numbers_of_trees_add_up_to_one_of_32_bits(number: float, sound: bool) -> None:
    """A sum beyond these was infinite in Python, which took the cosine alone, and an error in JavaScript."""
    leaf = RegressionTree((LEAF,), (number,), (0,))
    assert leaf.sound() is sound and TreeSum(number, (TREE,)).sound() is sound
    if sound:
        assert math.isfinite(sum_of_trees(TreeSum(number, (leaf,) * 2000), [0.0] * 25))
    elif not math.isnan(number):
        for large in (replace(TREES_FILE, base=number), replace(TREES_FILE, trees=(leaf,))):
            with pytest.raises(FormatError, match="its fields do not belong together"):
                read_fusion("fusion.json", fusion_bytes(large))


@pytest.mark.parametrize("fusion", [RIDGE_FILE, TREES_FILE])
def test_a_file_is_read_as_it_was_written(fusion: FusionFile) -> None:
    assert read_fusion("fusion.json", fusion_bytes(fusion)) == fusion


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "is not JSON"),
        (b"[]", "its format is None, and this release of infograph knows 1"),
        (b'{"format": 2}', "its format is 2, and this release of infograph knows 1"),
        (b'{"format": true, "kind": "sum", "model": ""}', "its format is True"),
        (b'{"format": 1, "kind": "sum"}', "`model` is missing"),
        (b'{"format": 1, "kind": "magic", "model": ""}', "its fields do not belong together"),
        (
            b'{"format": 1, "kind": "ridge", "model": "", "features": ["words"], "weights": [1]}',
            "do not belong together",
        ),
        (b'{"format": 1, "kind": "tm2c2", "model": "", "alpha": 2}', "alpha 2"),
        (b'{"format": 1, "kind": "trees", "model": ""}', "its fields do not belong together"),
        (b" " * 60_001, "more than 60,000"),
    ],
)
def test_another_file_is_an_error_that_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        read_fusion("fusion.json", data)
    assert caught.value.place == "fusion.json" and "infograph fit fusion" in caught.value.hint


def test_a_file_that_is_too_large_is_not_written() -> None:
    with pytest.raises(ConfigError, match="more than the 60,000 that a site publishes"):
        fusion_bytes(FusionFile(FUSION_FORMAT, TREES, "", FEATURES, trees=(TREE,) * 1000))
