"""Runs `infograph enrich`: documents side by side, the chunks of each in order, what is done kept at every moment."""

from __future__ import annotations

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

from infograph.commands.enrich.dialogue import EnrichDialogue, href_of
from infograph.commands.enrich.documents import EnrichDocuments, OpenDocument, each_standing
from infograph.commands.enrich.request import EnrichOutcome, EnrichRequest
from infograph.commands.enrich.spent import progress_text
from infograph.config.origins import naming_origins
from infograph.config.settings import Settings
from infograph.errors import ConfigError, DocumentError, OutputError
from infograph.llm.answer_cache import AnswerCache, alone, cache_folder
from infograph.llm.asking import Asker
from infograph.llm.batch_asking import FILE, waiting
from infograph.llm.endpoint import Endpoint, endpoint_of
from infograph.llm.model_run import STOPPED, ModelRun, RunEnded, rules_text
from infograph.progress import Reporter, money
from infograph.remote.transport import Transport

TOLD_EVERY = 5.0
"""Seconds between two lines about the progress of a run."""


class EnrichRun:
    """One run, whose documents are worked on in threads."""

    def __init__(self, settings: Settings, request: EnrichRequest, endpoint: Endpoint, reporter: Reporter) -> None:
        self.settings, self.request, self.reporter = settings, request, reporter
        llm = settings.config.llm
        models = frozenset(filter(None, (endpoint.model, endpoint.fallback)))
        self.documents = EnrichDocuments(settings, request, models)
        self.outcome = EnrichOutcome(unit=self.documents.unit)
        self._run = ModelRun(self.outcome, llm.redact, cache_folder(settings))
        reads, redactor = self.documents.images, self._run.redactor
        self.dialogue = EnrichDialogue(settings, self.documents.tasks, endpoint.model, redactor, reads)
        self.transport = Transport(endpoint, llm.timeout)
        self.asker = Asker(
            endpoint=endpoint,
            llm=llm,
            cache=AnswerCache(cache_folder(settings)),
            transport=self.transport,
            fresh=request.force or request.retry_failed,
            sleep=self._run.wait,
        )
        self._unanswered = ""
        """Why a call got no answer at all, the last one that did not."""
        self._left = request.limit
        self._documents = self._opened = self._submitted = 0
        self._started = self._told = 0.0

    def run(self) -> EnrichOutcome:
        """Works on all documents. Raises InfographError for what keeps all of them from being asked about."""
        self._started = self._told = started = time.monotonic()
        outcome = self.outcome
        with self._logging() as log, ThreadPoolExecutor(self.settings.config.llm.concurrency) as pool:
            self.asker.log = log
            running: set[Future[None]] = set()
            try:
                for opened in self._work():
                    self._submitted += 1
                    running.add(pool.submit(self._document, opened))
                    if len(running) >= self.settings.config.llm.concurrency:
                        running = self._settled(running)
                while running:
                    running = self._settled(running)
            except KeyboardInterrupt:
                self._interrupted(running)
                raise
            finally:
                self._run.ending.set()
        self.transport.close()
        if self._unanswered and not outcome.enriched and not outcome.failed:
            self._run.end(STOPPED, f"no call was answered, the last one: {self._unanswered}")
        self._run.count(self.asker)
        outcome.add_tally(self.asker)
        outcome.seconds = time.monotonic() - started
        return outcome

    def _work(self) -> Iterator[OpenDocument]:
        """Yields the documents of which something is to ask, and writes what only lost records."""
        paths = self.documents.paths()
        self._documents = len(paths)
        for _, standing, opened in each_standing(self.documents, self.outcome.problems, paths):
            self._opened += 1
            self.outcome.standing.add(standing)
            if self._run.ending.is_set():
                return
            if opened is None:
                continue
            self.outcome.dropped += opened.dropped
            if opened.to_ask:
                yield opened
            elif opened.file.records:
                self.documents.write(opened, complete=not opened.standing.failed)

    def _settled(self, running: set[Future[None]]) -> set[Future[None]]:
        """Waits for one document, raises its error, and returns the others."""
        done, others = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            future.result()
        return others

    def _interrupted(self, running: set[Future[None]]) -> None:
        self._run.ending.set()
        self.reporter.say("interrupted: waiting for the calls in flight; once more to end at once")
        try:
            wait(running)
        except KeyboardInterrupt:
            os._exit(130)  # what was answered is on disk

    def _document(self, opened: OpenDocument) -> None:
        """Asks about the chunks of one document, and writes its records whatever ended it."""
        complete = False
        try:
            with self._run.ending_by_errors():
                complete = self._all_asked(opened)
        finally:
            if opened.records or opened.file.records:
                done = complete and not any(record.failed for record in opened.records.values())
                self.documents.write(opened, complete=done)
        with self._run.lock:
            self.outcome.documents += 1

    def _all_asked(self, opened: OpenDocument) -> bool:
        """Asks about the chunks of one document in order; returns whether each now has a record."""
        complete = True
        for indices in self.dialogue.groups(opened):
            indices = self._granted(indices)
            if not indices:
                return False
            complete &= self._ask(opened, list(indices))
        return complete

    def _granted(self, indices: Any) -> Any:
        """Returns as many of the chunks as `--limit` leaves. Raises `RunEnded`."""
        with self._run.lock:
            if self._run.ending.is_set():
                raise RunEnded
            if self._left is None:
                return indices
            granted = indices[: self._left]
            self._left -= len(granted)
            return granted

    def _ask(self, opened: OpenDocument, indices: list[int]) -> bool:
        """Asks one question and takes its reply; returns whether each chunk now has a record."""
        found: Counter[str] = Counter()
        try:
            question = self.dialogue.question(opened, indices, found)
        except DocumentError as error:
            self.outcome.problems.append(str(error))
            return False
        with self._run.lock:
            self.outcome.redacted.update(found)
        if found and self.settings.config.enrich.fail_on_redaction:
            self.outcome.problems.append(f"{href_of(opened, indices[0])}: not sent, it holds {rules_text(found)}")
            return False
        reply = self.asker.ask(question)
        missing = len(indices)
        if not reply.transient:
            missing = self.dialogue.take(opened, indices, reply.value or {}, reply.model, reply.failed)
        with self._run.lock:
            outcome = self.outcome
            outcome.asked += len(indices)
            outcome.enriched += len(indices) - missing
            self.dialogue.remark(reply.value or {}, outcome)
            if reply.transient:
                outcome.unanswered += missing
                self._unanswered = "" if reply.later else reply.failed
            else:
                outcome.failed += missing
            if reply.failed:
                outcome.problems.append(f"{href_of(opened, indices[0])}: {reply.failed}")
        self._tell()
        self._run.took(reply)
        if reply.transient:
            raise RunEnded  # of this document: its later chunks are shown what would have been said
        return True

    def _tell(self) -> None:
        """Says now and then how far the run is, what it has cost and how long it will take."""
        now = time.monotonic()
        with self._run.lock:
            if now < self._told + TOLD_EVERY:
                return
            self._told = now
        budget, most = self.asker.budget, self.settings.config.llm.max_cost
        spent = money(budget.cost if budget.priced else None) + (f" of {money(most)}" if most else "")
        finished = self._opened - self._submitted + self.outcome.documents
        self.reporter.say(progress_text(finished, self._documents, budget.calls, spent, now - self._started))

    @contextmanager
    def _logging(self) -> Iterator[Callable[[dict[str, Any]], None] | None]:
        if self.request.log_calls is None:
            yield None
            return
        lock = threading.Lock()
        try:
            with open(self.request.log_calls, "a", encoding="utf-8") as file:

                def log(facts: dict[str, Any]) -> None:
                    with lock:
                        file.write(json.dumps(facts, ensure_ascii=False) + "\n")
                        file.flush()

                yield log
        except OSError as error:
            raise OutputError(self.request.log_calls, f"cannot be written: {error.strerror}") from error


@naming_origins
def enrich(settings: Settings, request: EnrichRequest, reporter: Reporter) -> EnrichOutcome:
    """Asks about every chunk that has no record that holds. Raises InfographError before anything is asked."""
    endpoint = endpoint_of(settings.config.llm, os.environ)
    with alone(cache_folder(settings)):
        if left := waiting(cache_folder(settings)):
            ids = ", ".join(batch.id for batch in left[:3])
            hint = f"Collect it with --batch, or remove {cache_folder(settings) / FILE}: what it answers is lost then."
            raise ConfigError(
                "--batch", f"a batch of this tree is waiting ({ids}), so this would be paid for twice", hint
            )
        return EnrichRun(settings, request, endpoint, reporter).run()
