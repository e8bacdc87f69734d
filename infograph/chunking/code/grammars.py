"""The programming languages of the `code` strategy: their tree-sitter grammars and their differences.

Each grammar is a package of its own; the extra `infograph[code]` installs all of them. Node types are those of each
grammar's `node-types.json`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from infograph.errors import missing_extra
from infograph.model import LANGUAGES

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_GO_VERSION = re.compile(r"v[0-9]+")
FEWEST_CHECKS, BYTES_A_CHECK = 1000, 5
"""Limit of the parser's progress checks, of which it makes one every 100 steps: at least so many, or one for so
many bytes.

It is ten times the highest rate that any file needed of 24 MB of Python, JavaScript and TypeScript, or of pages of
prose parsed in all seven languages.
"""
_SLICE = 1 << 16
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Import:
    """One name that an import statement binds, or several that cannot be separated."""

    names: tuple[str, ...]
    """The bound names as the rest of the file uses them."""
    item: str
    """The part of the statement that binds the names; the whole statement where `head` is empty."""
    head: str = ""
    """Text before the items: `from x import `."""
    tail: str = ""
    """Text after the items: ` from "x"`."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The properties of a language that its grammar does not express."""

    language: str
    package: str
    fences: tuple[str, ...]
    """First words of a Markdown fence's info string."""
    scopes: frozenset[str]
    """Types of nodes that have a name and may be a piece by themselves."""
    nests: frozenset[str]
    """Types of scopes whose members are scopes in turn."""
    imports: Callable[[Node], Iterator[Import]]
    """Yields the names that a statement binds; none where it is no import."""
    function: str = "language"
    """Name of the package's function that returns the grammar."""
    wrappers: frozenset[str] = frozenset()
    """Types of nodes around a scope: decorators, `export`."""
    bindings: frozenset[str] = frozenset()
    """Types of nodes that give a name to an anonymous function or class."""
    anonymous: frozenset[str] = frozenset()
    """Types of functions and classes without a name."""
    attached: frozenset[str] = _COMMENTS
    """Types of nodes that belong to the node below them."""

    @property
    def extensions(self) -> tuple[str, ...]:
        """Suffixes of the language's files."""
        return LANGUAGES[self.language]


def text_of(node: Node) -> str:
    return (node.text or b"").decode()


def _fields(node: Node, name: str) -> str:
    child = node.child_by_field_name(name)
    return text_of(child) if child is not None else ""


def _python_imports(node: Node) -> Iterator[Import]:
    if node.type == "import_statement":
        head = "import "
    elif node.type == "import_from_statement":
        head = f"from {_fields(node, 'module_name')} import "
    else:
        return
    for name in node.children_by_field_name("name"):
        bound = _fields(name, "alias") or text_of(name).partition(".")[0]
        yield Import((bound,), text_of(name), head)


def _ecmascript_imports(node: Node) -> Iterator[Import]:
    """Yields the names of `import`, and of `require` as the value of a declaration. An import for its effects binds
    no name."""
    if node.type in ("lexical_declaration", "variable_declaration"):
        for declarator in node.named_children:
            name, value = (declarator.child_by_field_name(field) for field in ("name", "value"))
            if name is not None and value is not None and _fields(value, "function") == "require":
                yield Import(tuple(_NAME.findall(text_of(name))), text_of(declarator), "const ")
        return
    if node.type != "import_statement":
        return
    head = "import type " if any(child.type == "type" for child in node.children) else "import "
    tail = f" from {_fields(node, 'source')}"
    for clause in node.named_children:
        if clause.type == "import_require_clause":
            yield Import((_NAME.findall(text_of(clause))[0],), f"import {text_of(clause)}")
        elif clause.type == "import_clause":
            for part in clause.named_children:
                if part.type == "named_imports":
                    for name in part.named_children:
                        bound = _fields(name, "alias") or _fields(name, "name")
                        yield Import((bound,), f"{{ {text_of(name)} }}", head, tail)
                else:
                    yield Import((_NAME.findall(text_of(part))[-1],), text_of(part), head, tail)


def _java_imports(node: Node) -> Iterator[Import]:
    if node.type == "import_declaration" and not any(child.type == "asterisk" for child in node.named_children):
        yield Import((text_of(node).rstrip("; \t").rpartition(".")[2],), text_of(node))


def _go_imports(node: Node) -> Iterator[Import]:
    """Yields the names of Go imports: the alias, the path's last part, or the part before a version."""
    if node.type != "import_declaration":
        return
    for child in node.named_children:
        for spec in child.named_children if child.type == "import_spec_list" else (child,):
            if spec.type == "import_spec":
                *parents, last = _fields(spec, "path").strip('"`').split("/")
                if _GO_VERSION.fullmatch(last) and parents:
                    last = parents[-1]
                yield Import((_fields(spec, "name") or last.partition(".")[0],), f"import {text_of(spec)}")


def _rust_imports(node: Node) -> Iterator[Import]:
    """Yields the names of `use`; one with braces is an import for each name."""
    if node.type != "use_declaration":
        return
    argument = node.child_by_field_name("argument")
    rest = [("", argument)] if argument is not None else []
    while rest:
        prefix, tree = rest.pop()
        if tree.type in ("scoped_use_list", "use_list"):
            path = _fields(tree, "path")
            inner = tree.child_by_field_name("list") if tree.type == "scoped_use_list" else tree
            inside = f"{prefix}{path}::" if path else prefix
            rest.extend((inside, child) for child in reversed(inner.named_children if inner is not None else []))
        elif tree.type == "self" and prefix:
            path = prefix.removesuffix("::")
            yield Import((path.rpartition("::")[2],), f"use {path};")
        elif tree.type in ("identifier", "scoped_identifier", "use_as_clause"):
            path = text_of(tree)
            yield Import((_fields(tree, "alias") or path.rpartition("::")[2],), f"use {prefix}{path};")


_ECMASCRIPT_SCOPES = frozenset(
    {"function_declaration", "generator_function_declaration", "class_declaration", "method_definition"}
)
_ECMASCRIPT_ANONYMOUS = frozenset(
    {"arrow_function", "function_expression", "generator_function", "class", "function_declaration"}
)
_ECMASCRIPT_BINDINGS = frozenset(
    {"variable_declarator", "assignment_expression", "field_definition", "public_field_definition"}
)
_ECMASCRIPT_WRAPPERS = frozenset(
    {"export_statement", "lexical_declaration", "variable_declaration", "expression_statement"}
)
_TYPESCRIPT_NESTS = frozenset({"class_declaration", "abstract_class_declaration", "class", "internal_module", "module"})
_TYPESCRIPT_SCOPES = (
    _ECMASCRIPT_SCOPES
    | (_TYPESCRIPT_NESTS - {"class"})
    | {
        "abstract_method_signature",
        "enum_declaration",
        "function_signature",
        "interface_declaration",
        "type_alias_declaration",
    }
)


def _typescript(language: str, function: str, fences: tuple[str, ...]) -> Grammar:
    return Grammar(
        language=language,
        package="tree_sitter_typescript",
        function=function,
        fences=fences,
        scopes=_TYPESCRIPT_SCOPES,
        nests=_TYPESCRIPT_NESTS,
        imports=_ecmascript_imports,
        wrappers=_ECMASCRIPT_WRAPPERS | {"ambient_declaration"},
        bindings=_ECMASCRIPT_BINDINGS,
        anonymous=_ECMASCRIPT_ANONYMOUS,
        attached=_COMMENTS | {"decorator"},
    )


GRAMMARS = (
    Grammar(
        language="python",
        package="tree_sitter_python",
        fences=("python", "py", "python3", "py3", "pyi"),
        scopes=frozenset({"function_definition", "class_definition"}),
        nests=frozenset({"class_definition"}),
        imports=_python_imports,
        wrappers=frozenset({"decorated_definition"}),
    ),
    Grammar(
        language="javascript",
        package="tree_sitter_javascript",
        fences=("javascript", "js", "jsx", "mjs", "cjs", "node"),
        scopes=_ECMASCRIPT_SCOPES,
        nests=frozenset({"class_declaration", "class"}),
        imports=_ecmascript_imports,
        wrappers=_ECMASCRIPT_WRAPPERS,
        bindings=_ECMASCRIPT_BINDINGS,
        anonymous=_ECMASCRIPT_ANONYMOUS,
        attached=_COMMENTS | {"decorator"},
    ),
    _typescript("typescript", "language_typescript", ("typescript", "ts", "mts", "cts")),
    _typescript("tsx", "language_tsx", ("tsx",)),
    Grammar(
        language="java",
        package="tree_sitter_java",
        fences=("java",),
        scopes=frozenset(
            {
                "annotation_type_declaration",
                "class_declaration",
                "compact_constructor_declaration",
                "constructor_declaration",
                "enum_declaration",
                "interface_declaration",
                "method_declaration",
                "record_declaration",
            }
        ),
        nests=frozenset(
            {
                "annotation_type_declaration",
                "class_declaration",
                "enum_declaration",
                "interface_declaration",
                "record_declaration",
            }
        ),
        imports=_java_imports,
    ),
    Grammar(
        language="go",
        package="tree_sitter_go",
        fences=("go", "golang"),
        scopes=frozenset({"function_declaration", "method_declaration", "type_spec", "type_alias"}),
        nests=frozenset(),
        imports=_go_imports,
        wrappers=frozenset({"type_declaration"}),
    ),
    Grammar(
        language="rust",
        package="tree_sitter_rust",
        fences=("rust", "rs"),
        scopes=frozenset(
            {
                "enum_item",
                "function_item",
                "function_signature_item",
                "impl_item",
                "macro_definition",
                "mod_item",
                "struct_item",
                "trait_item",
                "type_item",
                "union_item",
            }
        ),
        nests=frozenset({"impl_item", "mod_item", "trait_item"}),
        imports=_rust_imports,
        attached=_COMMENTS | {"attribute_item"},
    ),
)

BY_EXTENSION = {extension: grammar for grammar in GRAMMARS for extension in grammar.extensions}
BY_FENCE = {name: grammar for grammar in GRAMMARS for name in grammar.fences}


class EndlessError(Exception):
    """Raised where parsing would take very long or never end."""


def parse(grammar: Grammar, data: bytes) -> Tree:
    """Returns the syntax tree of UTF-8 source.

    Raises ConfigError, which names the extra, where the grammar is not installed. Raises EndlessError where the
    parser recovers from an error again and again: `return<[r>k:0?0 1,0 ` keeps TypeScript's busy for ever. The
    limit counts steps, not time, so that the same input gives the same chunks.
    """
    language = _language(grammar)
    from tree_sitter import Parser

    rests = FEWEST_CHECKS + len(data) // BYTES_A_CHECK

    def stop(*_: object) -> bool:
        nonlocal rests
        rests -= 1
        return rests < 0

    try:  # parsing of a bytes object could not be stopped
        return Parser(language).parse(lambda start, _: data[start : start + _SLICE], progress_callback=stop)
    except ValueError:
        if rests < 0:
            raise EndlessError from None
        raise


@cache
def _language(grammar: Grammar) -> Language:
    try:
        from tree_sitter import Language

        package = import_module(grammar.package)
    except ImportError as error:
        reason = f"cutting {grammar.language} needs {grammar.package.replace('_', '-')}"
        raise missing_extra("code", "strategies.code", reason, error) from error
    return Language(getattr(package, grammar.function)())
