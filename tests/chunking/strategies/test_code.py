"""Source files cut at scopes. `cut` asserts that the pieces tile the file and that offsets, lines and tokens hold."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("tree_sitter", reason="the extra `infograph[code]` is not installed")

from infograph.chunking.chunker import chunk_document
from infograph.chunking.code import grammars
from infograph.chunking.code.outline import Outline
from infograph.chunking.interface import StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.strategies.code import CodeScopes, code_cuts
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import ConfigError, DocumentError, Notice
from infograph.model import CODE, Chunk
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode
from infograph.text.lines import line_starts

Cut = Callable[..., tuple[Chunk, ...]]

COUNTER = WordPieceCounter()

FINE = CodeScopes(minimum=1, maximum=200)
"""Options with which every scope that fits is a piece of its own."""

PYTHON = '''"""Talks to the weather service.

Not for use in threads.
"""

from __future__ import annotations

import json
import os.path as paths
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from decimal import Decimal

LIMIT = 3


class Client(Protocol):
    """One connection.

    Closed at exit.
    """

    retries = 3

    # Asks again when the server is busy,
    # up to the limit.
    @property
    def name(self) -> Any:
        return json.dumps({"retries": self.retries})

    def get(self, path: str) -> Decimal:
        """Fetch a page."""
        return paths.join("json", path)


@staticmethod
async def connect(url: str) -> Client:
    # os and Any are only spoken of here
    return Client(url)
'''

JAVASCRIPT = """// Shows a counter.

import React, { useState as state, useMemo } from "react";
const { join } = require("path");

/** Counts clicks. */
export function Counter({ start }) {
  const [count, setCount] = state(start);
  return <button onClick={() => setCount(count + 1)}>{count}</button>;
}

export const load = async (file) => {
  return fetch(join("/", file));
};

class Store extends React.Component {
  #items = [];
  // Adds one.
  add = (item) => { this.#items.push(item); };
  static empty() { return new Store(); }
}

module.exports.clear = function () { return null; };
export default class {
  render() { return useMemo; }
}
"""

TYPESCRIPT = """import type { Options, Hooks } from "./types.js";
import fs = require("fs");
import * as util from "util";

/** What a user may set. */
export interface Settings { name: string; hooks: Hooks }

type Key = keyof Settings;

enum Level { Low, High }

@Injectable()
export abstract class Service<T> {
  constructor(private options: Options) {}

  @Cached()
  async load(key: Key): Promise<T> { return util.promisify(fs.readFile)(key) as T; }

  abstract stop(): void;
}

namespace Inner {
  export function help(): Level { return Level.Low; }
}
"""

JAVA = """/*
 * Copyright 2020 Somebody. Licensed under something.
 */
package org.example.bank;

import java.io.*;
import java.util.List;
import java.util.Map;
import static java.util.Objects.requireNonNull;

/** Holds money. */
@Deprecated
public class Account<T> extends Base implements Closeable {
  private final Map<String, Integer> sums;

  /** Opens it. */
  public Account(Map<String, Integer> sums) { this.sums = requireNonNull(sums); }

  @Override
  public void close() { sums.clear(); }

  enum Kind {
    PRIVATE,
    BUSINESS;

    boolean taxed() { return this == BUSINESS; }
  }
}

interface Visitor {
  void visit(List<Account<?>> accounts);
}

record Pair(int left, int right) {}
"""

GO = """// Package router sends requests where they belong.
package router

import (
	"net/http"
	yaml "gopkg.in/yaml.v3"
	"example.com/tree/v2"
)

// Router holds the routes.
type Router struct {
	routes tree.Map
}

// ServeHTTP answers.
func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w.WriteHeader(http.StatusOK)
}

func New(text []byte) (*Router, error) {
	var r Router
	return &r, yaml.Unmarshal(text, &r)
}
"""

RUST = """//! Points and what can be done with them.

use std::{fmt, io::{self, Read as Input}};
use serde::Serialize;
use crate::shapes::*;

/// A point.
#[derive(Clone, Serialize)]
pub struct Point<'a> {
    name: &'a str,
}

impl<'a> fmt::Display for Point<'a> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

pub trait Shape {
    /// How large.
    fn area(&self) -> f64;
}

pub fn load(source: &mut dyn Input) -> io::Result<String> {
    let mut text = String::new();
    source.read_to_string(&mut text)?;
    Ok(text)
}

mod inner {
    pub fn hidden() {}
}
"""

SAMPLES = {
    "client.py": (
        PYTHON,
        [
            ("Client", "Client.name", "Client.get"),
            ("connect",),
        ],
    ),
    "counter.jsx": (
        JAVASCRIPT,
        [
            ("Counter",),
            ("load",),
            ("Store", "Store.add", "Store.empty"),
            ("module.exports.clear",),
            ("default", "default.render"),
        ],
    ),
    "service.ts": (
        TYPESCRIPT,
        [
            ("Settings",),
            ("Key",),
            ("Level",),
            ("Service", "Service.constructor", "Service.load", "Service.stop"),
            ("Inner", "Inner.help"),
        ],
    ),
    "Account.java": (
        JAVA,
        [
            ("Account", "Account.Account", "Account.close", "Account.Kind", "Account.Kind.taxed"),
            ("Visitor", "Visitor.visit"),
            ("Pair",),
        ],
    ),
    "router.go": (GO, [("Router",), ("Router.ServeHTTP",), ("New",)]),
    "point.rs": (
        RUST,
        [
            ("Point",),
            ("fmt::Display for Point<'a>", "fmt::Display for Point<'a>.fmt"),
            ("Shape", "Shape.area"),
            ("load",),
            ("inner", "inner.hidden"),
        ],
    ),
}


def symbols(chunk: Chunk) -> tuple[str, ...]:
    found = dict(chunk.facts)["symbols"]
    assert isinstance(found, tuple)
    return found


def of(chunks: tuple[Chunk, ...], symbol: str) -> Chunk:
    return next(chunk for chunk in chunks if symbol in symbols(chunk))


def before(chunk: Chunk) -> list[str]:
    """The embedded text between the breadcrumb and the slice."""
    return chunk.embed_text.removesuffix(chunk.text).split("\n\n", 1)[1].splitlines()


def notices(path: str, text: str) -> tuple[Notice, ...]:
    return chunk_document(decode(path, text.encode()), (), FINE, StrategyTools(COUNTER)).notices


@pytest.mark.parametrize("name", SAMPLES)
def test_the_scopes_of_every_language(name: str, cut: Cut) -> None:
    text, scopes = SAMPLES[name]
    chunks = cut(text, FINE, f"src/{name}")
    assert notices(name, text) == ()
    found = [symbols(chunk) for chunk in chunks if symbols(chunk)]
    assert [tuple(names) for names in found] == scopes
    for chunk in chunks:
        assert chunk.is_code and chunk.chunk_type == "code"
        if symbols(chunk):
            assert chunk.title == chunk.section_path[-1] == symbols(chunk)[0].split(".")[-1] or "." in chunk.title
            assert not chunk.text.startswith(("}", "\n"))


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("maximum", [5, 20, 60])
def test_any_limit_holds(name: str, maximum: int, cut: Cut) -> None:
    text, _ = SAMPLES[name]
    for source in (text, text.replace("\n", "\r\n"), "\ufeff" + text.replace("a", "ä"), text.replace("\n", "\r")):
        chunks = cut(source, CodeScopes(minimum=3, maximum=maximum), f"src/{name}")
        assert all(chunk.tokens <= maximum for chunk in chunks)


def test_comments_and_decorators_belong_to_what_they_stand_above(cut: Cut) -> None:
    chunks = cut(PYTHON, CodeScopes(minimum=1, maximum=70), "client.py")
    assert of(chunks, "Client.name").text.startswith("    # Asks again")
    assert of(chunks, "connect").text.startswith("@staticmethod\n")
    assert of(cut(JAVA, FINE, "A.java"), "Account").text.startswith("/** Holds money. */\n@Deprecated")
    assert of(cut(RUST, FINE, "p.rs"), "Point").text.startswith("/// A point.\n#[derive")
    assert of(cut(TYPESCRIPT, FINE, "s.ts"), "Service").text.startswith("@Injectable()")


def test_a_class_too_large_comes_apart_into_methods_with_its_signature_and_docs(cut: Cut) -> None:
    chunks = cut(PYTHON, CodeScopes(minimum=1, maximum=70), "client.py")
    get = of(chunks, "Client.get")
    assert get.section_path == ("Client", "get") and not get.continues
    assert before(get) == [
        "Talks to the weather service.",
        "import os.path as paths",
        "from decimal import Decimal",
        "class Client(Protocol):",
        "One connection.",
    ]
    assert of(chunks, "Client").section_path == ("Client",)


@pytest.mark.parametrize(
    "name, symbol, imports",
    [
        ("client.py", "Client", ["import json, os.path as paths", "from typing import Any, Protocol"]),
        ("client.py", "connect", []),
        ("counter.jsx", "Counter", ['import { useState as state } from "react"']),
        ("counter.jsx", "load", ['const { join } = require("path")']),
        ("counter.jsx", "Store", ['import React from "react"']),
        ("service.ts", "Settings", ['import type { Hooks } from "./types.js"']),
        ("service.ts", "Service", ['import type { Options } from "./types.js"', 'import fs = require("fs")']),
        ("Account.java", "Account", ["import java.util.Map;", "import static java.util.Objects.requireNonNull;"]),
        ("Account.java", "Visitor", ["import java.util.List;"]),
        ("router.go", "Router", ['import "example.com/tree/v2"']),
        ("router.go", "Router.ServeHTTP", ['import "net/http"']),
        ("router.go", "New", ['import yaml "gopkg.in/yaml.v3"']),
        ("point.rs", "Point", ["use serde::Serialize;"]),
        ("point.rs", "fmt::Display for Point<'a>", ["use std::fmt;"]),
        ("point.rs", "load", ["use std::io;", "use std::io::Read as Input;"]),
    ],
)
def test_only_the_imports_that_a_piece_uses_are_repeated(name: str, symbol: str, imports: list[str], cut: Cut) -> None:
    said = before(of(cut(SAMPLES[name][0], FINE, name), symbol))
    shown = [line for line in said if line.startswith(("import ", "from ", "use ", "const "))]
    assert shown[: len(imports)] == imports
    assert len(shown) - len(imports) <= (symbol in ("Client", "Service"))  # those use one more


def test_the_file_is_summed_up_by_its_docs_and_by_its_scopes_where_it_has_none(cut: Cut) -> None:
    assert before(of(cut(GO, FINE, "r.go"), "New"))[0] == "Package router sends requests where they belong."
    assert before(of(cut(RUST, FINE, "p.rs"), "load"))[0] == "Points and what can be done with them."
    assert before(of(cut(JAVASCRIPT, FINE, "c.js"), "load"))[0] == "Shows a counter."
    assert before(of(cut(JAVA, FINE, "A.java"), "Pair"))[0] == "Defines Account, Visitor, Pair"


def test_a_declaration_of_several_things_is_none_of_them(cut: Cut) -> None:
    chunks = cut("package a\n\ntype (\n\tA int\n\tB string\n)\n\nfunc F() {}\n", FINE, "a.go")
    assert [chunk.section_path for chunk in chunks] == [(), (), ("F",)]


def test_small_neighbours_merge_and_are_named_by_what_they_share(cut: Cut) -> None:
    text = "".join(f"def f{number}(a):\n    return a\n\n\n" for number in range(40))
    chunks = cut(text, CodeScopes(minimum=50, maximum=100), "f.py")
    assert all(50 <= chunk.tokens <= 100 for chunk in chunks[:-1])
    assert all(chunk.section_path == () and chunk.title == "f.py" for chunk in chunks)
    assert [name for chunk in chunks for name in symbols(chunk)] == [f"f{number}" for number in range(40)]


def test_a_function_too_large_is_cut_between_statements_and_says_where_it_is(cut: Cut) -> None:
    body = "".join(f"    if a == {number}:\n        first(a)\n        second(a)\n" for number in range(30))
    chunks = cut(f'def f(a):\n    """Chooses."""\n{body}', CodeScopes(minimum=10, maximum=80), "f.py")
    assert len(chunks) > 5
    assert [chunk.continues for chunk in chunks] == [False] + [True] * (len(chunks) - 1)
    for chunk in chunks[1:]:
        assert chunk.text.startswith("    if a ==")
        assert chunk.section_path == symbols(chunk) == ("f",)
        assert before(chunk) == ["Defines f", "def f(a):", "Chooses."]


def test_a_statement_too_large_is_cut_between_its_parts_and_a_string_between_lines(cut: Cut) -> None:
    entries = "".join(f'    "key {number}": [1, 2],\n' for number in range(60))
    lines = "".join(f"line {number} of a text\n" for number in range(60))
    chunks = cut(f'X = {{\n{entries}}}\nY = """\n{lines}"""\n', CodeScopes(minimum=5, maximum=60), "x.py")
    assert all(chunk.text.lstrip().startswith(('"key', "X", "Y", "line", '"""')) for chunk in chunks)


def test_code_that_does_not_parse_falls_back_to_lines_with_a_notice(cut: Cut) -> None:
    text = "def broken(:\n    return ((\n" + "words that are no code at all ! ?\n" * 60
    chunks = cut(text, CodeScopes(minimum=10, maximum=60), "b.py")
    assert len(chunks) > 5 and all(chunk.text.endswith("\n") for chunk in chunks)
    (notice,) = notices("b.py", text)
    assert notice.path == "b.py" and notice.kind == "syntax" and notice.count >= 1
    assert "does not parse as python, so it is cut between lines there: lines 1, " in notice.message


def test_code_that_a_parser_finds_no_end_of_is_cut_between_lines_with_a_notice(cut: Cut) -> None:
    endless = "return<[r>k:0?0 1,0 "
    text = endless + "\n" * 60
    chunks = cut(text, CodeScopes(minimum=10, maximum=60), "a.tsx")
    assert "".join(chunk.text for chunk in chunks) == text
    (notice,) = notices("a.tsx", endless)
    assert (notice.path, notice.kind) == ("a.tsx", "syntax")
    assert notice.message == "cannot be parsed as tsx in reasonable time, so it is cut between lines"
    assert code_cuts(endless, "tsx") is None


def test_a_long_file_is_parsed_to_its_end() -> None:
    text = b"".join(b"def function_%d(a, b):\n    return a + b\n\n" % number for number in range(20_000))
    tree = grammars.parse(grammars.BY_EXTENSION[".py"], text)
    assert tree.root_node.child_count == 20_000 and not tree.root_node.has_error


def test_many_faults_of_a_file_are_one_notice_with_the_first_lines() -> None:
    text = "x = 1\ny = )\n" * 100
    (notice,) = notices("b.py", text)
    assert notice.message.endswith("lines 2, 4, 6, 8, 10, … (100 in all)")


def test_what_is_broken_costs_no_scope_beside_it(cut: Cut) -> None:
    text = PYTHON + "\n\nx = = 3\n\n\ndef after():\n    return 1\n"
    assert of(cut(text, FINE, "c.py"), "after") and of(cut(text, FINE, "c.py"), "connect")
    assert [notice.kind for notice in notices("c.py", text)] == ["syntax"]


@pytest.fixture
def no_grammar(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def import_module(name: str) -> Any:
        if name == "tree_sitter_rust":
            raise ImportError(f"No module named {name!r}")
        return importlib.import_module(name)

    grammars._language.cache_clear()
    monkeypatch.setattr(grammars, "import_module", import_module)
    yield
    grammars._language.cache_clear()


@pytest.mark.usefixtures("no_grammar")
def test_a_missing_grammar_names_the_extra() -> None:
    reason = r"point\.rs: cutting rust needs tree-sitter-rust.*pip install 'infograph\[code\]'"
    with pytest.raises(DocumentError, match=reason) as caught:
        notices("point.rs", RUST)
    assert isinstance(caught.value.__cause__, ImportError)  # so that it is tried again at the next build
    with pytest.raises(ConfigError, match="infograph"):
        code_cuts(RUST, "rust")
    assert notices("router.go", GO) == ()


@pytest.mark.usefixtures("no_grammar")
def test_a_page_is_cut_without_a_grammar_and_says_so(counter: WordPieceCounter) -> None:
    document = decode("a.md", f"```rust\n{RUST * 3}```\n\n```rust\n{RUST * 3}```\n".encode())
    result = chunk_document(document, parse_blocks(document)[0], CodeScopes(1, 100), StrategyTools(counter))
    assert [(notice.kind, "infograph[code]" in notice.message) for notice in result.notices] == [("grammar", True)]


def test_a_language_that_is_not_known_is_cut_between_lines() -> None:
    (notice,) = notices("data.csv", "a,b\n" * 500)
    assert notice.kind == "language" and ".py" in notice.message


@pytest.mark.parametrize("wrap", ["{}", "1. text\n\n{}"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_long_fence_is_cut_where_scopes_begin(wrap: str, end: str, cut: Cut) -> None:
    code = "".join(f"@cached\ndef f{n}(a):\n" + "    value = call(a)\n" * 9 + "    return 1\n\n" for n in range(20))
    lines = f"```{{.python}} title=x\n{code}```\n".splitlines(keepends=True)
    indent = "" if wrap == "{}" else "   "
    fence = "".join(indent + line if line.strip() else line for line in lines)
    source = f"# H\n\n{wrap.format(fence)}\nafter\n".replace("\n", end)
    chunks = cut(source, CodeScopes(minimum=10, maximum=200))
    assert len(chunks) > 4
    for chunk in chunks[1:]:
        assert chunk.continues and chunk.text.startswith(f"{indent}@cached")
        assert "```{.python} title=x" in chunk.embed_text


def test_offsets_of_scopes_for_fences() -> None:
    text = "import os\n\n\n# é\n@deco\ndef f(): pass\n\n\nclass C:\n    def m(self): pass\n"
    cuts = code_cuts(text, "Python")
    assert cuts is not None
    assert [text[at:].splitlines()[0].strip() for at in cuts] == ["# é", "class C:", "def m(self): pass"]
    assert code_cuts(text, "cobol") is None
    assert code_cuts("def f(:\n", "python") is None
    assert code_cuts("", "go") == []


def test_every_suffix_that_is_discovered_has_a_grammar() -> None:
    assert set(CODE) == set(grammars.BY_EXTENSION)


LINE = st.sampled_from(
    [
        "def f(a):",
        "    return 1",
        "class C:",
        "  x = [",
        "]",
        "@d",
        "# c",
        "",
        '"""',
        "é = '漢字'",
        "}",
        "{",
        "if x:",
        "\t\tpass",
    ]
)
SUFFIX = st.sampled_from([".py", ".js", ".tsx", ".java", ".go", ".rs"])


@given(lines=st.lists(LINE, max_size=40), end=st.sampled_from(["\n", "\r\n", "\r"]), suffix=SUFFIX)
@settings(max_examples=80, deadline=None)
def test_any_text_is_tiled(lines: list[str], end: str, suffix: str, cut: Cut) -> None:
    source = end.join(lines)
    assert all(chunk.tokens <= 12 for chunk in cut(source, CodeScopes(minimum=4, maximum=12), f"a{suffix}"))


def test_deep_nesting_and_one_long_line(cut: Cut) -> None:
    cut("(\n" * 3000 + ")\n" * 3000, CodeScopes(minimum=5, maximum=50), "deep.py")
    cut("".join(f"class A{n} {{\n" for n in range(600)) + "}\n" * 600, CodeScopes(minimum=5, maximum=50), "deep.js")
    assert len(cut("f(1);" * 2000, FINE, "min.js")) > 10


@pytest.mark.parametrize("options", [{"minimum": 0}, {"minimum": 9, "maximum": 8}])
def test_impossible_limits_are_errors(options: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="not in ascending order"):
        strategy("code", options)


def test_a_constant_is_no_import_and_a_name_needs_no_value(cut: Cut) -> None:
    source = "let later;\nconst limit = 3;\n\nfunction use() {\n  return limit + later;\n}\n"
    last = cut(source, FINE, "use.js")[-1]
    assert last.text.startswith("function use") and "const" not in last.embed_text


def test_the_branches_of_a_statement_too_large_continue_it(cut: Cut) -> None:
    """Unlike the members of a class, the branches mean nothing by themselves."""
    calls = "    first(a)\n" * 10
    chunks = cut(f"if a:\n{calls}elif b:\n{calls}else:\n{calls}", CodeScopes(minimum=10, maximum=60), "f.py")
    assert chunks[0].text.startswith("if a:") and chunks[-1].text.startswith("else:")
    assert [chunk.continues for chunk in chunks] == [False] + [True] * (len(chunks) - 1)


@pytest.mark.parametrize("where", ["above", "below"])
def test_a_crumb_is_smaller_than_a_quarter_of_the_minimum(where: str, cut: Cut) -> None:
    """A crumb joins members of a class that it does not belong to; a statement of a quarter stands alone."""
    statement = "limit = compute(7)\n"
    methods = "".join(f"    def m{n}(self):\n        return compute({n}) + compute({n})\n\n" for n in range(4))
    text = f"{statement}\nclass C:\n{methods}" if where == "above" else f"class C:\n{methods}\n{statement}"
    tokens = COUNTER.count([statement])[0]

    def alone(minimum: int) -> bool:
        return any(chunk.text.strip() == statement.strip() for chunk in cut(text, CodeScopes(minimum, 45), "c.py"))

    assert alone(4 * tokens) and not alone(4 * tokens + 4)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_stands_in_a_piece_is_not_said_before_it(name: str, cut: Cut) -> None:
    """The file's docs are in the first piece; no piece repeats an import or a head that it contains."""
    first, *rest = cut(SAMPLES[name][0], FINE, name)
    assert first.embed_text.endswith(f"\n\n{first.text}" if first.section_path else first.text)
    assert first.embed_text.removesuffix(first.text).count("\n") in (0, 2), "a breadcrumb or nothing"
    for chunk in rest:
        said = chunk.embed_text.removesuffix(chunk.text).splitlines()
        assert len(said) == len(set(said)) and not set(said[2:]) & set(chunk.text.splitlines())


def test_what_opens_a_body_stays_with_what_comes_first_in_it(cut: Cut) -> None:
    """The opening stays even where the two do not fit into a piece: a head alone says nothing."""
    statement = "    value = [\n" + "        call(1),\n" * 9 + "    ]\n"
    maximum = COUNTER.count([statement])[0]
    chunks = cut(f"def f(a):\n{statement}    return value\n", CodeScopes(minimum=1, maximum=maximum), "f.py")
    assert chunks[0].text.count("\n") > 1


@pytest.mark.parametrize("name", SAMPLES)
def test_characters_of_several_bytes_move_nothing(name: str, cut: Cut) -> None:
    """Trees count in bytes, documents in characters."""
    mark = "#" if name.endswith(".py") else "//"
    line = f"{mark} plain words stand here"
    text = SAMPLES[name][0].replace("\n\n", f"\n\n{line}\n\n")
    plain, wide = cut(text, FINE, name), cut(text.replace("words", "wörte 漢字 😀"), FINE, name)
    assert [symbols(chunk) for chunk in wide] == [symbols(chunk) for chunk in plain]
    assert [chunk.lines for chunk in wide] == [chunk.lines for chunk in plain]
    assert [before(chunk) for chunk in wide if chunk.section_path] == [
        [said.replace("words", "wörte 漢字 😀") for said in before(chunk)] for chunk in plain if chunk.section_path
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# About it.\n# In two lines.\n\n# Other\nx = 1\n", "About it. In two lines."),
        ("# Copyright 2020\n# of all\n\n# About it.\n\nx = 1\n", "About it."),
        ("# SPDX-License-Identifier: MIT\n\nimport os\n\n# About it.\n\nx = 1\n", "About it."),
        ("#\n\n# About it.\n\nx = 1\n", "About it."),
        ("# License A\n\n# License B\n\n# License C\n\nx = 1\n\n# Too late.\n\ny = 2\n", ""),
        ("# Of the function.\ndef f():\n    pass\n", ""),
        ("def f():\n    pass\n\n# Too late.\n\ny = 2\n", ""),
        ('# License\n\n"""Docs win."""\n\n# About it.\n', "Docs win."),
        ('"""One.\n\nTwo."""\n', "One."),
        ("'''" + "word " * 59 + "words'''\n", ("word " * 59 + "words")),
        ("'''" + "word " * 60 + "words'''\n", ("word " * 60)[:299].rstrip() + "…"),
    ],
)
def test_what_a_file_is_about(text: str, said: str) -> None:
    assert Outline(text, line_starts(text), grammars.BY_EXTENSION[".py"]).summary == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# One.\n# Two.\ndef f(): pass\n", "One. Two."),
        ("# Apart.\n\ndef f(): pass\n", ""),
        ("# Apart.\n\n# One.\ndef f(): pass\n", "One."),
        ("x = 1  # Of x.\ndef f(): pass\n", ""),
        ("# One.\n@deco\ndef f(): pass\n", "One."),
        ('# One.\ndef f():\n    "Docs win."\n', "Docs win."),
        ('def f():\n    # First.\n    """Docs."""\n', "Docs."),
        ("def f():\n    1\n    'No docs.'\n", ""),
    ],
)
def test_the_docs_of_a_scope(text: str, said: str) -> None:
    outline = Outline(text, line_starts(text), grammars.BY_EXTENSION[".py"])
    ((_, _, scope),) = outline.scopes
    assert outline.docs(scope) == said


def test_a_signature_is_on_one_line_and_cut_at_a_length() -> None:
    def signature(text: str) -> str:
        outline = Outline(text, line_starts(text), grammars.BY_EXTENSION[".py"])
        return outline.signature(outline.scopes[0][2])

    assert signature("@deco\ndef f(\n    a,\n    b=2,\n) -> int:\n    pass\n") == "def f( a, b=2, ) -> int:"
    assert signature("class C(Base): x = 1\n") == "class C(Base):"
    for length in (300, 301):
        head = f"def {'f' * (length - 7)}():"
        assert signature(f"{head} pass\n") == (head if length == 300 else head[:299] + "…")


def test_statements_are_said_once_where_several_pieces_of_them_are_used(cut: Cut) -> None:
    """The names of one statement stand together, in its order, each once."""
    text = (
        "from a import b, c\nfrom a import d\nimport e\n\n\ndef f():\n    return d, b, b\n\n\ndef g():\n    return e\n"
    )
    chunks = cut(text, FINE, "f.py")
    assert before(of(chunks, "f")) == ["Defines f, g", "from a import b, d"]
    assert before(of(chunks, "g")) == ["Defines f, g", "import e"]


@pytest.mark.parametrize(("count", "more"), [(8, ""), (9, ", …")])
def test_the_line_about_a_file_counts_up_eight_scopes(count: int, more: str, cut: Cut) -> None:
    text = "".join(f"def f{number}():\n    pass\n\n\n" for number in range(count))
    said = before(of(cut(text, FINE, "f.py"), "f1"))
    assert said == [f"Defines {', '.join(f'f{number}' for number in range(8))}{more}"]


@pytest.mark.parametrize(("less", "whole"), [(0, True), (1, False)])
def test_a_scope_of_exactly_the_maximum_is_one_piece(less: int, whole: bool, cut: Cut) -> None:
    scope = "def f(a):\n    first(a)\n    second(a)\n"
    maximum = COUNTER.count([scope])[0] - less
    chunks = cut(f"{scope}\n\ndef g():\n    pass\n", CodeScopes(minimum=1, maximum=maximum), "f.py")
    assert (chunks[0].text.strip() == scope.strip()) == whole


def test_a_function_that_begins_with_an_inner_one_is_named_by_itself(cut: Cut) -> None:
    """The opening of a function belongs to the function and not to the first one inside it."""
    inner = "    def inner(x):\n        return call(x)\n"
    calls = "".join(f"    value = compute({number})\n" for number in range(12))
    first, *rest = cut(f"def outer(a):\n{inner}{calls}", CodeScopes(minimum=1, maximum=50), "f.py")
    assert first.text.startswith("def outer(a):\n    def inner(x):") and first.section_path == ("outer",)
    assert rest and all(chunk.section_path == ("outer",) and chunk.continues for chunk in rest)
    assert all("def outer(a):" in before(chunk) for chunk in rest)


@pytest.mark.parametrize(("maximum", "count"), [(60, 1), (59, 2)])
def test_neighbours_are_put_together_where_they_fit_exactly(maximum: int, count: int, cut: Cut) -> None:
    text = "".join(f"x{number} = call({number})\n" for number in range(10))
    tokens = COUNTER.count([text])[0]
    assert len(cut(text, CodeScopes(minimum=40, maximum=tokens + maximum - 60), "x.py")) == count


@pytest.mark.parametrize("less", [0, 1])
def test_a_scope_of_the_minimum_stands_alone(less: int, cut: Cut) -> None:
    scope = "def f(a):\n    return a\n\n\n"
    tokens = COUNTER.count([scope])[0]
    found = len(cut(scope * 4, CodeScopes(minimum=tokens + less, maximum=2 * tokens), "f.py"))
    assert found == (2 if less else 4)


def test_the_rest_of_a_statement_that_was_cut_and_a_scope_stand_apart(cut: Cut) -> None:
    """Each is large enough; parts of one function or statement, in contrast, are packed."""
    lines = "".join(f"line {number} of a text\n" for number in range(30))
    scope = "def f(a):\n    first(a)\n    second(a)\n"
    chunks = cut(f'X = """\n{lines}"""\n{scope}', CodeScopes(minimum=5, maximum=60), "x.py")
    assert chunks[-1].text == scope and chunks[-2].tokens + chunks[-1].tokens <= 60
