"""What a run would cost, and how things stand: nothing is sent for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from infograph.commands.enrich.dialogue import EnrichDialogue
from infograph.commands.enrich.documents import EnrichDocuments, each_standing
from infograph.commands.enrich.request import EnrichRequest, Standing
from infograph.config.settings import Settings
from infograph.errors import DocumentError
from infograph.llm.answer_cache import AnswerCache, request_digest
from infograph.llm.pacing import Budget
from infograph.llm.wire import Usage, estimated_input, tokens_of
from infograph.remote.redaction import Redactor


@dataclass(slots=True)
class Estimate:
    """The cost of a run before it begins."""

    task: str
    unit: str = "chunk"
    """Unit of the standing: what a call, or an entry of an answer, is about."""
    standing: Standing = field(default_factory=Standing)
    calls: int = 0
    kept: int = 0
    """Calls whose answer is kept already: what is asked of later chunks depends on the answers about earlier ones."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    redacted: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


def estimate(settings: Settings, request: EnrichRequest, model: str) -> Estimate:
    """Counts what a run would ask, as if no answer of this run were known. Raises InfographError.

    model: empty where none is set yet
    """
    documents = EnrichDocuments(settings, request, frozenset(filter(None, (model, settings.config.llm.fallback_model))))
    redactor = Redactor(settings.config.llm.redact)
    dialogue = EnrichDialogue(settings, documents.tasks, model, redactor, documents.images)
    cache = AnswerCache(settings.cache.parent / ".llm-cache")
    found = Estimate("+".join(task.name for task in documents.tasks), documents.unit)
    left, outputs, answered = request.limit, list[int](), list[int]()
    for _, standing, opened in each_standing(documents, found.problems):
        found.standing.add(standing)
        if opened is None:
            continue
        for indices in dialogue.groups(opened):
            indices = indices if left is None else indices[:left]
            left = None if left is None else left - len(indices)
            if not indices:
                break
            try:
                question = dialogue.question(opened, list(indices), found.redacted)
            except DocumentError as error:
                found.problems.append(str(error))
                continue
            digest = request_digest(question.task, question.prompt_version, question.call)
            kept = cache.get(question.task, question.call, digest) if model and not request.force else None
            found.calls += 1
            if kept is not None:
                found.kept += 1
                answered.append(kept.usage.output)
                continue
            found.input_tokens += estimated_input(question.call)
            outputs.append(_expected(question.call.max_tokens, len(indices), dialogue))
    if answered:
        outputs = [int(median(answered))] * len(outputs)
    found.output_tokens = sum(outputs)
    budget = Budget(settings.config.llm)
    if budget.priced:
        found.cost = budget.price(Usage(found.input_tokens, found.output_tokens))
    return found


def _expected(most: int, chunks: int, dialogue: EnrichDialogue) -> int:
    """Expects the output tokens of an answer: a third of the most that its fields can have."""
    each = sum(spec.longest for spec in dialogue.fields)
    return min(most, chunks * tokens_of("x" * (each // 3)))
