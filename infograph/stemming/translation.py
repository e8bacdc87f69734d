"""From a stemmer as Snowball generates it for Python to the same one in JavaScript.

Generated code has a regular shape: one class whose attributes are sets of letters, tables and variables, and whose
methods are made of a few kinds of statements. Anything else is refused, so that a new release of Snowball cannot become
a stemmer that is wrong. What the methods call is in `machine.js`.

    g_v = {"a", "e"}                                g_v = new Set("ae");
    a_1 = [Among("s", -1, 4), …]                    a_1 = table(["s", -1, 4], …);
    try: … raise lab0() … except lab0: pass         lab0: { … break lab0; … }
    self.in_grouping(GermanStemmer.g_v)             this.in_grouping(this.g_v)
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from infograph.errors import FormatError

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
    """Of the class."""
    release: str
    """Of Snowball, which generated it: `3.1.1`."""
    code: str
    """The class. Its superclass is `Machine`, and it uses `table`."""


def translate(source: str, place: str) -> Translation:
    """The stemmer in the text of a Python module.

    place: what to call the module in an error
    Raises FormatError for what is not generated code as it is known.
    """
    release = _RELEASE.match(source)
    if release is None:
        raise FormatError(place, "does not say by which release of Snowball it was generated")
    classes = [node for node in ast.parse(source).body if not _is_frame(node)]
    if len(classes) != 1 or not isinstance(classes[0], ast.ClassDef):
        raise FormatError(place, "does not hold just one class")
    return Translation(classes[0].name, release[1], _Program(classes[0], place).code())


def _is_frame(node: ast.stmt) -> bool:
    """Whether a statement only brings in what the class is made with: an import, a label."""
    is_label = isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == ["BaseException"]
    return isinstance(node, ast.ImportFrom) or is_label


class _Program:
    """A stemmer's class."""

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
                    continue  # says in words what the class is
                case ast.Assign([ast.Name(name)], value):
                    lines.append(f"  {name} = {self._attribute(value)};")
                case ast.FunctionDef(name, ast.arguments([], [ast.arg("self")], None, [], [], None, [])):
                    lines += ["", f"  {_method(name)}() {{", *_Body(self, item).lines(), "  }"]
                case _:
                    raise self.unknown(item)
        return "\n".join([*lines, "}\n"])

    def unknown(self, node: ast.AST) -> FormatError:
        """The error that says what is not understood."""
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
    """What stands in a method."""

    def __init__(self, program: _Program, node: ast.FunctionDef) -> None:
        self.program = program
        self.node = node
        names = (name for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store))
        self.variables = {name.id for name in names} - {"_"}
        self.labels: list[str] = []
        """Of the blocks around a statement, the innermost last."""

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
                label not in self.labels  # within a block of the same name JavaScript has none
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
        """A value in another one, in brackets where it binds no more tightly."""
        value = self._value(node)
        return f"({value})" if _tightness(node) <= _tightness(parent) else value


def _tightness(node: ast.expr) -> int:
    kinds = (ast.BoolOp, ast.Compare, ast.BinOp, ast.UnaryOp)
    return next((rank for rank, kind in enumerate(kinds) if isinstance(node, kind)), len(kinds))


def _method(name: str) -> str:
    """Of a method, in JavaScript: without what makes it the class's own in Python."""
    return name.removeprefix("__")


def _local(name: str) -> str:
    """Of a method's variable: never a word that JavaScript keeps for itself."""
    return f"${name}"


def _constant(value: bool | int | str) -> str:
    """JavaScript writes it as JSON does."""
    return json.dumps(value, ensure_ascii=False)
