"""Keys of runs of words: a text has a run wherever two marked words have nothing between them but what joins words.

Twin of `_runs.h`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MARKED, ALONE, CAPITAL = 1, 2, 4
"""Flags of words: MARKED may begin and end a run; ALONE is one, CAPITAL is one unless it follows an end."""
JOINED, ENDED = 1, 2
"""Flags of what stands before a word: JOINED may stand within a run, ENDED ends what was before."""
KEY_BYTES = 5
"""Bytes of a key. Each build keeps the keys of all names for the next one. Of 24,000 chunks that use 10^6 names of
126,000 kinds, where 20,000 are defined, one in 400 sites has two names that are taken for each other."""
LONGEST = 8
"""Most words of a run."""
_FACTOR = 0x9E3779B97F4A7C15
_ALL = (1 << 64) - 1
_MIXED = 29
"""Places by which a polynomial is moved to be mixed with itself."""
IN_KEY = (1 << 8 * KEY_BYTES) - 1


def run_keys(
    keys: NDArray[np.uint64], kinds: NDArray[np.uint8], gaps: NDArray[np.uint8], lengths: NDArray[np.int64]
) -> tuple[bytes, bytes]:
    """Returns the keys of the runs in texts, in each sorted and each once, and how many each text has: packed integers
    of 64 bits as this machine has them. Raises ValueError where the texts do not have these words.

    keys, kinds, gaps: of each word, text after text: its key, its flags, and those of what stands before it
    lengths:           number of words of each text
    """
    import numpy as np

    if lengths.min(initial=0) < 0 or not len(keys) == len(kinds) == len(gaps) == lengths.sum():
        raise ValueError("the texts do not have these words")
    owner = np.repeat(np.arange(len(lengths)), lengths)
    is_marked = (kinds & MARKED) != 0
    follows = (gaps & JOINED) != 0
    follows[(np.cumsum(lengths) - lengths)[lengths > 0]] = False
    alone = ((kinds & ALONE) != 0) | (((kinds & CAPITAL) != 0) & ((gaps & ENDED) == 0))
    found, of = [_mixed(keys[alone])], [owner[alone]]
    # A run's key is that of the run without its last word, one step on: only runs that go on are looked at again.
    begins = np.flatnonzero(is_marked[:-1])
    value = keys[begins]
    for length in range(2, LONGEST + 1):
        goes_on = follows[begins + (length - 1)]
        begins = begins[goes_on]
        if not len(begins):
            break
        ends = begins + (length - 1)
        value = value[goes_on] * np.uint64(_FACTOR) + keys[ends]
        named = is_marked[ends]
        found.append(_mixed(value[named]))
        of.append(owner[begins[named]])
        inside = ends < len(keys) - 1
        begins, value = begins[inside], value[inside]
    every, texts_of = np.concatenate(found), np.concatenate(of)
    order = np.lexsort((every, texts_of))
    every, texts_of = every[order], texts_of[order]
    first = np.ones(len(every), bool)
    first[1:] = (every[1:] != every[:-1]) | (texts_of[1:] != texts_of[:-1])
    return every[first].tobytes(), np.bincount(texts_of[first], minlength=len(lengths)).astype(np.int64).tobytes()


def key_of(words: Iterable[int]) -> int:
    """Returns the key of a run of words, by their own keys."""
    value = 0
    for word in words:
        value = (value * _FACTOR + word) & _ALL
    return (value ^ value >> _MIXED) & IN_KEY


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Returns the keys of runs of words, of polynomials of the words' own keys modulo 2^64."""
    import numpy as np

    return (values ^ values >> np.uint64(_MIXED)) & np.uint64(IN_KEY)
