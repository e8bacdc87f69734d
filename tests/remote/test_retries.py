"""Waits, and how often a call goes out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from infograph.remote.retries import is_tried_again, wait_before

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("attempt", "header", "share", "seconds"),
    [
        (1, "", 1.0, 1.0),
        (2, "", 0.5, 1.0),
        (9, "", 1.0, 30.0),
        (1, "7", 0.0, 7.0),
        (1, "9999", 0.0, 300.0),
        (1, "-5", 0.0, 0.0),
        (1, "Thu, 01 Jan 2026 12:00:20 GMT", 0.0, 20.0),
        (1, "Thu, 01 Jan 2026 11:00:00 GMT", 0.0, 0.0),
        (3, "soon", 1.0, 4.0),
        (1, "nan", 1.0, 1.0),
    ],
)
def test_waits(attempt: int, header: str, share: float, seconds: float) -> None:
    assert wait_before(attempt, header, share, NOW) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("status", "told", "tries"),
    [
        (503, None, 5),
        (0, None, 5),
        (429, None, 21),  # it is well, and will answer
        (418, None, 1),
        (503, False, 1),
        (429, False, 1),
        (418, True, 5),
    ],
)
def test_how_often_a_call_goes_out(status: int, told: bool | None, tries: int) -> None:
    again = [is_tried_again(status, told, attempt, 4, 0.0) for attempt in range(1, 40)]
    assert again.index(False) + 1 == tries
    assert not any(again[tries:])


def test_a_busy_endpoint_is_waited_for_five_minutes_at_most() -> None:
    assert is_tried_again(429, None, 1, 4, 299.0)
    assert not is_tried_again(429, None, 1, 4, 300.0)
    assert not is_tried_again(429, None, 1, 0, 0.0)
