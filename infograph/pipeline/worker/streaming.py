"""Cuts a table that is too large for memory into chunk files and a record, some chunks at a time.

    TextFile ─stream_table▶ windows of chunks ─┬▶ chunk files, staged
                                               ├▶ rows and terms ─▶ StreamedRecord
                                               └▶ vectors ─▶ their similarities

What is kept of each chunk is its row, its packed terms and what `Result` says of it; with a model that embeds
elsewhere, its text too.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING

from infograph import __version__, embedding
from infograph.chunking.large_tables import StreamedTable, is_streamable, stream_table
from infograph.chunking.registry import cache_key
from infograph.errors import Notice
from infograph.files.stamps import stamp, trusted
from infograph.formats.chunk_file import render
from infograph.formats.names import VERSION_DIGITS
from infograph.model import Document
from infograph.pipeline.keys import CUTTING_MODEL
from infograph.pipeline.worker.documents import StreamedRecord, digests_of
from infograph.source.document import read_document
from infograph.source.hidden import InvisibleText
from infograph.source.textfile import TextFile
from infograph.text.edits import edited

if TYPE_CHECKING:
    from infograph.embedding.base import Embedder
    from infograph.pipeline.worker.cutter import Cutter
    from infograph.pipeline.worker.tasks import Result

HELD = 1 << 24
"""Largest size, in bytes, of a file that is held in memory: its chunks, terms and texts take about 30 times as much."""


def is_streamed(cutter: Cutter, path: str) -> bool:
    """Whether a document is to be cut as a table and is too large to be held."""
    with suppress(OSError):  # reported where the file is opened
        return os.lstat(cutter.setup.root / path).st_size > HELD and is_streamable(path, cutter.router)
    return False


def stream(cutter: Cutter, embedder: Embedder | None, path: str, result: Result) -> None:
    """Cuts a document, embeds its chunks where there is an embedder, and stages its chunk files. Raises
    InfographError."""
    setup = cutter.setup
    with TextFile(setup.root, path, cutter.limits) as text:
        taken = stamp(text.status())
        result.stamp = taken if trusted(taken) else None
        table = _table(cutter, text)
        document = Document(path, text.sha256, text.prefix, "")
        record = StreamedRecord(document, text.size, setup.language, setup.technical_baseline)
        result.version = _version(cutter, document) if setup.versioned else ""
        digests = bytearray()
        vectors = []
        invisible = InvisibleText()
        for chunks in table.windows:
            invisible.add("".join(chunk.text for chunk in chunks))
            files = (render(chunk, result.version) for chunk in chunks)
            cutter.put(document, chunks[0].index, files, result)
            result.chunks += len(chunks)
            if setup.files_only:
                continue
            record.add(chunks)
            embed_texts = [chunk.embed_text for chunk in chunks]
            if embedder is None:
                result.embed_texts += embed_texts
                continue
            digests += digests_of(embed_texts)
            found = embedder.embed(embed_texts)
            record.compare(found)
            if document.topic in setup.vectors_of:
                vectors.append(found)
        text.check()
    result.digests = bytes(digests)
    if vectors:
        import numpy as np  # most tables have no questions beside them

        result.vectors = np.concatenate(vectors)
    result.notices += (*table.notices, *invisible.notices(path))
    if setup.search:
        reason = f"with more than {HELD >> 20} MiB it is no part of the search bundle: its chunks are found by browsing"
        result.notices.append(Notice(path, "not-searched", reason))
    if not setup.files_only:
        result.record = record.finish()
        result.record.version = result.version


def _version(cutter: Cutter, document: Document) -> str:
    """Returns the version of chunk files that are staged before the last of them is known: the digest of all that
    their bytes depend on."""
    model = CUTTING_MODEL if cutter.router.embeds else ""
    key = cache_key(cutter.router, cutter.tools.counter, embedding.identify(model) if model else None)
    parts = [__version__, document.path, document.sha256, key, asdict(cutter.extras)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:VERSION_DIGITS]


def texts_of(cutter: Cutter, path: str) -> Iterable[str]:
    """Cuts a document of any size and returns the texts of its chunks; those of a streamed one come one by one. Raises
    InfographError."""
    if is_streamed(cutter, path):
        return _streamed_texts(cutter, path)
    document = read_document(cutter.setup.root, path, cutter.limits, cutter.conversions)
    recorded, _ = cutter.records(path)
    return [chunk.text for chunk in cutter.cut(document, recorded).chunks]


def readable_text(cutter: Cutter, path: str) -> str:
    """Returns the text of a document as a reader of the rendered page sees it. Raises InfographError."""
    document = read_document(cutter.setup.root, path, cutter.limits, cutter.conversions)
    document, _, _ = cutter.seen(cutter.included(document)[0])
    return edited(document.body, document.edits)


def _streamed_texts(cutter: Cutter, path: str) -> Iterator[str]:
    with TextFile(cutter.setup.root, path, cutter.limits) as text:
        for chunk in chain.from_iterable(_table(cutter, text).windows):
            yield chunk.text


def _table(cutter: Cutter, text: TextFile) -> StreamedTable:
    return stream_table(text, cutter.router, cutter.tools, cutter.extras)
