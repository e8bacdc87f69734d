"""scripts/record_llm.py: what is unanswered becomes a file, and an answer beside it serves both wire formats."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infograph.commands.enrich.request import EnrichRequest
from infograph.commands.enrich.run import enrich
from infograph.config import load
from infograph.llm.wire import Call, ImagePart, body_of
from infograph.progress import Silent

SCRIPT = Path(__file__).parents[2] / "scripts/record_llm.py"


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    folder = tmp_path / "recordings"
    command = [sys.executable, str(SCRIPT), str(folder), "--model", "somebody", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout
    try:
        yield folder, process.stdout.readline().decode().strip()
    finally:
        process.kill()
        process.communicate()


def script(folder: Path, option: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), option], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_request_waits_for_its_answer(recorder: tuple[Path, str], tmp_path: Path, endpoints: Any) -> None:
    folder, url = recorder
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Kettles\n\nThe kettle boils water.\n\n## Filters\n\n" + "Clean the filter. " * 200)

    def run(provider: str) -> Any:
        flags = {"llm.base_url": url, "llm.provider": provider, "llm.model": "somebody", "llm.retries": 0}
        settings = load(str(docs), flags={**flags, "enrich.unit": "document"}, environment={})
        return enrich(settings, EnrichRequest(force=provider == "anthropic"), Silent())

    outcome = run("openai-compatible")
    assert (outcome.enriched, outcome.unanswered > 0, outcome.status) == (0, True, 0)
    (request,) = (folder / "requests").glob("*.md")
    text = request.read_text()
    assert "The kettle boils water." in text
    assert script(folder, "--list").stdout.strip() == str(request)
    answer = folder / "answers" / f"{request.stem}.json"
    schema = json.loads(text.rpartition("## schema of the answer\n\n")[2])
    entries = schema["properties"].get("chunks")
    fields = endpoints.plain_fields("kettles boil water in filters")
    wanted = entries["items"]["properties"] if entries else schema["properties"]
    plain = {name: fields.get(name, 0) for name in wanted}
    value = {"chunks": [plain | {"chunk": n} for n in range(entries["minItems"])]} if entries else plain
    answer.write_text(json.dumps(value | {"chunks": []} if entries else {}))
    assert script(folder, "--check").returncode == 1
    answer.write_text(json.dumps(value))
    assert script(folder, "--check").stdout == "all answers fit\n"
    for provider in ("openai-compatible", "anthropic"):
        outcome = run(provider)
        assert (outcome.enriched, outcome.unanswered) == (outcome.asked, 0)
        assert outcome.asked > 0
    assert script(folder, "--list").stdout.strip() == ""


@pytest.mark.parametrize("form", ["openai", "anthropic"])
def test_an_image_lies_beside_its_request(form: str) -> None:
    spec = importlib.util.spec_from_file_location("record_llm", SCRIPT)
    assert spec and spec.loader
    recorder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recorder)
    part = ImagePart("image/png", b"the image", 100)
    call = Call("m", "Describe.", "", "What is it?", None, 10, 0.0, images=(part,))
    body = body_of(form, call, "none")
    ((name, data),) = recorder.images_of(body)
    assert data == b"the image"
    assert recorder.as_file(body).count(f"![](../images/{name})") == 1
    assert part.encoded not in recorder.as_file(body)
    other = body_of(form, replace(call, images=(replace(part, data=b"another"),)), "none")
    assert recorder.digest(body) != recorder.digest(other)
