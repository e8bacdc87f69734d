"""The packaged data of search: the space of chunk vectors with the maps into it, and the common words of a language.

Vectors and maps are whole numbers and all sums stay below 2^53, so products are exact and the bytes are the same on
every machine, for any number of threads and any batch. `scripts/train_search.py` makes the files.
"""

from __future__ import annotations

import hashlib
import io
import json
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infograph.errors import REINSTALL, ModelError
from infograph.search.format.projection import plain_map, plain_scale, project
from infograph.text.wordpiece import word_pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FOLDER = Path(__file__).parents[1] / "model"
SHORTEST_COMMON = 4
"""Letters of the shortest of the common words that come from the tokenizer: shorter ones never count as slips."""
LONGEST_OWN = 1024
"""Most numbers of a vector of a model without a map: a search reads those of 32 chunks, a byte each."""
FALLBACK = "static-256"
"""The packaged model whose vectors search takes where there is no map for those of the tree's model."""


class SearchSpace:
    """The maps of chunk vectors, and common words."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        self._folder = folder
        manifest = self._json()
        self.revision: str = manifest["revision"]
        self.language: str = manifest["language"]
        """ISO 639-1 code of the common words."""
        self.dimension: int = manifest["dimension"]
        self.vector_unit: float = manifest["vector_unit"]
        """Length that 1 in a component of a projected vector stands for."""
        self._digests: dict[str, str] = manifest["files"]
        self._maps: dict[str, NDArray[np.float64]] = {}

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Stems of words that technical texts have, sorted."""
        return tuple(self._read("terms.txt").decode().splitlines())

    @cached_property
    def forms(self) -> dict[str, str]:
        """Endings of the forms of `words`, by stem, see `word_forms`. Packaged, as stemming twenty thousand words takes
        longer than bringing most of a bundle up to date."""
        rows = (line.partition(" ") for line in self._read("forms.txt").decode().splitlines())
        return {stem: endings for stem, _, endings in rows}

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of the language, on any subject, sorted: those that are one token of the packaged tokenizer."""
        pieces = word_pieces()
        return tuple(sorted(word for word in pieces if word.isalpha() and len(word) >= SHORTEST_COMMON))

    def projects(self, model: str) -> bool:
        """Whether there is a map for this model's vectors; for others, take those of `FALLBACK`."""
        return f"project-{model}.npy" in self._digests

    def project(self, model: str, vectors: NDArray[np.float32]) -> NDArray[np.int8]:
        """Maps unit vectors of a model into the space, [texts, dimension]; those of a model without a map keep their
        numbers. Raises ModelError where these are too many."""
        return project(self.map(model, vectors.shape[1]), vectors)

    def map(self, model: str, dimension: int = 0) -> NDArray[np.float64]:
        """Returns the map of a model's vectors. Raises ModelError where there is none, and they are too long to be kept
        as they are.

        dimension: of the vectors; 0 where it is not known, as of a model that has a map
        """
        if self.projects(model):
            return self._map(f"project-{model}.npy")
        if not dimension:
            raise ModelError(model, "search has no map for its vectors", f"Project those of `{FALLBACK}`")
        if dimension > LONGEST_OWN:
            reason = f"its vectors have {dimension:,} numbers, and search keeps {LONGEST_OWN:,} at most"
            raise ModelError(model, reason, 'Set `embedding.dimensions`, or `search.vectors = "packaged"`')
        return plain_map(dimension)

    def unit(self, model: str, dimension: int) -> float:
        """Returns the length that 1 in a component of a projected vector stands for."""
        return self.vector_unit if self.projects(model) else 1 / plain_scale(dimension)

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
            raise ModelError("search-space-256", f"its model.json cannot be read: {error}", REINSTALL) from None
        return found

    def _read(self, name: str) -> bytes:
        try:
            data = (self._folder / name).read_bytes()
        except OSError as error:
            raise ModelError("search-space-256", f"{name} cannot be read: {error.strerror}", REINSTALL) from None
        if hashlib.sha256(data).hexdigest() != self._digests[name]:
            raise ModelError("search-space-256", f"{name} is not the file that was packaged", REINSTALL)
        return data


@cache
def load_space() -> SearchSpace:
    """Returns the packaged space; its files are read when they are first needed."""
    return SearchSpace()
