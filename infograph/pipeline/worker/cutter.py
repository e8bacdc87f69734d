"""Reads one document, cuts it into chunks, and stages its chunk files."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from infograph import embedding
from infograph.chunking.chunker import chunk_document
from infograph.chunking.context import ChunkContext
from infograph.chunking.interface import StrategyTools
from infograph.chunking.routing import Router
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import DocumentError, FormatError, Notice
from infograph.files.stamps import stamp, trusted
from infograph.formats.names import CHUNKS, chunk_name, converted_name, join, named_by
from infograph.formats.pack import LARGEST, packs
from infograph.model import is_markdown
from infograph.pipeline.keys import CUTTING_MODEL
from infograph.pipeline.staging import Stage
from infograph.pipeline.worker.converted import other_language, with_places
from infograph.pipeline.worker.shown_images import ShownImages, shown_images
from infograph.source.blocks import parse_blocks
from infograph.source.conversion.reading import Conversions
from infograph.source.document import read_document
from infograph.source.enrichment import read_enrichment
from infograph.source.included import Included, Includer
from infograph.source.limits import SourceLimits
from infograph.source.local_images import LocalImages
from infograph.source.readable import ReadableRules, as_seen

if TYPE_CHECKING:
    from infograph.formats.enrichment import EnrichmentFile
    from infograph.model import Block, Chunk, Document
    from infograph.pipeline.worker.tasks import Result, Setup

_SAVING_NANOSECONDS = 1_000_000_000
"""An empty file that changed this recently is probably being saved, so it is read again."""

_READS = 5
"""Most attempts to read a document that changes meanwhile."""


class CutDocument(NamedTuple):
    """A document and what became of it."""

    document: Document
    """The document with all its edits."""
    blocks: tuple[Block, ...]
    chunks: tuple[Chunk, ...]
    notices: tuple[Notice, ...]


class Cutter:
    """Reads documents, cuts them, and stages their chunk files."""

    def __init__(self, prefix: str, setup: Setup) -> None:
        """prefix: of the names of staged files, see `Stage`"""
        self.setup = setup
        self.limits = SourceLimits(bytes=setup.limit_bytes, blocks=setup.limit_blocks)
        self.router = Router(setup.strategy, setup.routes, setup.options)
        self.tools = StrategyTools(
            WordPieceCounter(), embedding.load(CUTTING_MODEL, 1).embed if self.router.embeds else None
        )
        self.extras = ChunkContext(**setup.chunks.context, source_version=setup.source_version)
        self.rules = ReadableRules(dict(setup.markup.shortcodes))
        repository = setup.repository or setup.root
        self._includer = Includer(setup.root, repository, setup.markup.include_paths, self.rules)
        self.local_images = LocalImages(setup.root, repository)
        self.conversions = Conversions(setup.conversion, setup.cache)
        self.stage = Stage(setup.out, prefix, setup.build, dry=setup.dry)

    def read(self, path: str, result: Result) -> Document:
        """Reads a document, again while it changes, and puts the stamp of exactly its bytes into the result. Raises
        DocumentError."""
        place = os.path.join(self.setup.root, path)
        for attempt in range(1, _READS + 1):
            last = attempt == _READS
            try:
                before = stamp(os.lstat(place))
                result.stamp = before if trusted(before) else None
                document = read_document(self.setup.root, path, self.limits, self.conversions, self.setup.fields)
                unchanged = stamp(os.lstat(place)) == before
                if unchanged and (before[0] or last or time.time_ns() - before[1] > _SAVING_NANOSECONDS):
                    return document
            except (OSError, DocumentError) as error:
                if last or not isinstance(error.__cause__ or error, FileNotFoundError):
                    if isinstance(error, DocumentError):
                        raise
                    raise DocumentError(path, f"cannot be read: {error.strerror}") from error
            # Changing, emptied a moment ago or gone: an editor is between two steps of a save.
            time.sleep(0.05)
        raise DocumentError(path, "keeps changing while it is read", "Build again when nothing writes to it.")

    def included(self, document: Document) -> tuple[Document, Included]:
        """Returns a document with the text of the files that it includes, and what was looked for and not found."""
        if not (self.setup.markup.includes and is_markdown(document.path)):
            return document, Included()
        return self._includer.included(document)

    def cut(self, document: Document, recorded: EnrichmentFile | None = None) -> CutDocument:
        """Cuts a document, whose includes are resolved. Raises InfographError.

        recorded: what a language model said of it
        """
        document, blocks, notices = self.seen(document)
        tools = self.tools if recorded is None else replace(self.tools, breaks=recorded.breaks)
        chunked = chunk_document(document, blocks, self.router, tools, self.extras)
        notices = (*notices, *chunked.notices)
        if document.origin is None:
            return CutDocument(document, blocks, chunked.chunks, notices)
        notices = (*document.origin.notices, *notices, *other_language(document, self.setup.language))
        return CutDocument(document, blocks, with_places(chunked.chunks, document), notices)

    def seen(self, document: Document) -> tuple[Document, tuple[Block, ...], tuple[Notice, ...]]:
        """Returns a document, whose includes are resolved, with the edits by which a reader sees it, its blocks and
        what is wrong with them."""
        blocks, notices = parse_blocks(document, self.limits) if is_markdown(document.path) else ((), ())
        return as_seen(document, blocks, self.rules), blocks, notices

    def images(self, cut: CutDocument) -> ShownImages:
        """Returns the images that a document shows, where they are files of its repository."""
        return shown_images(cut.document, cut.blocks, cut.chunks, self.local_images)

    def records(self, path: str) -> tuple[EnrichmentFile | None, tuple[Notice, ...]]:
        """Returns what a language model said of a document, and a notice where that cannot be read."""
        setup = self.setup
        if not setup.enriched:
            return None, ()
        try:
            return read_enrichment(setup.root, setup.enrichment, path), ()
        except FormatError as error:
            return None, (Notice(path, "broken-enrichment", f"published without what a model said of it: {error}"),)

    def put(self, document: Document, first: int, files: Iterable[bytes], result: Result) -> None:
        """Stages chunk files of a document, or packs of them, from its chunk `first` on, and the text that they tile if
        it was converted, under the version that the result has. Raises OutputError.

        first: where chunks share files, a number that begins one
        """
        stem = named_by(document.stem, result.version)
        if self.setup.chunks.packed:
            named = list(packs(stem, first, list(files)))
            _refuse_large(document, named)
        else:
            named = [(chunk_name(stem, index), data) for index, data in enumerate(files, first)]
        if document.origin is not None and named:
            named.append((converted_name(stem), converted_text(document)))
        for name, data in named:
            staged = self.stage.put(join(document.topic, f"{CHUNKS}/{name}"), data)
            if staged is not None:
                result.staged.append(staged)
                result.written += len(data)


def _refuse_large(document: Document, named: Iterable[tuple[str, bytes]]) -> None:
    """Raises DocumentError for a pack that no client reads, as it takes chunks of half a megabyte each."""
    for name, data in named:
        if len(data) > LARGEST:
            reason = f"`{name}` would have {len(data):,} bytes, and clients read {LARGEST:,}"
            raise DocumentError(document.path, reason, "Set `chunks.files` to each, or cut it into smaller chunks.")


def converted_text(document: Document) -> bytes:
    """Returns the Markdown that a document was converted to; nothing where the document is what was cut."""
    return (document.prefix + document.body).encode() if document.origin is not None else b""
