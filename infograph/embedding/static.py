"""`static`: a table of one int8 row for each word piece; a text is the sum of its pieces' rows, scaled to length 1.

Word order is lost and quality with it (see `benchmarks/static_quality.py`), but nothing is computed beyond
the tokens: thousands of chunks a second on one core. `scripts/train_static.py` makes the table.

Sums and squares are integers, therefore exact in any order; the square root and the division are rounded
as IEEE 754 says. So the bits are the same on every machine, at any batch size and number of threads.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from infograph.embedding.manifest import read_file, read_manifest
from infograph.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from infograph.embedding.base import Kind, Progress, Vectors

BATCH_TEXTS = 512
"""Texts tokenised at once: enough to keep every core at work, few enough that their tokens take no memory."""

CHUNKS_PER_SECOND = 1500.0
"""On one core, chunks of 1,200 characters; nearly all of it is tokenising."""


class StaticEmbedder:
    """The packaged table: 256 dimensions, texts of any length, questions and documents treated alike.

    A text without a known token (empty, or only emoji) gets the vector whose components are all equal.
    """

    def __init__(self) -> None:
        self._manifest = read_manifest("static-256")
        self._loaded: tuple[Tokenizer, NDArray[np.int8]] | None = None

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

    @property
    def chunks_per_second(self) -> float | None:
        return CHUNKS_PER_SECOND

    def embed(self, texts: Sequence[str], *, kind: Kind = "document", progress: Progress | None = None) -> Vectors:
        """See `Embedder.embed`. Progress counts characters. Raises ModelError when the table does not load."""
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
        """For each text the exact sum of its tokens' rows."""
        import numpy as np

        tokenizer, table = self._load()
        encodings = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return np.array([table[np.array(found.ids, np.intp)].sum(axis=0, dtype=np.int64) for found in encodings])

    def _load(self) -> tuple[Tokenizer, NDArray[np.int8]]:
        """Reads the table at the first text."""
        if self._loaded is None:
            import numpy as np
            from tokenizers import Tokenizer

            tokenizer = Tokenizer.from_buffer(read_file(read_manifest("all-MiniLM-L6-v2"), "tokenizer.json"))
            tokenizer.no_truncation()
            tokenizer.no_padding()
            table = np.load(io.BytesIO(read_file(self._manifest, "table.npy")), allow_pickle=False)
            if table.shape != (tokenizer.get_vocab_size(), self.dimension) or table.dtype != np.int8:
                reason = f"its table is {table.dtype} {table.shape}, which does not fit the tokenizer"
                raise ModelError(self.name, reason, "`pip install --force-reinstall infograph` brings it back.")
            self._loaded = tokenizer, table
        return self._loaded


def unit(sums: NDArray[np.int64]) -> Vectors:
    """Rows of integers scaled to length 1; a row of zeros counts as a row of ones.

    Rows are halved, rounding down, until the sum of 256 squares fits into 64 bits; that begins at a million tokens.
    """
    import numpy as np

    sums = np.where(sums.any(axis=1, keepdims=True), sums, 1)
    while np.abs(sums).max(initial=0) >= 1 << 27:
        sums = np.where(np.abs(sums).max(axis=1, keepdims=True) >= 1 << 27, sums >> 1, sums)
    squares = (sums * sums).sum(axis=1, keepdims=True)
    scaled: Vectors = (sums / np.sqrt(squares.astype(np.float64))).astype(np.float32)
    return scaled
