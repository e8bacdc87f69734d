"""Cuts source files at the scopes of their syntax tree.

A class or function that fits is one piece, with the comments and decorators above it. A larger class is split into
its members, a function between its statements, a statement between its parts that begin a line, and anything
without parts, or that does not parse, between lines. Neighbours too small to stand alone are joined. The slice is
the file's text. The context that it needs is embedded before it: a line about the file, the imports that it uses,
and the signatures and docs of the scopes around it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise, takewhile
from typing import TYPE_CHECKING, ClassVar

from infograph.chunking.code.grammars import BY_EXTENSION, BY_FENCE, EndlessError, Import
from infograph.chunking.code.listings import cut_listings
from infograph.chunking.code.outline import CodeScope, Outline, outline_of
from infograph.chunking.interface import ChunkPiece, Cutting, DocumentLayout, StrategyTools
from infograph.chunking.pieces.greedy_packing import filled
from infograph.chunking.pieces.units import Unit, units
from infograph.chunking.tokens import TokenCounter
from infograph.errors import ConfigError, DocumentError, Notice, lines_named
from infograph.model import CODE, Block, is_markdown
from infograph.text.lines import line_starts

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_NAMES = 8
"""Most names of scopes that the line about the file lists."""


@dataclass(frozen=True, slots=True)
class CodeScopes:
    """The `code` strategy with its limits in tokens.

    In a Markdown document, blocks are packed into pieces, and fences larger than a piece are cut at scopes.
    """

    minimum: int = 150
    """Size from which a scope stands alone; smaller ones join their neighbours."""
    maximum: int = 750
    """Largest size of a piece."""

    embeds: ClassVar[bool] = False
    extensions: ClassVar[tuple[str, ...]] = CODE

    def __post_init__(self) -> None:
        if not 1 <= self.minimum <= self.maximum:
            raise ConfigError(
                "strategies.code", f"minimum {self.minimum} and maximum {self.maximum} are not in ascending order"
            )

    @property
    def chunk_type(self) -> str:
        return "code"

    @property
    def key(self) -> str:
        return f"code-{self.minimum}-{self.maximum}"

    def __call__(self, layout: DocumentLayout, tools: StrategyTools) -> Cutting:
        path = layout.document.path
        if is_markdown(path) or not layout.body:
            return _listings(layout, self.maximum, tools.counter)
        extension = f".{path.rpartition('.')[2]}".lower()
        grammar = BY_EXTENSION.get(extension)
        if grammar is None:
            reason = f"no language is known for `{extension}`, it is cut between lines; known: {', '.join(CODE)}"
            notice = Notice(path, "language", reason)
            return Cutting(filled(layout, self.maximum, tools.counter), (notice,))
        try:
            outline = outline_of(layout.body, extension)
        except ConfigError as error:
            raise DocumentError(path, error.reason, error.hint) from error.__cause__
        except EndlessError:
            reason = f"cannot be parsed as {grammar.language} in reasonable time, so it is cut between lines"
            return Cutting(filled(layout, self.maximum, tools.counter), (Notice(path, "syntax", reason),))
        parts = _Cutter(layout, outline, self.maximum, tools.counter).parts()
        maker = _PieceMaker(outline)
        groups = _grouped(parts, self.minimum, self.maximum)
        return Cutting([maker.piece(group) for group in groups], _notices(path, outline))


def _listings(layout: DocumentLayout, maximum: int, counter: TokenCounter) -> Cutting:
    """Cuts a Markdown document. A missing grammar is a warning, not an error, since fences can be cut between lines."""
    missing: dict[str, Notice] = {}

    def cuts(text: str, language: str) -> list[int] | None:
        try:
            return code_cuts(text, language)
        except ConfigError as error:
            reason = f"{error.reason}, so its long fences are cut between lines. {error.hint}"
            missing[error.reason] = Notice(layout.document.path, "grammar", reason)
            return None

    return Cutting(cut_listings(layout, counter, maximum, cuts), tuple(missing[name] for name in sorted(missing)))


def code_cuts(text: str, language: str) -> list[int] | None:
    """Returns the offsets in `text` at which scopes begin, with the comments and decorators above them, in
    ascending order.

    Returns None where the language is unknown or the text does not parse; raises ConfigError where its grammar is
    not installed.

    language: first word of a fence's info string
    """
    grammar = BY_FENCE.get(language.lower())
    if grammar is None:
        return None
    starts = line_starts(text)
    try:
        outline = Outline(text, starts, grammar)
    except EndlessError:
        return None
    return None if outline.root.has_error else sorted({starts[line] for line, _, _ in outline.scopes})


def _notices(path: str, outline: Outline) -> tuple[Notice, ...]:
    if not outline.broken:
        return ()
    lines = lines_named(list(dict.fromkeys(line + 1 for line in outline.broken)))
    reason = f"does not parse as {outline.grammar.language}, so it is cut between lines there: {lines}"
    return (Notice(path, "syntax", reason, len(outline.broken)),)


@dataclass(frozen=True, slots=True)
class _Part:
    """A range of lines that becomes a piece or is cut again."""

    start: int
    """Number of the first line in the body."""
    end: int
    """Number of the line after the last one."""
    node: Node | None
    """Node whose members the part is cut into; None where it can only be cut between lines."""
    at: tuple[CodeScope, ...]
    """Scopes around the part's first line, the scope that begins there included."""
    inside: tuple[CodeScope, ...]
    """Scopes around the members of the part's node; the head of a class may share a part with its first method."""
    owner: tuple[CodeScope, ...] = ()
    """Scopes that the part was cut out of."""
    loose: bool = False
    """Whether the part was cut out of a function or a statement, not out of a file or a class."""
    continues: bool = False


@dataclass(frozen=True, slots=True)
class _Fragment:
    """A part that is not cut further."""

    unit: Unit
    part: _Part


class _Cutter:
    def __init__(self, layout: DocumentLayout, outline: Outline, maximum: int, counter: TokenCounter) -> None:
        self.layout = layout
        self.outline = outline
        self.maximum = maximum
        self.counter = counter
        lines = [layout.body[start:end] for start, end in pairwise(layout.starts)]
        self.counts = list(accumulate(counter.count(lines), initial=0))

    def tokens(self, part: _Part) -> int:
        return self.counts[part.end] - self.counts[part.start]

    def parts(self) -> list[_Fragment]:
        """Returns the file in parts that fit. The file itself is always split."""
        root = _Part(0, len(self.layout.starts) - 1, self.outline.root, (), ())
        done: list[_Fragment] = []
        rest = [root]
        while rest:
            part = rest.pop()
            if part is not root and self.tokens(part) <= self.maximum:
                done.append(self.fragment(part))
            elif inner := self.split(part):
                rest.extend(reversed(inner))
            else:
                done.extend(self.lines(part))
        return done

    def fragment(self, part: _Part) -> _Fragment:
        starts = self.layout.starts
        unit = Unit(starts[part.start], starts[part.end], self.tokens(part), continues=part.continues)
        return _Fragment(unit, part)

    def lines(self, part: _Part) -> Iterator[_Fragment]:
        block = Block("other", part.start, part.end)
        for unit in units(self.layout, [(block, self.tokens(part))], self.maximum, self.counter):
            unit.continues |= part.continues
            yield _Fragment(unit, replace(part, loose=True))

    def split(self, part: _Part) -> list[_Part]:
        """Returns the members of the part's node, or of its largest descendant that has members; empty where there
        are none.

        The opening of a body stays with the body's first member, unless that is a scope by itself.
        """
        outline = self.outline
        node, nest = self.opened(part)
        while node is not None and not node.is_error:
            members = {line: child for line, child in outline.members(node) if line < part.end}
            cuts = [line for line in members if line > part.start]
            first = next(iter(members.items()), None)
            if first is not None and cuts[:1] == [first[0]] and not (nest and outline.scope(first[1])):
                del cuts[0]
            if cuts or (node == outline.root and members):
                return self.members(part, members, cuts, loose=not nest)
            nest = False
            node = max(node.named_children, key=lambda child: child.end_byte - child.start_byte, default=None)
        return []

    def opened(self, part: _Part) -> tuple[Node | None, bool]:
        """Returns the node that holds a part's members, and whether it is the body of a file or a class."""
        node = part.node
        if node is None or node == self.outline.root:
            return node, True
        if not part.inside or part.inside[-1].node != node:
            return node, False
        return self.outline.body(node) or node, node.type in self.outline.grammar.nests

    def members(self, part: _Part, members: dict[int, Node], cuts: list[int], loose: bool) -> list[_Part]:
        first = next(iter(members))
        inner = []
        for start, end in pairwise((part.start, *cuts, part.end)):
            node = members.get(start) or (members[first] if first < end else None)
            scope = self.outline.scope(node) if node is not None else None
            inside = (*part.inside, scope) if scope is not None else part.inside
            head = start == part.start and start < first  # the part begins before its first member
            inner.append(
                _Part(
                    start=start,
                    end=end,
                    node=scope.node if scope is not None else node,
                    at=part.at if head else inside,
                    inside=inside,
                    owner=part.inside,
                    loose=loose,
                    continues=part.continues if start == part.start else loose,
                )
            )
        return inner


Group = list[_Fragment]
"""Consecutive fragments that form one piece."""


def _grouped(parts: Iterable[_Fragment], minimum: int, maximum: int) -> list[Group]:
    """Groups fragments into pieces.

    Members of one file or class are joined where one is too small to stand alone, parts of a cut function as long
    as they fit. A remaining fragment below a quarter of the minimum joins the next piece, or else the previous one.
    """

    def siblings(last: Group, group: Group) -> bool:
        one, two = last[-1].part, group[0].part
        loose = one.loose and two.loose
        return one.owner == two.owner and (loose or min(_tokens(last), _tokens(group)) < minimum)

    groups = _merged(([part] for part in parts), maximum, siblings)
    crumb = minimum // 4
    groups = _merged(groups, maximum, lambda last, group: _tokens(last) < crumb)
    return _merged(groups, maximum, lambda last, group: _tokens(group) < crumb)


def _merged(groups: Iterable[Group], maximum: int, join: Callable[[Group, Group], bool]) -> list[Group]:
    """Joins consecutive groups that fit together and for which `join` is true."""
    merged: list[Group] = []
    for group in groups:
        if merged and _tokens(merged[-1]) + _tokens(group) <= maximum and join(merged[-1], group):
            merged[-1] = [*merged[-1], *group]
        else:
            merged.append(group)
    return merged


def _tokens(group: Group) -> int:
    return sum(fragment.unit.tokens for fragment in group)


class _PieceMaker:
    """Makes pieces of groups: their embedded context, their path and their metadata."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.names = [".".join(path) for _, path, _ in outline.scopes]
        self.lines = [line for line, _, _ in outline.scopes]
        self.uses = [line for line, _ in outline.uses]
        tops = list(dict.fromkeys(path[0] for _, path, _ in outline.scopes))
        more = ", …" if len(tops) > _MOST_NAMES else ""
        defines = f"Defines {', '.join(tops[:_MOST_NAMES])}{more}" if tops else ""
        self.summary = outline.summary or defines

    def piece(self, group: list[_Fragment]) -> ChunkPiece:
        first, last = group[0], group[-1]
        units_ = [fragment.unit for fragment in group]
        begin, end = first.part.start, last.part.end
        symbols = self.names[bisect_left(self.lines, begin) : bisect_left(self.lines, end)]
        path = _common([name for scope in fragment.part.at for name in scope.names] for fragment in group)
        return ChunkPiece(
            start=units_[0].start,
            end=units_[-1].end,
            continues=units_[0].continues,
            before=self.before(begin, end, first.part.at, whole=units_[0].start == 0),
            tokens=sum(unit.tokens for unit in units_) if all(unit.whole_lines for unit in units_) else None,
            path=path,
            facts=(
                ("language", self.outline.grammar.language),
                ("symbols", tuple(dict.fromkeys(filter(None, (".".join(path), *symbols))))),
            ),
        )

    def before(self, begin: int, end: int, scopes: tuple[CodeScope, ...], whole: bool) -> str:
        """Returns the context of lines: a line about the file, the imports used, signatures and docs of the scopes
        around."""
        said = [] if whole or not self.summary else [self.summary]
        used = {name for _, name in self.outline.uses[bisect_left(self.uses, begin) : bisect_left(self.uses, end)]}
        said += _import_lines(
            each
            for line, _, each in self.outline.imports
            if not begin <= line < end and not used.isdisjoint(each.names)
        )
        for scope in scopes:
            if scope.line < begin:
                said += filter(None, (self.outline.signature(scope), self.outline.docs(scope)))
        return "".join(f"{line}\n" for line in said)


def _common(paths: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Returns the longest common beginning of all paths."""
    alike = takewhile(lambda names: len(set(names)) == 1, zip(*paths, strict=False))
    return tuple(names[0] for names in alike)


def _import_lines(imports: Iterable[Import]) -> Iterator[str]:
    """Yields statements that import exactly these names."""
    for (head, tail), group in groupby(imports, key=lambda each: (each.head, each.tail)):
        items = list(dict.fromkeys(each.item for each in group))
        if head:
            yield f"{head}{', '.join(items).replace(' }, { ', ', ')}{tail}"
        else:
            yield from items
