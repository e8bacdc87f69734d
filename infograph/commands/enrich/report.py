"""What a person or a program reads of a run, an estimate and the records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from statistics import mean
from typing import Any

from infograph.commands.enrich.documents import OpenDocument
from infograph.commands.enrich.estimate import Estimate
from infograph.commands.enrich.request import EnrichOutcome, Standing
from infograph.enrich.fields import DROPPED_ENTITIES, DROPPED_RELATIONS, normal_key
from infograph.enrich.tasks import ENTITIES
from infograph.llm.model_run import ending_lines, redaction_lines
from infograph.progress import amount, money

_LISTED = 10
"""Problems that are listed; the others are counted."""


def outcome_text(outcome: EnrichOutcome) -> str:
    """Returns the closing lines of a run."""
    lines = _problem_lines(outcome.problems)
    lines += redaction_lines(outcome.redacted, "redacted before sending")
    up_to_date = outcome.standing.current + outcome.standing.pinned
    parts = [f"{outcome.enriched:,} of {amount(outcome.asked, outcome.unit)} enriched", f"{up_to_date:,} up to date"]
    if outcome.failed:
        parts.append(f"{outcome.failed:,} failed")
    if outcome.unanswered:
        parts.append(f"{outcome.unanswered:,} unanswered")
    if outcome.dropped:
        parts.append(f"{amount(outcome.dropped, 'old record')} dropped")
    lines.append(" · ".join(parts))
    if outcome.keyless:
        count = amount(outcome.keyless, "chunk")
        lines.append(f"{count} without a key: the model wrote none of two to five words, even when it was asked again")
    if outcome.phantoms or outcome.lost_relations:
        lines.append(
            f"dropped: {outcome.phantoms:,} entities that the text of their chunk does not name, and "
            f"{amount(outcome.lost_relations, 'relation')} without two entities; the records list them"
        )
    rate = outcome.calls / outcome.asked if outcome.asked else 0.0
    lines.append(
        f"{amount(outcome.calls, 'call')} ({rate:.2f} a {outcome.unit}), {outcome.cached:,} cached, "
        f"{outcome.repaired:,} repaired, {outcome.retried:,} retried · {outcome.input_tokens:,} tokens in "
        f"({outcome.cached_input_tokens:,} kept), {outcome.output_tokens:,} out · cost {money(outcome.cost)} · "
        f"{outcome.seconds:.1f} s"
    )
    if outcome.batched:
        calls, batches = amount(outcome.batched, "call"), ", ".join(outcome.batches[:3])
        more = f" and {len(outcome.batches) - 3:,} more" if outcome.batches[3:] else ""
        lines.append(
            f"{calls} wait in the batch {batches}{more}, at half the price: the same command again collects them"
        )
    return "\n".join([*lines, *ending_lines(outcome, "What is done is kept")])


def outcome_json(outcome: EnrichOutcome) -> dict[str, Any]:
    """Returns a run as JSON; it always has the same keys."""
    return asdict(outcome) | {"redacted": dict(outcome.redacted), "seconds": round(outcome.seconds, 3)}


def estimate_text(found: Estimate) -> str:
    """Returns the table of an estimate."""
    standing = found.standing
    rows = [
        ("task", found.task),
        (f"{found.unit}s", f"{standing.chunks:,}"),
        ("up to date", f"{standing.current:,}"),
        ("pinned", f"{standing.pinned:,}"),
        ("failed before", f"{standing.failed:,}"),
        ("of another model or prompt", f"{standing.other:,}"),
        ("never sent", f"{standing.at_home:,}"),
        ("to ask", f"{standing.to_ask:,}"),
        ("calls", f"{found.calls:,}" + (f", {found.kept:,} of them kept" if found.kept else "")),
        ("input tokens", f"{found.input_tokens:,}"),
        ("output tokens", f"{found.output_tokens:,}"),
        ("cost", money(found.cost)),
    ]
    width = max(len(name) for name, _ in rows)
    lines = _problem_lines(found.problems) + redaction_lines(found.redacted, "would be redacted")
    return "\n".join([*lines, *(f"{name:<{width}}  {value}" for name, value in rows)])


def estimate_json(found: Estimate) -> dict[str, Any]:
    """Returns an estimate as JSON."""
    return asdict(found) | {"redacted": dict(found.redacted)}


def standing_text(standing: Standing, unit: str) -> str:
    """Returns how the chunks, or sections, of a tree stand, in one line."""
    return (
        f"{amount(standing.chunks, unit)}: {standing.current:,} up to date, {standing.pinned:,} pinned, "
        f"{standing.failed:,} failed, {standing.other:,} of another model or prompt, {standing.at_home:,} never sent, "
        f"{standing.to_ask:,} to ask"
    )


def _problem_lines(problems: list[str]) -> list[str]:
    lines = [f"warning: {problem}" for problem in problems[:_LISTED]]
    if len(problems) > _LISTED:
        lines.append(f"  … and {len(problems) - _LISTED:,} more (--json lists all)")
    return lines


def field_report(documents: Iterable[OpenDocument]) -> dict[str, float]:
    """Returns the figures of seed 000's Table 5 that records alone have."""
    said = [[opened.said(i) for i in range(len(opened.chunks))] for opened in documents]
    fields = [values for document in said for values in document]
    filled = [values for values in fields if values]
    count = max(1, len(fields))

    def share(*names: str) -> float:
        return sum(all(values.get(name) for name in names) for values in fields) / count

    def average(name: str) -> float:
        return mean([_size(values.get(name)) for values in filled]) if filled else 0.0

    distinct = sum(len({str(v.get("key")) for v in document if v.get("key")}) for document in said)
    related = [_size(values.get("related_keys")) for values in filled]
    return {
        "chunks": len(fields),
        "key fill rate": share("key"),
        "title fill rate": share("title"),
        "summary fill rate": share("summary"),
        "all seven": share("key", "title", "summary", "keywords", "questions"),
        "unique keys": distinct,
        "chunks that refer to keys": sum(1 for size in related if size),
        "references a chunk": mean(related) if related else 0.0,
        "entities a chunk": average("entities"),
        "keywords a chunk": average("keywords"),
        "questions a chunk": average("questions"),
        "words of a summary": mean([len(str(v.get("summary", "")).split()) for v in filled]) if filled else 0.0,
    }


def entity_report(documents: Iterable[OpenDocument]) -> dict[str, float]:
    """Returns what the task `entities` found and what was dropped of it; nothing where it was not asked."""
    said = [opened.said(i, ENTITIES.name) for opened in documents for i in range(len(opened.chunks))]
    filled = [values for values in said if values]
    if not filled:
        return {}
    names = ("entities", "relations", DROPPED_ENTITIES, DROPPED_RELATIONS)
    sizes = {name: [_size(values.get(name)) for values in filled] for name in names}
    return {
        "chunks with entities asked": len(filled),
        "described entities a chunk": mean(sizes["entities"]),
        "relations a chunk": mean(sizes["relations"]),
        "dropped entities": sum(sizes[DROPPED_ENTITIES]),
        "dropped relations": sum(sizes[DROPPED_RELATIONS]),
    }


def lost_keys(documents: Iterable[OpenDocument]) -> list[dict[str, str | int]]:
    """Returns the related keys that no chunk of their document has as its key, with the document and the chunk.

    A chunk that is asked about again may get another key, while the records of others still name the old one. A build
    leaves these out.
    """
    found: list[dict[str, str | int]] = []
    for opened in documents:
        said = [opened.said(index) for index in range(len(opened.chunks))]
        keys = {normal_key(str(fields.get("key", ""))) for fields in said}
        for index, fields in enumerate(said):
            related = fields.get("related_keys")
            for key in related if isinstance(related, list) else ():
                if isinstance(key, str) and normal_key(key) not in keys:
                    found.append({"document": opened.document.path, "chunk": index, "key": key})
    return found


def lost_keys_text(lost: Sequence[dict[str, str | int]]) -> list[str]:
    """Returns the lines that say so: how many, on which pages; none where no key is lost."""
    if not lost:
        return []
    chunks = amount(len({(one["document"], one["chunk"]) for one in lost}), "chunk")
    pages = list(dict.fromkeys(str(one["document"]) for one in lost))
    more = f" and {len(pages) - _LISTED:,} more" if len(pages) > _LISTED else ""
    counted = f"related keys that no chunk of their document has: {len(lost):,}, of {chunks}"
    hint = "Builds leave them out; --json lists them, and --force --only PAGE asks about a page anew."
    return [f"{counted} in {', '.join(pages[:_LISTED])}{more}. {hint}"]


def _size(value: object) -> int:
    return len(value) if isinstance(value, list | tuple) else 0


def report_text(figures: dict[str, float]) -> str:
    """Returns these figures as lines."""
    width = max(map(len, figures))
    return "\n".join(f"{name:<{width}}  {_figure(name, value)}" for name, value in figures.items())


def _figure(name: str, value: float) -> str:
    if name.endswith("rate") or name == "all seven":
        return f"{value:.1%}"
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"
