"""The rolling dictionary of keys (seed 000, Algorithm 1): what the chunks before were about, least recent first out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from infograph.enrich.fields import normal_key

MOST_KEYS = 40
"""Most keys that are held, and so shown."""


@dataclass(slots=True)
class SeenKey:
    """A key and where it was seen."""

    first: int
    last: int
    count: int


class RollingKeys:
    """Keys of the chunks of one document so far."""

    def __init__(self, most: int = MOST_KEYS) -> None:
        self._most = most
        self._keys: dict[str, SeenKey] = {}

    def see(self, key: str, chunk: int) -> None:
        """Takes the key of a chunk; beyond the most that are held, the one not seen for longest goes (of several, the
        one that came first)."""
        key = normal_key(key)
        if not key:
            return
        known = self._keys.get(key)
        if known is not None:
            known.count += 1
            known.last = chunk
            return
        self._keys[key] = SeenKey(chunk, chunk, 1)
        if len(self._keys) > self._most:
            del self._keys[min(self._keys, key=lambda name: (self._keys[name].last, self._keys[name].first))]

    @property
    def names(self) -> frozenset[str]:
        """The keys."""
        return frozenset(self._keys)

    def lines(self) -> list[str]:
        """Returns a line for each key, as the prompt shows it, in the order of first occurrence."""
        return [f"{key} ({seen.count})" for key, seen in self._keys.items()]


def keys_before(keys: Iterable[tuple[int, str]], chunk: int) -> RollingKeys:
    """Returns the dictionary after all chunks before one.

    keys: index and key of chunks, in the order of the document
    """
    rolling = RollingKeys()
    for index, key in keys:
        if index < chunk:
            rolling.see(key, index)
    return rolling
