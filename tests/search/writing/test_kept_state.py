"""The state that a program keeps between builds: it is given out for the very file that was packed of it, or not."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from infograph.files.spilled import Parts
from infograph.search.writing import kept_state
from infograph.search.writing.bundle_state import SearchState, load_state
from infograph.search.writing.kept_state import KeptState
from infograph.search.writing.room import IN_MEMORY, Room

KEY = "key"


def state(*blocks: bytes) -> SearchState:
    return replace(SearchState.empty(KEY, 4), blocks=list(blocks))


def packed(kept: KeptState, of: SearchState, room: Room = IN_MEMORY) -> bytes:
    return b"".join(kept.keep(of, of.dump(room)))


def test_what_was_packed_is_given_out_once() -> None:
    kept, one = KeptState(), state(b"a", b"b")
    data = packed(kept, one)
    assert data == b"".join(one.dump())
    found = kept.take(data, KEY)
    assert found is not None and found.slots is one.slots and found.blocks == [b"a", b"b"]
    assert kept.take(data, KEY) is None


@pytest.mark.parametrize("place", [0, 64, 65, 300, -1])
def test_a_damaged_file_is_not_what_was_packed(place: int) -> None:
    kept = KeptState()
    data = bytearray(packed(kept, state(b"a")))
    data[place] ^= 1
    assert kept.take(bytes(data), KEY) is None


def test_the_file_of_another_state_of_another_key_or_none_is_not_what_was_packed() -> None:
    kept = KeptState()
    for data, key in ((b"".join(state(b"b").dump()), KEY), (b"", KEY), (b"".join(state(b"a").dump()), "other")):
        packed(kept, state(b"a"))
        assert kept.take(data, key) is None


def test_the_last_state_is_kept_and_no_other() -> None:
    kept = KeptState()
    before, after = packed(kept, state(b"a")), packed(kept, state(b"b"))
    assert kept.take(before, KEY) is None
    assert packed(kept, state(b"b")) == after
    found = kept.take(after, KEY)
    assert found is not None and found.blocks == [b"b"]


def test_a_state_that_was_not_packed_to_its_end_is_not_kept() -> None:
    kept, one = KeptState(), state(b"a")
    data = packed(kept, one)
    parts = kept.keep(one, one.dump())
    next(parts)
    parts.close()  # as where the disk is full
    assert kept.take(data, KEY) is None


def test_a_large_state_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(state(b"a").dump())
    for most, is_kept in ((len(data), True), (len(data) - 1, False)):
        monkeypatch.setattr(kept_state, "MOST_BYTES", most)
        kept = KeptState()
        assert (kept.take(packed(kept, state(b"a")), KEY) is not None) == is_kept


def test_what_a_build_has_in_a_file_is_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infograph.files.spilled.MOST", 0)
    parts = Parts()
    parts.append(b"a")
    kept = KeptState()
    found = kept.take(packed(kept, replace(state(), blocks=parts), Room(Parts)), KEY)
    assert found is not None and found.blocks == [b"a"]


def test_a_state_is_let_go_that_is_not_needed_for_long() -> None:
    kept = KeptState(seconds=0.01)
    data = packed(kept, state(b"a"))
    end = time.monotonic() + 60
    while kept._kept is not None and time.monotonic() < end:
        time.sleep(0.005)
    assert kept.take(data, KEY) is None
    data = packed(kept, state(b"b"))
    kept.clear()
    assert kept.take(data, KEY) is None and load_state(data, KEY) is not None
