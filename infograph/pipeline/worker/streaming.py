"""A table too large to be held: from its file to its chunk files and its record, some chunks at a time.

    TextFile ─stream_table▶ windows of chunks ─┬▶ chunk files, staged
                                               ├▶ rows and terms ─▶ StreamedRecord
                                               └▶ vectors ─▶ their similarities

What is kept of each chunk is its row, its packed terms and what `Result` says of it; with a model that embeds
elsewhere, its text too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from infograph.chunking.large_tables import StreamedTable, is_streamable, stream_table
from infograph.errors import Notice
from infograph.files.stamps import stamp, trusted
from infograph.formats.chunk_file import render
from infograph.model import Document
from infograph.pipeline.worker.documents import StreamedRecord, digest_of
from infograph.source.hidden import InvisibleText
from infograph.source.textfile import TextFile

if TYPE_CHECKING:
    from infograph.pipeline.worker.tasks import Result
    from infograph.pipeline.worker.worker import Worker

HELD = 1 << 24
"""Bytes of a file that may be held: its chunks, terms and texts take some thirty times as much."""


def is_streamed(worker: Worker, path: str) -> bool:
    """Whether a document is a table, to be cut as one, that is too large to be held."""
    with suppress(OSError):  # who opens it says what is wrong
        return os.lstat(worker.setup.root / path).st_size > HELD and is_streamable(path, worker.router)
    return False


def stream(worker: Worker, path: str, result: Result) -> None:
    """Cuts and stages one document. Raises InfographError."""
    with TextFile(worker.setup.root, path, worker.limits) as text:
        taken = stamp(text.status())
        result.stamp = taken if trusted(taken) else None
        table = _table(worker, text)
        document = Document(path, text.sha256, text.prefix, "")
        record = StreamedRecord(document, text.size, worker.setup.language, worker.setup.technical_baseline)
        digests: list[bytes] = []
        vectors = []
        invisible = InvisibleText()
        for chunks in table.windows:
            invisible.add("".join(chunk.text for chunk in chunks))
            worker.put(document, chunks[0].index, map(render, chunks), result)
            result.chunks += len(chunks)
            if worker.setup.files_only:
                continue
            record.add(chunks)
            embed_texts = [chunk.embed_text for chunk in chunks]
            if worker.embedder is None:
                result.embed_texts += embed_texts
                continue
            digests += map(digest_of, embed_texts)
            found = worker.embedder.embed(embed_texts)
            record.compare(found)
            if document.topic in worker.setup.vectors_of:
                vectors.append(found)
        text.check()
    result.digests = tuple(digests)
    if vectors:
        import numpy as np

        result.vectors = np.concatenate(vectors)
    result.notices += (*table.notices, *invisible.notices(path))
    if worker.setup.search:
        reason = f"with more than {HELD >> 20} MiB it is no part of the search bundle: its chunks are found by browsing"
        result.notices.append(Notice(path, "not-searched", reason))
    if not worker.setup.files_only:
        result.record = record.finish()


def texts(worker: Worker, path: str) -> Iterator[str]:
    """The texts of a document's chunks, one by one."""
    with TextFile(worker.setup.root, path, worker.limits) as text:
        for chunk in chain.from_iterable(_table(worker, text).windows):
            yield chunk.text


def _table(worker: Worker, text: TextFile) -> StreamedTable:
    return stream_table(text, worker.router, worker.tools, worker.extras)
