"""Links between pages: the lists that writer and reader share.

A link shard is a JSON object from a page's slot to two lists of numbers:

    to      of each chunk's links: chunk, slot of the page that it leads to, chunk of that page, kind
    from    of each page that leads to this one: slot, chunk, kind; none where there are more than `MOST_FROM`

Slots are written as differences from the page's own: versions of a page lead to each other's neighbours alike. The
pages of a group of slots share a shard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infograph.search.format.layout import LARGEST_NUMBER

KINDS = ("link", "relation", "title", "identifier")
"""What shows that a page leads to another, by number: a Markdown link, a line in the front matter, the other's title in
its text, an identifier that the other defines."""
_TO, _COME = (4, 1), (3, 0)
"""Numbers of a link in the two lists, and the place of the slot among them."""
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
    to, come = (_rows(numbers, slot, *shape) for numbers, shape in zip(found, (_TO, _COME), strict=True))
    return PageLists(to, come)


def shard_key(slot: int, group: int) -> str:
    """Key by which the shard of a page's links is found."""
    return str(slot // group)


def written(slot: int, to: Sequence[int], come: Sequence[int]) -> bytes:
    """Returns the entry of a page's links, all numbers in one list, in a shard."""
    parts = [_apart(numbers, slot, *shape) for numbers, shape in ((to, _TO), (come, _COME))]
    lists = ",".join(f"[{','.join(map(str, numbers))}]" for numbers in parts)
    return f'"{slot}":[{lists}]'.encode()


def _apart(numbers: Sequence[int], slot: int, width: int, place: int) -> list[int]:
    found = list(numbers)
    found[place::width] = [number - slot for number in found[place::width]]
    return found


def _rows(numbers: Any, slot: int, width: int, place: int) -> tuple[Any, ...]:
    """Returns rows of `width` numbers; that at `place` is a slot."""
    whole = isinstance(numbers, list | tuple) and len(numbers) % width == 0
    if not whole or not all(type(number) is int for number in numbers):
        raise ValueError(f"{slot}: not whole numbers, {width} a link")
    rows = tuple(
        tuple(number + slot if at == place else number for at, number in enumerate(numbers[start : start + width]))
        for start in range(0, len(numbers), width)
    )
    if not all(0 <= number < LARGEST_NUMBER for row in rows for number in row):
        raise ValueError(f"{slot}: a number is out of bounds")
    if any(row[-1] >= len(KINDS) for row in rows):
        raise ValueError(f"{slot}: a kind that does not exist")
    return rows
