"""What each piece of text gives, worked out once: a site writes a few ten thousand different ones a million times."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from infograph.search.terms import Language, cut, pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 1 << 23
"""Characters that are remembered."""


class Vocabulary(dict[str, int]):
    """Piece (`terms.pieces`) to its number; `terms` has what a number stands for. Numbers are of one process."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._language = replace(language, stem=cache(language.stem))
        self._characters = 0
        self.terms: list[tuple[str, ...]] = []
        """All terms of a piece, wholes and parts alike, as often as it has them."""

    def __missing__(self, piece: str) -> int:
        found = (term for terms in cut(piece, self._language) for term in (terms.whole, *terms.parts) if term)
        number = self[piece] = len(self.terms)
        self.terms.append(tuple(found))
        self._characters += len(piece)
        return number

    @property
    def full(self) -> bool:
        return self._characters > LARGEST

    def numbers(self, text: str) -> NDArray[np.int64]:
        """The text's pieces."""
        import numpy as np

        found = pieces(text)
        return np.fromiter(map(self.__getitem__, found), np.int64, len(found))


_VOCABULARIES: dict[Language, Vocabulary] = {}


def vocabulary(language: Language) -> Vocabulary:
    """This process's for the language; a new one when the last is full."""
    found = _VOCABULARIES.get(language)
    if found is None or found.full:
        found = _VOCABULARIES[language] = Vocabulary(language)
    return found
