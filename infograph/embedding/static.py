"""The packaged model `static`: a table of one int8 row for each word piece.

A text's vector is the sum of its pieces' rows, scaled to length 1. Word order is lost and quality with it (see
`benchmarks/static_quality.py`), but hardly anything is computed: thousands of chunks a second on one core.
`scripts/train_static.py` makes the table.

Sums and squares are integers, therefore exact in any order; the square root and the division are rounded according
to IEEE 754. So the bits are the same on every machine, at any batch size and number of threads.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from infograph.embedding.model_manifest import read_file, read_manifest, verified
from infograph.errors import ModelError
from infograph.text import wordpiece
from infograph.words.twins import Memo, sum_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from infograph.embedding.base import FloatArray, Kind, ProgressCallback

MANIFEST = "static-256"
"""Name of the packaged model."""

BATCH_TEXTS = 512
"""Texts between two progress reports."""

MOST_WORDS = 100_000
"""Most words whose sums are cached, in 51 MB."""

_CHARACTERS = 128
"""Rows before those of words: one for each ASCII character."""


class StaticEmbedder:
    """Embedder of the packaged table: 256 dimensions, texts of any length, questions and documents treated alike.

    A text without a known token (empty, or only emoji) gets the vector whose components are all equal.
    """

    def __init__(self) -> None:
        self._manifest = read_manifest(MANIFEST)
        self._rows: _Rows | None = None

    @property
    def name(self) -> str:
        return self._manifest.name

    @property
    def revision(self) -> str:
        return self._manifest.revision

    @property
    def dimension(self) -> int:
        return self._manifest.dimension

    @property
    def cached(self) -> bool:
        return False

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        return None

    def embed(
        self, texts: Sequence[str], *, kind: Kind = "document", progress: ProgressCallback | None = None
    ) -> FloatArray:
        """Embeds texts as `Embedder.embed` states. Progress counts characters. Raises ModelError when the table
        does not load."""
        import numpy as np

        places: dict[str, int] = {}  # the row of each distinct text
        rows = [places.setdefault(text, len(places)) for text in texts]
        distinct = list(places)
        vectors = np.empty((len(distinct), self.dimension), np.float32)
        done, total = 0, sum(map(len, distinct))
        for start in range(0, len(distinct), BATCH_TEXTS):
            batch = distinct[start : start + BATCH_TEXTS]
            vectors[start : start + len(batch)] = unit(self.sums(batch))
            done += sum(map(len, batch))
            if progress:
                progress(done, total)
        return vectors[rows]

    def sums(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Returns for each text the exact sum of its tokens' rows."""
        import numpy as np

        rows = self._load()
        found = np.empty((len(texts), self.dimension), np.int64)
        for place, text in enumerate(texts):
            found[place] = rows.total(text)
        return found

    def _load(self) -> _Rows:
        """Loads the table at the first text."""
        if self._rows is None:
            self._rows = _Rows(_load_table())
        return self._rows


@cache
def _load_table() -> NDArray[np.int8]:
    """Returns the row of each token, [tokens, dimension]. Raises ModelError."""
    import numpy as np

    manifest = read_manifest(MANIFEST)
    verified(read_manifest("all-MiniLM-L6-v2"), "tokenizer.json")
    table = np.load(io.BytesIO(read_file(manifest, "table.npy")), allow_pickle=False)
    if table.shape != (wordpiece.load_tokenizer().get_vocab_size(), manifest.dimension) or table.dtype != np.int8:
        reason = f"its table is {table.dtype} {table.shape}, which does not fit the tokenizer"
        raise ModelError(manifest.name, reason, "`pip install --force-reinstall infograph` brings it back.")
    found: NDArray[np.int8] = table
    return found


class _Rows:
    """The summed table rows of each word, worked out once, so that a text is a sum over its words and punctuation.

    The first rows are those of ASCII characters by their codes, where these are punctuation; the others are zeros.
    """

    def __init__(self, table: NDArray[np.int8]) -> None:
        import numpy as np

        vocabulary = wordpiece.load_vocabulary()
        self._pieces = wordpiece.pieces()
        self._table = table
        self._memo = Memo(wordpiece.LONGEST_WORD)
        # A word of at most 64 bytes has at most 64 tokens, so its sum fits into 16 bits.
        self._sums = np.zeros((1 << 12, table.shape[1]), np.int16)
        for character in wordpiece.PUNCTUATION:
            self._sums[ord(character)] = table[vocabulary[character]]
        self._long = np.zeros(table.shape[1], np.int64)
        """The sum over the words of the present text that are too long to be remembered."""

    def total(self, text: str) -> NDArray[np.int64]:
        """Returns the sum over the words and punctuation of a text."""
        import numpy as np

        if len(self._memo) > MOST_WORDS:
            self._memo.clear()
        self._long[:] = 0
        words, punctuation = wordpiece.parted(text)
        numbers = self._memo.numbers(words, self._place)
        numbers += np.frombuffer(punctuation, np.uint8).astype(np.int64).tobytes()
        found: NDArray[np.int64] = np.frombuffer(sum_rows(self._sums, len(self._long), numbers), np.int64) + self._long
        return found

    def _place(self, word: bytes) -> int:
        """Adds up the rows of a word and returns the place of the sum, which `_memo` is about to remember; of a word
        too long for that a row of zeros."""
        import numpy as np

        ids, _ = self._pieces[word]
        if len(word) > wordpiece.LONGEST_WORD:
            self._long += self._table[np.array(ids, np.intp)].sum(axis=0, dtype=np.int64)
            return 0
        place = _CHARACTERS + len(self._memo)
        if place >= len(self._sums):
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)])
        row = self._sums[place]
        row[:] = self._table[ids[0]] if ids else 0
        for id_ in ids[1:]:  # few, which numpy takes longer to gather than to add
            row += self._table[id_]
        return place


def unit(sums: NDArray[np.int64]) -> FloatArray:
    """Returns rows of integers scaled to length 1; a row of zeros counts as a row of ones.

    Rows are halved, rounding down, until the sum of 256 squares fits into 64 bits; that begins at a million tokens.
    """
    import numpy as np

    sums = np.where(sums.any(axis=1, keepdims=True), sums, 1)
    while np.abs(sums).max(initial=0) >= 1 << 27:
        sums = np.where(np.abs(sums).max(axis=1, keepdims=True) >= 1 << 27, sums >> 1, sums)
    squares = (sums * sums).sum(axis=1, keepdims=True)
    scaled: FloatArray = (sums / np.sqrt(squares.astype(np.float64))).astype(np.float32)
    return scaled
