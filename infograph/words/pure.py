"""Counts and sums over the words of a text, each worked out once for each distinct word. Twin of `_compiled.c`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INTERFACE = 5
"""Number of this interface. An extension of another one, left behind by an older checkout, is not used."""

_AT_ONCE = 1 << 16
"""Rows of 16 bits whose sum fits into 32, which adds up twice as fast as 64."""


class Memo:
    """Remembers a number for each word of a text. Words are what ASCII white space separates (`bytes.split`).

    A number is from 0 to 2^63 - 1; whoever asks says how a word that is not remembered gets it. That function may ask
    the memo itself for another word, and may clear it.
    """

    def __init__(self, longest: int) -> None:
        """Takes the most bytes of a word that is remembered, below 2^32: longer ones are worked out each time."""
        if not 0 <= longest < 1 << 32:
            raise ValueError("longest is not from 0 to 2^32 - 1")
        self._known = _Known(longest)

    def __len__(self) -> int:
        """Returns how many words are remembered."""
        return len(self._known)

    def clear(self) -> None:
        """Forgets all words."""
        self._known.clear()

    def number(self, word: bytes, number_of: Callable[[bytes], int]) -> int:
        """Returns the number of a word, which may be any bytes."""
        self._known.number_of = number_of
        return self._known[word]

    def numbers(self, text: bytes, number_of: Callable[[bytes], int]) -> bytes:
        """Returns the numbers of a text's words, packed: integers of 64 bits as this machine has them."""
        import numpy as np

        self._known.number_of = number_of
        words = text.split()
        return np.fromiter(map(self._known.__getitem__, words), np.int64, len(words)).tobytes()

    def total(self, text: bytes, number_of: Callable[[bytes], int]) -> int:
        """Returns the sum of the numbers of a text's words."""
        self._known.number_of = number_of
        return sum(map(self._known.__getitem__, text.split()))

    def adjacent(self, text: str, classes: bytes) -> str | None:
        """Returns what `Phrases.of` does, where the words that are remembered are the stop words; None where `Phrases`
        is to find it itself, as always in Python.

        classes: of characters, `phrases.classes`; the extension leaves a text with any other to `Phrases`
        """
        return None

    def alternating(self, text: str, classes: bytes, number_of: Callable[[bytes], int]) -> bytes | None:
        """Returns the numbers of what stands before each word of a text, and of the word, in turn, packed; None where
        the caller is to find them itself, as always in Python.

        Words are letters, digits and `_`, joined by single apostrophes and hyphens; they are asked for in UTF-8.

        classes: as in `adjacent`
        """
        return None


class _Known(dict[bytes, int]):
    """The words that a `Memo` remembers; a missing one is asked for."""

    number_of: Callable[[bytes], int]

    def __init__(self, longest: int) -> None:
        super().__init__()
        self._longest = longest

    def __missing__(self, word: bytes) -> int:
        number = self.number_of(word)
        if number < 0:
            raise ValueError("a word's number is negative")
        if len(word) <= self._longest:
            self[word] = number
        return number


def sum_rows(rows: NDArray[np.int16], width: int, numbers: bytes) -> bytes:
    """Returns the sum of some rows of a table, packed like its numbers: integers of 64 bits. Raises IndexError for a
    number that no row has.

    rows:    [any, width], without gaps
    numbers: of the rows, as `Memo.numbers` packs them; each as often as it is to be added
    """
    import numpy as np

    places = np.frombuffer(numbers, np.int64)
    if places.min(initial=0) < 0 or places.max(initial=-1) >= len(rows):
        raise IndexError("there is no row of this number")
    total = np.zeros(width, np.int64)
    for start in range(0, len(places), _AT_ONCE):
        total += rows.take(places[start : start + _AT_ONCE], axis=0).sum(axis=0, dtype=np.int32)
    return total.tobytes()


def compounds(runs: str) -> str:
    """Returns the pairs of words that stand beside each other, and then the triples, each on a line.

    runs: see `Phrases.of`
    """
    rows = [line.split(" ") for line in runs.split("\n")]
    pairs = [f"{a} {b}" for row in rows for a, b in pairwise(row)]
    return "\n".join(pairs + [f"{a} {b} {c}" for row in rows for a, b, c in zip(row, row[1:], row[2:], strict=False)])
