"""The modes of `infograph enrich`, each from its options to what is printed and the exit status."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import asdict
from typing import Any

from infograph.commands.enrich.batch import enrich_by_batch
from infograph.commands.enrich.breakpoints import BreakpointRun, enrich_breakpoints
from infograph.commands.enrich.communities import CommunityRun, enrich_communities
from infograph.commands.enrich.dialogue import EnrichDialogue
from infograph.commands.enrich.documents import EnrichDocuments, chunk_of_href
from infograph.commands.enrich.estimate import estimate
from infograph.commands.enrich.report import (
    entity_report,
    estimate_json,
    estimate_text,
    field_report,
    lost_keys,
    lost_keys_text,
    outcome_json,
    outcome_text,
    report_text,
    standing_text,
)
from infograph.commands.enrich.request import EnrichRequest, Standing
from infograph.commands.enrich.run import enrich
from infograph.config.settings import Settings
from infograph.enrich.breakpoints import TASK
from infograph.enrich.communities import TASK as COMMUNITIES
from infograph.errors import ConfigError
from infograph.llm.asking import payload
from infograph.llm.endpoint import Endpoint, endpoint_of
from infograph.llm.wire import STEPS
from infograph.progress import Reporter, Silent
from infograph.remote.redaction import Redactor


def run(settings: Settings, request: EnrichRequest, reporter: Reporter, *, as_json: bool) -> tuple[str, int]:
    """Asks, and returns what to print and the exit status. Raises InfographError."""
    apart = _apart(settings, request)
    if apart == TASK:
        outcome = enrich_breakpoints(settings, request, reporter)
    elif apart:
        outcome = enrich_communities(settings, request, reporter)
    else:
        outcome = enrich_by_batch(settings, request) if request.batch else enrich(settings, request, reporter)
    lacking = outcome.failed or (outcome.unanswered and not outcome.batched)
    status = outcome.status or int(settings.config.strict and bool(lacking))
    if as_json:
        return json.dumps(outcome_json(outcome), indent=2, ensure_ascii=False), status
    return outcome_text(outcome), status


def show_estimate(settings: Settings, request: EnrichRequest, *, as_json: bool) -> str:
    """Returns what a run would cost. Raises InfographError."""
    apart = _apart(settings, request)
    if apart == TASK:
        found = BreakpointRun(settings, request, _endpoint(settings), Silent()).estimate()
    elif apart:
        found = CommunityRun(settings, request, Silent()).estimate()
    else:
        found = estimate(settings, request, _model(settings))
    return json.dumps(estimate_json(found), indent=2, ensure_ascii=False) if as_json else estimate_text(found)


def show_status(settings: Settings, request: EnrichRequest, *, as_json: bool) -> str:
    """Returns how the chunks stand, with the figures of what is recorded. Raises InfographError."""
    model = _model(settings)
    if _apart(settings, request) == COMMUNITIES:
        told = CommunityRun(settings, request, Silent()).estimate().standing
        return json.dumps(asdict(told), indent=2) if as_json else standing_text(told, "community")
    documents = EnrichDocuments(settings, request, frozenset({model} - {""}))
    standing = Standing()
    opened = [documents.open(path) for path in documents.paths()]
    for document in opened:
        standing.add(document.standing)
    figures: dict[str, float] = {}
    lost: list[dict[str, str | int]] = []
    if documents.unit == "chunk":
        figures, lost = field_report(opened) | entity_report(opened), lost_keys(opened)
    if as_json:
        values: dict[str, Any] = {name: getattr(standing, name) for name in Standing.__slots__}
        return json.dumps(values | {"report": figures, "lost_keys": lost}, indent=2, ensure_ascii=False)
    lines = [standing_text(standing, documents.unit), *lost_keys_text(lost)]
    return "\n".join([*lines, "", report_text(figures)] if figures else lines)


def show_payload(settings: Settings, href: str) -> str:
    """Returns exactly what would be sent for one chunk, redacted. Raises ConfigError for an unknown href."""
    endpoint = _endpoint(settings)
    documents = EnrichDocuments(settings, EnrichRequest(force=True), frozenset())
    redactor = Redactor(settings.config.llm.redact)
    dialogue = EnrichDialogue(settings, documents.tasks, endpoint.model, redactor, documents.images)
    opened, index = chunk_of_href(documents, href)
    indices = next((list(group) for group in dialogue.groups(opened) if index in group), [index])
    question = dialogue.question(opened, indices, Counter())
    return payload(endpoint, question, STEPS[endpoint.form][0])


_HINTS = {
    TASK: "Run it first, and the others after it: they are asked about the chunks that it makes.",
    COMMUNITIES: "Run it after a build, and the others before it.",
}
"""When to run what is asked apart from other tasks."""


def _apart(settings: Settings, request: EnrichRequest) -> str:
    """Returns the task that is not asked of parts of documents, empty for those that are. Raises ConfigError for both
    at once."""
    tasks = settings.config.enrich.tasks
    found = next((name for name in tasks if name in _HINTS), "")
    if found and len(tasks) > 1:
        raise ConfigError("enrich.tasks", f"`{found}` is asked by itself", _HINTS[found])
    if found and request.batch:
        raise ConfigError("--batch", f"`{found}` is not asked in batches", "Run it without --batch.")
    return found


def _endpoint(settings: Settings) -> Endpoint:
    """Returns the endpoint as far as it is known without a key: nothing is sent to it."""
    try:
        return endpoint_of(settings.config.llm, os.environ)
    except ConfigError:
        llm = settings.config.llm
        return Endpoint("anthropic" if llm.provider == "anthropic" else "openai", llm.base_url, llm.model or "MODEL")


def _model(settings: Settings) -> str:
    return settings.config.llm.model or os.environ.get("LLM_MODEL", "")
