"""Parses a document's body into blocks that tile its lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from infograph.errors import DocumentError, Notice
from infograph.model import Block, Document
from infograph.source.breaks import break_after, leading_blank, line_count
from infograph.source.limits import SourceLimits
from infograph.source.parser import CLOSES, OPENS, Mark, Parser, TooManyBlocks
from infograph.source.simple import simple_block
from infograph.text.inline import heading_text
from infograph.text.lines import unified

_PARENTS = frozenset({"table", "list", "item", "quote"})

_DEFAULT = SourceLimits()

_REMEMBERED = 256
"""Number of parsed passages kept in memory: the versions of a page, read one after another, share most passages."""
_LONGEST_REMEMBERED = 8_192
"""Characters of the longest passage that is kept in memory."""


def parse_blocks(document: Document, limits: SourceLimits = _DEFAULT) -> tuple[tuple[Block, ...], tuple[Notice, ...]]:
    """Returns the top-level blocks of the body, which tile its lines, and a notice where nesting hides some structure.

    Children tile their parent in the same way; a table's first row holds its header and delimiter lines. Lines that
    the parser makes no block of (link reference definitions) are an `other` block. Raises DocumentError when there
    are more blocks than `limits.blocks`.
    """
    try:
        parsed = parse_text(unified(document.body), limits)
    except TooManyBlocks:
        reason = f"more than {limits.blocks} Markdown blocks"
        raise DocumentError(document.path, reason, "Raise `limits.blocks`, split the file or exclude it") from None
    if not parsed.too_deep:
        return parsed.blocks, ()
    line = document.first_line + parsed.too_deep[0]
    message = f"lists or quotes nested too deep to be taken apart, first in line {line}; their text is kept whole"
    return parsed.blocks, (Notice(document.path, "nesting", message, len(parsed.too_deep)),)


@dataclass(frozen=True, slots=True)
class ParsedText:
    """The blocks of a text. Lines count from its beginning."""

    blocks: tuple[Block, ...]
    too_deep: tuple[int, ...]
    """First lines of containers that were not taken apart."""
    count: int
    """Number of blocks, nested ones included."""
    unclosed: bool = False
    """Whether the last block is a fence or HTML that the end of the text cuts off."""


def parse_text(text: str, limits: SourceLimits) -> ParsedText:
    """Parses a body passage by passage, with the result of `parse_whole` in a fraction of the time.

    Raises TooManyBlocks.
    """
    blocks: list[Block] = []
    too_deep: list[int] = []
    at = leading_blank(text)
    line = line_count(text, 0, at)
    left = limits.blocks
    while at < len(text):
        simple = simple_block(text, at, line)
        if simple is not None:
            block, at, count = simple
            line = block.end
            left -= count
            if block.kind == "other":
                _append(blocks, (block,))
            else:
                blocks.append(block)
        else:
            end, parsed = _passage(text, at, limits)
            _append(blocks, _moved(parsed.blocks, line))
            too_deep += (line + deep for deep in parsed.too_deep)
            line += line_count(text, at, end)
            left -= parsed.count
            at = end
        if left < 0:
            raise TooManyBlocks
    if blocks:
        blocks[0] = _begun(blocks[0], 0)
    elif line:
        blocks.append(Block("other", 0, line))
    return ParsedText(tuple(blocks), tuple(too_deep), limits.blocks - left)


def _passage(text: str, start: int, limits: SourceLimits) -> tuple[int, ParsedText]:
    """Parses the passage that begins at `start`; returns the offset of its end and its blocks."""
    end = break_after(text, start)
    parsed = _parse(text[start:end], limits)
    while parsed.unclosed and end < len(text):
        end = break_after(text, 2 * end - start)  # twice as long: a fence that is never closed is parsed a few times
        parsed = _parse(text[start:end], limits)
    return end, parsed


def _append(blocks: list[Block], more: Iterable[Block]) -> None:
    """Adds the blocks of the next passage. Definitions that continue in it stay one block."""
    for block in more:
        if block.kind == "other" and blocks and blocks[-1].kind == "other":
            blocks[-1] = blocks[-1]._replace(end=block.end)
        else:
            blocks.append(block)


def _moved(blocks: tuple[Block, ...], lines: int) -> tuple[Block, ...]:
    """The blocks, moved down by a number of lines."""
    return tuple(
        Block(b.kind, b.start + lines, b.end + lines, b.level, b.text, b.children and _moved(b.children, lines))
        for b in blocks
    )


def parse_whole(text: str, limits: SourceLimits) -> ParsedText:
    """Parses a text in one go. Raises TooManyBlocks."""
    marks, too_deep = _parser(limits).parse(text)
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    last = marks[-1] if marks and marks[-1].type in ("fence", "html_block") else None
    return ParsedText(
        blocks=_blocks(marks, lines),
        too_deep=tuple(too_deep),
        count=len([mark for mark in marks if mark.type in OPENS]),
        unclosed=last is not None and last.map is not None and last.map[1] == len(lines),
    )


_parse_and_remember = lru_cache(_REMEMBERED)(parse_whole)


def _parse(text: str, limits: SourceLimits) -> ParsedText:
    return (parse_whole if len(text) > _LONGEST_REMEMBERED else _parse_and_remember)(text, limits)


@lru_cache(maxsize=4)
def _parser(limits: SourceLimits) -> Parser:
    """The parser for some limits, kept because setting up the rules costs more than parsing a short page."""
    return Parser(limits)


def _blocks(marks: list[Mark], lines: list[str]) -> tuple[Block, ...]:
    """Turns marks into blocks, from the last to the first, because a block ends where the next one begins."""
    end = len(lines)
    blocks: list[Block] = []
    outer: list[tuple[list[Block], int]] = []
    content = ""
    for mark in reversed(marks):
        if mark.type in CLOSES:
            outer.append((blocks, end))
            blocks = []
            continue
        if mark.type == "inline":
            content = mark.content
            continue
        assert mark.map is not None
        start, own_end = mark.map
        kind = OPENS[mark.type]
        if kind in _PARENTS:
            children = blocks
            blocks, end = outer.pop()
            if children and children[-1].start != start:
                children.append(Block("other", start, children[-1].start))
            children.reverse()
        else:
            children = []
        if not outer and (text_end := _other(lines, own_end, end, blocks)) != end:
            end = text_end
            if children:
                children[-1] = _shortened(children[-1], end)
        if kind == "heading":
            blocks.append(Block(kind, start, end, int(mark.tag[1]), heading_text(content)))
        elif kind == "fence":
            blocks.append(Block(kind, start, end, 0, mark.info.strip()))
        else:
            blocks.append(Block(kind, start, end, 0, "", tuple(children)))
        end = start
    _other(lines, 0, end, blocks)
    if blocks:
        blocks[-1] = _begun(blocks[-1], 0)
    elif lines:
        blocks.append(Block("other", 0, len(lines)))
    blocks.reverse()
    return tuple(blocks)


def _other(lines: list[str], start: int, end: int, blocks: list[Block]) -> int:
    """Adds a block for the lines from `start` to `end` unless all are blank; returns where the block before it ends."""
    for line in range(start, end):
        if lines[line].strip(" \t"):
            blocks.append(Block("other", line, end))
            return line
    return end


def _begun(block: Block, start: int) -> Block:
    """The block with its own start, and that of its first descendants, moved to `start`."""
    if block.start == start:
        return block
    children = block.children and (_begun(block.children[0], start), *block.children[1:])
    return block._replace(start=start, children=children)


def _shortened(block: Block, end: int) -> Block:
    """The block with its own end, and that of its last descendants, moved up to `end`."""
    children = block.children and (*block.children[:-1], _shortened(block.children[-1], end))
    return block._replace(end=end, children=children)
