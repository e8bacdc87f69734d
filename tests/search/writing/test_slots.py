from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from infograph.search.writing.slots import assign_slots, family, slot_bits, text_hash

paths = st.sets(st.text(min_size=1, max_size=12), max_size=60)


@given(paths)
def test_every_page_has_a_slot_of_its_own(found: set[str]) -> None:
    slots = assign_slots(found)
    assert slots.keys() == found
    assert len(set(slots.values())) == len(found)
    assert list(slots.values()) == sorted(slots.values())


@given(paths, st.randoms())
def test_slots_do_not_depend_on_the_order_of_pages(found: set[str], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = sorted(found)
    random.shuffle(shuffled)
    assert assign_slots(shuffled) == assign_slots(found)


def test_a_new_page_seldom_moves_another() -> None:
    pages = [f"guide/page-{number}.md" for number in range(700)]
    before = assign_slots(pages)
    moved = 0
    for number in range(200):
        after = assign_slots([*pages, f"new-{number}.md"])
        moved += sum(after[page] != slot for page, slot in before.items())
    assert moved < 200 * 0.1


def test_all_slots_change_only_at_a_power_of_two() -> None:
    assert [slot_bits(pages) for pages in (1, 2, 3, 4, 7, 8, 1023, 1024)] == [5, 6, 6, 7, 7, 8, 14, 15]


def test_versions_of_a_page_are_neighbours() -> None:
    versions = ("5.1", "7.4", "7.5", "docs/next")
    slots = assign_slots(f"{version}/Core/Get-{number}.md" for version in versions for number in range(200))
    together = 0
    for number in range(200):
        found = [slots[f"{version}/Core/Get-{number}.md"] for version in versions]
        together += max(found) - min(found) == len(versions) - 1
    assert together > 200 * 0.8


def test_versions_stand_in_one_order() -> None:
    """So links between the pages of one version are as far as those of another."""
    versions = ("5.1", "7.4", "7.5", "docs/next")
    slots = assign_slots(f"{version}/Core/Get-{number}.md" for version in versions for number in range(200))
    orders = {
        tuple(sorted(versions, key=lambda version: slots[f"{version}/Core/Get-{number}.md"])) for number in range(200)
    }
    assert len(orders) == 1


@given(paths, st.text(min_size=1, max_size=12))
def test_the_order_of_two_pages_depends_on_no_other(found: set[str], new: str) -> None:
    after = [path for path in assign_slots({*found, new}) if path in found]
    assert after == list(assign_slots(found))


def test_a_family_is_the_last_two_parts_of_a_path() -> None:
    assert [family(path) for path in ("a.md", "b/a.md", "5.1/b/a.md", "x/5.1/b/a.md")] == ["a.md", *["b/a.md"] * 3]


def test_a_slot_is_the_place_of_its_familys_hash() -> None:
    paths = ["a.md", "b/a.md", "c/a.md", "x/c/a.md", "y/c/a.md"]
    bits = 3 + 4
    found = assign_slots(paths)
    assert len(found) == 5 and slot_bits(5) == bits
    wanted = {path: digest(family(path)) >> (64 - bits) for path in paths}
    free = 0
    for path in sorted(paths, key=lambda path: (digest(family(path)), digest(path.removesuffix(family(path))))):
        free = max(free, wanted[path])
        assert found[path] == free
        free += 1
    assert text_hash("cache") == digest("cache") < 1 << 64
    assert assign_slots([]) == {}
    assert slot_bits(0) == 4


def digest(text: str) -> int:
    return int(hashlib.blake2b(text.encode(), digest_size=8).hexdigest(), 16)
