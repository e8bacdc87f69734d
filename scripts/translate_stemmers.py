"""Makes the stemmers in infograph/web/stemmers: Snowball's programs, from generated Python to JavaScript.

    python scripts/translate_stemmers.py            writes one module for each language
    python scripts/translate_stemmers.py --check    writes nothing; names the files that differ, exit status 1

    snowballstemmer/german_stemmer.py ─translate─▶ class GermanStemmer ─┐
    scripts/stemmer_machine.js (what its methods call) ─────────────────┴▶ infograph/web/stemmers/de.js

Generated code has a regular shape: one class whose attributes are sets of letters, tables and variables, and whose
methods are made of a few kinds of statements. Anything else is refused, so that a new release of Snowball cannot become
a stemmer that is wrong.

    g_v = {"a", "e"}                                g_v = new Set("ae");
    a_1 = [Among("s", -1, 4), …]                    a_1 = table(["s", -1, 4], …);
    try: … raise lab0() … except lab0: pass         lab0: { … break lab0; … }
    self.in_grouping(GermanStemmer.g_v)             this.in_grouping(this.g_v)
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from infograph.errors import FormatError
from infograph.text.language import STEMMERS
from infograph.web.stemmers import is_shipped

MACHINE = Path(__file__).parent / "stemmer_machine.js"
FOLDER = Path(__file__).parents[1] / "infograph" / "web" / "stemmers"
PACKAGE = "snowballstemmer"
"""The package with the programs that Snowball generates for Python."""

_COMMANDS = frozenset(
    {
        "eq_s",
        "eq_s_b",
        "find_among",
        "find_among_b",
        "go_in_grouping",
        "go_in_grouping_b",
        "go_out_grouping",
        "go_out_grouping_b",
        "in_grouping",
        "in_grouping_b",
        "insert",
        "out_grouping",
        "out_grouping_b",
        "slice_del",
        "slice_from",
        "slice_to",
    }
)
"""Methods of the machine that a program calls."""
_REGISTERS = frozenset({"bra", "current", "cursor", "ket", "limit", "limit_backward"})
"""The machine's variables that a program uses."""
_ENTRY = "_stem"
"""The method of a program that the machine calls."""

_COMPARISONS = {ast.Eq: "===", ast.NotEq: "!==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_OPERATIONS = {ast.Add: "+", ast.Sub: "-"}
_JOINS = {ast.And: " && ", ast.Or: " || "}
_SIGNS = {ast.Not: "!", ast.USub: "-"}
_RELEASE = re.compile(r"# Generated from \w+\.sbl by Snowball (\d+(?:\.\d+)*) ", re.ASCII)


@dataclass(frozen=True, slots=True)
class Translation:
    """A stemmer in JavaScript."""

    name: str
    """Name of the class."""
    release: str
    """Release of Snowball that generated the program, such as `3.1.1`."""
    code: str
    """Source of the class, which extends `Machine` and calls `table`."""


def translate(source: str, place: str) -> Translation:
    """Translates the text of a Python module as Snowball generates it.

    place: name of the module in an error
    Raises FormatError for code of any other shape.
    """
    release = _RELEASE.match(source)
    if release is None:
        raise FormatError(place, "does not say by which release of Snowball it was generated")
    classes = [node for node in ast.parse(source).body if not _is_frame(node)]
    if len(classes) != 1 or not isinstance(classes[0], ast.ClassDef):
        raise FormatError(place, "does not hold just one class")
    return Translation(classes[0].name, release[1], _Program(classes[0], place).code())


def _is_frame(node: ast.stmt) -> bool:
    """Whether a statement is an import or the class of a label, which have no counterpart in JavaScript."""
    is_label = isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == ["BaseException"]
    return isinstance(node, ast.ImportFrom) or is_label


class _Program:
    """Translates the class of a stemmer."""

    def __init__(self, node: ast.ClassDef, place: str) -> None:
        self.node = node
        self.place = place
        self.methods = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        self.variables: set[str] = set()
        self.tables: set[str] = set()
        for item in node.body:
            match item:
                case ast.Assign([ast.Name(name)], ast.Constant(bool() | int())):
                    self.variables.add(name)
                case ast.Assign([ast.Name(name)], _):
                    self.tables.add(name)

    def code(self) -> str:
        if _ENTRY not in self.methods:
            raise self.unknown(self.node)
        lines = [f"class {self.node.name} extends Machine {{"]
        for item in self.node.body:
            match item:
                case ast.Expr(ast.Constant(str())):
                    continue  # the docstring
                case ast.Assign([ast.Name(name)], value):
                    lines.append(f"  {name} = {self._attribute(value)};")
                case ast.FunctionDef(name, ast.arguments([], [ast.arg("self")], None, [], [], None, [])):
                    lines += ["", f"  {_method(name)}() {{", *_Body(self, item).lines(), "  }"]
                case _:
                    raise self.unknown(item)
        return "\n".join([*lines, "}\n"])

    def unknown(self, node: ast.AST) -> FormatError:
        """The error for a construct that has no translation."""
        text = ast.unparse(node).partition("\n")[0]
        reason = f"has what has no translation into JavaScript: {type(node).__name__} `{text}`"
        return FormatError(f"{self.place}:{getattr(node, 'lineno', 0)}", reason)

    def _attribute(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(bool() | int() as value):
                return _constant(value)
            case ast.Constant(str(letters)):
                return f"new Set({_constant(letters)})"
            case ast.Set(items):
                return f"new Set({_constant(''.join(map(self._letter, items)))})"
            case ast.Tuple(items):
                return f"[{', '.join(_constant(self._string(item)) for item in items)}]"
            case ast.List(items):
                return "\n    ".join(["table(", *(f"{self._row(item)}," for item in items)]) + "\n  )"
        raise self.unknown(node)

    def _row(self, node: ast.expr) -> str:
        match node:
            case ast.Call(ast.Name("Among"), [text, following, result, *conditions], []) if len(conditions) < 2:
                row = [_constant(self._string(text)), self._whole(following), self._whole(result)]
                return f"[{', '.join([*row, *map(self._condition, conditions)])}]"
        raise self.unknown(node)

    def _condition(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name) and node.id in self.methods:
            return _constant(_method(node.id))
        raise self.unknown(node)

    def _string(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        raise self.unknown(node)

    def _letter(self, node: ast.expr) -> str:
        letter = self._string(node)
        if len(letter) != 1:
            raise self.unknown(node)
        return letter

    def _whole(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(int(value)):
                return str(value)
            case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
                return f"-{value}"
        raise self.unknown(node)


class _Body:
    """Translates the body of a method."""

    def __init__(self, program: _Program, node: ast.FunctionDef) -> None:
        self.program = program
        self.node = node
        names = (name for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store))
        self.variables = {name.id for name in names} - {"_"}
        self.labels: list[str] = []
        """Labels of the blocks around the current statement, the innermost last."""

    def lines(self) -> list[str]:
        names = ", ".join(map(_local, sorted(self.variables)))
        declared = [f"    let {names};"] if names else []
        return [*declared, *(f"  {line}" for line in self._block(self.node.body))]

    def _block(self, statements: Sequence[ast.stmt]) -> list[str]:
        return [f"  {line}" for statement in statements for line in self._statement(statement)]

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.Assign([target], value):
                return [f"{self._variable(target)} = {self._value(value)};"]
            case ast.AugAssign(target, ast.Add() | ast.Sub() as operator, value):
                return [f"{self._variable(target)} {_OPERATIONS[type(operator)]}= {self._value(value)};"]
            case ast.Expr(ast.Call() as call):
                return [f"{self._value(call)};"]
            case ast.Return(ast.expr() as value):
                return [f"return {self._value(value)};"]
            case ast.Break():
                return ["break;"]
            case ast.Continue():
                return ["continue;"]
            case ast.If(test, body, [ast.If() as other]):
                first, *rest = self._statement(other)
                return [f"if ({self._value(test)}) {{", *self._block(body), f"}} else {first}", *rest]
            case ast.If(test, body, otherwise):
                rest = ["} else {", *self._block(otherwise)] if otherwise else []
                return [f"if ({self._value(test)}) {{", *self._block(body), *rest, "}"]
            case ast.While(test, body, []):
                return [f"while ({self._value(test)}) {{", *self._block(body), "}"]
            case ast.For(ast.Name("_"), ast.Tuple(times), body, []):
                return [f"for (let i = 0; i < {len(times)}; i += 1) {{", *self._block(body), "}"]
            case ast.Try(body, [ast.ExceptHandler(ast.Name(label), None, [ast.Pass()])], [], []) if (
                label not in self.labels  # JavaScript allows no label within a block of the same name
            ):
                self.labels.append(label)
                lines = [f"{label}: {{", *self._block(body), "}"]
                self.labels.pop()
                return lines
            case ast.Raise(ast.Call(ast.Name(label), [], []), None) if label in self.labels:
                return [f"break {label};"]
        raise self.program.unknown(node)

    def _variable(self, node: ast.expr) -> str:
        match node:
            case ast.Name(name) if name in self.variables:
                return _local(name)
            case ast.Attribute(ast.Name("self"), name) if name in _REGISTERS | self.program.variables:
                return f"this.{name}"
        raise self.program.unknown(node)

    def _value(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(bool() | int() | str() as value):
                return _constant(value)
            case ast.Attribute(ast.Name(owner), name) if (
                owner == self.program.node.name and name in self.program.tables
            ):
                return f"this.{name}"
            case ast.Subscript(sequence, index) if not isinstance(index, ast.Slice):
                return f"{self._value(sequence)}[{self._value(index)}]"
            case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
                return f"{self._operand(left, node)} {_OPERATIONS[type(operator)]} {self._operand(right, node)}"
            case ast.UnaryOp(ast.Not() | ast.USub() as operator, operand):
                return f"{_SIGNS[type(operator)]}{self._operand(operand, node)}"
            case ast.BoolOp(operator, values):
                return _JOINS[type(operator)].join(self._operand(value, node) for value in values)
            case ast.Compare(left, [operator], [right]) if type(operator) in _COMPARISONS:
                return f"{self._operand(left, node)} {_COMPARISONS[type(operator)]} {self._operand(right, node)}"
            case ast.Call(ast.Name("len"), [ast.Attribute(ast.Name("self"), "current")], []):
                return "this.current.length"
            case ast.Call(ast.Attribute(ast.Name("self"), name), values, []) if name in _COMMANDS or (
                name in self.program.methods and not values
            ):
                return f"this.{_method(name)}({', '.join(map(self._value, values))})"
        return self._variable(node)

    def _operand(self, node: ast.expr, parent: ast.expr) -> str:
        """A value within another, in parentheses unless it binds more tightly."""
        value = self._value(node)
        return f"({value})" if _tightness(node) <= _tightness(parent) else value


def _tightness(node: ast.expr) -> int:
    kinds = (ast.BoolOp, ast.Compare, ast.BinOp, ast.UnaryOp)
    return next((rank for rank, kind in enumerate(kinds) if isinstance(node, kind)), len(kinds))


def _method(name: str) -> str:
    """A method's name in JavaScript: without the underscores that make it private in Python."""
    return name.removeprefix("__")


def _local(name: str) -> str:
    """A variable's name in JavaScript, where the dollar keeps it apart from reserved words."""
    return f"${name}"


def _constant(value: bool | int | str) -> str:
    """A literal, which JavaScript writes as JSON does."""
    return json.dumps(value, ensure_ascii=False)


def module(language: str) -> bytes:
    """The module for a language (ISO 639-1 code): licence, machine, program, exports.

    Raises FormatError when the program in the installed package cannot be translated.
    """
    source = f"{PACKAGE}/{STEMMERS[language]}_stemmer.py"
    text = Path(str(distribution(PACKAGE).locate_file(source))).read_text("utf-8")
    made = translate(text, source)
    # It names an earlier place of this script. The line is in published files: it waits for their next change.
    notice = (FOLDER / "NOTICE").read_text("utf-8")
    exports = (
        f"const program = new {made.name}();\n\n"
        "/** ISO 639-1 code. */\n"
        f'export const language = "{language}";\n'
        "/** Of Snowball. */\n"
        f'export const release = "{made.release}";\n'
        "/** The stem of a word in lower case. */\n"
        "export const stem = (word) => program.stem(word);\n"
    )
    return "\n".join([f"/*!\n{notice}*/\n", MACHINE.read_text("utf-8"), made.code, exports]).encode()


def modules() -> dict[str, bytes]:
    """Name and contents of every file to ship, sorted by name."""
    return {f"{language}.js": module(language) for language in sorted(filter(is_shipped, STEMMERS))}


def differences(folder: Path) -> list[str]:
    """Names of files in the folder that are missing, different or left over, sorted."""
    made = modules()
    found = {path.name: path.read_bytes() for path in folder.glob("*.js")}
    return sorted(name for name in made.keys() | found.keys() if made.get(name) != found.get(name))


def write(folder: Path) -> None:
    """Brings the folder's files up to date and removes those that are left over."""
    made = modules()
    for path in folder.glob("*.js"):
        if path.name not in made:
            path.unlink()
    for name, data in made.items():
        (folder / name).write_bytes(data)


def main() -> int:
    parser = argparse.ArgumentParser(description="Translates Snowball's stemmers into infograph/web/stemmers.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 when a file differs")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="another folder than that of the package")
    options = parser.parse_args()
    if not options.check:
        write(options.folder)
        return 0
    different = differences(options.folder)
    for name in different:
        print(f"{name} is not what {PACKAGE} {distribution(PACKAGE).version} makes", file=sys.stderr)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
