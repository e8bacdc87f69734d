"""Whether a call that failed goes out once more, and how long that is waited for."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT = 300.0
"""Most seconds that an endpoint can make us wait between two tries, and that one call waits for a busy one in all."""
BUSY = 429
"""Status of an endpoint that is well and has too much to do."""
_PATIENCE = 5
"""So many times as often a call is tried again where the endpoint is busy."""

RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that may pass."""
FATAL = frozenset({401, 402, 403, 404, 422})
"""Statuses that every later call would get, too."""


def wait_before(attempt: int, retry_after: str, share: float, now: datetime | None = None) -> float:
    """Returns the seconds to wait before a try.

    attempt:     number of tries that failed, from 1
    retry_after: the header's value, seconds or a date; empty without one
    share:       random number from 0 to 1, the part of the wait that is taken
    """
    asked = _seconds(retry_after, now)
    if asked is not None:
        return min(max(asked, 0.0), LONGEST_WAIT)
    return min(30.0, 2.0 ** (attempt - 1)) * share


def is_tried_again(status: int, told: bool | None, attempt: int, retries: int, waited: float) -> bool:
    """Whether a call that failed goes out once more.

    A busy endpoint is waited for longer than a broken one: it will answer.

    told:    what the endpoint says of it; None: nothing
    attempt: number of tries that failed, from 1
    retries: how often a call is tried again
    waited:  seconds that the call has waited between its tries
    """
    passing = status in RETRIED or status in (0, 200) if told is None else told
    if not passing:
        return False
    if status == BUSY:
        return attempt <= retries * _PATIENCE and waited < LONGEST_WAIT
    return attempt <= retries


def _seconds(value: str, now: datetime | None) -> float | None:
    if not value:
        return None
    try:
        seconds = float(value)
        return seconds if seconds == seconds else None
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return ((date if date.tzinfo else date.replace(tzinfo=UTC)) - (now or datetime.now(UTC))).total_seconds()
