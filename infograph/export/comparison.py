"""What differs between two sets of chunks, by which a copy is kept up to date: worked out in a table on disk.

A chunk of the old set and one of the new are the same where they have one id, one text and the same headings. Of the
others, two with one text and different ids are one chunk that moved, taken in the order of both sets where several have
that text; of those left, two with one id are a chunk that changed; the rest were removed, or added. A copy that first
deletes the old ids of what moved or was removed, and then writes all that moved, changed or was added, is the new set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from infograph.errors import FormatError
from infograph.export.keys import ChunkKey
from infograph.export.scratch import Scratch

REMOVED, MOVED, CHANGED, ADDED = CHANGES = ("removed", "moved", "changed", "added")
"""Kinds of differences, in the order in which they are told."""

TABLES = tuple(
    f"CREATE TABLE {name} (place INTEGER PRIMARY KEY, id TEXT UNIQUE, sha256 TEXT, headings TEXT)"
    for name in ("old", "new")
)
_SAME = "SELECT old.id FROM old JOIN new ON old.id = new.id WHERE old.sha256 = new.sha256"
_NUMBERED = "SELECT id, sha256, place, ROW_NUMBER() OVER (PARTITION BY sha256 ORDER BY place) AS turn FROM {}"
_FOUND = {
    REMOVED: "SELECT id, NULL FROM old ORDER BY place",
    MOVED: "SELECT old_id, new_id FROM moved ORDER BY place",
    CHANGED: "SELECT id, NULL FROM changed ORDER BY place",
    ADDED: "SELECT id, NULL FROM new ORDER BY place",
}


class ChunkChange(NamedTuple):
    """A difference between two sets of chunks."""

    id: str
    """Id of the chunk; where it moved, the one in the old set."""
    to: str | None = None
    """Id in the new set, where it moved."""


def compare_chunks(old: Iterable[ChunkKey], new: Iterable[ChunkKey], scratch: Scratch) -> None:
    """Works out what differs between two sets, see `changes_of`. Raises FormatError where one id stands twice in a set,
    and whatever the keys raise.

    scratch: an empty table with `TABLES`
    """
    _fill(scratch, "old", old)
    _fill(scratch, "new", new)
    scratch.do(f"CREATE TABLE same AS {_SAME} AND old.headings = new.headings")
    for name in ("old", "new"):
        scratch.do(f"DELETE FROM {name} WHERE id IN (SELECT id FROM same)")
    # What has the text but other headings did not move, or a copy would lose one of its two writes.
    scratch.do(f"CREATE TABLE changed AS SELECT id, place FROM new WHERE id IN ({_SAME})")
    _without(scratch, "changed", "id", "id")
    scratch.do(
        "CREATE TABLE moved AS SELECT a.id AS old_id, b.id AS new_id, b.place AS place "
        f"FROM ({_NUMBERED.format('old')}) AS a JOIN ({_NUMBERED.format('new')}) AS b "
        "ON a.sha256 = b.sha256 AND a.turn = b.turn"
    )
    _without(scratch, "moved", "old_id", "new_id")
    scratch.do("INSERT INTO changed SELECT id, place FROM new WHERE id IN (SELECT id FROM old)")
    _without(scratch, "changed", "id", "id")


def changes_of(scratch: Scratch, kind: str) -> Iterator[ChunkChange]:
    """Yields the differences of one of `CHANGES` that `compare_chunks` found, in the order of the set."""
    for own, to in scratch.each(_FOUND[kind]):
        yield ChunkChange(own, to)


def _without(scratch: Scratch, table: str, old: str, new: str) -> None:
    """Takes what a table holds out of both sets.

    old, new: columns of its ids
    """
    scratch.do(f"DELETE FROM old WHERE id IN (SELECT {old} FROM {table})")
    scratch.do(f"DELETE FROM new WHERE id IN (SELECT {new} FROM {table})")


def _fill(scratch: Scratch, table: str, keys: Iterable[ChunkKey]) -> None:
    statement = f"INSERT OR IGNORE INTO {table} (id, sha256, headings) VALUES (?, ?, ?)"
    count = 0

    def rows() -> Iterator[tuple[str, str, str]]:
        nonlocal count
        for key in keys:
            count += 1
            yield key.id, key.sha256, "\0".join(key.headings)

    scratch.put(statement, rows())
    (held,) = scratch.one(f"SELECT COUNT(*) FROM {table}")
    if held != count:
        raise FormatError(f"the {table} one", f"{count - held} chunks have the id of another", "Export the tree again.")
