"""Units of retrieval by key (seed 000, Algorithm 2): chunks of one document that a model gave the same key, together.

A chunk stays a slice of its document: a unit is a list of chunks, not a text of its own. A reference implementation,
and no part of the package: merging does not pay, as `key_merging.py` shows.
"""

from __future__ import annotations

from collections.abc import Sequence

from infograph.enrich.fields import normal_key

MOST_CHARACTERS = 3000
"""Most characters of a unit of several chunks."""
ORPHAN = 200
"""Characters below which a chunk without a key is shown with what stands around it."""
_JOIN = 2
"""Characters of the blank line between two texts."""


def units_by_key(keys: Sequence[str], sizes: Sequence[int], most: int = MOST_CHARACTERS) -> list[tuple[int, ...]]:
    """Returns the chunks of each unit, every chunk in one, in the order of the units' first chunks.

    Chunks of a key fill a unit in their order until the next one does not fit; then another unit begins. A chunk
    without a key, or longer than a unit, is a unit by itself.

    keys:  of each chunk; empty where it has none
    sizes: characters of each chunk
    most:  characters of a unit
    """
    units: list[list[int]] = []
    opened: dict[str, tuple[list[int], int]] = {}
    for chunk, (key, size) in enumerate(zip(map(normal_key, keys), sizes, strict=True)):
        unit, filled = opened.get(key, ([], 0))
        if key and unit and filled + size + _JOIN <= most:
            unit.append(chunk)
            opened[key] = (unit, filled + size + _JOIN)
            continue
        units.append([chunk])
        opened[key] = (units[-1], size)
    return [tuple(unit) for unit in units]


def around(summaries: Sequence[str], chunk: int) -> str:
    """Returns what the neighbours of a chunk say, to be embedded before it where it says little by itself.

    summaries: of each chunk; empty where it has none
    """
    near = [summaries[place] for place in (chunk - 1, chunk + 1) if 0 <= place < len(summaries)]
    return " ".join(filter(None, near))
