"""Columns of a bundle: how many files they have, and which of them an edit changes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.formats.search_fields import parse_fields
from infograph.search.format.chunk_sets import WHOLE
from infograph.search.format.columns import numbers_in, read_directory, texts_in
from infograph.search.format.encoding import inflate
from infograph.search.format.layout import split_names
from infograph.search.writing.columns import PagePlaces, columns, files_needed
from infograph.search.writing.page_fields import pack_fields, unpack_fields, with_field
from infograph.search.writing.shards import Shards

MOST = 1 << 24


def made(
    packed: Sequence[bytes], sizes: Sequence[int], fields: Sequence[str], most: int = 99
) -> tuple[Shards, dict[str, Any]]:
    """The files, and what the directory says."""
    import orjson

    shards = Shards(2000, {})
    slots = np.arange(len(sizes), dtype=np.int64) * 17
    name = columns(shards, slots, np.array(sizes, np.int64), packed, parse_fields(fields), most)
    found = read_directory(name, orjson.loads(inflate(shards.files[name], MOST, name))) if name else {}
    return shards, dict(found)


def test_how_many_files_columns_may_have() -> None:
    assert files_needed(0, 2000) == (0, 0)
    assert files_needed(3, 100) == (4, 3)
    assert files_needed(3, 2000) == (35, 0)
    assert files_needed(34, 2000) == (35, 0)
    assert files_needed(35, 2000) == (36, 1)


def test_sets_of_chunks_of_pages() -> None:
    places = PagePlaces({0: 1, 5: 3, 9: 9}, 13)
    assert places.others({5: 0b101}) == {0: WHOLE, 5: 0b010, 9: WHOLE}
    assert places.others({0: WHOLE, 9: 0b11}) == {5: WHOLE, 9: 0b111111100}
    assert places.others({0: WHOLE, 5: WHOLE, 9: WHOLE}) == {}
    assert places.normal({0: 1, 5: 0b111, 9: 0b11}) == {0: WHOLE, 5: WHOLE, 9: 0b11}
    assert places.normal({5: 0b1, 9: (1 << 9) - 1}) == {5: 0b1, 9: WHOLE}
    assert places.counted({5: WHOLE, 9: 0b101}) == 5 and places.counted({}) == 0


@given(st.lists(st.lists(st.sets(st.sampled_from("abc")), min_size=1, max_size=4), min_size=1, max_size=6))
def test_a_chunk_is_in_the_sets_of_the_values_that_it_has(pages: list[list[set[str]]]) -> None:
    """Other fields of the pages are passed over."""
    packed = [pack_fields([{"a": tuple(sorted(own)), "z": (n,)} for n, own in enumerate(page)]) for page in pages]
    shards, found = made(packed, list(map(len, pages)), ["a"])
    column = found["a"]
    every = {(17 * p, n): own for p, page in enumerate(pages) for n, own in enumerate(page)}
    values = set().union(*every.values())
    assert (column.values, column.chunks) == (len(values), sum(map(bool, every.values())))
    assert column.everywhere is all(every.values())
    sets = {}
    for name in filter(None, split_names(column.shards.names)):
        sets |= texts_in(inflate(shards.files[name], MOST, name), name)
    assert sets.keys() == values
    for value, own in sets.items():
        having = {place for place, of in every.items() if value in of}
        assert {place for place in every if place in own} == having and own.chunks == len(having)
        assert {*own.all({17 * p: len(page) for p, page in enumerate(pages)})} == having
    counts = sorted(((-own.chunks, value) for value, own in sets.items()))
    assert [(own.value, own.chunks) for own in column.frequent] == [(value, -count) for count, value in counts]


@pytest.mark.parametrize("files", [1, 2, 4, 5])
def test_numbers_are_divided_into_as_many_files_as_there_are_to_be(files: int) -> None:
    """Or into one more, as they are cut between entries; another says which chunks have any."""
    packed = [pack_fields([{"n": (number,)} if number else {}]) for number in range(1, 2001)] + [b""]
    _, found = made(packed, [1] * 2001, ["n:number"], files + 2 + (files > 1))
    column = found["n"]
    assert files <= len(column.files) <= files + (files > 1) and bool(column.exists) == (files > 1)
    assert column.files[0].least == 1
    assert (column.most, column.values, column.chunks, column.everywhere) == (2000, 2000, 2000, False)


def test_fields_that_all_chunks_have_alike_are_packed_once() -> None:
    packed = pack_fields([{"a": ("x",), "b": (1,)}, {"a": ("x",)}, {"a": ("x",), "b": (2,)}])
    assert unpack_fields(packed) == ({"a": ["x"]}, {"b": [[1], [], [2]]})
    assert pack_fields([]) == pack_fields([{}, {"a": ()}]) == b"" and unpack_fields(b"") == ({}, {})
    assert unpack_fields(with_field(packed, "0", (7,))) == ({"0": [7], "a": ["x"]}, {"b": [[1], [], [2]]})
    assert unpack_fields(with_field(b"", "day", (7,))) == ({"day": [7]}, {})


def test_what_every_chunk_has_costs_no_list() -> None:
    shards, found = made([pack_fields([{"a": ("x",)}] * 3)] * 500, [3] * 500, ["a"])
    (column,) = found.values()
    assert (column.values, column.chunks, column.everywhere, column.exists) == (1, 1500, True, "")
    assert sum(map(len, shards.files.values())) < 300


def test_a_set_is_of_those_that_have_not_where_these_are_fewer_pages() -> None:
    packed = [pack_fields([{"a": ("rare" if number == 7 else "usual",)}]) for number in range(100)]
    shards, found = made(packed, [1] * 100, ["a"])
    (name,) = split_names(found["a"].shards.names)
    sets = texts_in(inflate(shards.files[name], MOST, name), name)
    assert {value: (own.chunks, own.inverted) for value, own in sets.items()} == {
        "rare": (1, False),
        "usual": (99, True),
    }
    assert ((17 * 7, 0) in sets["rare"]) and (17 * 7, 0) not in sets["usual"] and ((17 * 8, 0) in sets["usual"])


def test_numbers_lie_in_files_each_with_what_is_below(seed: int = 2) -> None:
    chance = random.Random(seed)
    values = [chance.randint(0, 5000) for _ in range(3000)]
    shards, found = made([pack_fields([{"n": (value,)}]) for value in values], [1] * 3000, ["n:number"])
    column = found["n"]
    assert column.most == max(values) and len(column.files) > 3
    for file, after in zip(column.files, [*[own.least for own in column.files[1:]], float("inf")], strict=True):
        below, entries = numbers_in(inflate(shards.files[file.name], MOST, file.name), file.name)
        assert [value for value, _ in entries] == sorted({v for v in values if file.least <= v < after})
        for place in range(0, 3000, 37):
            assert ((17 * place, 0) in below) == (values[place] < file.least)


@pytest.mark.parametrize("fields", [1, 4, 12, pytest.param(32, marks=pytest.mark.slow)])
@pytest.mark.parametrize("most", [100, 500, 2000])
def test_columns_have_no_more_files_than_they_may(fields: int, most: int) -> None:
    allowed, taken = files_needed(fields, most)
    assert allowed >= fields + 1 and (taken == 0) == (fields < int(0.0175 * most))
    names = [f"f{n}:{('text', 'number')[n % 2]}" for n in range(fields)]
    packed = [
        pack_fields([{f"f{n}": ((f"v{p}", p)[n % 2],) for n in range(fields) if (p + n) % 9} for _ in range(2)])
        for p in range(1500)
    ]
    shards, found = made(packed, [2] * 1500, names, allowed)
    assert len(shards.files) <= allowed and len(found) == fields


def test_an_edit_of_one_page_leaves_the_columns_that_it_does_not_change() -> None:
    chance = random.Random(1)
    rows = [{"kind": (chance.choice("ab"),), "tags": tuple(chance.sample("xyz", 2))} for _ in range(300)]
    first, _ = made([pack_fields([row] * 4) for row in rows], [4] * 300, ["kind", "tags"])
    rows[9] = {**rows[9], "kind": ("c",)}
    other, _ = made([pack_fields([row] * 4) for row in rows], [4] * 300, ["kind", "tags"])
    assert len(first.files.keys() & other.files.keys()) == len(first.files) - 2
