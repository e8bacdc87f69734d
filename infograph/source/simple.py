"""Finds simple blocks with a few regular expressions, at many times the speed of the parser.

A block is simple when it begins at the margin and its own lines, with the first line below it, show where it ends.
Lists and quotes are simple when each of their lines carries its own indentation or marker, and no tab: what remains
without these is a text of its own (CommonMark 0.31, sections 5.1 and 5.2), taken apart in the same way.

One rule a kind, chosen by the block's first character. A rule says None for what is not simple, and the caller asks
the parser: a rule may be as narrow as it likes, but never wrong. The tests compare both.

A repeated group is possessive only around single characters: of others, early releases of Python 3.11 match some
wrongly. What is in it can be read in one way, and nothing goes on where a line less was taken: that keeps time linear.

All text here has `\\n` as its only line end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

from markdown_it.rules_block.html_block import HTML_SEQUENCES

from infograph.model import Block
from infograph.text.inline import heading_text

Simple = tuple[Block, int, int]
"""A simple block, the offset of its end after its blank lines, and its number of blocks as the parser counts them:
with nested ones, without definitions of references."""


def simple_block(text: str, start: int, line: int, depth: int = 0) -> Simple | None:
    """Returns the block at `start`, or None where the parser must decide.

    start: offset where a line begins that is not blank, outside of every block of `text`
    line:  the number of that line, for the block
    depth: how many lists and quotes the text was taken out of
    """
    return _BY_FIRST.get(text[start], _paragraph)(text, start, line, depth)


_DEEPEST = 6
"""Limit on nested lists and quotes, since the text is copied for each."""

_MOST_CELLS = 65_000
"""Limit on the cells of a table. The parser fills in missing cells up to a bound, and ends the table there."""

_LONGEST_TAG = 200
"""Length limit in characters of a line of HTML that is kept in the cache."""

BLANK = r"(?:[ \t]*+\n)*+(?:[ \t]++\Z)?+"
"""Matches blank lines, which belong to the block before them."""
_END = r"(?:\n|\Z)"
_BLANK_LINE = rf"(?:\Z|[ \t]*+{_END})"
_FENCE = rf"(?:~~~|`{{3,}}+[^`\n]*+{_END})"
_INTERRUPTS = rf"[ ]{{0,3}}+(?:\#{{1,6}}+(?:[ \t\n]|\Z)|{_FENCE}|>|[*+-][ ]++[^ \t\n])"
"""Matches the start of a line that ends a paragraph, and with it deeper indented and quoted text."""

_PLAIN = r"""(?:
    [^#`~>*+\-_0-9\[<=|: \t\n]
  | \#++[^ \t\n] | `{1,2}+[^`\n] | ~{1,2}+[^~\n]
  | [*]++[^ \t\n] | [+][^ \t\n] | _++[^ \t\n] | [0-9]++(?:[^.)\n] | [.)][^ \t\n])
  | [-:]++[^|: \t\n-]
)"""
"""Matches the start of a line that can only be text of a paragraph, whatever stands above and below it: no marker of
another block, no underline of a heading, no delimiter row of a table."""
_INLINE = r"(?: < (?: /?(?:a|abbr|b|br|code|em|i|img|kbd|mark|s|small|span|strong|sub|sup|u|var)\b | https?:))"
"""Matches tags that end no paragraph, though they may begin an HTML block elsewhere."""

_PARAGRAPH = re.compile(
    rf"""[ ]{{0,3}}+(?:{_PLAIN}|\[)[^\n]*+ (?:\n[ \t]*+(?:{_PLAIN}|\[|{_INLINE})[^\n]*+)*
    (?=\Z | \n(?:{_BLANK_LINE} | {_INTERRUPTS} | 1[.)][ ]++[^ \t\n])) {_END} {BLANK}""",
    re.VERBOSE,
)
_HEADING = re.compile(rf"[ ]{{0,3}}+(\#{{1,6}}+)([ \t][^\n]*+)?{_END}{BLANK}")
_OPENER = re.compile(rf"[ ]{{0,3}}+(`{{3,}}+(?=[^`\n]*+{_END})|~{{3,}}+)([^\n]*+)")
_RULE = re.compile(rf"[ ]{{0,3}}+(?:(?:[*][ \t]*+){{3,}}+|(?:-[ \t]*+){{3,}}+|(?:_[ \t]*+){{3,}}+){_END}{BLANK}")
_TABLE = re.compile(
    rf"""(\|[^\\\n]*\|)[ ]*+\n (\|(?:[ ]*+:?+-++:?+[ ]*+\|)+)[ ]*+{_END} ((?:\|[^\n]*+{_END})*)
    (?={_BLANK_LINE}|{_INTERRUPTS}) {BLANK}""",
    re.VERBOSE,
)
_DEFINITIONS = re.compile(
    rf"""(?:\[(?=[ ]*+[!-Z^-~])[^\[\]\\\n]{{1,900}}+\]:[ ]++(?!(?i:javascript|vbscript|file|data):)
    (?:[\w\#./?=%+,;:@!~*'$-]++|\([\w.-]*+\))+[ ]*+{_END})+ (?={_BLANK_LINE}) {BLANK}""",
    re.VERBOSE | re.ASCII,
)
_BLANK_BELOW = re.compile(rf"\n[ \t]*+{_END}")
_QUOTE = re.compile(rf">[ ]?+[^ \t\n][^\n]*+{_END}(?:>[^\n]*+{_END})*(?![ ]{{0,3}}+>)(?={_BLANK_LINE}|{_INTERRUPTS})")
_QUOTE_MARKER = re.compile("^> ?", re.MULTILINE)
_ITEM = re.compile(
    rf"""([ ]{{0,3}}+) (?!(?:[*][ \t]*+){{3,}}+{_END}|(?:-[ \t]*+){{3,}}+{_END})
    (?:([*+-])|[0-9]{{1,9}}+([.)]))[ ]{{1,4}}+(?=[^ \t\n])""",
    re.VERBOSE,
)
"""Matches the marker of a list item that is no rule and does not begin with indented code."""
_PERHAPS_ITEM = re.compile(r"(?:([*+-])|[0-9]{1,9}+([.)]))(?:[ \t\n]|\Z)")
_INDENTATION = re.compile("[ ]{1,3}+(?=([^ \t>|]))")

_TAKE_BLANK = re.compile(BLANK).match
_STARTS_INTERRUPT = re.compile(_INTERRUPTS).match


def _paragraph(text: str, start: int, line: int, depth: int) -> Simple | None:
    match = _PARAGRAPH.match(text, start)
    if match is None:
        return None
    end = match.end()
    return Block("paragraph", line, _line_at(text, start, end, line)), end, 1


def _heading(text: str, start: int, line: int, depth: int) -> Simple | None:
    match = _HEADING.match(text, start)
    if match is None:
        return _paragraph(text, start, line, depth)
    hashes, title = match.groups()
    end = match.end()
    words = heading_text(_without_closing(title)) if title else ""
    return Block("heading", line, _line_at(text, start, end, line), len(hashes), words), end, 1


def _fence(text: str, start: int, line: int, depth: int) -> Simple | None:
    match = _OPENER.match(text, start)
    if match is None:
        return _paragraph(text, start, line, depth)
    marker, info = match.groups()
    end = _fence_end(text, match.end(), marker)
    return Block("fence", line, _line_at(text, start, end, line), 0, info.strip()), end, 1


def _fence_end(text: str, at: int, marker: str) -> int:
    """Returns where a fence ends whose first line ends at `at`. It reads only lines with the marker."""
    closing = _closing(marker[0], len(marker))
    while (found := text.find(marker, at)) >= 0:
        match = closing(text, text.rfind("\n", at, found))
        if match is not None:
            return match.end()
        at = text.find("\n", found)
        if at < 0:
            break
    return len(text)


def _list_or_rule(text: str, start: int, line: int, depth: int) -> Simple | None:
    item = _ITEM.match(text, start)
    if item is not None:
        return _list(text, start, line, depth, item)
    match = _RULE.match(text, start)
    if match is None:
        return _paragraph(text, start, line, depth)
    return Block("rule", line, _line_at(text, start, match.end(), line)), match.end(), 1


def _list(text: str, start: int, line: int, depth: int, first: re.Match[str]) -> Simple | None:
    """Reads a list item by item. Bullets with one plain line each, the most frequent kind, are read at once."""
    kind = first.groups()
    plain_items = _plain_items(first[1], first[2]) if first[2] else None
    items: list[Block] = []
    count, at, after = 1, start, line
    item: re.Match[str] | None = first
    while item is not None and item.groups() == kind:
        if plain_items is not None and (run := plain_items(text, at)).end() > at:
            before, after = after, _line_at(text, at, run.end(), after)
            begins = [*range(before, before + text.count("\n", at, run.end(1)) + (run[2] is not None)), after]
            items += [Block("item", n, m, 0, "", (Block("paragraph", n, m),)) for n, m in pairwise(begins)]
            count += 2 * (len(begins) - 1)
            at = run.end()
        else:
            begin, width = item.end(), item.end() - at
            plain = _plain_content(width)(text, begin)
            end = plain.end() if plain else _indented(width)(text, begin).end()
            before, after = after, _line_at(text, begin, end, after)
            if plain and (text[begin] != "[" or "]:" not in plain[0]):
                blocks: tuple[Block, ...] = (Block("paragraph", before, after),)
                own_count = 1
            else:
                inner = _inside(text[begin:end].replace("\n" + " " * width, "\n"), before, after, depth)
                if inner is None:
                    return None
                blocks, own_count = inner
            items.append(Block("item", before, after, 0, "", blocks))
            count += 1 + own_count
            at = end
        item = _ITEM.match(text, at)
    if at < len(text) and not _ends_list(text, at, kind[1] or kind[2]):
        return None
    return Block("list", line, after, 0, "", tuple(items)), at, count


def _ends_list(text: str, at: int, marker: str) -> bool:
    """Whether a line below an item ends the list, given that it is no item of the list that `_ITEM` matches."""
    if text[at] in " \t":
        return False
    above = text.rfind("\n", 0, at - 1) + 1
    if not text[above:at].strip(" \t\n"):
        item = _PERHAPS_ITEM.match(text, at)
        return item is None or marker != (item[1] or item[2])
    return text[at] != marker and _STARTS_INTERRUPT(text, at) is not None


def _quote(text: str, start: int, line: int, depth: int) -> Simple | None:
    match = _QUOTE.match(text, start)
    if match is None:
        return None
    blank = _TAKE_BLANK(text, match.end())
    assert blank is not None  # it matches nothing, too
    after = _line_at(text, start, blank.end(), line)
    inner = _inside(_QUOTE_MARKER.sub("", match[0]) + blank[0], line, after, depth)
    if inner is None:
        return None
    blocks, count = inner
    return Block("quote", line, after, 0, "", blocks), blank.end(), 1 + count


def _inside(text: str, line: int, after: int, depth: int) -> tuple[tuple[Block, ...], int] | None:
    """Reads the blocks of an item or a quote and counts them; None where one of them is not simple.

    line, after: its lines in the whole text
    """
    if "\t" in text or depth == _DEEPEST:
        return None
    blocks = []
    at = count = 0
    while at < len(text):
        found = simple_block(text, at, line, depth + 1)
        if found is None:
            return None
        block, at, own_count = found
        blocks.append(block)
        line = block.end
        count += own_count
    if line != after:  # nothing but indentation or a marker in a last line without an end
        return None
    return tuple(blocks), count


def _table(text: str, start: int, line: int, depth: int) -> Simple | None:
    match = _TABLE.match(text, start)
    if match is None:
        return None
    header, delimiters, body = match.groups()
    columns, rows = delimiters.count("|"), _line_at(body, 0, len(body), 0) if body else 0
    if header.count("|") != columns or columns * rows > _MOST_CELLS:
        return None
    end, after = match.end(), _line_at(text, start, match.end(), line)
    lines = [line, *range(line + 2, line + 2 + rows), after]
    children = tuple(Block("row", first, stop) for first, stop in pairwise(lines))
    return Block("table", line, after, 0, "", children), end, 1 + len(children)


def _html(text: str, start: int, line: int, depth: int) -> Simple | None:
    """Reads an HTML block, whose start and end the library's own patterns define."""
    stop = text.find("\n", start)
    first = text[start : len(text) if stop < 0 else stop]
    closing = (_html_closing if len(first) <= _LONGEST_TAG else _html_closing.__wrapped__)(first)
    if closing is None:
        return None
    if closing.search(""):  # at a blank line
        last = _BLANK_BELOW.search(text, start)
        stop = last.start() if last else -1
    elif depth:  # an item or a quote may cut it off, and releases of the library differ there
        return None
    else:
        last = closing.search(text, start)
        stop = text.find("\n", last.end()) if last else -1
    blank = _TAKE_BLANK(text, len(text) if stop < 0 else stop + 1)
    assert blank is not None  # it matches nothing, too
    return Block("html", line, _line_at(text, start, blank.end(), line)), blank.end(), 1


@lru_cache(maxsize=256)  # a page's components come again and again
def _html_closing(first: str) -> re.Pattern[str] | None:
    """Returns the pattern that ends the HTML block beginning with this line; None where the line begins none."""
    return next((closing for opening, closing, _ in HTML_SEQUENCES if opening.search(first)), None)


def _shifted(text: str, start: int, line: int, depth: int) -> Simple | None:
    """Reads a block that begins with one to three spaces. Four spaces begin code."""
    indentation = _INDENTATION.match(text, start)
    if indentation is None or indentation[1] in "[<":
        return None
    return _BY_FIRST.get(indentation[1], _paragraph)(text, start, line, depth)


def _definitions(text: str, start: int, line: int, depth: int) -> Simple | None:
    """Reads definitions of references, which the parser makes no block of, or a paragraph beginning with a bracket."""
    match = _PARAGRAPH.match(text, start)
    if match is not None and "]:" not in match[0]:
        return Block("paragraph", line, _line_at(text, start, match.end(), line)), match.end(), 1
    match = None if depth else _DEFINITIONS.match(text, start)
    if match is None:
        return None
    return Block("other", line, _line_at(text, start, match.end(), line)), match.end(), 0


_BY_FIRST: dict[str, Callable[[str, int, int, int], Simple | None]] = {
    "#": _heading,
    "`": _fence,
    "~": _fence,
    "*": _list_or_rule,
    "-": _list_or_rule,
    "_": _list_or_rule,
    **dict.fromkeys("+0123456789", _list_or_rule),
    ">": _quote,
    "|": _table,
    "<": _html,
    "[": _definitions,
    " ": _shifted,
}
"""Maps the first character of a block to its rule; any other character begins a paragraph."""


@lru_cache(maxsize=64)
def _closing(marker: str, length: int) -> Callable[[str, int], re.Match[str] | None]:
    """Matches a fence's last line, from the end of the line above."""
    return re.compile(rf"\n {{0,3}}{marker}{{{length},}}[ \t]*+{_END}{BLANK}").match


@lru_cache(maxsize=64)
def _indented(width: int) -> Callable[[str, int], re.Match[str]]:
    """Takes the rest of a line, and the lines below that are blank or indented by `width`."""
    pattern = rf"[^\n]*+(?:\n(?:[ ]{{{width}}}[^\n]*+|[ \t]*+(?=\n|\Z)))*{_END}"
    return re.compile(pattern).match  # type: ignore[return-value]  # it matches anything


@lru_cache(maxsize=64)
def _plain_content(width: int) -> Callable[[str, int], re.Match[str] | None]:
    """Takes the content of an item that is one paragraph, where all its lines are indented by `width`."""
    pattern = rf"""(?:{_PLAIN}|\[)[^\t\n]*+(?:\n[ ]{{{width}}}[ ]*+(?:{_PLAIN}|\[)[^\t\n]*+)*
        (?=\n|\Z){_END}{BLANK}(?![ ]{{{width}}})"""
    return re.compile(pattern, re.VERBOSE).match


@lru_cache(maxsize=32)
def _plain_items(indentation: str, marker: str) -> Callable[[str, int], re.Match[str]]:
    """Takes bullet items of one plain line each: first those with another right below, then one with a blank line."""
    bullet = f"[ ]{{{len(indentation)}}}{re.escape(marker)}[ ]"
    line = rf"{bullet}{_PLAIN}[^\t\n]*+"
    pattern = rf"((?:{line}\n(?={bullet}))*)({line}(?=\n{_BLANK_LINE}|\Z){_END}{BLANK}(?=[^ \t]|\Z))?"
    return re.compile(pattern, re.VERBOSE).match  # type: ignore[return-value]  # it matches nothing, too


def _line_at(text: str, start: int, end: int, line: int) -> int:
    """Returns the number of the line after a span that begins in `line` and ends where a line ends."""
    return line + text.count("\n", start, end) + (text[end - 1] != "\n")


def _without_closing(title: str) -> str:
    """Removes the hashes that may close a heading from its text."""
    title = title.rstrip(" \t")
    shorter = title.rstrip("#")
    return (shorter if shorter.endswith((" ", "\t")) else title).strip()
