"""What each piece of text gives, worked out once: a site writes a few ten thousand different ones a million times."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from infograph.search.format.forms import pair
from infograph.search.format.terms import JOINTS, Language, has_forms, pieces, plain, written_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST = 1 << 23
"""Characters that are remembered."""
LARGEST_RECENT = 1 << 20
"""Characters of whole texts that are remembered: the versions of a page come one after the other, and share most."""


class Vocabulary(dict[str, int]):
    """Piece (`terms.pieces`) to its number; `terms` has what a number stands for. Numbers are of one process."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._language = replace(language, stem=cache(language.stem))
        self._characters = 0
        self._recent: dict[str, NDArray[np.int64]] = {}
        self._recent_characters = 0
        self.terms: list[tuple[str, ...]] = []
        """All terms of a piece, wholes and parts alike, as often as it has them."""
        self.forms: list[tuple[str, ...]] = []
        """Each of them that is a stem, with the word it is the stem of: `forms.pair`."""

    def __missing__(self, piece: str) -> int:
        bare = piece.strip(JOINTS)
        if bare != piece:  # the end of a sentence
            number = self[piece] = self[bare]
            return number
        number = self[piece] = len(self.terms)
        found = written_terms(piece, self._language)
        self.terms.append(tuple([term for term, _ in found]))
        self.forms.append(tuple([pair(term, form) for term, form in found if has_forms(form)]))
        self._characters += len(piece)
        return number

    @property
    def full(self) -> bool:
        return self._characters > LARGEST

    def numbers(self, markdown: str) -> NDArray[np.int64]:
        """The pieces of what a reader of the text sees."""
        import numpy as np

        numbers = self._recent.get(markdown)
        if numbers is None:
            found = pieces(plain(markdown))
            numbers = np.fromiter(map(self.__getitem__, found), np.int64, len(found))
            self._recent_characters += len(markdown)
            if self._recent_characters > LARGEST_RECENT:
                self._recent, self._recent_characters = {}, len(markdown)
            self._recent[markdown] = numbers
        return numbers


_VOCABULARIES: dict[Language, Vocabulary] = {}


def vocabulary(language: Language) -> Vocabulary:
    """This process's for the language; a new one when the last is full."""
    found = _VOCABULARIES.get(language)
    if found is None or found.full:
        found = _VOCABULARIES[language] = Vocabulary(language)
    return found


def forget() -> None:
    """Makes room. What comes is cut again."""
    _VOCABULARIES.clear()
