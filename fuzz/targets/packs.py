"""Fuzzes packs of chunks: what is read is written again byte for byte, or a FormatError names the file in one line."""

from __future__ import annotations

from infograph.errors import FormatError
from infograph.formats.pack import parse, render

PLACE = "_chunks/page-0.pack.txt"


def check(data: bytes) -> None:
    """Asserts what must hold for any input."""
    try:
        held = parse(PLACE, data)
    except FormatError as error:
        assert error.place == PLACE and error.reason and error.hint, error
        assert "\n" not in str(error), error
        return
    assert render(held.first, held.files) == data
    assert held.file(PLACE, held.first + len(held.files) - 1) == held.files[-1]
