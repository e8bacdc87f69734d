"""The outline of a file: where scopes begin, their names, the imports and their uses."""

from __future__ import annotations

import pytest

pytest.importorskip("tree_sitter", reason="the extra `infograph[code]` is not installed")

from infograph.chunking.code import grammars
from infograph.chunking.code.outline import Outline
from infograph.text.lines import line_starts


def outline(text: str, suffix: str = ".py") -> Outline:
    return Outline(text, line_starts(text), grammars.BY_EXTENSION[suffix])


def begins(text: str, suffix: str = ".py") -> list[tuple[int, str]]:
    return [(line, ".".join(path)) for line, path, _ in outline(text, suffix).scopes]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def f(): pass\n", 0),
        ("# c\ndef f(): pass\n", 0),
        ("# c\n# d\ndef f(): pass\n", 0),
        ("# c\n\ndef f(): pass\n", 2),
        ("# c\n\n# d\ndef f(): pass\n", 2),
        ("# c\n@deco\ndef f(): pass\n", 0),
        ("x = 1  # c\ndef f(): pass\n", 1),
        ("x = 1; y = 2  # c\n# d\ndef f(): pass\n", 1),
        ("\n\ndef f(): pass\n", 2),
    ],
)
def test_a_scope_begins_with_the_comments_right_above_it(text: str, line: int) -> None:
    assert begins(text) == [(line, "f")]


@pytest.mark.parametrize(
    ("text", "suffix", "found"),
    [
        ("/* a\n * b\n */\nfunction f() {}\n", ".js", [(0, "f")]),
        ("/* a */\n\n/* b */ function f() {}\n", ".js", []),  # it does not begin its line
        ("let x = 1;\n// c\n@deco\nclass C { m() {}\n n() {} }\n", ".ts", [(1, "C"), (4, "C.n")]),
        ("/// d\n#[a]\n// c\nfn f() {}\n", ".rs", [(0, "f")]),
        (
            "mod a {\n  // c\n  fn f() {}\n\n  impl B {\n    fn g() {}\n  }\n}\n",
            ".rs",
            [
                (0, "a"),
                (1, "a.f"),
                (4, "a.B"),
                (5, "a.B.g"),
            ],
        ),
        ("func (a *A[T]) F() {}\n\nfunc (B) G() {}\n", ".go", [(0, "A.F"), (2, "B.G")]),
        ("export default function () {}\n", ".js", [(0, "default")]),
        ("const f = () => 1, g = 2;\n", ".js", [(0, "f")]),
        ("const f = () => 1, g = () => 2;\n", ".js", []),
        ("a.b = class { m() {}\n n() {} }\n", ".js", [(0, "a.b"), (1, "a.b.n")]),
        ("const x = 1;\n", ".js", []),
        ('declare module "m" {\n  export function f(): void;\n}\n', ".ts", [(0, "m"), (1, "m.f")]),
        (
            "class C:\n    class D:\n        def m(self):\n            def n(): pass\n",
            ".py",
            [
                (0, "C"),
                (1, "C.D"),
                (2, "C.D.m"),
            ],
        ),
    ],
)
def test_names_of_scopes_and_how_they_nest(text: str, suffix: str, found: list[tuple[int, str]]) -> None:
    assert begins(text, suffix) == found


@pytest.mark.parametrize(
    ("suffix", "statement", "names"),
    [
        (".py", "import a", [("a",)]),
        (".py", "import a.b.c", [("a",)]),
        (".py", "import a.b as c, d", [("c",), ("d",)]),
        (".py", "from . import a as b, c", [("b",), ("c",)]),
        (".py", "from a import *", []),
        (".js", 'import "a";', []),
        (".js", 'import a from "a";', [("a",)]),
        (".js", 'import * as a from "a";', [("a",)]),
        (".js", 'import a, { b, c as d } from "a";', [("a",), ("b",), ("d",)]),
        (".js", 'const a = require("a"), { b, c } = require("b");', [("a",), ("b", "c")]),
        (".js", 'const a = load("a");', []),
        (".ts", 'import a = require("a");', [("a",)]),
        (".java", "import a.b.C;", [("C",)]),
        (".java", "import static a.b.C.d;", [("d",)]),
        (".java", "import a.b.*;", []),
        (".go", 'import "a/b"', [("b",)]),
        (".go", 'import "a/b/v2"', [("b",)]),
        (".go", 'import "v2"', [("v2",)]),
        (".go", 'import c "a/b"', [("c",)]),
        (".go", 'import (\n"a/b"\n\n"gopkg.in/d.v3"\n)', [("b",), ("d",)]),
        (".rs", "use a::b;", [("b",)]),
        (".rs", "use a;", [("a",)]),
        (".rs", "use a::b as c;", [("c",)]),
        (".rs", "use a::{b, c::{self, d}, e as f};", [("b",), ("c",), ("d",), ("f",)]),
        (".rs", "use a::*;", []),
        (".rs", "use {a, b::c};", [("a",), ("c",)]),
    ],
)
def test_the_names_that_an_import_binds(suffix: str, statement: str, names: list[tuple[str, ...]]) -> None:
    found = outline(f"{'package p' if suffix == '.go' else ''}\n{statement}\n", suffix).imports
    assert [each.names for _, _, each in found] == names
    assert {(first, last) for first, last, _ in found} <= {(1, 1 + statement.count("\n"))}


def test_imports_are_also_found_below_conditions_and_nowhere_else() -> None:
    text = "if a:\n    import b\nelse:\n    import c\ntry:\n    import d\nexcept E:\n    import e\n"
    text += "def f():\n    import g\n"
    assert [(line, each.item) for line, _, each in outline(text).imports] == [(1, "b"), (3, "c"), (5, "d"), (7, "e")]


@pytest.mark.parametrize(
    ("line", "used"),
    [
        ("a()", True),
        ("x = [*a]", True),
        ("a.b", True),
        ("x.a", False),
        ("# a", False),
        ("x = 'a'", False),
        ("ab = ba", False),
        ("x = äa", False),
        ("x = f'{a}'", True),
        ("x(a=1)", True),
    ],
)
def test_a_name_is_used_as_a_word_of_the_code(line: str, used: bool) -> None:
    assert outline(f"import a\né = 1\n{line}\n").uses == ([(2, "a")] if used else [])


def test_after_dots_that_spread_a_name_is_used() -> None:
    text = 'import a from "a";\nf(...a);\nx.a;\n$a;\n[a];\n'
    assert [line for line, _ in outline(text, ".js").uses] == [1, 4]


def test_where_a_file_does_not_parse() -> None:
    assert outline("x = 1\ny = )\nz = 1\n").broken == [1]
    assert outline("x = 1\n").broken == []
    assert outline("def f(:\n    pass\n\nx = (\n").broken[0] == 0
