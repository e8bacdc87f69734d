"""JSON Lines: written row by row, read row by row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from infograph.errors import FormatError
from infograph.export.columns import COLUMNS
from infograph.export.json_lines import encode_json_lines, is_json_lines, read_json_lines


def test_a_row_is_a_line_that_is_read_back(tmp_path: Path) -> None:
    rows = [{"id": "a\n", "vector": np.float32([0.1, -1.0])}, {"id": "é\u2028", "vector": None}]
    place = tmp_path / "out.jsonl"
    data = b"".join(encode_json_lines(rows))
    place.write_bytes(data)
    assert data.count(b"\n") == 2 and not is_json_lines(data)
    first, second = read_json_lines(place)
    assert np.array_equal(np.float32(first["vector"]), rows[0]["vector"]) and first["id"] == "a\n"
    assert second == rows[1]


@pytest.mark.parametrize(
    ("line", "reason"), [(b"[1]", "not an object"), (b'{"id":', "not JSON"), (b"\xff", "not JSON")]
)
def test_a_line_that_is_none_is_named(line: bytes, reason: str, tmp_path: Path) -> None:
    place = tmp_path / "out.jsonl"
    place.write_bytes(b'{"id":"a"}\n' + line)
    with pytest.raises(FormatError, match=rf"out\.jsonl:2: {reason}"):
        list(read_json_lines(place))


def test_an_export_is_known_by_the_columns_of_its_first_row() -> None:
    row = dict.fromkeys((column.name for column in COLUMNS), "a")
    whole = b"".join(encode_json_lines([row | {"vector": [0.5]}]))
    assert is_json_lines(whole) and is_json_lines(b"".join(encode_json_lines([row]))) and is_json_lines(b"")
    for other in (whole[:-9], b'{"question":', b'{"id":"7"}\n', b"[1]", b"\n", b'{"a":1,' + whole[1:]):
        assert not is_json_lines(other)
