"""Judges an answer about chunks: which fields of which chunk are taken of it, and what the model must mend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from infograph.enrich.answers import read_answer
from infograph.enrich.fields import FieldSpec, Findings, ShownText, taken
from infograph.enrich.prompts import Scene
from infograph.text.acronyms import acronyms_in

_SPARED = frozenset({"key"})
"""Required fields without which an answer still counts, once the model was asked to mend it."""


def judge(
    text: str,
    fields: Sequence[FieldSpec],
    scene: Scene,
    indices: Sequence[int],
    keys: Iterable[str],
    language: str = "en",
    noun: str = "chunk",
) -> tuple[dict[int, dict[str, Any]], tuple[str, ...]]:
    """Returns the fields of each chunk that has valid ones, and the violations.

    indices: chunks that were asked about; for one alone the answer is an object, for several a list of them
    keys:    known keys
    noun:    what the list calls them
    """
    findings = Findings()
    try:
        value = read_answer(text)
    except ValueError as error:
        return {}, (str(error),)
    entries = {indices[0]: value} if len(indices) == 1 else _entries(value, indices, findings, noun)
    found: dict[int, dict[str, Any]] = {}
    known = set(keys)
    named = any(spec.kind == "described" for spec in fields)
    acronyms = acronyms_in("\n".join(chunk.readable for chunk in scene.chunks)) if named else {}
    for index in indices:
        if index not in entries:
            continue
        chunk = scene.chunks[index]
        own = Findings()
        text = "\n".join((*chunk.section_path, chunk.title, chunk.readable))
        shown = ShownText(text, frozenset(known), language, chunk.readable, acronyms)
        result = taken(fields, entries[index], shown, own)
        prefix = f"{noun} {index}: " if len(indices) > 1 else ""
        findings.violations += (prefix + violation for violation in own.violations)
        if result is not None and all(
            spec.name in result or not spec.required or spec.name in _SPARED for spec in fields
        ):
            found[index] = result
            if key := result.get("key"):
                known.add(key)
    return found, tuple(findings.violations)


def _entries(value: object, indices: Sequence[int], findings: Findings, noun: str) -> dict[int, Any]:
    """Returns the entries of an answer about several chunks by chunk."""
    listed = value.get(f"{noun}s") if isinstance(value, Mapping) else value
    if not isinstance(listed, list):
        findings.violations.append(f"`{noun}s` is missing, or no list")
        return {}
    entries = [entry for entry in listed if isinstance(entry, Mapping)]
    numbered = {entry[noun]: entry for entry in entries if _is_number(entry.get(noun))}
    if set(numbered) & set(indices):
        found = {index: numbered[index] for index in indices if index in numbered}
    else:  # without numbers they count in their order, where there are as many
        found = dict(zip(indices, listed, strict=True)) if len(listed) == len(indices) else {}
    if missing := [str(index) for index in indices if index not in found]:
        findings.violations.append(f"no entry for the {noun}s {', '.join(missing)}")
    return found


def _is_number(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)
