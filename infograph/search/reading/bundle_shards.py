"""What the shards of a bundle hold of terms and of chunks: the postings, what is shown, the vectors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from infograph.errors import FormatError
from infograph.search.format.bundle_manifest import BundleManifest, ShardTable
from infograph.search.format.layout import DIRECTORY, LARGEST_SHARD_READ, name_at
from infograph.search.format.posting_shards import TermEntry, find_entries
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.vector_shards import find_vectors
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.fetching import Asking, FileContent, ask_for

if TYPE_CHECKING:
    from infograph.search.format.links import PageLists

_SIMHASH = re.compile(r"[0-9a-f]{16}")
_ROW = (str, list, str, str, int, str, str)
"""Kinds of a row's values: title, section path, anchor, snippet, tokens, href, digest."""


class BundleShards:
    """The shards of one manifest."""

    def __init__(self, manifest: BundleManifest) -> None:
        self.manifest = manifest
        self.largest = min(manifest.largest_shard, LARGEST_SHARD_READ)
        """Most bytes of a file, before and after inflation."""
        self._group = manifest.group

    def entries(self, terms: Iterable[str], remarks: Remarks) -> Asking[dict[str, TermEntry]]:
        """Reads the entries of terms; a term that the index does not have is left out."""
        names = yield from self.names(self.manifest.postings, sorted(terms), remarks)
        shards = yield from ask_for(names.values(), remarks)
        found: dict[str, TermEntry] = {}
        for name, data in shards.items():
            try:
                found |= find_entries(data, {term for term, at in names.items() if at == name}, name)
            except FormatError as error:
                remarks.missing[name] = str(error)
        return found

    def shown(self, best: Sequence[tuple[ChunkPlace, float]], remarks: Remarks) -> Asking[list[tuple[ChunkPlace, Hit]]]:
        """Reads what is shown of chunks, which come with their scores; those whose file cannot be read are left out."""
        size = self.manifest.block
        keys = {chunk: f"{chunk[0]}.{chunk[1] // size}" for chunk, _ in best}
        places = {chunk: f"{chunk[0] // self._group}.{chunk[1] // size}" for chunk, _ in best}
        names = yield from self.names(self.manifest.documents, places.values(), remarks)
        shards = yield from ask_for(names.values(), remarks)
        found = []
        for chunk, score in best:
            key, name = keys[chunk], names[places[chunk]]
            hit = row_as_hit(shards.get(name), key, chunk[1], size, score)
            if hit is not None:
                found.append((chunk, hit))
            elif name:
                remarks.missing.setdefault(name, f"has nothing of {key}")
        return found

    def vectors(self, chunks: Sequence[ChunkPlace], remarks: Remarks) -> Asking[dict[ChunkPlace, Sequence[int]]]:
        """Returns the vectors of chunks, each number times `vectors.unit`; those whose file cannot be read are left
        out."""
        size, dimension = self.manifest.block, self.manifest.vectors.dimension
        keys = {chunk: f"{chunk[0] // self._group}.{chunk[1] // size}" for chunk in chunks}
        names = yield from self.names(self.manifest.vector_shards, keys.values(), remarks)
        shards = yield from ask_for(names.values(), remarks)
        found: dict[ChunkPlace, Sequence[int]] = {}
        for chunk, key in keys.items():
            name = names[key]
            if name not in shards:
                continue
            try:
                block = find_vectors(shards[name], (chunk[0], chunk[1] // size), dimension, name)
            except FormatError as error:
                remarks.missing[name] = str(error)
                continue
            if chunk[1] % size < len(block):
                found[chunk] = block[chunk[1] % size]
        return found

    def page_lists(self, slots: Sequence[int], remarks: Remarks) -> Asking[dict[int, PageLists]]:
        """Returns the links of pages, by slot; none of a site without links."""
        from infograph.search.reading.links import lists_of  # no other site's searches load it

        if self.manifest.links is None:
            return {}
        return (yield from lists_of(self.manifest.links, self.manifest.group, slots, self.names, remarks))

    def names(self, table: ShardTable, keys: Iterable[str], remarks: Remarks) -> Asking[dict[str, str]]:
        """Returns the file of each key; empty for a shard without contents, and where the directory cannot be read."""
        numbers = {key: table.shard(key) for key in keys}
        if table.names:
            return {key: name_at(table.names, number) for key, number in numbers.items()}
        where = {key: table.directories[number // DIRECTORY] for key, number in numbers.items()}
        directories = yield from ask_for(where.values(), remarks)
        found = {}
        for key, number in numbers.items():
            names = directories.get(where[key])
            found[key] = name_at(names, number % DIRECTORY) if isinstance(names, str) else ""
        return found


def row_as_hit(shard: FileContent, key: str, index: int, size: int, score: float) -> Hit | None:
    """Returns one row of a document shard as a hit; None where it is missing or malformed."""
    try:
        page, page_title, page_url, rows, hashes = shard[key]
        row = rows[index % size]
        simhash = hashes[index % size * 16 : index % size * 16 + 16]
        sound = _SIMHASH.fullmatch(simhash) is not None and all(
            isinstance(value, kind) for value, kind in zip(row, _ROW, strict=True)
        )
        texts = (page, page_title, page_url, *row[1])
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    if not sound or row[4] < 0 or not all(isinstance(text, str) for text in texts):
        return None
    title, section_path, anchor, snippet, tokens, href, digest = row
    return Hit(
        page,
        page_title,
        page_url,
        index,
        title,
        tuple(section_path),
        anchor,
        snippet,
        tokens,
        href,
        digest,
        score,
        simhash,
    )
