"""The outline of a source file: its scopes, their nesting, names and documentation.

Positions are lines, since code is cut inside a line only where it has no other.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from infograph.chunking.code.grammars import BY_EXTENSION, Grammar, Import, parse, text_of
from infograph.text.lines import line_starts

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST_SIGNATURE = 300
"""Most characters of a signature or of a docstring's first paragraph that are repeated."""

_COMMENT_MARK = re.compile(r"^[ \t]*(?:/\*+!?|\*+/|\*+|//[/!]?|#+!?)?[ \t]?|[ \t]*\*+/[ \t]*$", re.MULTILINE)
_QUOTES = re.compile(r"^[A-Za-z]*('''|\"\"\"|'|\")|('''|\"\"\"|'|\")$")
_LICENSE = re.compile(r"copyright|licen[cs]e|spdx", re.IGNORECASE)
_TYPE_NAME = re.compile(r"[^\W\d]\w*")
_BODY = ("block", "body", "list")
"""Suffixes of the types of nodes that hold the members of another: `statement_block`, `class_body`, `use_list`."""

_MEMBER_OF_A_NAME = frozenset({"property_identifier", "field_identifier"})


@dataclass(frozen=True, slots=True, eq=False)
class CodeScope:
    """A named part of a source file: a class, a function, …"""

    names: tuple[str, ...]
    """Names that the scope adds to the path: its own; for a Go method, the receiver's type and its own."""
    node: Node
    """The definition itself, without decorators; larger scopes are cut into its members."""
    head: Node
    """Node where the signature begins: the definition, or the name that a function is bound to."""
    line: int
    """First line of the definition, decorators included, comments above excluded."""


class Outline:
    """The outline of one parsed file.

    starts: offsets of its lines in characters, followed by its length
    """

    def __init__(self, text: str, starts: list[int], grammar: Grammar) -> None:
        self.text = text
        self.starts = starts
        self.grammar = grammar
        self.data = text.encode()
        if len(self.data) == len(text):
            self.byte_starts = starts
        else:
            lengths = (len(text[start:end].encode()) for start, end in pairwise(starts))
            self.byte_starts = list(accumulate(lengths, initial=0))
        self.tree = parse(grammar, self.data)
        self.root = self.tree.root_node

    def line(self, offset: int) -> int:
        """Returns the line of a byte offset."""
        return bisect_right(self.byte_starts, offset) - 1

    def last_line(self, node: Node) -> int:
        """Returns the line of a node's last character; some comments include the line end."""
        return self.line(max(node.start_byte, node.end_byte - 1))

    def fresh(self, node: Node) -> bool:
        """Whether a node is the first on its line."""
        return not self.data[self.byte_starts[self.line(node.start_byte)] : node.start_byte].strip()

    @cached_property
    def broken(self) -> list[int]:
        """The lines with syntax errors."""
        lines = []
        rest = [self.root] if self.root.has_error else []
        while rest:
            node = rest.pop()
            if node.is_error or node.is_missing:
                lines.append(self.line(node.start_byte))
            else:
                rest.extend(child for child in reversed(node.children) if child.has_error or child.is_missing)
        return lines

    def members(self, node: Node) -> Iterator[tuple[int, Node]]:
        """Yields the nodes below a node that begin a line, each with its first line.

        Comments and decorators right above a node belong to it. Nodes in brackets or indented below a node's first
        line are no members of it: `body` leads there.
        """
        lead: int | None = None
        lead_end = 0
        for child in _spliced(node):
            if not self.fresh(child):
                lead = None
                continue
            line = self.line(child.start_byte)
            if lead is not None and lead_end + 1 < line:
                lead = None
            if child.type in self.grammar.attached:
                if lead is None:
                    lead = line
                    yield line, child
                lead_end = self.last_line(child)
                continue
            if not child.type.endswith(_BODY):
                yield (line if lead is None else lead), child
            lead = None

    def scope(self, node: Node) -> CodeScope | None:
        """Returns the scope that a node is or wraps; None where there is none."""
        grammar = self.grammar
        inner = node
        while inner.type in grammar.wrappers:
            named = [child for child in inner.named_children if self._named(child)]
            if len(named) != 1:  # none, or several, as in Go's `type ( … )`
                return None
            inner = named[0]
        name, body = self._name(inner)
        line = self.line(node.start_byte)
        return CodeScope(name, body, inner, line) if name else None

    def _named(self, node: Node) -> bool:
        return node.type in self.grammar.wrappers or bool(self._name(node)[0])

    def _name(self, node: Node) -> tuple[tuple[str, ...], Node]:
        """Returns a scope's names and the node with its body; no names where the node is no scope."""
        grammar = self.grammar
        if node.type in grammar.bindings:
            value = node.child_by_field_name("value") or node.child_by_field_name("right")
            target = next(filter(None, map(node.child_by_field_name, ("name", "left", "property"))), None)
            if value is None or target is None or value.type not in grammar.anonymous:
                return (), node
            return _names(target), value
        if node.type not in grammar.scopes:
            return (("default",), node) if node.type in grammar.anonymous and _is_default(node) else ((), node)
        name = node.child_by_field_name("name")
        receiver, trait, of = map(node.child_by_field_name, ("receiver", "trait", "type"))
        if name is None:  # Rust's `impl`, with or without a trait
            return (" for ".join(_names(trait) + _names(of)) or "impl",), node
        types = _TYPE_NAME.findall(text_of(receiver).partition("[")[0]) if receiver is not None else []
        return (*types[-1:], *_names(name)), node

    @cached_property
    def scopes(self) -> list[tuple[int, tuple[str, ...], CodeScope]]:
        """All scopes outside of functions, in order: first line with its comments, path, scope."""
        found = []
        rest: list[tuple[Node, tuple[str, ...]]] = [(self.root, ())]
        while rest:
            node, path = rest.pop()
            for line, member in self.members(node):
                scope = self.scope(member)
                if scope is None:
                    continue
                names = (*path, *scope.names)
                found.append((line, names, scope))
                body = self.body(scope.node)
                if body is not None and scope.node.type in self.grammar.nests:
                    rest.append((body, names))
        return sorted(found, key=lambda entry: entry[0])

    def body(self, node: Node) -> Node | None:
        """Returns the node that holds a scope's members."""
        bodies = [child for child in node.named_children if child.type.endswith(("block", "body"))]
        return node.child_by_field_name("body") or next(iter(bodies), None)

    def signature(self, scope: CodeScope) -> str:
        """Returns a scope's signature on one line, up to its body."""
        start, end = self._signature(scope)
        return _short(self.data[start:end].decode())

    def signed(self, scope: CodeScope) -> tuple[int, int]:
        """Returns the range of characters of a scope's signature, without the spaces around it."""
        start, end = self._signature(scope)
        text, line = self.data[start:end].decode(), self.line(start)
        above = self.starts[line] + len(self.data[self.byte_starts[line] : start].decode())
        first = above + len(text) - len(text.lstrip())
        return first, first + len(text.strip())

    def _signature(self, scope: CodeScope) -> tuple[int, int]:
        """Returns the bytes of a scope's signature, up to its body."""
        body = self.body(scope.node)
        end = body.start_byte if body is not None else scope.node.end_byte
        start = self.byte_starts[self.line(scope.head.start_byte)] if self.fresh(scope.head) else scope.head.start_byte
        return start, end

    def docs(self, scope: CodeScope) -> str:
        """Returns the first paragraph of a scope's docstring, or of the comment above it."""
        body = scope.node.child_by_field_name("body")
        inside = _docstring(body) if body is not None else ""
        return inside or self._comment_above(scope)

    def _comment_above(self, scope: CodeScope) -> str:
        above = scope.node
        while above.parent is not None and above.parent.type in self.grammar.wrappers | self.grammar.bindings:
            above = above.parent
        lines: list[str] = []
        first = self.line(above.start_byte)
        comment = above.prev_named_sibling
        while comment is not None and comment.type in self.grammar.attached and self.fresh(comment):
            if self.last_line(comment) + 1 < first:
                break
            first = self.line(comment.start_byte)
            if "comment" in comment.type:
                lines.insert(0, text_of(comment).rstrip("\r\n"))
            comment = comment.prev_named_sibling
        return _paragraph(_COMMENT_MARK.sub("", "\n".join(lines)))

    @cached_property
    def summary(self) -> str:
        """The first paragraph of the file's documentation: the docstring or the first comment that is no licence."""
        docs = _docstring(self.root)
        if docs:
            return docs
        scoped = {line for line, _, _ in self.scopes}
        runs: list[list[str]] = []
        end = -2
        for child in self.root.named_children:
            if "comment" not in child.type:
                if child.type in self.grammar.scopes or len(runs) > 2:
                    break
                continue
            line = self.line(child.start_byte)
            if line > end + 1 or not runs:
                if line in scoped:
                    break
                runs.append([])
            runs[-1].append(text_of(child).rstrip("\r\n"))
            end = self.last_line(child)
        texts = (_COMMENT_MARK.sub("", "\n".join(run)) for run in runs)
        return next((_paragraph(text) for text in texts if text.strip() and not _LICENSE.search(text)), "")

    @cached_property
    def imports(self) -> list[tuple[int, int, Import]]:
        """The imports outside of scopes, each with the first and the last line of its statement."""
        found = []
        rest = list(reversed(self.root.named_children))
        while rest:
            node = rest.pop()
            first, last = self.line(node.start_byte), self.last_line(node)
            bound = [(first, last, each) for each in self.grammar.imports(node)]
            found.extend(bound)
            if not bound and node.type in ("if_statement", "try_statement", "block", "else_clause", "except_clause"):
                rest.extend(reversed(node.named_children))
        return found

    @cached_property
    def uses(self) -> list[tuple[int, str]]:
        """The uses of imported names in order: line and name. Words in comments and strings do not count."""
        names = sorted({name for _, _, each in self.imports for name in each.names})
        if not names:
            return []
        inside = {line for first, last, _ in self.imports for line in range(first, last + 1)}
        # A whole word that is no member of something else; after spread dots (`...name`) it is a word by itself.
        word = rb"(?<![\w$\x80-\xff])(?<![^.]\.)(?:%s)(?![\w$\x80-\xff])"
        found = []
        for match in re.finditer(word % b"|".join(re.escape(name.encode()) for name in names), self.data):
            line = self.line(match.start())
            if line in inside:
                continue
            node = self.root.descendant_for_byte_range(match.start(), match.end())
            if node is not None and node.type.endswith("identifier") and node.type not in _MEMBER_OF_A_NAME:
                found.append((line, match[0].decode()))
        return found


@lru_cache(maxsize=1)  # a file that was cut at its scopes is asked for their signatures next
def outline_of(text: str, extension: str) -> Outline:
    """Returns the outline of a source file. Raises ConfigError where the grammar is not installed, EndlessError where
    the file takes too long to parse.

    extension: of its name, one of `BY_EXTENSION`
    """
    return Outline(text, line_starts(text), BY_EXTENSION[extension])


def _spliced(node: Node) -> Iterator[Node]:
    """Yields the named nodes below a node; those that Java's grammar nests below an enum's constants, on the same
    level."""
    for child in node.named_children:
        if child.type == "enum_body_declarations":
            yield from child.named_children
        else:
            yield child


def _names(node: Node | None) -> tuple[str, ...]:
    """Returns a name on one line, without the quotes of a module's name; empty where there is none."""
    name = " ".join(text_of(node).split()).strip("\"'") if node is not None else ""
    return (name,) if name else ()


def _is_default(node: Node) -> bool:
    """Whether a node is the unnamed value of `export default`."""
    parent = node.parent
    return parent is not None and parent.type == "export_statement"


def _docstring(body: Node) -> str:
    """Returns the first paragraph of a Python body's docstring."""
    first = next((child for child in body.named_children if child.type != "comment"), None)
    if first is None or first.type != "expression_statement" or not first.named_children:
        return ""
    string = first.named_children[0]
    return _paragraph(_QUOTES.sub("", text_of(string))) if string.type == "string" else ""


def _paragraph(text: str) -> str:
    """Returns the first paragraph of a text, on one line."""
    return _short(re.split(r"\n[ \t\r]*\n", text.strip().replace("\r\n", "\n"))[0])


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST_SIGNATURE else words[: _LONGEST_SIGNATURE - 1].rstrip() + "…"
