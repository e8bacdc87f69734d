"""benchmarks/records: what a model said of the documents that are measured is whole, and as enrich writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from infograph.enrich.fields import DROPPED_ENTITIES, DROPPED_RELATIONS, FieldSpec, normal_key, schema_of
from infograph.enrich.tasks import TASKS
from infograph.formats.enrichment import EnrichmentFile, parse, render

jsonschema = pytest.importorskip("jsonschema")

RECORDS = Path(__file__).parents[2] / "benchmarks" / "records"
FILES = sorted(RECORDS.glob("*/*.json"))
WHOLE = {
    "chunklab": (3, {"metadata": 43, "context": 43, "queries": 43, "propositions": 43}),
    "chunklab-flat": (3, {"metadata": 43}),
    "docs-rag-contexts": (45, {"context": 410}),
    "docs-rag-metadata": (45, {"metadata": 410}),
}
"""Documents of each set and distinct texts of their chunks, by task."""


def _schema(fields: tuple[FieldSpec, ...]) -> dict[str, Any]:
    """The schema that an answer is asked to have, as a record keeps it: what is optional may be missing."""
    schema = schema_of(fields)
    names = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    schema["properties"] |= dict.fromkeys(("unverified", DROPPED_ENTITIES, DROPPED_RELATIONS), names)
    schema["required"] = [spec.name for spec in fields if spec.required]
    return schema


VALID = {name: jsonschema.Draft202012Validator(_schema(task.fields)) for name, task in TASKS.items()}


def _read(path: Path) -> EnrichmentFile:
    return parse(path.name, path.read_bytes())


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_each_record_is_as_enrich_writes_it(path: Path) -> None:
    file = _read(path)
    assert render(file) == path.read_bytes()
    assert Path(file.source).stem == path.stem
    assert not file.doubled()
    assert file.breakpoints or len({record.text_sha256 for record in file.records}) == file.texts
    keys = {normal_key(str(record.fields.get("key", ""))) for record in file.records}
    for record in file.records:
        place = f"{record.chunk} {record.task}"
        assert (record.model, record.prompt, record.failed) == ("claude", TASKS[record.task].version, ""), place
        VALID[record.task].validate(json.loads(json.dumps(record.fields)))
        assert set(record.fields.get("related_keys", ())) <= keys, place


@pytest.mark.parametrize("folder", WHOLE)
def test_a_set_is_whole(folder: str) -> None:
    files = [_read(path) for path in sorted((RECORDS / folder).glob("*.json"))]
    documents, texts = WHOLE[folder]
    assert len(files) == documents
    counts = {name: sum(record.task == name for file in files for record in file.records) for name in TASKS}
    assert {name: count for name, count in counts.items() if count} == texts
