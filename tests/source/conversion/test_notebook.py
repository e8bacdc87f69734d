"""Notebooks as Markdown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infograph.errors import DocumentError
from infograph.source.conversion.interface import ConversionOptions, Converted
from infograph.source.conversion.notebook import convert_notebook

CELLS: list[dict[str, Any]] = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "\n", "Words."]},
    {"cell_type": "code", "metadata": {}, "source": "", "outputs": [], "execution_count": None},
    {
        "cell_type": "code",
        "metadata": {},
        "execution_count": 1,
        "source": "x = 1\nprint(x)",
        "outputs": [
            {"output_type": "stream", "name": "stdout", "text": "\x1b[31mone\x1b[0m\n"},
            {"output_type": "display_data", "metadata": {}, "data": {"image/png": "AAAA", "text/plain": "<Figure>"}},
        ],
    },
    {"cell_type": "raw", "metadata": {}, "source": "```\nraw"},
]


def convert(cells: Any, outputs: bool = False, **metadata: Any) -> Converted:
    notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": metadata, "cells": cells}
    return convert_notebook("a.ipynb", json.dumps(notebook).encode(), ConversionOptions(outputs=outputs))


def test_cells() -> None:
    found = convert(CELLS, language_info={"name": "julia"})
    assert found.text == "# Title\n\nWords.\n\n```julia\nx = 1\nprint(x)\n```\n\n````\n```\nraw\n````\n"
    assert (found.unit, found.places) == ("cell", ((0, 1), (4, 3), (9, 4)))


def test_cells_without_an_id_are_no_matter(capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder) -> None:
    for minor in (4, 5):
        notebook = {"nbformat": 4, "nbformat_minor": minor, "metadata": {}, "cells": CELLS}
        assert convert_notebook("a.ipynb", json.dumps(notebook).encode(), ConversionOptions()).text.startswith(
            "# Title"
        )
    assert not recwarn.list and capfd.readouterr() == ("", "")


def test_outputs_are_asked_for() -> None:
    found = convert(CELLS, outputs=True)
    assert "```\none\n```\n\n```\n<Figure>\n```" in found.text
    assert [(notice.kind, notice.count) for notice in found.notices] == [("markup", 1)]


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"{}", b"\xff", b'{"nbformat": 4}', b'{"nbformat": 99, "cells": []}']
)
def test_what_is_no_notebook(data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"a\.ipynb: not a notebook"):
        convert_notebook("a.ipynb", data, ConversionOptions())
