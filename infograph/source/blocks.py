"""A document's body as blocks that tile its lines."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from infograph.errors import DocumentError
from infograph.model import Block, Document, Notice
from infograph.source.headings import heading_text
from infograph.source.limits import Limits
from infograph.source.parser import CLOSES, OPENS, Mark, Parser, TooManyBlocks

_LINE_END = re.compile(r"\r\n?")
"""With `\n`, the line ends of CommonMark. `str.splitlines` knows seven more."""

_PARENTS = frozenset({"table", "list", "item", "quote"})

_DEFAULT = Limits()


def parse_blocks(document: Document, limits: Limits = _DEFAULT) -> tuple[tuple[Block, ...], tuple[Notice, ...]]:
    """The top-level blocks of the body, which tile its lines, and a notice where nesting hides some structure.

    Children tile their parent in the same way; a table's first row holds its header and delimiter lines. Lines that
    the parser makes no block of (link reference definitions) are an `other` block. Raises DocumentError when there
    are more blocks than `limits.blocks`.
    """
    text = document.body
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    try:
        marks, too_deep = _parser(limits).parse(text)
    except TooManyBlocks:
        reason = f"more than {limits.blocks} Markdown blocks"
        raise DocumentError(document.path, reason, "Raise `limits.blocks`, split the file or exclude it") from None
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    blocks = _blocks(marks, lines)
    if not too_deep:
        return blocks, ()
    line = document.prefix.count("\n") + too_deep[0] + 1
    message = f"lists or quotes nested too deep to be taken apart, first in line {line}; their text is kept whole"
    return blocks, (Notice(document.path, "nesting", message, len(too_deep)),)


@lru_cache(maxsize=4)
def _parser(limits: Limits) -> Parser:
    """Setting up the rules costs more than parsing a short page."""
    return Parser(limits)


def _blocks(marks: list[Mark], lines: list[str]) -> tuple[Block, ...]:
    """Marks as blocks. From the last to the first, because a block ends where the next one begins."""
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
    """Append a block for lines from `start` to `end` that are not blank, if any; where the block before it ends."""
    for line in range(start, end):
        if lines[line].strip(" \t"):
            blocks.append(Block("other", line, end))
            return line
    return end


def _begun(block: Block, start: int) -> Block:
    """The block with its start, and that of its first descendants, put at `start`."""
    if block.start == start:
        return block
    children = block.children and (_begun(block.children[0], start), *block.children[1:])
    return replace(block, start=start, children=children)


def _shortened(block: Block, end: int) -> Block:
    """The block with its end, and that of its last descendants, put earlier."""
    children = block.children and (*block.children[:-1], _shortened(block.children[-1], end))
    return replace(block, end=end, children=children)
