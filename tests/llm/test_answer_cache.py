"""Answers that were paid for: found again, and never a torn one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from infograph.llm.answer_cache import AnswerCache, request_digest
from infograph.llm.wire import Call, ModelAnswer, Usage

CALL = Call("org/model:7b", "system", "", "text", {"type": "object"}, 10, 0.2)
SAID = ModelAnswer('{"a": "é"}', CALL.model, Usage(5, 6, 1))


def test_an_answer_is_found_by_its_request(tmp_path: Path) -> None:
    cache, digest = AnswerCache(tmp_path), request_digest("metadata", "v1", CALL)
    assert cache.get("metadata", CALL, digest) is None
    cache.put("metadata", CALL, digest, SAID)
    assert AnswerCache(tmp_path).get("metadata", CALL, digest) == SAID
    assert (tmp_path / ".gitignore").read_text() == "*\n"
    (file,) = tmp_path.rglob("*.json")
    assert file.relative_to(tmp_path).as_posix() == f"metadata/org-model-7b/{digest}.json"


def test_whatever_is_asked_is_in_the_digest() -> None:
    first = request_digest("metadata", "v1", CALL)
    changes = {"model": "x", "system": "x", "text": "x", "schema": None, "max_tokens": 11, "temperature": 0.0}
    others = [request_digest("metadata", "v1", replace(CALL, **{name: value})) for name, value in changes.items()]
    others += [request_digest("context", "v1", CALL), request_digest("metadata", "v2", CALL)]
    assert len({first, *others}) == len(others) + 1


def test_a_torn_or_changed_file_counts_as_absent(tmp_path: Path) -> None:
    cache, digest = AnswerCache(tmp_path), request_digest("metadata", "v1", CALL)
    cache.put("metadata", CALL, digest, SAID)
    (file,) = tmp_path.rglob("*.json")
    whole = file.read_bytes()
    for damaged in (b"", whole[:30], whole[:-3], whole.replace(b'"a\\', b'"b\\')):
        assert damaged != whole
        file.write_bytes(damaged)
        assert cache.get("metadata", CALL, digest) is None


def test_the_step_of_an_endpoint_is_remembered(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path)
    assert cache.step("base m") is None
    cache.keep_step("base m", "json_object")
    assert AnswerCache(tmp_path).step("base m") == "json_object"


def test_an_answer_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        AnswerCache(tmp_path).put("metadata", CALL, request_digest("metadata", "v1", CALL), SAID)
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == [".gitignore"]
