"""The story of an export: what is known of the bundle, where vectors come from, then row by row into the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from infograph.client import Client, ClientError
from infograph.client.place import is_url
from infograph.errors import OutputError
from infograph.export import bundle, vectors
from infograph.export.columns import ExportRow
from infograph.export.rows import model_of, publication_of, rows_of
from infograph.export.scratch import Scratch
from infograph.export.writing import check_place, write_export
from infograph.search.format.bundle_manifest import BundleManifest


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """The options of an export."""

    tree: str
    """URL or folder of the tree."""
    vectors: str = vectors.MODEL
    """Which vectors: `model`, `search` or `none`."""
    embedding_cache: str | None = None
    """Folder of the embedding cache; None: the nearest to the tree."""
    embed: bool = False
    """Whether a packaged model embeds what the cache does not have."""


@dataclass(slots=True)
class ExportReport:
    """What was written."""

    chunks: int = 0
    vectors: int = 0
    """Chunks with a vector."""
    notes: tuple[str, ...] = ()
    """What a person should know, a line each."""


def export_tree(client: Client, out: str, request: ExportRequest) -> ExportReport:
    """Writes a tree to a file and returns what was written.

    Raises ConfigError, ClientError, FormatError and OutputError; nothing is written then. Among these is that the tree
    was published anew meanwhile: an export is of one publication.
    """
    check_place(request.tree, out)
    report = ExportReport()
    with Scratch(*bundle.TABLES, *vectors.TABLES) as scratch:
        before = publication_of(client)
        manifest = bundle.manifest_of(client)
        if manifest is not None:
            wants = request.vectors == vectors.SEARCH
            bundle.load_bundle(client, manifest, scratch, with_vectors=wants)
        source = _vectors(client, scratch, manifest, request)
        if isinstance(source, str):
            report.notes = (f"exported without vectors: {source}",)
            source = None
        rows = _whole(client, before, _counted(rows_of(client, scratch, source), report), request.tree)
        write_export(out, rows, source.column if source is not None else None)
    if source is not None and report.vectors < report.chunks:
        lacking = f"{report.chunks - report.vectors:,} of {report.chunks:,} chunks have no vector"
        report.notes = (f"{lacking}: the cache is that of another build, or `--embed` makes them",)
    return report


def _vectors(
    client: Client, scratch: Scratch, manifest: BundleManifest | None, request: ExportRequest
) -> vectors.VectorSource | str | None:
    """Returns the vectors that were asked for; where there are none, the reason for a person, None where none were
    asked for."""
    if request.vectors == vectors.NONE:
        return None
    if request.vectors == vectors.SEARCH:
        if manifest is None:
            return "the tree has no search bundle"
        return vectors.search_vectors(scratch, manifest)
    try:
        model = model_of(client)
    except ClientError as error:
        if error.code != "missing":
            raise
        return f"{error.place}, which names the model, is not published"
    if not model:
        return "the tree has no chunks"
    if request.embedding_cache is not None:
        cache: Path | None = Path(request.embedding_cache)
    else:
        cache = None if is_url(request.tree) else vectors.cache_beside(Path(request.tree))
    return vectors.model_vectors(scratch, model, cache, embed=request.embed)


def _counted(rows: Iterable[ExportRow], report: ExportReport) -> Iterator[ExportRow]:
    for row in rows:
        report.chunks += 1
        report.vectors += row.get("vector") is not None
        yield row


def _whole(client: Client, before: tuple[object, ...], rows: Iterable[ExportRow], tree: str) -> Iterator[ExportRow]:
    """Yields rows as they are, and raises OutputError after the last one where the tree is not what it was before."""
    yield from rows
    if publication_of(client) != before:
        raise OutputError(tree, "was published anew while it was read", "Export it again.")
