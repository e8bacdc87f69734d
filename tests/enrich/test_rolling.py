"""The rolling dictionary against Algorithm 1 of the paper, written down as it stands there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from infograph.enrich.rolling import MOST_KEYS, RollingKeys, keys_before


def algorithm_1(keys: list[str], most: int) -> dict[str, tuple[int, int, int]]:
    held: dict[str, tuple[int, int, int]] = {}
    for place, key in enumerate(keys):
        if not key:
            continue
        if key in held:
            first, _, count = held[key]
            held[key] = (first, place, count + 1)
        else:
            held[key] = (place, place, 1)
            if len(held) > most:
                oldest = min(held, key=lambda name: (held[name][1], held[name][0]))
                del held[oldest]
    return held


@given(st.lists(st.sampled_from(["", *(f"key {letter}" for letter in "abcdefgh")])), st.integers(1, 6))
def test_it_is_algorithm_1(keys: list[str], most: int) -> None:
    rolling = RollingKeys(most)
    for place, key in enumerate(keys):
        rolling.see(key, place)
    expected = algorithm_1(keys, most)
    assert {name: (seen.first, seen.last, seen.count) for name, seen in rolling._keys.items()} == expected
    assert rolling.names == frozenset(expected)


def test_the_41st_key_puts_out_the_one_not_seen_for_longest() -> None:
    rolling = RollingKeys()
    for number in range(MOST_KEYS):
        rolling.see(f"key {number}", number)
    rolling.see("key 0", MOST_KEYS)
    rolling.see("one more", MOST_KEYS + 1)
    assert len(rolling.names) == MOST_KEYS
    assert "key 1" not in rolling.names
    assert {"key 0", "one more"} <= rolling.names


def test_a_key_is_shown_with_how_often_it_was_given() -> None:
    rolling = keys_before([(0, "Gear Ratio"), (1, "shaft wear"), (2, "gear  ratio"), (3, "later one")], 3)
    assert rolling.lines() == ["gear ratio (2)", "shaft wear (1)"]
