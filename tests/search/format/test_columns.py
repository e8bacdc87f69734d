"""What the directory of fields says of a column, and the sets of chunks in its files."""

from __future__ import annotations

from typing import Any

import pytest

from infograph.errors import FormatError
from infograph.search.format.chunk_sets import ChunkSet, encode_set
from infograph.search.format.columns import (
    DOUBLE,
    FieldColumn,
    FrequentValue,
    NumberFile,
    ValueSet,
    numbers_in,
    read_directory,
    texts_in,
)
from infograph.search.format.encoding import varint
from infograph.search.format.layout import joined_names
from infograph.search.format.posting_shards import Cursor

NAMES = [f"c-{digit * 16}.z" for digit in "0123"]


def column(**more: Any) -> FieldColumn:
    return read_directory("n-0.z", {"fields": {"a": {"type": "text", **more}}})["a"]


def test_what_the_directory_does_not_say() -> None:
    found = column()
    assert (found.values, found.chunks, found.everywhere, found.exists, found.most) == (0, 0, False, "", 0.0)
    assert (found.frequent, found.files, found.shards.bits, found.only_file) == ((), (), 0, "")


@pytest.mark.parametrize(
    ("names", "bits", "only"),
    [(NAMES[:1], 0, NAMES[0]), (["", NAMES[1]], 1, NAMES[1]), (NAMES[:2], 1, ""), (["", ""], 1, "")],
)
def test_one_file_may_have_all_values_of_a_text(names: list[str], bits: int, only: str) -> None:
    found = column(values=2, chunks=2, shards={"bits": bits, "names": joined_names(names)})
    assert found.only_file == only


def test_one_file_may_have_all_numbers() -> None:
    files = [{"least": 1.0, "name": NAMES[0]}, {"least": 5.0, "name": NAMES[1]}]
    assert column(type="number", files=files[:1]).only_file == NAMES[0]
    assert column(type="number", files=files).only_file == ""
    assert column(type="number", files=files).files[1] == NumberFile(5.0, NAMES[1])
    directories = {"bits": 0, "directories": ["n-0123456789abcdef.z"]}
    assert column(shards=directories, files=files[:1]).only_file == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "no directory of fields: "),
        ({"fields": {"a": {}}}, r"no directory of fields: fields\.a"),
        ({"fields": {"a": {"type": "x"}}}, "no directory of fields: 'a' is not described as fields are"),
        ({"fields": {"a": {"type": "text", "values": 1}}}, "'a' is not described as fields are"),
        ({"fields": {"a": {"type": "flag", "values": 1, "shards": {"bits": 3}}}}, "'a' is not described as fields are"),
        ({"fields": {"a": {"type": "text", "frequent": [{"value": "x", "chunks": 0}]}}}, "chunks"),
    ],
)
def test_another_directory_is_refused(value: Any, said: str) -> None:
    with pytest.raises(FormatError, match=said) as caught:
        read_directory("n-0.z", value)
    assert caught.value.place == "n-0.z"


def test_a_field_without_values_and_one_of_numbers_need_no_shards() -> None:
    assert column(values=0).values == 0 and column(type="date", values=3).values == 3
    assert column(frequent=[{"value": "x", "chunks": 1}]).frequent == (FrequentValue("x", 1),)


def chunk_set(masks: dict[int, int]) -> ChunkSet:
    found = ChunkSet()
    found.add(Cursor(encode_set(masks), "p"))
    return found


COUNTS = {0: 1, 3: 2, 9: 20}


@pytest.mark.parametrize(
    ("masks", "chunks"),
    [
        ({}, []),
        ({0: 0}, [(0, 0)]),
        ({3: 0b10, 9: 1 | 1 << 6 | 1 << 7 | 1 << 19}, [(3, 1), (9, 0), (9, 6), (9, 7), (9, 19)]),
        ({3: 0, 5: 0}, [(3, 0), (3, 1)]),
    ],
)
def test_a_set_has_the_chunks_that_are_set(masks: dict[int, int], chunks: list[tuple[int, int]]) -> None:
    """Of pages that the site has."""
    found = chunk_set(masks)
    assert list(found.chunks(COUNTS)) == chunks
    every = [(slot, index) for slot, count in COUNTS.items() for index in range(count)]
    assert [chunk for chunk in every if chunk in found] == chunks
    assert list(ValueSet(len(chunks), found, inverted=False).all(COUNTS)) == chunks
    turned = ValueSet(23 - len(chunks), found, inverted=True)
    assert list(turned.all(COUNTS)) == [chunk for chunk in every if chunk in turned]
    assert [chunk for chunk in every if chunk not in turned] == chunks
    assert (9, 500) not in chunk_set({9: 1})


def entry(head: bytes, chunks: int, inverted: bool, masks: dict[int, int]) -> bytes:
    rest = varint(2 * chunks + inverted) + encode_set(masks)
    return head + varint(len(rest)) + rest


def test_the_values_of_a_file_are_read() -> None:
    data = b"".join(entry(varint(1) + text, n, n == 2, {n: 0}) for n, text in enumerate([b"a", b"b", b"c"], 1))
    found = texts_in(data, "p")
    assert {text: (own.chunks, own.inverted, (2, 0) in own) for text, own in found.items()} == {
        "a": (1, False, False),
        "b": (2, True, False),
        "c": (3, False, False),
    }
    assert texts_in(data, "p", frozenset({"b", "d"})).keys() == {"b"}
    assert texts_in(data, "p", frozenset()) == texts_in(b"", "p") == {}
    numbers = encode_set({7: 0}) + b"".join(entry(DOUBLE.pack(n / 2), n, False, {n: 0}) for n in (1, 2))
    below, values = numbers_in(numbers, "p")
    assert (7, 0) in below and [(value, own.chunks) for value, own in values] == [(0.5, 1), (1.0, 2)]
    with pytest.raises(FormatError, match="are missing"):
        numbers_in(numbers[:-1], "p")
