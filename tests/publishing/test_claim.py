"""The claim to publish: one at a time, left-behind ones taken over, and no clock of another machine believed."""

from __future__ import annotations

import contextlib
import json
import threading
from pathlib import Path

import pytest

from infograph.errors import LockedError, OutputError
from infograph.formats.names import PUBLISHER
from infograph.publishing.claim import BEAT, PATIENCE, Clock, claimed
from infograph.publishing.store import Store

from .conftest import S3Server


class Time:
    """Seconds that pass when somebody waits, and what happens meanwhile."""

    def __init__(self, meanwhile: object = None) -> None:
        self.seconds = 0.0
        self.meanwhile = meanwhile

    def pause(self, seconds: float) -> None:
        self.seconds += seconds
        if callable(self.meanwhile):
            self.meanwhile()

    def clock(self) -> Clock:
        return Clock(lambda: self.seconds, self.pause)


def silent(message: str) -> None:
    return


def state(store: Store) -> dict[str, object]:
    found = store.read(PUBLISHER)
    assert found is not None
    return dict(json.loads(found.data))


def test_a_claim_is_given_back(store: Store, tmp_path: Path) -> None:
    for _ in range(2):
        with claimed(store, tmp_path, silent):
            assert state(store)["held"] is True
        assert state(store)["held"] is False
        assert [*tmp_path.iterdir()] == []


def test_an_error_gives_it_back_and_is_told(store: Store, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="broken"), claimed(store, tmp_path, silent):
        raise OutputError("x", "broken")
    assert state(store)["held"] is False


def test_of_two_one_wins(store: Store, tmp_path: Path) -> None:
    """The holder shows that it lives while the other waits."""
    said: list[str] = []
    holding = Time()
    with claimed(store, tmp_path / "a", silent, holding.clock()) as claim:

        def beat() -> None:
            holding.seconds += BEAT
            claim.keep()

        with (
            pytest.raises(LockedError, match="another infograph publishes to it") as caught,
            claimed(store, tmp_path / "b", said.append, Time(beat).clock()),
        ):
            pytest.fail("both publish")
        assert "\n" not in str(caught.value)
        claim.keep()
    assert len(said) == 1 and "waiting to see" in said[0]


def test_of_many_that_begin_at_once_one_wins(store: Store, tmp_path: Path) -> None:
    """Those that come too late to lose at once wait until the holder shows that it lives."""
    start, alive, came, lost = threading.Barrier(6), threading.Event(), threading.Semaphore(0), threading.Semaphore(0)
    won: list[int] = []

    def publish(number: int) -> None:
        def wait() -> None:
            came.release()
            alive.wait()

        start.wait()
        try:
            with claimed(store, tmp_path / str(number), silent, Time(wait).clock()) as claim:
                won.append(number)
                for _ in range(5):
                    came.acquire()
                claim._written = -PATIENCE
                claim.keep()
                alive.set()
                for _ in range(5):
                    lost.acquire()
        except LockedError:
            if not alive.is_set():
                came.release()
            lost.release()

    threads = [threading.Thread(target=publish, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert state(store)["held"] is False


def test_one_that_was_left_behind_is_taken_over(store: Store, tmp_path: Path) -> None:
    left = contextlib.ExitStack()
    before = left.enter_context(claimed(store, tmp_path / "a", silent, Clock(lambda: 10.0**9)))
    time = Time()
    with claimed(store, tmp_path / "b", silent, time.clock()) as claim:
        assert time.seconds == pytest.approx(PATIENCE, abs=BEAT)
        claim.keep()
        before._clock = Clock(lambda: 2 * 10.0**9)
        with pytest.raises(LockedError):  # it was asleep, not dead: it finds out before it writes anything
            before.keep()
        left.close()
        assert state(store)["held"] is True, "giving back what was lost takes nothing away"


def test_one_that_this_machine_left_behind_is_taken_over_at_once(store: Store, tmp_path: Path) -> None:
    """It holds the lock of the folder that the tree was built into, so nobody else has."""
    claimed(store, tmp_path, silent).__enter__()
    time = Time()
    with claimed(store, tmp_path, silent, time.clock()):
        assert time.seconds == 0


def test_a_claim_that_is_no_claim_is_waited_for(store: Store, tmp_path: Path) -> None:
    store.write(PUBLISHER, b"\xff not JSON")
    time = Time()
    with claimed(store, tmp_path, silent, time.clock()):
        assert time.seconds >= PATIENCE


def test_one_that_vanishes_is_not_waited_for(store: Store, tmp_path: Path) -> None:
    store.write(PUBLISHER, b"{}")
    time = Time(lambda: store.remove([PUBLISHER]))
    with claimed(store, tmp_path, silent, time.clock()):
        assert time.seconds == BEAT


def test_a_claim_says_no_time_and_no_name(store: Store, tmp_path: Path) -> None:
    """Clocks of two machines differ, and a bucket may be public."""
    with claimed(store, tmp_path, silent):
        found = state(store)
    assert found.keys() == {"token", "count", "held"} and len(str(found["token"])) == 32


@pytest.mark.parametrize("before", [None, b'{"held": false}'])
def test_a_store_that_ignores_conditions_is_refused(
    store: Store, s3: S3Server, tmp_path: Path, before: bytes | None
) -> None:
    if before is not None:
        store.write(PUBLISHER, before)
    s3.fault = lambda method, path: "unconditional"
    with (
        pytest.raises(OutputError, match="does not keep to conditional writes"),
        claimed(store, tmp_path, silent),
    ):
        pytest.fail("nobody is kept out")
