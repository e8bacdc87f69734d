"""What an include takes of a file."""

from __future__ import annotations

import pytest

from infograph.source.include_slices import Selection, line_ranges, selected

CODE = """\
import os
# ANCHOR: here
def a():
    # --8<-- [start:inner]
    return 1
    # --8<-- [end:inner]
# ANCHOR_END: here


class B:
    @property
    def c(self):
        return 2

    def d(self):
        return 3
"""
SHARP = """\
using System;
#region Main
    int x = 1;
    #region Inner
    int y = 2;
    #endregion
#endregion
// <snippet1>
int z = 3;
// </snippet1>
"""


@pytest.mark.parametrize(
    ("selection", "part"),
    [
        (Selection(lines=((1, 1), (10, 11))), "import os\nclass B:\n    @property"),
        (Selection(lines=((15, None),)), "    def d(self):\n        return 3"),
        (Selection(lines=((40, 50),)), ""),
        (Selection(section="inner"), "return 1"),
        (Selection(anchor="here"), "def a():\n    return 1"),
        (Selection(scope="B.c"), "    @property\n    def c(self):\n        return 2"),
        (Selection(scope="B.c", dedent=True), "@property\ndef c(self):\n    return 2"),
        (Selection(scope="B.x"), None),
        (Selection(after="class B:", before="def d"), "    @property\n    def c(self):\n        return 2\n\n    "),
        (Selection(at="class B", until="property"), "class B:\n    @property"),
        (Selection(after="nowhere"), None),
        (Selection(section="none"), None),
        (Selection(anchor="none"), None),
    ],
)
def test_parts_of_code(selection: Selection, part: str | None) -> None:
    assert selected(CODE, selection) == part


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("main", "int x = 1;\n#region Inner\nint y = 2;\n#endregion"),
        ("Inner", "int y = 2;"),
        ("snippet1", "int z = 3;"),
        ("none", None),
    ],
)
def test_regions(name: str, part: str | None) -> None:
    assert selected(SHARP, Selection(region=name)) == part


def test_without_a_selection_all_but_marks_of_parts_is_taken() -> None:
    whole = selected(CODE, Selection())
    assert whole is not None and "ANCHOR" not in whole and "8<" not in whole
    assert whole.startswith("import os\ndef a():") and whole.endswith("return 3")


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("1-3,7,9-", ((1, 3), (7, 7), (9, None))),
        ("-4", ((1, 4),)),
        ("a-b, 2", ((2, 2),)),
        ("", ()),
    ],
)
def test_ranges_of_lines(text: str, ranges: tuple[tuple[int, int | None], ...]) -> None:
    assert line_ranges(text, "-", ",") == ranges
