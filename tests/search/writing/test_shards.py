"""How entries are packed into files, and how many files there may be."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Sequence

import numpy as np
import orjson
import pytest

from infograph.search.format.encoding import hashes32
from infograph.search.format.layout import DIRECTORY, content_name, count_names, split_names
from infograph.search.writing.bundle import POSTINGS_SHARE
from infograph.search.writing.shards import (
    DICTIONARY_SHARE,
    DICTIONARY_TERMS,
    INLINE,
    SINGLE,
    Shards,
    TermRange,
    TermRow,
    each,
)

NONE = np.zeros(0, np.uint32)


def packed(shards: Shards, count: int, share: float = 1.0) -> dict[str, object]:
    """The table of so many entries of one byte, each in a shard of its own if there may be so many."""
    hashes = (np.arange(count, dtype=np.int64) * ((1 << 32) // count)).astype(np.uint32)
    return shards.hashed("p", hashes, NONE, each(lambda places: bytes(n % 256 for n in places)), count, 1, share)


def sorted_terms(
    shards: Shards,
    terms: Sequence[str],
    hashes: np.ndarray,
    changed: Collection[str] = (),
    made: list[TermRange] | None = None,
) -> str:
    """The directory of sorted terms, each with its place; the files that are made are added to `made`."""

    def rows(spans: Sequence[TermRange]) -> Iterator[list[TermRow]]:
        for span in spans:
            if made is not None:
                made.append(span)
            own = span.of(terms)
            yield [(term, place) for place, term in enumerate(terms[own], own.start)]

    return shards.sorted("w", terms, hashes, changed, rows)


def test_contents_of_two_kinds_are_two_files() -> None:
    shards = Shards(100, {})
    names = [shards.whole("n", b"[]"), shards.whole("w", b"[]"), shards.whole("n", b"[]")]
    assert [name[0] for name in names] == ["n", "w", "n"]
    assert sorted(shards.files) == sorted(set(names)) == sorted(shards.names.values())
    assert all(content_name(name[0], data) == name for name, data in shards.files.items())


def test_what_is_known_is_not_made_again() -> None:
    first = Shards(100, {})
    name = first.whole("n", b"[]")
    second = Shards(100, first.names)
    assert second.whole("n", b"[]") == name
    assert second.files == {} and second.names == first.names


def test_a_shard_that_did_not_change_is_not_made() -> None:
    first = Shards(1000, {})
    table = packed(first, 4)
    second = Shards(1000, first.names)
    hashes = (np.arange(4, dtype=np.int64) << 30).astype(np.uint32)
    made: list[list[int]] = []
    again = second.hashed(
        "p", hashes, hashes[2:3], each(lambda places: bytes(made.append(list(places)) or [9])), 4, 1, 1.0
    )
    assert made == [[2]]
    assert table["bits"] == again["bits"] == 2
    before, after = split_names(str(table["names"])), split_names(again["names"])
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, True, False, True]
    assert list(second.files) == [after[2]]


@pytest.mark.parametrize(("count", "inline"), [(1, True), (256, True), (512, False)])
def test_many_names_stand_in_directories(count: int, inline: bool) -> None:
    assert INLINE == 256
    shards = Shards(5000, {})
    table = packed(shards, count)
    if inline:
        assert count_names(str(table["names"])) == count
    else:
        lists = [orjson.loads(zlib.decompress(shards.files[name])) for name in table["directories"]]  # type: ignore[attr-defined]
        assert [count_names(names) for names in lists] == [DIRECTORY] * (count // DIRECTORY)


@pytest.mark.parametrize(("most", "bits"), [(4, 0), (5, 0), (6, 1), (19, 3), (20, 4), (21, 4), (36, 5)])
def test_no_more_files_are_made_than_there_may_be(most: int, bits: int) -> None:
    """Four of them are kept for the manifest, two directories and the map."""
    assert packed(Shards(most, {}), 1000)["bits"] == bits


def test_sorted_terms_are_cut_by_their_own_hashes() -> None:
    terms = [f"{n:05}" for n in range(9)]
    hashes = np.full(9, (1 << 32) - 1, np.uint32)
    hashes[[0, 3, 7]] = (1 << 32) // DICTIONARY_TERMS - 1
    hashes[5] = (1 << 32) // DICTIONARY_TERMS
    shards = Shards(1000, {})
    directory = sorted_terms(shards, terms, hashes)
    rows = orjson.loads(zlib.decompress(shards.files[directory]))
    assert [first for first, _ in rows] == ["00000", "00003", "00007"]
    files = [orjson.loads(zlib.decompress(shards.files[name])) for _, name in rows]
    assert [row for file in files for row in file] == [[term, n] for n, term in enumerate(terms)]
    assert sorted_terms(Shards(1000, {}), [], NONE) == ""


def test_of_sorted_terms_only_the_files_are_made_that_changed() -> None:
    terms = [f"{n:02}" for n in range(9)]
    cut, other = (1 << 32) // DICTIONARY_TERMS - 1, (1 << 32) - 1
    hashes = np.array([other, other, other, cut, other, other, cut, other, other], np.uint32)
    first = Shards(1000, {})
    name = sorted_terms(first, terms, hashes)

    def again(places: list[int], new: list[int], changed: Collection[str]) -> list[str]:
        """First terms of the files that are made of the terms at some places, where those of `new` begin one."""
        own = hashes.copy()
        own[new] = cut
        made: list[TermRange] = []
        sorted_terms(Shards(1000, first.names), [terms[place] for place in places], own[places], changed, made)
        return [span.first for span in made]

    every = list(range(9))
    same = Shards(1000, first.names)
    assert sorted_terms(same, terms, hashes) == name and not same.files and same.names == first.names
    assert again(every, [], ["04"]) == ["03"]
    assert again(every[:4] + every[5:], [], ["04"]) == ["03"]
    # A term that begins a file goes or comes: the file before it ends elsewhere.
    assert again(every[:3] + every[4:], [], ["03"]) == ["00"]
    assert again(every, [4], ["04"]) == ["03", "04"]
    assert again(every[1:], [], ["00"]) == ["01"]
    assert again(every[:8], [], ["08"]) == ["06"]
    assert again(every[:6], [], terms[6:]) == ["03"]
    assert again([], [], terms) == []


def test_the_shares_of_all_files() -> None:
    """They are part of what follows from a setting: at 2,000 and at 500 files a power of two of posting shards."""
    assert (SINGLE, DICTIONARY_TERMS, DICTIONARY_SHARE, POSTINGS_SHARE) == (4, 1024, 0.02, 0.52)
    for most, bits in ((2000, 10), (500, 8)):
        assert packed(Shards(most, {}), 5000, POSTINGS_SHARE)["bits"] == bits


@pytest.mark.parametrize(
    ("total", "aim", "bits"), [(0, 10, 0), (10, 10, 0), (11, 10, 1), (20, 10, 1), (21, 10, 2), (1, 10, 0)]
)
def test_a_shard_is_no_larger_than_it_aims_at(total: int, aim: int, bits: int) -> None:
    hashes = np.zeros(1, np.uint32)
    made = Shards(1000, {}).hashed("p", hashes, NONE, each(lambda places: b"x"), total, aim, 1.0)
    first, *others = split_names(made["names"])
    assert made["bits"] == bits and first and others == [""] * ((1 << bits) - 1)


def test_entries_stand_in_the_order_given_in_the_shard_of_their_hash() -> None:
    hashes = np.array([3 << 30, 0, (3 << 30) + 5, 1 << 30, (1 << 30) - 1], np.uint32)
    shards, seen = Shards(1000, {}), []

    def contents(places: Sequence[int]) -> bytes:
        seen.append(list(places))
        return bytes(places)

    made = shards.hashed("d", hashes, NONE, each(contents), 4, 1, 1.0)
    assert seen == [[1, 4], [3], [0, 2]]
    assert [bool(name) for name in split_names(made["names"])] == [True, True, False, True]
    assert sorted(shards.names) == ["d2.0", "d2.1", "d2.3"]


def test_the_dictionary_has_a_file_a_thousand_terms_and_no_more_than_its_share() -> None:
    terms = [f"{n:06}" for n in range(1 << 14)]
    hashes = hashes32([term.encode() for term in terms])
    for most, few, many in ((100_000, 8, 32), (504, 4, 10), (104, 1, 2), (10, 1, 1)):
        shards = Shards(most, {})
        rows = orjson.loads(zlib.decompress(shards.files[sorted_terms(shards, terms, hashes)]))
        assert few <= len(rows) <= many, most
        step = DICTIONARY_TERMS
        while step < 1 << 31 and int((hashes[1:] < (1 << 32) // step).sum()) >= max(1, int((most - 4) * 0.02)):
            step *= 2
        cuts = [terms[0], *(t for t, h in zip(terms[1:], hashes[1:].tolist(), strict=True) if h < (1 << 32) // step)]
        assert [first for first, _ in rows] == cuts
