"""The packaged term table: the share of each search term in a query's vector, and the space of these vectors.

A query is the sum of its terms' rows, so its product with a chunk's vector is a sum over terms of numbers that are
known when the index is built (`dense.py`). A search does not need the table. `scripts/train_search.py` makes it.

Rows, vectors and maps are whole numbers and all sums stay below 2^53, so products are exact and the bytes are the
same on every machine, for any number of threads and any batch.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infograph.errors import REINSTALL, ModelError
from infograph.files.packaged import model_directory
from infograph.search.format.projection import MAP_BITS, project
from infograph.text.wordpiece import word_pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FOLDER = Path(__file__).parents[1] / "model"
WORDS = range(4, 9)
"""Lengths of words that `TermTable.words` has: shorter ones never count as typing slips, longer ones are next to few
others."""
_AT_ONCE = 1 << 10
"""Rows that are mapped together: bounds the memory that their 64 bits a number take."""
FALLBACK = "static-256"
"""The packaged model whose vectors search takes where the table has no map for those of the tree's model."""


class TermTable:
    """The rows of terms, and the maps of chunk vectors."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        self._folder = folder
        manifest = self._json()
        self.revision: str = manifest["revision"]
        self.language: str = manifest["language"]
        """ISO 639-1 code; other languages have other stems and get no dense impacts."""
        self.dimension: int = manifest["dimension"]
        self.unit: float = manifest["unit"]
        """Cosine that 1 in the product of a row and a vector stands for."""
        self.vector_unit: float = manifest["vector_unit"]
        """Length that 1 in a component of a projected vector stands for."""
        self._digests: dict[str, str] = manifest["files"]
        self._maps: dict[str, NDArray[np.float64]] = {}

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Terms that have a row of their own, sorted."""
        return tuple(self._read("terms.txt").decode().splitlines())

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of the table's language, on any subject, that may be one edit away from another."""
        return tuple(sorted(token for token in self._tokens if token.isalpha() and len(token) in WORDS))

    def projects(self, model: str) -> bool:
        """Whether the table has a map for this model's vectors; for others, take those of `FALLBACK`."""
        return f"project-{model}.npy" in self._digests

    def project(self, model: str, vectors: NDArray[np.float32]) -> NDArray[np.int8]:
        """Maps unit vectors of a model into the table's space, [texts, dimension]. Raises ModelError where there is no
        map."""
        return project(self.map(model), vectors)

    def map(self, model: str) -> NDArray[np.float64]:
        """Returns the map of a model's vectors. Raises ModelError where there is none."""
        if not self.projects(model):
            raise ModelError(model, "the search table has no map for its vectors", f"Project those of `{FALLBACK}`")
        return self._map(f"project-{model}.npy")

    def rows(self, terms: Sequence[str]) -> NDArray[np.int8]:
        """Returns the rows of terms, [terms, dimension]. A term without a row of its own gets that of the word piece it
        is, as most English words are; a term of several pieces (a name, an identifier) gets zeros: their sum says
        little for its bytes."""
        import numpy as np

        found = np.zeros((len(terms), self.dimension), np.int8)
        missing = []
        for place, term in enumerate(terms):
            row = self._places.get(term)
            if row is None:
                missing.append(place)
            else:
                found[place] = self._rows[row]
        tokens = np.fromiter((self._tokens.get(terms[place], -1) for place in missing), np.int64, len(missing))
        known = np.flatnonzero(tokens >= 0)
        static, weights = self._static
        places = np.array(missing, np.int64)
        for start in range(0, len(known), _AT_ONCE):
            some = known[start : start + _AT_ONCE]
            mapped = np.rint(static[tokens[some]].astype(np.float64) @ weights / (1 << MAP_BITS))
            found[places[some]] = np.clip(mapped, -127, 127).astype(np.int8)
        return found

    @cached_property
    def _places(self) -> dict[str, int]:
        return {term: place for place, term in enumerate(self.terms)}

    @cached_property
    def _rows(self) -> NDArray[np.int8]:
        rows: NDArray[np.int8] = self._array("rows.npy")
        return rows

    @cached_property
    def _tokens(self) -> dict[str, int]:
        """Row of each word piece in the static table."""
        return word_pieces()

    @cached_property
    def _static(self) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
        """The static table, of which an update reads few rows, and the map of its rows."""
        import numpy as np

        static = np.load(model_directory(FALLBACK) / "table.npy", mmap_mode="r", allow_pickle=False)
        return static, self._map("pieces.npy")

    def _map(self, name: str) -> NDArray[np.float64]:
        import numpy as np

        if name not in self._maps:
            self._maps[name] = self._array(name).astype(np.float64)
        return self._maps[name]

    def _array(self, name: str) -> NDArray[Any]:
        import numpy as np

        array: NDArray[Any] = np.load(io.BytesIO(self._read(name)), allow_pickle=False)
        return array

    def _json(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads((self._folder / "model.json").read_bytes())
        except (OSError, ValueError) as error:
            raise ModelError("search-terms-256", f"its model.json cannot be read: {error}", REINSTALL) from None
        return found

    def _read(self, name: str) -> bytes:
        try:
            data = (self._folder / name).read_bytes()
        except OSError as error:
            raise ModelError("search-terms-256", f"{name} cannot be read: {error.strerror}", REINSTALL) from None
        if hashlib.sha256(data).hexdigest() != self._digests[name]:
            raise ModelError("search-terms-256", f"{name} is not the file that was packaged", REINSTALL)
        return data


@cache
def load_table() -> TermTable:
    """Returns the packaged table; its files are read when they are first needed."""
    return TermTable()
