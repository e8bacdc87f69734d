"""Names the sources of a context: the lines above its passages, and where each stands. Pure functions;
`infograph/web/sources.js` has the same.

    [1] Caching › Clear the cache            the number, by which an answer cites; by `titles` and `urls` headings
    https://example.org/docs/caching/#clear  by `urls` its address; the document's path without one

    How a cache is cleared …

Headings and addresses take room from passages: over seven sets of questions (`benchmarks/retrieve_cover.py`), headings
take .014 of the share of the answer that 500 tokens hold, with addresses .020; .008 and .021 of 1,000, .003 and .005 of
2,000. Citations have both at no token. So a number stands alone unless told.

What a client adds must not exceed a budget either: tokens of these lines are counted by `token_estimate.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from infograph.client.budget import ShownChunk, in_order
from infograph.client.options import SOURCES
from infograph.client.token_estimate import line_tokens
from infograph.client.types import Citation, Passage
from infograph.search.format.results import Hit

NUMBERS, TITLES, URLS = SOURCES
STEP = " › "
ON_TO = " … "

_UNSEEN = re.compile("[\x00-\x20\x7f-\xa0\u1680\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+")
"""White space, and characters that end a line, turn its direction or cannot be seen."""


def trail(path: Sequence[str], title: str, page_title: str = "") -> str:
    """Returns the trail of a chunk: page title, headings above its first line, its own title; none twice in a row.

    A chunk that begins with the end of one section has the next one's title, which stands anywhere but in the first.
    """
    steps: list[str] = []
    for step in filter(None, (page_title, *path)):
        if not steps or steps[-1] != step:
            steps.append(step)
    begins = STEP.join(steps)
    if not title or steps[-1:] == [title]:
        return begins
    return (ON_TO if any(path) else STEP).join(filter(None, (begins, title)))


def head(number: int, hit: Hit, sources: str) -> str:
    """Returns the lines above a passage, without an end of line at their end.

    hit:     its first chunk
    sources: `numbers`, `titles` or `urls`: what they say beside the number

    Whatever a site's headings hold, they stay on their line: no title can look like another source.
    """
    lines = [f"[{number}]"]
    if sources != NUMBERS:
        lines[0] += f" {_on_one_line(trail(hit.section_path, hit.title, hit.page_title))}"
    if sources == URLS:
        lines.append(_on_one_line(hit.url or hit.page))
    return "\n".join(line.rstrip(" ") for line in lines)


def head_tokens(hit: Hit, sources: str) -> int:
    """Returns the tokens of the lines above a passage, whatever its number."""
    return line_tokens(head(1, hit, sources))


def sources_tokens(pieces: Iterable[ShownChunk], sources: str) -> int:
    """Returns the tokens of the lines above all passages that chunks give."""
    return sum(head_tokens(run[0].hit, sources) for run in in_order(pieces))


def prompt_text(passages: Sequence[Passage], sources: str) -> str:
    """Returns passages as one text, each below its head."""
    parts = []
    for number, passage in enumerate(passages, 1):
        own = passage.text.strip("\r\n").rstrip(" \t\r\n")
        parts.append(f"{head(number, passage.hits[0], sources)}\n\n{own}")
    return "\n\n".join(parts)


def citations(passages: Sequence[Passage], lines_of: Callable[[Hit], tuple[int, int]]) -> tuple[Citation, ...]:
    """Returns where each passage stands.

    lines_of: first and last line of a chunk
    """
    found = []
    for number, passage in enumerate(passages, 1):
        first, last = passage.hits[0], passage.hits[-1]
        own = Citation(
            number=number,
            page=first.page,
            title=first.title,
            page_title=first.page_title,
            section_path=first.section_path,
            url=first.url,
            href=first.href,
            chunks=tuple(hit.href.rpartition("/")[2] for hit in passage.hits),
            lines=(lines_of(first)[0], lines_of(last)[1]),
            tokens=passage.tokens,
        )
        found.append(own)
    return tuple(found)


def _on_one_line(text: str) -> str:
    return _UNSEEN.sub(" ", text).strip(" ")
