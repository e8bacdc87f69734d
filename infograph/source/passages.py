"""A body taken apart into passages: stretches of whole lines that are, alone, the blocks they are in the whole.

Most of a page is headings, paragraphs and fences at the margin, and one regular expression tells where these begin
and end, at ten times the speed of the parser. Everything else (lists, quotes, tables, HTML, indented code, link
reference definitions) is the parser's, up to a blank line with a line below it that ends every list and quote: one
at the margin that is no list item. Only a fence or an HTML block at the top level goes on across such a line. The
parser finds no end of it, and is given a longer passage.

All text here has `\\n` as its only line end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from infograph.model import Block
from infograph.source.headings import heading_text

_BLANK = r"(?:[ \t]*+\n)*+(?:[ \t]++\Z)?+"
"""Blank lines: they belong to the block before them."""

_PLAIN = r"""(?:
    [^#`~>*+\-_0-9\[<=|: \t\n]
  | \#++[^ \t\n] | `{1,2}+[^`\n] | ~{1,2}+[^~\n]
  | [*]++[^ \t\n] | [+][^ \t\n] | _++[^ \t\n] | [0-9]++[^.)\n]
  | [-:]++[^|: \t\n-]
)"""
"""What a line begins with that can only be text of a paragraph, whatever stands above and below it: no marker of
another block, no underline of a heading, no delimiter row of a table."""

_SIMPLE = re.compile(
    rf"""
    (?P<hashes>\#{{1,6}}) (?P<title>[ \t][^\n]*+)?+ (?:\n|\Z) {_BLANK}
  | (?P<fence>`{{3,}}+(?=[^`\n]*+(?:\n|\Z)) | ~{{3,}}+) (?P<info>[^\n]*+)
  | (?P<text> (?:{_PLAIN}|\[) [^\n]*+ (?:\n (?:{_PLAIN}|\[) [^\n]*+)*+
              (?= \Z | \n[ \t]*+(?:\n|\Z) | \n\#{{1,6}}+(?:[ \t\n]|\Z) | \n(?:~~~|`{{3,}}+[^`\n]*+(?:\n|\Z)) ) )
    (?:\n|\Z) {_BLANK}
    """,
    re.VERBOSE,
)
"""A heading, a fence's first line, or a paragraph with a blank line, a heading or a fence below it."""

_BREAK = re.compile(r"\n(?:[ \t]*+\n)++(?=[^ \t\n*+0-9-]|[*+-][^ \t\n]|[0-9]++[^.)\n])")
"""Up to a line that is neither indented nor a list item."""

_LEADING = re.compile(_BLANK)


def leading_blank(text: str) -> int:
    """Offset of the first line that is not blank."""
    match = _LEADING.match(text)
    assert match is not None  # it matches nothing, too
    return match.end()


def simple_block(text: str, start: int, line: int) -> tuple[Block, int] | None:
    """The heading, paragraph or fence at `start`, and where it ends, blank lines included; None for all else.

    start: offset where a line begins that is not blank, outside of every block
    line:  the number of that line, for the block
    """
    match = _SIMPLE.match(text, start)
    if match is None:
        return None
    hashes, title, fence, info, paragraph = match.groups()
    end = match.end()
    if fence is not None:
        closing = _closing(fence[0], len(fence))(text, end)
        end = closing.end() if closing else len(text)
        return Block("fence", line, line + line_count(text, start, end), 0, info.strip()), end
    after = line + line_count(text, start, end)
    if hashes is not None:
        return Block("heading", line, after, len(hashes), heading_text(_without_closing(title or ""))), end
    if paragraph[0] == "[" and "]:" in paragraph:  # perhaps the definition of a reference
        return None
    return Block("paragraph", line, after), end


def line_count(text: str, start: int, end: int) -> int:
    """Lines of a span that begins where a line begins and ends where one ends."""
    return text.count("\n", start, end) + (end > start and text[end - 1] != "\n")


def break_after(text: str, offset: int) -> int:
    """Where, below `offset`, everything has ended but a fence or an HTML block."""
    match = _BREAK.search(text, offset)
    return match.end() if match else len(text)


@lru_cache(maxsize=64)
def _closing(marker: str, length: int) -> Callable[[str, int], re.Match[str] | None]:
    """Finds a fence's last line, from its first line's end."""
    return re.compile(rf"\n {{0,3}}{marker}{{{length},}}[ \t]*+(?:\n|\Z){_BLANK}").search


def _without_closing(title: str) -> str:
    """A heading's text without the hashes that may close it."""
    title = title.rstrip(" \t")
    shorter = title.rstrip("#")
    return (shorter if shorter.endswith((" ", "\t")) else title).strip()
