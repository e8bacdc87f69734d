"""Runs `infograph enrich --batch`: collects what was submitted, and submits what is still to ask, at half the price."""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import replace
from threading import Event

from infograph.commands.enrich.dialogue import EnrichDialogue, href_of
from infograph.commands.enrich.documents import EnrichDocuments, OpenDocument, each_standing
from infograph.commands.enrich.request import EnrichOutcome, EnrichRequest
from infograph.config.origins import naming_origins
from infograph.config.settings import Settings
from infograph.errors import ConfigError, DocumentError, EndpointError
from infograph.llm.answer_cache import AnswerCache, alone, cache_folder
from infograph.llm.asking import BudgetReached
from infograph.llm.batch_asking import BatchAsker, WaitingBatch, remember, waiting
from infograph.llm.endpoint import Endpoint, endpoint_of
from infograph.llm.model_run import BUDGET, STOPPED
from infograph.remote.redaction import Redactor
from infograph.remote.transport import Transport


class BatchRun:
    """One run by batches: no call depends on the answer to another, and none is sent by itself."""

    def __init__(self, settings: Settings, request: EnrichRequest, endpoint: Endpoint) -> None:
        self.settings, self.request = settings, request
        endpoint = replace(endpoint, fallback="")  # which would be another batch
        llm, folder = settings.config.llm, cache_folder(settings)
        self.documents = EnrichDocuments(settings, request, frozenset({endpoint.model}))
        redactor = Redactor(llm.redact)
        self.dialogue = EnrichDialogue(
            settings, self.documents.tasks, endpoint.model, redactor, self.documents.images, apart=True
        )
        self.transport = Transport(endpoint, llm.timeout)
        self.asker = BatchAsker(
            endpoint=endpoint,
            llm=llm,
            cache=AnswerCache(folder),
            transport=self.transport,
            fresh=request.force or request.retry_failed,
            sleep=Event().wait,
            folder=folder,
        )
        self.outcome = EnrichOutcome(unit=self.documents.unit)

    def run(self) -> EnrichOutcome:
        """Collects, takes and submits. Raises InfographError."""
        started = time.monotonic()
        asker, outcome = self.asker, self.outcome
        try:
            left = waiting(asker.folder)
            if unanswered := self._collected(left):
                outcome.batches, outcome.batched = [batch.id for batch in left], unanswered
            else:
                self._work()
                outcome.batches = [batch.id for batch in asker.submitted]
                outcome.batched = sum(batch.calls for batch in asker.submitted)
        finally:
            self.transport.close()
        outcome.calls = len(asker.collected) + len(asker.refused)
        outcome.cached = max(0, asker.tally.cached - len(asker.collected))
        used = asker.budget.usage
        outcome.input_tokens, outcome.output_tokens = used.input, used.output
        outcome.cached_input_tokens = used.cached_input
        outcome.cost = asker.budget.cost if asker.budget.priced else None
        outcome.seconds = time.monotonic() - started
        return outcome

    def _collected(self, left: list[WaitingBatch]) -> int:
        """Takes the answers of batches; returns the number of calls still to be answered."""
        here = self.asker.endpoint.batches
        for batch in left:
            if batch.address != here:
                hint = "Collect it there first, with the settings that it was submitted with."
                raise ConfigError("llm.base_url", f"a batch is waiting at {batch.address}, not at {here}", hint)
        unanswered = self.asker.collect(left) if left else 0
        if left and not unanswered:
            remember(self.asker.folder, ())
        return unanswered

    def _work(self) -> None:
        """Takes what is answered of every document, and submits the rest."""
        outcome, room = self.outcome, self.request.limit
        try:
            for _, standing, opened in each_standing(self.documents, outcome.problems):
                outcome.standing.add(standing)
                if opened is not None:
                    room = self._document(opened, room)
                if room == 0:
                    break
            self.asker.submit()
        except BudgetReached as error:
            outcome.status, outcome.reason = BUDGET, f"the budget is reached: {error}"
            self.asker.submit()
        except EndpointError as error:
            outcome.status, outcome.reason = STOPPED, str(error)

    def _document(self, opened: OpenDocument, room: int | None) -> int | None:
        """Takes and submits what is to ask of one document; returns how many chunks may still be asked about."""
        outcome, complete = self.outcome, True
        outcome.dropped += opened.dropped
        try:
            for group in self.dialogue.groups(opened):
                indices = list(group) if room is None else list(group[:room])
                room = None if room is None else room - len(indices)
                complete &= len(indices) == len(group) and self._ask(opened, indices)
        finally:
            if opened.records or opened.file.records:
                done = complete and not any(record.failed for record in opened.records.values())
                self.documents.write(opened, complete=done)
        outcome.documents += bool(opened.to_ask)
        return room

    def _ask(self, opened: OpenDocument, indices: list[int]) -> bool:
        """Takes the answer about some chunks, or has them asked about; returns whether each now has a record."""
        outcome, found = self.outcome, Counter[str]()
        if not indices:
            return False
        try:
            question = self.dialogue.question(opened, indices, found)
        except DocumentError as error:
            outcome.problems.append(str(error))
            return False
        outcome.redacted.update(found)
        if found and self.settings.config.enrich.fail_on_redaction:
            outcome.problems.append(f"{href_of(opened, indices[0])}: not sent, something would be redacted")
            return False
        reply = self.asker.ask(question)
        outcome.asked += len(indices)
        if reply.transient:
            outcome.unanswered += len(indices)
            return False
        missing = self.dialogue.take(opened, indices, reply.value or {}, reply.model, reply.failed)
        outcome.enriched += len(indices) - missing
        self.dialogue.remark(reply.value or {}, outcome)
        outcome.failed += missing
        if reply.failed:
            outcome.problems.append(f"{href_of(opened, indices[0])}: {reply.failed}")
        return True


@naming_origins
def enrich_by_batch(settings: Settings, request: EnrichRequest) -> EnrichOutcome:
    """Collects the batches of a tree and submits what is still to ask. Raises InfographError."""
    endpoint = endpoint_of(settings.config.llm, os.environ)
    with alone(cache_folder(settings)):
        return BatchRun(settings, request, endpoint).run()
