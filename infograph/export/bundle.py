"""Reads the whole search bundle of a tree into a table on disk: what of a chunk stands nowhere else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import orjson

from infograph.client import Client, ClientError
from infograph.client.asks import Asks
from infograph.client.tree import PublishedTree
from infograph.errors import FormatError
from infograph.export.scratch import Scratch
from infograph.formats.names import SEARCH, join
from infograph.formats.search_fields import DATE, FLAG, TEXT, Value
from infograph.search.format.bundle_manifest import BundleManifest, ShardTable
from infograph.search.format.columns import FieldColumn, ValueSet, numbers_in, read_directory, texts_in
from infograph.search.format.layout import count_names, split_names
from infograph.search.format.question_rows import rows_of
from infograph.search.format.vector_shards import blocks_in, vectors
from infograph.search.reading.bundle_shards import row_as_hit
from infograph.search.reading.fetching import FileContent, ask_for

TABLES = (
    "CREATE TABLE shown (page TEXT, number INTEGER, slot INTEGER, page_title TEXT, page_url TEXT, anchor TEXT,"
    " simhash TEXT, PRIMARY KEY (page, number)) WITHOUT ROWID",
    "CREATE TABLE projected (slot INTEGER, number INTEGER, vector BLOB, PRIMARY KEY (slot, number)) WITHOUT ROWID",
    "CREATE TABLE field (slot INTEGER, number INTEGER, name TEXT, value TEXT,"
    " PRIMARY KEY (slot, number, name, value)) WITHOUT ROWID",
    "CREATE TABLE question (slot INTEGER, number INTEGER, text TEXT, cosine REAL,"
    " PRIMARY KEY (slot, number, text)) WITHOUT ROWID",
)
"""Tables that `load_bundle` fills; a chunk is `slot` of its page and `number` in the page."""

_AT_ONCE = 16
"""Files that one call reads."""
_EPOCH = date(1970, 1, 1)


def manifest_of(client: Client) -> BundleManifest | None:
    """Returns the manifest of a tree's search bundle; None where the tree has none. Raises ClientError where it cannot
    be read."""
    try:
        return client.run(_manifest)
    except ClientError as error:
        if error.code == "missing":
            return None
        raise


def load_bundle(client: Client, manifest: BundleManifest, scratch: Scratch, *, with_vectors: bool) -> None:
    """Fills the tables from the search bundle of a tree. Raises ClientError where files of it cannot be read,
    FormatError where they are malformed.

    with_vectors: whether the vectors are read, too
    """
    for name, shard in shards_in(client, manifest.documents):
        scratch.put("INSERT INTO shown VALUES (?, ?, ?, ?, ?, ?, ?)", _shown(name, shard, manifest.block))
    counts = dict(scratch.all("SELECT slot, MAX(number) + 1 FROM shown GROUP BY slot"))
    if with_vectors:
        for name, shard in shards_in(client, manifest.vector_shards):
            found = _projected(name, shard, manifest.vectors.dimension, manifest.block)
            scratch.put("INSERT INTO projected VALUES (?, ?, ?)", found)
    if manifest.questions is not None:
        for name, shard in shards_in(client, manifest.questions.shards):
            scratch.put("INSERT OR IGNORE INTO question VALUES (?, ?, ?, ?)", _questions(name, shard))
    if manifest.fields:
        for field_name, kind, value, having in _fields(client, manifest.fields):
            try:
                text = orjson.dumps(_plain(value, kind)).decode()
            except (OverflowError, TypeError) as error:
                reason = f"the field {field_name} has a value that is none: {error}"
                raise FormatError(SEARCH, reason, "Build the site again") from None
            rows = ((slot, number, field_name, text) for slot, number in having.all(counts))
            scratch.put("INSERT OR IGNORE INTO field VALUES (?, ?, ?, ?)", rows)


def _manifest(tree: PublishedTree) -> Asks[BundleManifest]:
    _, _, searcher = yield from tree.answer(lambda searcher, remarks: tree.through(searcher, ask_for((), remarks)))
    return searcher.manifest


def _read(client: Client, names: Sequence[str]) -> dict[str, FileContent]:
    """Returns the contents of files of the bundle. Raises ClientError where one cannot be read."""

    def asks(tree: PublishedTree) -> Asks[dict[str, FileContent]]:
        found, remarks, _ = yield from tree.answer(
            lambda searcher, remarks: tree.through(searcher, ask_for(names, remarks))
        )
        for name, reason in remarks.missing.items():
            raise ClientError("missing", join(SEARCH, name), f"cannot be read ({reason})", "Try again")
        return found

    return client.run(asks)


def shards_in(client: Client, table: ShardTable) -> Iterator[tuple[str, FileContent]]:
    """Yields the files of a table that have contents, each with its name, some read at once."""
    names = split_names(table.names)
    for directory, joined in files_in(client, table.directories):
        if not isinstance(joined, str) or count_names(joined) < 0:
            raise FormatError(join(SEARCH, directory), "no list of names", "Build the site again")
        names += split_names(joined)
    yield from files_in(client, names)


def files_in(client: Client, names: Sequence[str]) -> Iterator[tuple[str, FileContent]]:
    """Yields files of the bundle, each with its name, some read at once. Raises ClientError."""
    wanted = list(dict.fromkeys(filter(None, names)))
    for start in range(0, len(wanted), _AT_ONCE):
        yield from _read(client, wanted[start : start + _AT_ONCE]).items()


def _shown(name: str, shard: FileContent, size: int) -> Iterator[tuple[Any, ...]]:
    """Yields what a document shard says of its chunks. Raises FormatError.

    size: chunks of a block
    """
    for key in shard if isinstance(shard, dict) else ():
        slot, _, block = key.partition(".")
        if not (slot.isdecimal() and block.isdecimal()):
            raise FormatError(join(SEARCH, name), f"{key[:80]!r} is no block of a page", "Build the site again")
        for place in range(size):
            hit = row_as_hit(shard, key, int(block) * size + place, size, 0.0)
            if hit is None:
                break
            yield hit.page, hit.index, int(slot), hit.page_title, hit.page_url, hit.anchor, hit.simhash


def _projected(name: str, shard: bytes, dimension: int, size: int) -> Iterator[tuple[int, int, bytes]]:
    for (slot, block), rows in blocks_in(shard, dimension, name):
        for place, vector in enumerate(vectors(rows, dimension)):
            yield slot, block * size + place, vector.tobytes()


def _questions(name: str, shard: FileContent) -> Iterator[tuple[int, int, str, float]]:
    try:
        for row in rows_of(shard):
            yield from ((slot, number, row.question, cosine) for slot, number, cosine in row.answers)
    except ValueError as error:
        raise FormatError(join(SEARCH, name), f"no shard of questions: {error}", "Build the site again") from None


def _fields(client: Client, directory: str) -> Iterator[tuple[str, str, Value, ValueSet]]:
    """Yields the values of all fields: name and type of the field, the value, and the chunks that have it."""
    columns: Mapping[str, FieldColumn] = {}
    for name, said in files_in(client, [directory]):
        columns = read_directory(name, said)
    for field_name, column in columns.items():
        if column.type in (TEXT, FLAG):
            for name, shard in shards_in(client, column.shards):
                for value, having in texts_in(shard, name).items():
                    yield field_name, column.type, value, having
        else:
            for name, shard in files_in(client, [file.name for file in column.files]):
                for number, having in numbers_in(shard, name)[1]:
                    yield field_name, column.type, number, having


def _plain(value: Value, kind: str) -> str | int | float | bool | list[str]:
    """Returns a value as an export has it: a list for a text, of which a chunk may have several."""
    if kind == TEXT:
        return [str(value)]
    if kind == FLAG:
        return value == "true"
    if kind == DATE:
        return (_EPOCH + timedelta(days=int(value))).isoformat()
    return int(value) if float(value).is_integer() else value


def fields_of(scratch: Scratch, slot: int, number: int) -> dict[str, Any]:
    """Returns the fields of a chunk by name, the values of a text field as one list, sorted."""
    found: dict[str, Any] = {}
    statement = "SELECT name, value FROM field WHERE slot = ? AND number = ? ORDER BY name, value"
    for name, text in scratch.all(statement, (slot, number)):
        value = orjson.loads(text)
        found[name] = [*found[name], *value] if isinstance(value, list) and name in found else value
    return found
