"""Numbers on a tape: a series is read as the array that it was made of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from infograph.files import spilled
from infograph.files.spilled import Tape
from infograph.search.writing.room import HeldTape, Series


@pytest.mark.parametrize("width", [0, 3])
@pytest.mark.parametrize("held", [True, False])
def test_slices_are_those_of_the_array(width: int, held: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilled, "MOST", 20)
    series = Series(HeldTape() if held else Tape(str(tmp_path)), "<i4", width)
    rows = np.arange(-9, 12 * (width or 1) - 9, dtype=np.int64).reshape(12, *([width] if width else []))
    assert series.shape == rows[:0].shape
    for first in range(0, 12, 4):
        series.append(rows[first : first + 4])
    assert (series.shape, len(series)) == (rows.shape, 12)
    for part in (slice(0, 12), slice(3, 7), slice(5, 5), slice(7, 3), slice(9, 99), slice(None)):
        assert series[part].tolist() == rows[part].tolist()
        assert series[part].dtype == np.int32
