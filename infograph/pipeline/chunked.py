"""Documents as their chunk files describe them: what `infograph chunk` left on disk, read by the next tools."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from infograph.config.settings import Settings
from infograph.errors import DocumentError, FormatError, InfographError
from infograph.files.disk import digest_file, read_file
from infograph.formats import pack
from infograph.formats.chunk_href import file_of_chunk
from infograph.formats.names import CHUNKS, PACK, VERSION_DIGITS, document_and_number, join, named_by
from infograph.model import Block, Chunk, Document, SpecSource, is_markdown
from infograph.text.edits import TextEdit


@dataclass(frozen=True, slots=True)
class Chunked:
    """A document as its chunk files describe it."""

    document: Document
    blocks: tuple[Block, ...]
    chunks: list[Chunk]
    version: str
    """Version in the names of the chunk files; empty where these are not versioned."""

    @property
    def title(self) -> str:
        """Title of the document."""
        from infograph.source.overview import overview

        return overview(self.document, self.blocks)[0]


def read_chunked(settings: Settings, paths: Sequence[str]) -> tuple[list[Chunked], list[InfographError]]:
    """Reads documents as their chunk files describe them, and returns what is wrong with the others.

    paths: paths of documents, relative to the root
    """
    from infograph.chunking.chunker import with_row_keys
    from infograph.chunking.interface import StrategyTools
    from infograph.chunking.routing import Router
    from infograph.chunking.tokens import WordPieceCounter
    from infograph.config.inputs import conversion_options
    from infograph.formats import chunk_file
    from infograph.formats.search_fields import parse_fields
    from infograph.source.blocks import parse_blocks
    from infograph.source.conversion.reading import Conversions
    from infograph.source.document import read_document
    from infograph.source.limits import SourceLimits

    limits = SourceLimits(bytes=settings.config.limits.bytes, blocks=settings.config.limits.blocks)
    conversions = Conversions(conversion_options(settings.config), settings.cache)
    fields = parse_fields(settings.config.search.fields)
    router = Router(settings.config.strategy, settings.config.routes, settings.config.strategies)
    tools = StrategyTools(WordPieceCounter())
    found: list[Chunked] = []
    errors: list[InfographError] = []
    for path in paths:
        try:
            document = read_document(settings.root, path, limits, conversions, fields)
            version = "" if settings.in_place or not document.body else _newest(settings, document)
            chunks: list[Chunk] = []
            files = _Files(settings, document.topic, named_by(document.stem, version))
            count = 1 if document.body else 0
            while len(chunks) < count:
                place = files.place(len(chunks))
                data = files.read(len(chunks))
                if data is None:
                    raise no_chunk_file(settings, path, document.stem, place)
                chunks.append(chunk_file.parse(place, data).chunk)
                count = chunks[-1].count
            if "".join(c.text for c in chunks) != document.body:
                raise DocumentError(path, "has changed since it was cut", "Run `infograph chunk` first.")
            blocks = parse_blocks(document, limits)[0] if is_markdown(path) else ()
            document = replace(document, edits=_edits_of(chunks))
            chunks = with_row_keys(chunks, document, blocks, router, tools)
            found.append(Chunked(document, blocks, chunks, version))
        except InfographError as error:
            errors.append(error)
    return found, errors


@dataclass(slots=True)
class _Files:
    """The files that hold the chunks of one document."""

    settings: Settings
    topic: str
    stem: str
    """What their names begin with, see `named_by`."""
    _opened: tuple[str, pack.Pack | None] = ("", None)
    """Path of the pack that was read last, and what it holds; None where it is not there."""

    def place(self, index: int) -> str:
        """Returns the path of the file that holds a chunk."""
        return join(self.topic, f"{CHUNKS}/{file_of_chunk(self.stem, index, packed=self.settings.packed)}")

    def read(self, index: int) -> bytes | None:
        """Returns the content of a chunk's file, or of its part of a pack; None where there is none. Raises FormatError
        for a pack that cannot be read."""
        place = self.place(index)
        if not self.settings.packed:
            return read_file(self.settings.out / place)
        if self._opened[0] != place:
            data = read_file(self.settings.out / place)
            self._opened = place, None if data is None else pack.parse(place, data)
        held = self._opened[1]
        return None if held is None else held.file(place, index)


def _newest(settings: Settings, document: Document) -> str:
    """Returns the version of a document's chunk files that was written last: those before it stay for a while. Raises
    DocumentError where there is none."""
    folder = settings.out / join(document.topic, CHUNKS)
    end = file_of_chunk("", 0, packed=settings.packed)
    first = re.compile(rf"{re.escape(document.stem)}\.([0-9a-f]{{{VERSION_DIGITS}}}){re.escape(end)}")
    with contextlib.suppress(OSError):
        there = [match[1] for match in map(first.fullmatch, os.listdir(folder)) if match]
        if there:
            names = {version: folder / f"{document.stem}.{version}{end}" for version in there}
            return max(there, key=lambda version: (names[version].stat().st_mtime_ns, version))
    place = join(document.topic, f"{CHUNKS}/{document.stem}.*{end}")
    raise no_chunk_file(settings, document.path, document.stem, place)


def _edits_of(chunks: Sequence[Chunk]) -> tuple[TextEdit, ...]:
    """Returns the edits of a document by those of its chunks."""
    starts = accumulate((len(chunk.text) for chunk in chunks), initial=0)
    pairs = zip(starts, chunks, strict=False)
    return tuple(TextEdit(at + edit.start, at + edit.end, edit.text) for at, chunk in pairs for edit in chunk.edits)


def missing_chunk(settings: Settings, topic: str, source: SpecSource) -> str | None:
    """Returns the first file of a document's chunks that its specification names and that is missing; None if all are
    there."""
    files = _Files(settings, topic, named_by(source.stem, source.version))
    places = dict.fromkeys(files.place(row.index) for row in source.chunks)
    return next((place for place in places if not (settings.out / place).is_file()), None)


def no_chunk_file(settings: Settings, document: str, stem: str, place: str) -> DocumentError:
    """Returns the error of a document whose chunk file is missing. Where the chunks lie as another `chunks.files` has
    them, it says so.

    document: its path, relative to the root
    stem:     stem of the document
    place:    path of the missing file; its version may be `*`
    """
    folder, _, name = place.rpartition("/")
    number = document_and_number(name)[1]
    other = re.escape(file_of_chunk("", number, packed=not settings.packed))
    written = re.compile(rf"{re.escape(stem)}(?:\.[0-9a-f]{{{VERSION_DIGITS}}})?{other}")
    hint = "Run `infograph chunk` first."
    with contextlib.suppress(OSError):
        if found := next(filter(written.fullmatch, sorted(os.listdir(settings.out / folder))), None):
            files = "pack" if found.endswith(PACK) else "each"
            hint = f'There is {found}: set `chunks.files = "{files}"`, as it was cut, or run `infograph chunk` first.'
    return DocumentError(document, f"its chunk file {place} is not there", hint)


def stands(settings: Settings, topic: str, source: SpecSource) -> bool:
    """Whether a document and its chunk files are as a specification has them."""
    from infograph.formats.chunk_file import split

    digest = digest_file(settings.root / join(topic, source.name))
    if digest is None or not digest.startswith(source.sha256):
        return False
    files = _Files(settings, topic, named_by(source.stem, source.version))
    try:
        texts = [split(files.read(row.index) or b"").text for row in source.chunks]
    except FormatError:  # a pack that is cut off holds none of them
        return False
    return all(hashlib.sha256(text).hexdigest() == row.sha256 for text, row in zip(texts, source.chunks, strict=True))
