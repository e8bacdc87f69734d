"""One document, from its bytes to its chunk files and its record."""

from __future__ import annotations

import gc
import os
import pickle
import re
import time
import weakref
from dataclasses import replace
from pathlib import Path

import pytest

from infograph.config import load
from infograph.errors import ConfigError, OutputError
from infograph.formats import pack
from infograph.formats.names import PACKED, STAGING
from infograph.pipeline.steps.cut import cut, setup_of, texts_of
from infograph.pipeline.worker import cutter
from infograph.pipeline.worker.tasks import Result, Setup
from infograph.pipeline.worker.topic_files import CountTerms, Made, Manner
from infograph.pipeline.worker.worker import Builds, Worker
from infograph.search.format.search_space import FALLBACK


@pytest.fixture
def setup(tmp_path: Path, write_tree) -> Setup:
    write_tree(tmp_path, {"page.md": "# Page\n\nOf words.\n"})
    os.utime(tmp_path / "page.md", ns=(1, 1))
    (tmp_path / STAGING / "build").mkdir(parents=True)
    return setup_of(load(str(tmp_path), environment={}), "build")


def taken(setup: Setup, result: Result) -> dict[str, bytes]:
    """The staged files of a result by target, taken away from the staging folder."""
    found = {}
    for item in result.staged:
        found[item.target] = (setup.out / STAGING / setup.build / item.staged).read_bytes()
        (setup.out / STAGING / setup.build / item.staged).unlink()
    return found


def test_a_document_becomes_a_record_and_chunk_files(setup: Setup) -> None:
    result = Worker("w", setup).process("page.md")
    assert result.error is None and result.record is not None
    assert [item.target for item in result.staged] == ["_chunks/page-0.md"]
    assert taken(setup, result)["_chunks/page-0.md"].endswith(b"# Page\n\nOf words.\n")
    assert result.record.title == "Page" and len(result.record.chunks) == len(result.embed_texts) == 1


def test_a_build_after_another_begins_anew(setup: Setup) -> None:
    builds = Builds()
    first = builds.begin("w", setup)("page.md")
    assert isinstance(first, Result)
    before = taken(setup, first)
    worker = weakref.ref(builds._worker)  # type: ignore[arg-type]
    builds.rest()
    assert worker() is None, "what the last build needed is freed"
    builds.rest()
    (setup.root / "page.md").write_text("# Page\n\nOf other words.\n")
    (setup.out / STAGING / "again").mkdir()
    again = replace(setup, build="again")
    second = builds.begin("w", again)("page.md")
    assert isinstance(second, Result) and taken(again, second).keys() == before.keys()
    assert second.record is not None and first.record is not None and second.record.sha256 != first.record.sha256


def test_chunks_that_share_a_file_are_those_that_have_their_own(setup: Setup) -> None:
    (setup.root / "page.md").write_text("".join(f"# Part {n}\n\n{'Of words. ' * 300}\n\n" for n in range(40)))
    each = taken(setup, Worker("each", setup).process("page.md"))
    packed = replace(setup, chunks=replace(setup.chunks, files="pack"))
    result = Worker("pack", packed).process("page.md")
    assert result.chunks == len(each) > PACKED and [item.target for item in result.staged] == [
        "_chunks/page-0.pack.txt",
        f"_chunks/page-{PACKED}.pack.txt",
    ]
    held = [pack.parse(name, data) for name, data in taken(packed, result).items()]
    assert [data for one in held for data in one.files] == list(each.values())


def test_a_pack_that_no_client_would_read_is_refused(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutter, "LARGEST", 99)
    result = Worker("w", replace(setup, chunks=replace(setup.chunks, files="pack"))).process("page.md")
    assert result.staged == [] and result.error is not None
    said = r"page\.md: `page-0\.pack\.txt` would have \d+ bytes, and clients read 99\. Set `chunks\.files` to each, .*"
    assert re.fullmatch(said, str(result.error))


def test_a_dry_run_writes_nothing(setup: Setup) -> None:
    result = Worker("w", replace(setup, dry=True)).process("page.md")
    assert len(result.staged) == 1 and os.listdir(setup.out / STAGING / setup.build) == []


def test_a_file_that_keeps_changing_fails(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    from infograph.pipeline.worker import cutter

    real = cutter.read_document

    def meanwhile(root: Path, path: str, *rest):
        found = real(root, path, *rest)
        with (root / path).open("a") as file:
            file.write("more\n")
        return found

    monkeypatch.setattr(cutter, "read_document", meanwhile)
    result = Worker("w", setup).process("page.md")
    assert str(result.error) == "page.md: keeps changing while it is read. Build again when nothing writes to it."
    assert result.record is None and result.staged == []


def test_a_file_that_changed_just_now_is_read_again_at_the_next_build(setup: Setup) -> None:
    page = setup.root / "page.md"
    page.write_text("# Now\n")
    os.utime(page, (time.time() + 60, time.time() + 60))  # just now, however long this takes
    result = Worker("w", setup).process("page.md")
    assert result.error is None and result.stamp is None


def test_a_fault_of_the_machine_is_not_remembered(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*arguments: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("infograph.source.document.os.read", failing)
    result = Worker("w", setup).process("page.md")
    assert "page.md: cannot be read: Input/output error" in str(result.error)
    assert result.stamp is None


def test_a_fault_of_ours_costs_one_document_and_is_not_silent(
    setup: Setup, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("infograph.pipeline.worker.outcomes.record_of", lambda *arguments: 1 / 0)
    result = Worker("w", setup).process("page.md")
    assert "page.md: made infograph fail: ZeroDivisionError" in str(result.error)
    assert "Traceback" in capsys.readouterr().err
    assert result.stamp is None


def test_an_output_that_cannot_be_written_is_told_apart(setup: Setup) -> None:
    (setup.out / "_chunks").write_text("a file")
    assert isinstance(Worker("w", setup).process("page.md").error, OutputError)


def test_versions_of_a_page_share_their_terms(setup: Setup, write_tree) -> None:
    text = (setup.root / "page.md").read_text()
    write_tree(setup.root, {"v1/page.md": text, "v2/page.md": text, "v2/other.md": text})
    worker = Worker("w", setup)
    records = [worker.process(path).record for path in ("v1/page.md", "v2/page.md", "v2/other.md")]
    assert len({record.terms for record in records if record is not None}) == 1


def test_what_is_remembered_of_a_page_changes_nothing_in_its_versions(setup: Setup, write_tree) -> None:
    body = "# Page\n\n" + "- " * 60 + "x\n\n{{< include >}}\n\n## Part\n\nOf words.\n"
    versions = [
        body,
        f"---\ndate: 1\n---\n{body}",
        f"---\ndate: 2\n---\n{body}",
        f"---\ndate: 2\r\n---\n{body}",
        f"---\ndate: é\n---\n{body}",
        f"---\na: 1\nb:\n---\n{body}",
        f"---\ntitle: A\n---\n{body}",
        f"---\ntitle: B\n---\n{body}",
        f"{body}\n",
    ]
    paths = [f"v{number}/page.md" for number in range(len(versions))]
    write_tree(setup.root, dict(zip(paths, versions, strict=True)))
    worker = Worker("w", setup)
    for path in paths:
        alone = Worker("alone", setup).process(path)
        files = taken(setup, alone)
        among = worker.process(path)
        assert taken(setup, among) == files
        assert alone.error is None and len(alone.notices) == 2
        assert (alone.record, alone.notices, alone.embed_texts) == (among.record, among.notices, among.embed_texts)
        assert among.record is not None
        among.record.chunks[0].similarity_conceptual = -1.0  # as the caller does; the next version must not see it


def test_topics_take_the_room_of_what_was_learned_of_words_and_a_document_learns_it_again(setup: Setup) -> None:
    settings = load(str(setup.root), environment={})
    setup = replace(setup, model="static", search=FALLBACK, manner=Manner(settings, "model"))
    worker = Worker("w", setup)
    first = worker.process("page.md")
    assert first.record is not None and first.page is not None
    assert worker.outcomes is not None and worker.outcomes.embedder is not None
    learned = weakref.ref(worker.outcomes.embedder)
    gc.disable()
    try:
        assert isinstance(worker.do(CountTerms("", [first.record])), Made)
        assert learned() is None, "held by something else, or only the collector would find it"
    finally:
        gc.enable()
    taken(setup, first)
    again = worker.process("page.md")
    assert again.record is not None and again.page is not None
    assert pickle.dumps(again.record) == pickle.dumps(first.record) and again.digests == first.digests
    assert (again.page.terms, again.page.vectors.tolist()) == (first.page.terms, first.page.vectors.tolist())


@pytest.mark.slow
def test_in_real_workers(setup: Setup, write_tree) -> None:
    write_tree(setup.root, {f"many/page-{n}.md": f"# Page {n}\n" for n in range(20)} | {"bad.md": b"\xff"})
    settings = load(str(setup.root), flags={"jobs": 2}, environment={})
    paths = ["bad.md", *(f"many/page-{n}.md" for n in range(20))]
    results = {result.path: result for result in cut(settings, paths, setup.build, print)}
    assert set(results) == set(paths)
    assert [path for path, result in results.items() if result.error is not None] == ["bad.md"]
    names = [item.staged for result in results.values() for item in result.staged]
    assert len(names) == len(set(names)) == 20, "two workers never stage under one name"
    assert texts_of(settings, "many/page-3.md") == ["# Page 3\n"]


def test_a_worker_hands_back_why_it_cannot_start(setup: Setup) -> None:
    settings = load(str(setup.root), flags={"strategy": "no-such"}, environment={})
    with pytest.raises(ConfigError, match="there is no `no-such`"):
        list(cut(settings, ["page.md"], setup.build, print))
