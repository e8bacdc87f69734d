"""How long a phase still takes."""

from __future__ import annotations

import pytest

from infograph.progress import TimeLeft, clock_time


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def told(shares: list[tuple[float, float]]) -> list[float | None]:
    """What is told at seconds since the start, each with the share that is done."""
    clock = Clock()
    left = TimeLeft(clock)
    found = []
    for second, share in shares:
        clock.now = 50.0 + second
        found.append(left.at(share))
    return found


def test_an_even_phase() -> None:
    found = told([(second, second / 20) for second in range(1, 21)])
    assert found[0] is None, "when it began to go on is not known yet"
    assert found[1:] == pytest.approx(range(18, -1, -1))


def test_nothing_is_told_of_nothing() -> None:
    assert told([(0.5, 0.5), (2, 0.0)])[0] is None
    assert told([(0.0, 0.0), (5, 0.0)]) == [None, None]


def test_what_comes_once_at_the_start_does_not_count_for_long() -> None:
    """Two seconds to load, then a hundredth of the work each tenth of a second."""
    shares = [(2 + tenth / 10, tenth / 100) for tenth in range(1, 101)]
    found = dict(zip((round(second, 1) for second, _ in shares), told(shares), strict=True))
    assert found[5.0] == pytest.approx(7.0, rel=0.05)
    assert found[11.0] == pytest.approx(1.0, rel=0.05)


def test_a_change_of_speed_is_seen() -> None:
    shares = [(float(second), min(second, 20) / 100 + max(0, second - 20) / 400) for second in range(1, 60)]
    assert told(shares)[-1] == pytest.approx(400 * (0.8 - 39 / 400), rel=0.2)


def test_a_step_that_takes_long_does_not_stop_the_time() -> None:
    found = told([(2, 0.2), (4, 0.4), (5, 0.4), (6, 0.4), (30, 0.4)])
    assert found == [None, pytest.approx(6), pytest.approx(5), pytest.approx(4), 0.0]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "0 s"), (59.4, "59 s"), (60, "1:00 min"), (95, "1:35 min"), (7505, "2:05 h")]
)
def test_times_are_told(seconds: float, text: str) -> None:
    assert clock_time(seconds) == text
