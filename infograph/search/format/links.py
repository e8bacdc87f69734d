"""Links between pages: the lists that writer and reader share.

A link shard is a JSON object from a page's slot to two lists of numbers:

    to      of each chunk's links: chunk, slot of the page that it leads to, chunk of that page, kind
    from    of each page that leads to this one: slot, chunk, kind; none where there are more than `MOST_FROM`
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from infograph.search.format.layout import LARGEST_NUMBER

KINDS = ("link", "relation", "title", "identifier")
"""What shows that a page leads to another, by number: a Markdown link, a line in the front matter, the other's title in
its text, an identifier that the other defines."""
MOST_FROM = 8
"""Most pages that are listed as leading to a page."""


@dataclass(frozen=True, slots=True)
class PageLists:
    """The links of one page."""

    to: tuple[tuple[int, int, int, int], ...] = ()
    """Chunk, slot of the page that it leads to, chunk of that page, kind."""
    come: tuple[tuple[int, int, int], ...] = ()
    """Slot and chunk that lead here, kind."""


def find_lists(shard: Any, slot: int) -> PageLists:
    """Returns a page's links in a shard; none where it has none. Raises ValueError for a malformed shard."""
    if not isinstance(shard, Mapping):
        raise ValueError("not an object")
    found = shard.get(str(slot), ((), ()))
    if not isinstance(found, list | tuple) or len(found) != 2:
        raise ValueError(f"{slot}: not two lists")
    to, come = (_rows(numbers, width, slot) for numbers, width in zip(found, (4, 3), strict=True))
    return PageLists(to, come)


def _rows(numbers: Any, width: int, slot: int) -> tuple[Any, ...]:
    whole = isinstance(numbers, list | tuple) and len(numbers) % width == 0
    if not whole or not all(type(number) is int and 0 <= number < LARGEST_NUMBER for number in numbers):
        raise ValueError(f"{slot}: not whole numbers, {width} a link")
    rows = tuple(tuple(numbers[at : at + width]) for at in range(0, len(numbers), width))
    if any(row[-1] >= len(KINDS) for row in rows):
        raise ValueError(f"{slot}: a kind that does not exist")
    return rows
