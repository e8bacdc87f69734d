"""Whether the look at the vectors pays: by Wilson's bound of what was counted, here or by the release."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from infograph.errors import ModelError
from infograph.search.format.rerank_policy import PairedOutcomes
from infograph.search.format.search_space import FALLBACK
from infograph.search.ranking.wilson import LEAST_TRIALS, wilson
from infograph.search.writing import calibration
from infograph.search.writing.calibration import (
    RECORD,
    is_better,
    is_better_everywhere,
    packaged_outcomes,
    pays,
    together,
)


@pytest.mark.parametrize(
    ("better", "worse", "said"), [(30, 10, True), (20, 9, False), (21, 9, True), (16, 14, False), (0, 40, False)]
)
def test_more_than_half_beyond_chance_and_thirty_at_least(better: int, worse: int, said: bool) -> None:
    assert is_better(PairedOutcomes(better, worse)) is said
    assert pays("nobody's", "xx", PairedOutcomes(better, worse)) is said, "what is known of the tree goes before"


def test_what_the_release_knows() -> None:
    assert pays("all-MiniLM-L6-v2", "en") and not pays(FALLBACK, "en")
    assert not pays("all-MiniLM-L6-v2", "de") and not pays("other", "en")
    assert not pays("all-MiniLM-L6-v2", "en", PairedOutcomes(0, 0)), "a tree on which nothing differs"


def test_no_set_decides_alone() -> None:
    even, good = PairedOutcomes(16, 16), PairedOutcomes(40, 10)
    assert is_better(together([even, good])) and not is_better_everywhere([even, good])
    assert is_better_everywhere([good, good]) and is_better_everywhere([good])
    assert not is_better_everywhere([PairedOutcomes(20, 5), PairedOutcomes(20, 5)]), "25 of one are too few"


def test_the_record_says_what_its_counts_say() -> None:
    known = json.loads(RECORD.read_bytes())["outcomes"]
    assert known.keys() == {"all-MiniLM-L6-v2", FALLBACK}
    for model, languages in known.items():
        for code, said in languages.items():
            every = together(list(packaged_outcomes()[model][code].values()))
            low, high = wilson(every.better, every.better + every.worse)
            assert (said["low"], said["high"]) == (round(low, 4), round(high, 4))
            assert every.better + every.worse >= LEAST_TRIALS and len(said["sets"]) == 4


@pytest.mark.parametrize(
    "data", [None, "", "[]", '{"outcomes": {"m": {"en": {"sets": {"a": {"better": -1, "worse": 0}}}}}}']
)
def test_a_damaged_record_is_an_error(data: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "rerank.json"
    if data is not None:
        place.write_text(data)
    monkeypatch.setattr(calibration, "RECORD", place)
    packaged_outcomes.cache_clear()
    try:
        with pytest.raises(ModelError, match=r"rerank\.json cannot be read"):
            pays("m", "en")
    finally:
        packaged_outcomes.cache_clear()
