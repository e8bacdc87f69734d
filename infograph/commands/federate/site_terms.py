"""Reads what a federation has to know of one site: its terms, from posting shards and the dictionary; its fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.client import Client, ClientError
from infograph.client.asks import Asks, File, Freshness
from infograph.client.federation import site_manifest
from infograph.client.tree import PublishedTree
from infograph.errors import FormatError
from infograph.export.bundle import files_in, shards_in
from infograph.formats.names import FEDERATION, SEARCH, SEARCH_MANIFEST, join
from infograph.search.format.bundle_manifest import BundleManifest
from infograph.search.format.columns import read_directory
from infograph.search.format.impact import FIELD_BITS
from infograph.search.format.layout import LARGEST_MANIFEST
from infograph.search.format.posting_shards import FIELD_MASK, PACKED, Cursor
from infograph.search.format.results import Remarks
from infograph.search.reading.federation import SiteManifest
from infograph.search.reading.words import files_of, known_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONG = 32
"""Postings from which on numpy is faster."""


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of a site's words."""

    rows: tuple[tuple[str, int, float], ...]
    """Terms, sorted, each with its document frequency and the most that a chunk gains by it."""
    forms: dict[str, str]
    """Endings of the forms of terms."""
    common: dict[str, str]
    """Words of the language that the site does not have, with their endings."""
    fields: dict[str, str]
    """Types of the fields that the site can be filtered by."""


def manifest_of(client: Client) -> SiteManifest:
    """Returns the manifest of a site's search bundle, past all caches. Raises ClientError."""

    def asks(tree: PublishedTree) -> Asks[SiteManifest]:
        address = tree.place.resolve(SEARCH_MANIFEST)
        (found,) = yield [File(address, LARGEST_MANIFEST, site_manifest, Freshness.RELOADED)]
        if isinstance(found, ClientError):
            raise found
        said: SiteManifest = found
        return said

    return client.run(asks)


def is_federated(client: Client) -> bool:
    """Whether a federation lies where a site was looked for."""

    def asks(tree: PublishedTree) -> Asks[bool]:
        (found,) = yield [File(tree.place.resolve(FEDERATION), LARGEST_MANIFEST, bool)]
        return found is True

    return client.run(asks)


def title_of(client: Client) -> str:
    """Returns the title of a site's root; empty where its index cannot be read."""
    try:
        return client.topic("").title
    except ClientError:
        return ""


def read_terms(client: Client, manifest: BundleManifest) -> Read:
    """Returns the words of a site. Raises ClientError and FormatError where a file of it cannot be read."""
    table = manifest.bm25.saturation()
    rows = [row for name, data in shards_in(client, manifest.postings) for row in rows_in(data, table, name)]
    forms: dict[str, str] = {}
    common: dict[str, str] = {}
    remarks = Remarks()
    for directory, listed in files_in(client, [manifest.dictionary.directory]):
        names = [name for _, name in files_of(directory, listed, remarks)]
        for name, contents in files_in(client, names):
            for row in known_of(name, contents, remarks):
                (forms if row.chunks else common)[row.term] = row.endings
    fields: dict[str, str] = {}
    for name, value in files_in(client, [manifest.fields] if manifest.fields else []):
        fields = {own: column.type for own, column in read_directory(name, value).items()}
    for name, reason in remarks.missing.items():
        raise FormatError(join(SEARCH, name), reason, "Build the site again")
    return Read(tuple(sorted(rows)), {term: endings for term, endings in forms.items() if endings}, common, fields)


def rows_in(data: bytes, table: Sequence[float], name: str) -> Iterator[tuple[str, int, float]]:
    """Yields the terms of a posting shard, each with its document frequency and the most that a chunk gains by it. Only
    the impacts are looked at, which stand behind slots and indexes. Raises FormatError.

    table: `Bm25Parameters.saturation`
    """
    import numpy as np

    gains = np.array(table)
    cursor = Cursor(data, name)
    while cursor.at < len(data):
        term = cursor.bytes(cursor.number())
        rest = cursor.bytes(cursor.number())
        entry = Cursor(rest, name)
        df, count = entry.number(), entry.number()
        size = count + -(-count // PACKED)
        if not 0 < 2 * count + size <= len(rest) - entry.at:
            raise FormatError(join(SEARCH, name), "an entry is cut off", "Build the site again")
        low, fields = rest[-size : -size + count], rest[len(rest) - size + count :]
        if count < LONG:
            most = max(table[_impact(low, fields, place)] for place in range(count))
        else:
            most = float(gains[_impacts(low, fields)].max())
        yield term.decode("utf-8", "replace"), df, most


def _impact(low: bytes, fields: bytes, place: int) -> int:
    return low[place] | (fields[place // PACKED] >> FIELD_BITS * (place % PACKED) & FIELD_MASK) << 8


def _impacts(low: bytes, fields: bytes) -> NDArray[np.intp]:
    import numpy as np

    places = np.arange(len(low))
    of = np.frombuffer(fields, np.uint8)[places // PACKED].astype(np.intp)
    return np.frombuffer(low, np.uint8).astype(np.intp) | (of >> FIELD_BITS * (places % PACKED) & FIELD_MASK) << 8
