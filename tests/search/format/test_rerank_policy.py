"""The file of `infograph fit rerank`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infograph.errors import FormatError
from infograph.search.format.rerank_policy import (
    LARGEST_POLICY,
    RERANK_FORMAT,
    PairedOutcomes,
    RerankFile,
    RerankPolicy,
    Threshold,
    read_rerank,
    rerank_bytes,
)

FILE = RerankFile(
    RERANK_FORMAT, "static@1", RerankPolicy(words=Threshold(0.5, 0.9, 40)), PairedOutcomes(9, 2), "for people"
)


def test_it_is_read_as_it_was_written_a_line_for_each_field() -> None:
    data = rerank_bytes(FILE)
    assert read_rerank("rerank.json", data) == FILE
    assert data.startswith(b'{\n  "format": 1,\n') and data.endswith(b"\n}\n")
    assert read_rerank("rerank.json", data + b" " * (LARGEST_POLICY - len(data))) == FILE


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": 2}, "its format is 2, and this release of infograph knows 1"),
        ({"format": True}, "its format is True"),
        ({"vectors": {"better": -1, "worse": 0}}, r"vectors\.better"),
        ({"model": 7}, "model "),
    ],
)
def test_another_one_is_an_error_that_says_why(change: dict[str, Any], reason: str) -> None:
    said = json.loads(rerank_bytes(FILE)) | change
    with pytest.raises(FormatError, match=f"^rerank.json: {reason}"):
        read_rerank("rerank.json", json.dumps(said).encode())


@pytest.mark.parametrize(
    ("data", "reason"), [(b"{", "is not JSON"), (b"[]", "its format is None"), (b" " * (LARGEST_POLICY + 1), "bytes")]
)
def test_what_is_no_such_file_is_an_error(data: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_rerank("rerank.json", data)
