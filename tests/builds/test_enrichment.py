"""Builds read what a language model said as they read sources: published, marked, rebuilt when it changes, counted when
it is missing; never asked for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from infograph.build import build
from infograph.formats import topic_spec
from infograph.formats.chunk_file import parse as parse_chunk
from infograph.formats.enrichment import EnrichmentFile, EnrichmentRecord, render
from infograph.formats.index_json import index_schema
from infograph.search.format.question_hash import simhash, words_of

pytestmark = pytest.mark.usefixtures("in_this_process")

SAID: dict[str, Any] = {
    "title": "A title by the model",
    "summary": 'Says "much", a|b, and\ttabs; see https://evil.example <script>x</script>.',
    "keywords": ["rare zebrafish", "x, y"],
    "entities": [{"name": "Kettle", "type": "TECH"}, {"name": "Ghost", "type": "PERSON"}],
    "questions": ["How do zebrafish boil water?"],
    "key": "Zebrafish Water",
    "related_keys": ["zebrafish water", "other key"],
    "unverified": ["Ghost"],
}


def record_all(tree: Any, document: str, fields: dict[str, Any] | None = None, **changes: Any) -> Path:
    """Records the same of every chunk of a document."""
    topic, _, name = document.rpartition("/")
    stem = name.removesuffix(".md")
    chunks = sorted((tree.out / topic / "_chunks").glob(f"{stem}{'.*' * tree.elsewhere}-[0-9]*.md"))
    assert chunks
    records = []
    for path in chunks:
        chunk = parse_chunk(f"{topic}/_chunks/{path.name}", path.read_bytes()).chunk
        given = {"task": "metadata", "prompt": "metadata-1", "model": "model-x", "fields": fields or SAID} | changes
        records.append(EnrichmentRecord(chunk.sha256, chunk=chunk.index, **given))
    place = tree.root / topic / "_enrichment" / f"{stem}.json"
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(render(EnrichmentFile(name, records=tuple(records))))
    return place


@pytest.fixture
def document(library: dict[str, str]) -> str:
    return next(name for name in sorted(library) if name.endswith(".md") and "/" in name and "qa-pairs" not in name)


@pytest.mark.slow
@pytest.mark.parametrize("elsewhere", [False, True])
def test_an_incremental_build_equals_a_clean_one(built_tree: Any, document: str, elsewhere: bool) -> None:
    tree = built_tree(elsewhere=elsewhere)
    before = tree.outputs()
    place = record_all(tree, document)
    summary = tree.build()
    assert summary.written
    assert tree.outputs() == (clean := tree.clean())
    assert clean != before
    assert tree.build().written == 0
    place.write_text(place.read_text().replace("A title by the model", "Another title"))
    tree.build()
    assert "Another title" in b"".join(tree.outputs().values()).decode("utf-8", "replace")
    assert tree.outputs() == tree.clean()
    place.unlink()
    tree.build()
    outputs = {name: data for name, data in tree.outputs().items() if "_enrichment" not in name}
    assert outputs == before


def test_what_was_said_is_published_and_marked(built_tree: Any, document: str) -> None:
    tree = built_tree(elsewhere=True)
    record_all(tree, document)
    tree.build()
    topic, _, name = document.rpartition("/")
    stem = name.removesuffix(".md")
    (path,) = (name for name in tree.outputs() if name.startswith(f"{topic}/_chunks/{stem}.") and "-0.md" in name)
    head = (tree.out / path).read_text().partition("\n---\n")[0]
    assert "enriched_by: model-x\n" in head
    assert "enriched_key: zebrafish water\n" in head
    assert "Ghost" not in head
    index = json.loads((tree.out / topic / "index.json").read_bytes())
    jsonschema.validate(index, index_schema())
    item = index["_embedded"]["chunks"][stem]["items"][0]
    said = item["enriched"]
    assert said["by"] == "model-x"
    assert said["entities"] == [{"name": "Kettle", "type": "TECH"}]
    assert said["summary"] == 'Says "much", a|b, and tabs; see x.'
    assert f"{simhash(SAID['questions'][0], words_of('en')):016x}" in item["prompt_hashes_hex"]
    spec = (tree.out / topic / "topic-spec.md").read_bytes()
    assert topic_spec.render(topic_spec.parse("spec", spec)) == spec
    everything = b"".join(tree.outputs().values())
    assert b"evil.example" not in everything
    assert b"<script>x" not in everything


@pytest.mark.slow
def test_its_words_find_the_chunk_only_where_that_is_asked_for(built_tree: Any, document: str) -> None:
    from infograph.client import Client

    tree = built_tree(elsewhere=True)
    record_all(tree, document)
    tree.build()
    with Client(str(tree.out)) as client:
        assert not client.search("zebrafish", exact=True).hits
    tree.settings += '\n[search]\nenriched = ["questions"]\n'
    tree.build()
    with Client(str(tree.out)) as client:
        hits = client.search("zebrafish", exact=True).hits
    assert {hit.page for hit in hits} == {document}
    assert tree.outputs() == tree.clean()


@pytest.mark.slow
def test_context_is_embedded_before_the_chunk(built_tree: Any, document: str) -> None:
    tree = built_tree(elsewhere=True)
    record_all(tree, document, {"context": "Stands near the end."}, task="context", prompt="context-1")
    tree.settings += '\n[chunks]\nprefix = "context"\n'
    tree.build()
    topic, _, name = document.rpartition("/")
    start = f"{topic}/_chunks/{name.removesuffix('.md')}."
    (path,) = (name for name in tree.outputs() if name.startswith(start) and name.endswith("-0.md"))
    chunk = parse_chunk(path, (tree.out / path).read_bytes()).chunk
    assert chunk.embed_text.startswith("Stands near the end.\n")
    assert chunk.embed_text.endswith(chunk.text)
    assert tree.outputs() == tree.clean()


@pytest.mark.slow
def test_a_record_of_another_text_says_nothing_and_is_counted(built_tree: Any, document: str) -> None:
    tree = built_tree()
    assert tree.build().notices == []
    record_all(tree, document)
    summary = tree.build()
    (notice,) = summary.notices
    assert notice.kind == "enrichment"
    assert notice.message == f"{notice.count} of {summary.chunks} chunks have none (run `infograph enrich`)"
    assert tree.build().notices == [notice]
    assert not summary.failed(strict=True)  # a page that a model has not read yet is as good as before
    page = tree.root / document
    page.write_text(page.read_text() + "\nOne more line at the end of all.\n")
    assert tree.build().notices[0].count == notice.count + 1
    checked = build(tree.load(), check=True)
    assert checked.stale == [f"_enrichment: {checked.notices[0].message}"]
    assert checked.failed(strict=False)
    plain = tree.settings
    for setting in ('llm.exclude = ["*.md"]', 'silence = ["enrichment"]'):
        tree.settings = f"{setting}\n{plain}"
        assert tree.build().notices == []


def test_a_broken_file_costs_what_it_holds_and_nothing_else(built_tree: Any, document: str) -> None:
    tree = built_tree()
    place = record_all(tree, document)
    place.write_text("{")
    summary = tree.build()
    assert summary.errors == []
    (notice,) = [notice for notice in summary.notices if notice.kind == "broken-enrichment"]
    assert (notice.path, "is not JSON" in notice.message) == (document, True)


def test_an_empty_file_with_the_name_of_an_index_stays(built_tree: Any) -> None:
    tree = built_tree()
    place = tree.root / "_enrichment" / "index.json"  # what was said of `index.md`
    place.parent.mkdir(exist_ok=True)
    place.touch()
    tree.build()
    assert build(tree.load(), check=True).stale == []
    build(tree.load(), force=True)
    assert place.exists()


def test_records_are_neither_sources_nor_outputs(built_tree: Any, document: str, snapshot: Any) -> None:
    from infograph.commands.clean import clean

    tree = built_tree()
    place = record_all(tree, document)
    (place.parent / "page.md").write_text("# A page\n")
    summary = tree.build()
    assert [notice.path for notice in summary.notices if notice.kind == "reserved-name"] == [
        (place.parent / "page.md").relative_to(tree.root).as_posix()
    ]
    clean(tree.load())
    assert place.exists()
    (place.parent / "mine.json").write_text("{}")
    clean(tree.load(), enrichment=True)
    assert not place.exists()
    assert (place.parent / "mine.json").exists()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare, of util-linux")
def test_no_command_but_enrich_reaches_a_network(built_tree: Any, document: str) -> None:
    tree = built_tree(elsewhere=True)
    record_all(tree, document)
    tree.load()
    apart = ["unshare", "--user", "--map-root-user", "--net"]
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine makes no network namespaces")
    infograph = [*apart, sys.executable, "-m", "infograph"]
    environment = os.environ | {
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "INFOGRAPH_LLM_API_KEY": "k",
        "INFOGRAPH_LLM_MODEL": "m",
        "INFOGRAPH_MODEL": "static",
    }
    digests = []
    for seed, zone, jobs in (("1", "UTC", "1"), ("2", "Asia/Tokyo", "2")):
        out = tree.folder / f"site-{seed}"
        variables = environment | {"PYTHONHASHSEED": seed, "TZ": zone, "INFOGRAPH_JOBS": jobs}
        for arguments in (
            ("build", str(tree.root), "--out", str(out)),
            ("check", str(out)),
            ("search", str(out), "cache"),
        ):
            ran = subprocess.run([*infograph, *arguments], env=variables, capture_output=True, check=False)
            assert ran.returncode == 0, ran.stderr
        files = [path for path in sorted(out.rglob("*")) if path.is_file() and ".infograph" not in path.parts]
        digests.append({path.relative_to(out): path.read_bytes() for path in files})
    assert digests[0] == digests[1]
    asked = subprocess.run([*infograph, "enrich", str(tree.root)], env=environment, capture_output=True, check=False)
    assert asked.returncode == 1
    assert b"ConnectError" in asked.stdout + asked.stderr
