"""Runs `infograph enrich --task breakpoints`: asks once a document where it should be cut, and records the places."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from infograph.chunking.interface import DocumentLayout
from infograph.chunking.pieces.atoms import document_atoms
from infograph.chunking.registry import strategy
from infograph.chunking.strategies.agentic import LEAST_ATOMS, Agentic
from infograph.commands.enrich.estimate import Estimate
from infograph.commands.enrich.request import EnrichOutcome, EnrichRequest
from infograph.config.origins import naming_origins
from infograph.config.settings import Settings
from infograph.enrich.breakpoints import (
    TASK,
    VERSION,
    breakpoint_prompt,
    judged,
    shown,
    united,
    wanted_chunks,
    windows,
)
from infograph.enrich.prompts import CHARACTERS
from infograph.errors import DocumentError, FormatError
from infograph.files.disk import write_durable
from infograph.formats.enrichment import Breakpoints, EnrichmentFile, digest_of, render
from infograph.llm.answer_cache import AnswerCache, alone, cache_folder
from infograph.llm.asking import Asker, Checked, ModelQuestion, ModelReply
from infograph.llm.endpoint import Endpoint, endpoint_of
from infograph.llm.model_run import ModelRun
from infograph.llm.wire import Call, Usage, estimated_input
from infograph.model import Document
from infograph.pipeline.plan import find_documents
from infograph.pipeline.steps.cut import setup_of
from infograph.pipeline.worker.cutter import Cutter
from infograph.pipeline.worker.tasks import Result
from infograph.progress import Reporter, amount
from infograph.remote.transport import Transport
from infograph.source.blocks import parse_blocks
from infograph.source.enrichment import enrichment_path, read_enrichment
from infograph.source.ignores import patterns_of_setting

_ANSWER_TOKENS = 40
"""Tokens that an answer is expected to have."""
_NUMBER = 8
"""Characters of a part's number in the prompt."""
Places = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NumberedDocument:
    """A document with its atoms and its file of records."""

    document: Document
    starts: Places
    texts: tuple[str, ...]
    file: EnrichmentFile


class BreakpointRun:
    """One run, a call for each document that has no places that hold."""

    def __init__(self, settings: Settings, request: EnrichRequest, endpoint: Endpoint, reporter: Reporter) -> None:
        self.settings, self.request, self.endpoint, self.reporter = settings, request, endpoint, reporter
        llm = settings.config.llm
        self._cutter = Cutter("enrich", setup_of(settings, "", dry=True))
        options = dict(settings.config.strategies).get("agentic", ())
        made = strategy("agentic", {str(name): value for name, value in dict(options).items()})
        self._maximum = made.maximum if isinstance(made, Agentic) else Agentic().maximum
        self._transport = Transport(endpoint, llm.timeout)
        self.outcome = EnrichOutcome(unit="document")
        self._run = ModelRun(self.outcome, llm.redact, cache_folder(settings))
        self.asker = Asker(
            endpoint=endpoint,
            llm=llm,
            cache=AnswerCache(cache_folder(settings)),
            transport=self._transport,
            fresh=request.force or request.retry_failed,
            sleep=self._run.wait,
        )

    def run(self) -> EnrichOutcome:
        """Asks about every document. Raises InfographError."""
        found = list(self.documents())[: self.request.limit]
        with (
            self.reporter.phase(TASK, amount(len(found), "document")) as advance,
            ThreadPoolExecutor(self.settings.config.llm.concurrency) as pool,
        ):
            try:
                for number, _ in enumerate(pool.map(self._document, found), 1):
                    advance(number / len(found))
            finally:
                self._run.ending.set()
        self._transport.close()
        self._run.count(self.asker)
        self.outcome.add_tally(self.asker)
        self.outcome.seconds = self.asker.tally.seconds
        return self.outcome

    def estimate(self) -> Estimate:
        """Counts what a run would ask."""
        found = Estimate(TASK, "document", problems=self.outcome.problems, redacted=self.outcome.redacted)
        for opened in list(self.documents())[: self.request.limit]:
            for _, question in self.questions(opened):
                found.calls += 1
                found.input_tokens += estimated_input(question.call)
                found.output_tokens += _ANSWER_TOKENS
        found.standing = self.outcome.standing
        budget = self.asker.budget
        if budget.priced:
            found.cost = budget.price(Usage(found.input_tokens, found.output_tokens))
        return found

    def documents(self) -> Iterator[NumberedDocument]:
        """Yields the documents to ask about; what is wrong with one goes to the outcome."""
        settings, standing = self.settings, self.outcome.standing
        kept = patterns_of_setting(settings.config.llm.exclude, "llm.exclude")
        only = patterns_of_setting(self.request.only, "--only") if self.request.only else None
        for path in find_documents(settings).documents:
            if only and not only(path, False):
                continue
            try:
                opened = self._opened(path)
            except (DocumentError, FormatError) as error:
                self.outcome.problems.append(str(error))
                continue
            if opened is None:
                continue
            standing.chunks += 1
            if opened.document.stays or (kept and kept(path, False)):
                standing.at_home += 1
            elif self._holds(opened):
                standing.current += 1
            else:
                standing.to_ask += 1
                yield opened

    def _opened(self, path: str) -> NumberedDocument | None:
        """Returns a document with its atoms; None for one that is too short to be cut by a model."""
        settings, cutter = self.settings, self._cutter
        document, _ = cutter.included(cutter.read(path, Result(path)))
        blocks, _ = parse_blocks(document, cutter.limits)
        parts = document_atoms(DocumentLayout(document, blocks), self._maximum, cutter.tools.counter) if blocks else []
        if len(parts) < LEAST_ATOMS:
            return None
        file = read_enrichment(settings.root, settings.enrichment, path)
        texts = tuple(document.body[part.start : part.end] for part in parts)
        file = file or EnrichmentFile(source=path.rpartition("/")[2])
        return NumberedDocument(document, tuple(part.start for part in parts), texts, file)

    def _holds(self, opened: NumberedDocument) -> bool:
        found = opened.file.breakpoints
        if found is None or found.text_sha256 != digest_of(opened.document.body):
            return False
        if found.pinned:
            return True
        if self.request.force or (found.failed and self.request.retry_failed):
            return False
        return found.prompt == VERSION and found.model in (self.endpoint.model, self.endpoint.fallback)

    def questions(self, opened: NumberedDocument) -> Iterator[tuple[int, ModelQuestion[Places]]]:
        """Yields the questions about a document, one for as much as the endpoint can read, each with the number of its
        first part."""
        room = int(self.settings.config.llm.context_tokens * CHARACTERS * 0.75)
        for begin, end in windows([len(text) + _NUMBER for text in opened.texts], room):
            yield begin, self._question(opened, opened.texts[begin:end])

    def _question(self, opened: NumberedDocument, texts: Sequence[str]) -> ModelQuestion[Places]:
        llm = self.settings.config.llm
        prompt = breakpoint_prompt(opened.document.title or opened.document.stem, texts, self._run.redact)
        least, most = wanted_chunks(sum(len(text.split()) for text in texts))
        call = Call(
            model=self.endpoint.model,
            system=prompt.system,
            shared="",
            text=prompt.text,
            schema=prompt.schema,
            max_tokens=llm.max_output_tokens,
            temperature=llm.temperature,
        )
        return ModelQuestion(
            task=TASK,
            prompt_version=VERSION,
            name=opened.document.path,
            call=call,
            check=lambda text: Checked(*judged(text, len(texts), least, most)),
        )

    def _document(self, opened: NumberedDocument) -> None:
        """Asks about a document and writes the places."""
        if self._run.ending.is_set():
            return
        with self._run.ending_by_errors():
            reply = self._asked(opened)
            if not reply.transient:
                self._write(opened, reply.value or (), reply.model, reply.failed)
            with self._run.lock:
                outcome = self.outcome
                outcome.asked += 1
                outcome.enriched += reply.value is not None
                outcome.unanswered += reply.transient
                outcome.failed += reply.value is None and not reply.transient
                if reply.failed:
                    outcome.problems.append(f"{opened.document.path}: {reply.failed}")
            self._run.took(reply)

    def _asked(self, opened: NumberedDocument) -> ModelReply[Places]:
        """Returns the places of a whole document; what became of the first window that failed, where one does."""
        found = []
        for begin, question in self.questions(opened):
            reply = self.asker.ask(question)
            if reply.value is None:
                return reply
            found.append([begin + number for number in reply.value])
        return replace(reply, value=united(found))

    def _write(self, opened: NumberedDocument, numbers: Places, model: str, failed: str) -> None:
        """Records the places. Its records of chunks stay, and are looked at again, as its chunks are others now."""
        places = tuple((opened.starts[number], shown(opened.texts[number])) for number in numbers)
        found = Breakpoints(digest_of(opened.document.body), places, VERSION, model, failed)
        file = replace(opened.file, breakpoints=found, document="", chunking="", texts=0)
        folder = self.settings.enrichment
        name = enrichment_path(opened.document.path, folder is not None)
        write_durable(folder or self.settings.root, name, render(file))


@naming_origins
def enrich_breakpoints(settings: Settings, request: EnrichRequest, reporter: Reporter) -> EnrichOutcome:
    """Asks about every document without places that hold. Raises InfographError before anything is asked."""
    endpoint = endpoint_of(settings.config.llm, os.environ)
    with alone(cache_folder(settings)):
        return BreakpointRun(settings, request, endpoint, reporter).run()
