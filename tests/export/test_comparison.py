"""What differs between two sets of chunks: a copy that is kept up by it is the new set."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.export.comparison import ADDED, CHANGED, CHANGES, MOVED, REMOVED, TABLES, changes_of, compare_chunks
from infograph.export.keys import ChunkKey
from infograph.export.scratch import Scratch


def found(old: Sequence[ChunkKey], new: Sequence[ChunkKey]) -> dict[str, list[tuple[str, str | None]]]:
    with Scratch(*TABLES) as scratch:
        compare_chunks(old, new, scratch)
        return {kind: [tuple(change) for change in changes_of(scratch, kind)] for kind in CHANGES}  # type: ignore[misc]


def keys(text: str) -> list[ChunkKey]:
    """`a-0:X a-1:Y/H`: chunks with their texts and headings."""
    return [
        ChunkKey(own, *(body.partition("/")[0], (body.partition("/")[2],)))
        for own, _, body in (part.partition(":") for part in text.split())
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a-0:X a-1:Y", "a-0:X a-1:Y", {}),
        ("a-0:X", "a-0:X a-1:Y", {ADDED: [("a-1", None)]}),
        ("a-0:X a-1:Y", "a-0:X", {REMOVED: [("a-1", None)]}),
        ("a-0:X", "a-0:Z", {CHANGED: [("a-0", None)]}),
        ("a-0:X/H", "a-0:X/I", {CHANGED: [("a-0", None)]}),
        ("a-0:X", "b-0:X", {MOVED: [("a-0", "b-0")]}),
        ("a-0:X a-1:Y", "a-0:N a-1:X a-2:Y", {MOVED: [("a-0", "a-1"), ("a-1", "a-2")], ADDED: [("a-0", None)]}),
        ("a-0:X a-1:Y a-2:Z", "a-0:Y a-1:Z", {MOVED: [("a-1", "a-0"), ("a-2", "a-1")], REMOVED: [("a-0", None)]}),
        ("a-0:X b-0:X", "a-0:X c-0:X", {MOVED: [("b-0", "c-0")]}),
        ("a-0:X/H b-0:X", "a-0:X/I c-0:X", {CHANGED: [("a-0", None)], MOVED: [("b-0", "c-0")]}),
    ],
)
def test_kinds(old: str, new: str, expected: dict[str, list[tuple[str, str | None]]]) -> None:
    assert found(keys(old), keys(new)) == {kind: expected.get(kind, []) for kind in CHANGES}


SETS = st.dictionaries(st.sampled_from("abcdefgh"), st.tuples(st.sampled_from("XYZ"), st.sampled_from("HI"))).map(
    lambda rows: [ChunkKey(own, text, (heading,)) for own, (text, heading) in rows.items()]
)


@given(SETS, SETS)
def test_a_copy_that_is_kept_up_is_the_new_set(old: list[ChunkKey], new: list[ChunkKey]) -> None:
    changes = found(old, new)
    after = {key.id: key for key in new}
    copy = {key.id: key for key in old}
    for own, _ in (*changes[REMOVED], *changes[MOVED]):
        del copy[own]
    written = [own for own, _ in (*changes[CHANGED], *changes[ADDED])] + [str(to) for _, to in changes[MOVED]]
    assert len(set(written)) == len(written)
    for own in written:
        copy[own] = after[own]
    assert copy == after
    same = {key.id for key in old} & {key.id for key in new if key in old}
    assert not same & set(written), "what is the same is not told"
    texts = {key.id: key.sha256 for key in old}
    assert all(texts[own] == after[str(to)].sha256 for own, to in changes[MOVED])


def test_an_id_that_stands_twice(tmp_path: object) -> None:
    with pytest.raises(FormatError, match="the new one: 1 chunks have the id of another"):
        found(keys("a-0:X"), keys("a-0:X a-0:Y"))
