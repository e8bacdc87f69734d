"""What runs in a worker process: one document, from its bytes to its chunk files and its record; then topics.

`python -m infograph.pipeline.worker.worker` reads a Setup and then tasks from its standard input; see `pool.py`.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
import time
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from infograph import embedding
from infograph.errors import DocumentError, InfographError, Notice
from infograph.files.stamps import stamp, trusted
from infograph.formats.names import CHUNKS, join
from infograph.model import Block, Chunk, Document, is_markdown
from infograph.pipeline.memory.records import DocumentRecord
from infograph.pipeline.staging import Stage
from infograph.pipeline.worker.documents import compare, digest_of, record_of
from infograph.pipeline.worker.tasks import CUTTING_MODEL, Result, Setup
from infograph.topic.candidate_terms import ChunkTerms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import Embedder
    from infograph.pipeline.worker.pages import IndexedPage, Indexer
    from infograph.pipeline.worker.topic_files import Made, Step, TopicFiles

_SAVING_NANOSECONDS = 1_000_000_000
"""An empty file changed this recently is taken for one that is being saved, and read again."""


_NEEDED = (
    *(f"infograph.chunking.{name}" for name in ("chunker", "context", "interface", "routing", "tokens")),
    *(f"infograph.source.{name}" for name in ("blocks", "document", "hidden", "includes", "limits", "overview")),
    *(
        "infograph.formats.chunk_file",
        "infograph.pipeline.worker.streaming",
        "infograph.topic.answered_questions",
        "infograph.text.wordpiece",
    ),
)
"""What a worker imports while its parent finds out what to tell it."""

_LINE = re.compile(r"[^\r\n]+")
"""A line without its end."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a document comes to, wherever a file of its name lies: the paths in it are those of the first one met."""

    files: list[bytes]
    """The chunk files."""
    notices: tuple[Notice, ...]
    record: DocumentRecord | None = None
    embed_texts: Sequence[str] = ()
    digests: tuple[bytes, ...] = ()
    vectors: NDArray[np.float32] | None = None
    page: IndexedPage | None = None


class Worker:
    """Cuts documents, then makes the files of topics. Lives in a worker process; every argument and result pickles."""

    def __init__(self, number: str, setup: Setup) -> None:
        from infograph.chunking.context import ChunkContext
        from infograph.chunking.interface import StrategyTools
        from infograph.chunking.routing import Router
        from infograph.chunking.tokens import WordPieceCounter
        from infograph.source.limits import SourceLimits

        self.setup = setup
        self.limits = SourceLimits(bytes=setup.limit_bytes, blocks=setup.limit_blocks)
        self.router = Router(setup.strategy, setup.routes, setup.options)
        self.tools = StrategyTools(
            WordPieceCounter(), embedding.load(CUTTING_MODEL, 1).embed if self.router.embeds else None
        )
        self.extras = ChunkContext(**asdict(setup.chunks), source_version=setup.source_version)
        self.stage = Stage(setup.out, number, setup.build, dry=setup.dry)
        self.embedder: Embedder | None = None
        self.indexer: Indexer | None = None
        self.searcher: Embedder | None = None
        self._load()
        self._name = ""
        """File name of the last document. Versions of a page have one name and share most of their text, so what was
        worked out for the documents of that name is kept."""
        self._outcomes: dict[tuple[object, ...], _Outcome] = {}
        self._terms: dict[tuple[str, bool], ChunkTerms] = {}
        self._seen: dict[bytes, NDArray[np.float32]] = {}
        self._topic_files: TopicFiles | None = None

    def _load(self) -> None:
        """What embeds documents and indexes them for search."""
        self.embedder = embedding.load(self.setup.model, 1) if self.setup.model else None
        self.indexer, self.searcher = self._search()
        self._loaded = True

    def _unload(self) -> None:
        """Makes room where documents are followed by topics: what was learned of words is half of this process."""
        if self.indexer is not None:
            self.indexer.close()
        self.embedder = self.indexer = self.searcher = None
        self._loaded = False
        self._name, self._outcomes, self._terms, self._seen = "", {}, {}, {}

    def _search(self) -> tuple[Indexer | None, Embedder | None]:
        """What indexes documents for search, and the model by whose vectors, where it is not the build's own."""
        if not self.setup.search:
            return None, None
        from infograph.pipeline.worker.pages import FALLBACK, Indexer, load_fallback

        indexer = Indexer(self.setup.language, self.setup.site)
        own = self.setup.search != FALLBACK or (self.embedder is not None and self.embedder.name == FALLBACK)
        return indexer, None if own else load_fallback(1)

    def do(self, task: str | Step) -> Result | Made | InfographError:
        """Cuts the document of a path, or does one step of a topic; an error there is handed back."""
        if isinstance(task, str):
            return self.process(task)
        try:
            return self._topics().do(task)
        except InfographError as error:
            return error
        except Exception as error:  # noqa: BLE001 - a fault of ours must name the topic
            traceback.print_exc()
            reason = f"made infograph fail: {type(error).__name__}: {error}"
            return InfographError(task.topic or ".", reason, "Please report it, with the lines above.")

    def _topics(self) -> TopicFiles:
        if self._topic_files is None:
            from infograph.pipeline.worker.topic_files import TopicFiles  # a worker that only cuts does without

            assert self.setup.manner is not None
            self._unload()
            self._topic_files = TopicFiles(self.setup.manner, self.stage, self.texts)
        return self._topic_files

    def process(self, path: str) -> Result:
        """Reads, cuts and stages one document. What is wrong with it is in the result, never raised."""
        from infograph.pipeline.worker.streaming import is_streamed, stream

        result = Result(path)
        if not self._loaded:
            self._load()
        try:
            if is_streamed(self, path):
                stream(self, path, result)
            else:
                self._work(self._read(path, result), result)
        except InfographError as error:
            result.error = error
            if isinstance(error.__cause__, (OSError, ImportError)):
                result.stamp = None  # a fault of the machine, a package missing: may pass while the file stays as it is
        except Exception as error:  # noqa: BLE001 - a fault of ours must cost this document only, and not in silence
            traceback.print_exc()
            reason = f"made infograph fail: {type(error).__name__}: {error}"
            result.error = DocumentError(path, reason, "Please report it, with the lines above.")
            result.stamp = None  # not the file's doing: try again at the next build
        if result.error is not None:
            result = Result(path, result.stamp, result.error)  # what was staged stays behind
        return result

    def texts(self, path: str) -> Iterable[str]:
        """The texts of a document's chunks."""
        from infograph.pipeline.worker import streaming
        from infograph.source.document import read_document

        if streaming.is_streamed(self, path):
            return streaming.texts(self, path)
        return [chunk.text for chunk in self._cut(read_document(self.setup.root, path, self.limits))[1]]

    def _read(self, path: str, result: Result) -> Document:
        """The document; the stamp in the result is of exactly its bytes: read again while somebody writes."""
        from infograph.source.document import read_document

        place = os.path.join(self.setup.root, path)
        for last in (False, False, False, False, True):
            try:
                before = stamp(os.lstat(place))
                result.stamp = before if trusted(before) else None
                document = read_document(self.setup.root, path, self.limits)
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

    def _cut(self, document: Document) -> tuple[tuple[Block, ...], tuple[Chunk, ...], tuple[Notice, ...]]:
        from infograph.chunking.chunker import chunk_document
        from infograph.source.blocks import parse_blocks

        blocks, notices = parse_blocks(document, self.limits) if is_markdown(document.path) else ((), ())
        chunked = chunk_document(document, blocks, self.router, self.tools, self.extras)
        return blocks, chunked.chunks, (*notices, *chunked.notices)

    def _work(self, document: Document, result: Result) -> None:
        outcome = self._outcome(document)
        self.put(document, 0, outcome.files, result)
        result.notices += (replace(notice, path=document.path) for notice in outcome.notices)
        result.digests = outcome.digests
        result.chunks = len(outcome.files)
        if outcome.record is None:
            return
        if not outcome.digests:
            result.embed_texts = list(outcome.embed_texts)
        if document.topic in self.setup.vectors_of:
            result.vectors = outcome.vectors
        if outcome.page is not None and self.indexer is not None:
            result.page = self.indexer.at(outcome.page, document)
        rows = [replace(row) for row in outcome.record.chunks]  # the caller writes into them
        result.record = replace(outcome.record, path=document.path, sha256=document.sha256, chunks=rows)

    def put(self, document: Document, first: int, files: Iterable[bytes], result: Result) -> None:
        """Stages chunk files of a document, from its chunk `first` on."""
        from infograph.formats.chunk_file import chunk_name

        for index, data in enumerate(files, first):
            staged = self.stage.put(join(document.topic, f"{CHUNKS}/{chunk_name(document.stem, index)}"), data)
            if staged is not None:
                result.staged.append(staged)
                result.written += len(data)

    def _outcome(self, document: Document) -> _Outcome:
        name = document.path.rpartition("/")[2]
        if name != self._name:
            self._name, self._outcomes, self._terms, self._seen = name, {}, {}, {}
        # All that the outcome depends on. Of the prefix that is where it ends, for line numbers and byte offsets.
        prefix = (_LINE.sub("x", document.prefix), len(document.prefix.encode()))
        place = document.path if "id" in self.extras.metadata else self.router.glob(document.path)
        key = (document.body, document.title, document.description, document.keywords, prefix, place)
        outcome = self._outcomes.get(key)
        if outcome is None:
            outcome = self._outcomes[key] = self._work_out(document)
        return outcome

    def _work_out(self, document: Document) -> _Outcome:
        from infograph.formats.chunk_file import render
        from infograph.source.hidden import hidden_text
        from infograph.source.includes import unresolved_includes

        blocks, chunks, notices = self._cut(document)
        setup = self.setup
        files = [render(chunk) for chunk in chunks]
        notices = (*notices, *(unresolved_includes(document, blocks) if is_markdown(document.path) else ()))
        notices = (*notices, *hidden_text(document, blocks))
        if setup.files_only:
            return _Outcome(files, notices)
        record = record_of(document, blocks, chunks, setup.language, setup.technical_baseline, self._terms)
        embed_texts = [chunk.embed_text for chunk in chunks]
        page = self.indexer.index(document, blocks, chunks, record.title) if self.indexer else None
        outcome = _Outcome(files, notices, record, embed_texts, page=page)
        if self.embedder is not None:
            vectors, digests = self._embed(embed_texts, self.embedder)
            compare(record, vectors)
            outcome = replace(outcome, embed_texts=(), digests=digests, vectors=vectors)
        return self._projected(outcome)

    def _projected(self, outcome: _Outcome) -> _Outcome:
        """The outcome with vectors for search, where this worker embeds at all."""
        vectors = self.searcher.embed(outcome.embed_texts) if self.searcher else outcome.vectors
        if outcome.page is None or vectors is None:
            return outcome
        from infograph.pipeline.worker.pages import with_vectors

        index = with_vectors(outcome.page.index, self.setup.search, vectors)
        return replace(outcome, page=replace(outcome.page, index=index))

    def _embed(self, texts: Sequence[str], embedder: Embedder) -> tuple[NDArray[np.float32], tuple[bytes, ...]]:
        """The texts' vectors and digests. Of a text seen in another version the vector is remembered."""
        import numpy as np

        digests = tuple(map(digest_of, texts))
        fresh = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in self._seen}
        self._seen.update(zip(fresh, embedder.embed(list(fresh.values())), strict=True))
        vectors = np.stack([self._seen[d] for d in digests]) if digests else np.zeros((0, embedder.dimension), "f4")
        return vectors, digests


def main() -> None:
    """Serves tasks until the parent closes the pipe, or is gone."""
    from infograph.execution.child import end_with_parent, serve
    from infograph.execution.pipe import receive, send

    end_with_parent()
    gc.disable()  # see `Pipeline.run`; a document leaves hardly a cycle behind
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # the parent runs one worker a processor already
    incoming = sys.stdin.buffer
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a stray print must not land among the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent too, which ends us
    for name in _NEEDED:
        import_module(name)
    try:
        setup = receive(incoming)
        try:
            worker = Worker(*setup)
        except InfographError as error:
            send(outgoing, error)
            return
        send(outgoing, "ready")
        serve(incoming, outgoing, worker.do)
    except (EOFError, BrokenPipeError):
        pass  # the parent ended meanwhile: there is nobody to tell, not even at exit
    os._exit(0)  # the parent waits, and to take apart all that this process holds needs a tenth of a second


if __name__ == "__main__":
    from infograph.pipeline.worker.worker import (
        main as importable_main,  # so that pickled classes are not those of __main__
    )

    importable_main()
