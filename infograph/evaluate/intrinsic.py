"""The quality of chunks without any question (section 9.12.2 of the specification).

All figures lie between 0 and 1, except for density, which has no upper bound in theory.

    coherence           mean cosine of each pair of a chunk's sentences; 1 for a single sentence
    self-contained      1 - references that nothing in the chunk resolves / references
    density             (distinct names + distinct facts) / tokens
    boundary            mean of two figures: 1 if the chunk begins, 1 if it ends where a sentence does, else 0

References, names and facts are recognized by their form. A reference is a pronoun or demonstrative at the beginning of
a sentence ("They", "This", "the above"), resolved by a sentence before it in the chunk; an acronym that the document
spells out, resolved if the chunk or its heading path spells it out; and each end of the chunk, resolved where a
sentence ends. Names are capitalized words inside a sentence, and code spans. Facts are numbers with the word they
count. Pronouns are recognized in English only; in other languages acronyms, ends, names and facts still count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from infograph.model import Chunk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INTRINSIC = ("coherence", "self-contained", "density", "boundary")
"""Names of the figures, in the order of tables."""

Splitter = Callable[[str], Sequence[str]]
"""A function from the text of one paragraph or list item to its sentences."""

_ITEM = re.compile(r"\n(?=[ \t]*(?:[-*+#>|]|\d+[.)]))")
"""The line break before a list item, a heading, a quoted line or a row of a table."""
_ENDINGS = (*".!?…:;。！？|>`~", "]")
_CLOSERS = "*_\"'”’)"
_HEAD = re.compile(
    r"\W*(?:(?:it|its|they|them|their|these|those|this|that|he|she|his|her)\b(?! way\b| is why\b)|(?:as )?"
    r"(?:the (?:above|former|latter|following|previous)|(?:mentioned|described|shown|noted|seen) (?:above|earlier)))",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]{1,7}\b")
_SPELLED_OUT = re.compile(r"\w-*+\s++\((?P<name>[A-Z][A-Z0-9]{1,7})s?\)")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z]\w+(?: [A-Z]\w+)*|`[^`\n]+`")
_FACT = re.compile(r"(?<![\w.])[$€£]?\d[\d.,:/-]*(?:\s?%|\s\w+)?")


def sentences(text: str, split: Splitter) -> list[str]:
    """The sentences of a text, stripped; list items and headings count as sentences."""
    pieces = (piece.strip() for item in _ITEM.split(text) for piece in split(item))
    return [piece for piece in pieces if any(map(str.isalnum, piece))]


def coherence(
    texts: Sequence[str], embed: Callable[[Sequence[str]], NDArray[np.float32]], split: Splitter
) -> list[float]:
    """The coherence of each text, from unit vectors of its sentences."""
    parts = [sentences(text, split) for text in texts]
    distinct = list(dict.fromkeys(sentence for some in parts for sentence in some))
    vectors = embed(distinct)
    row = {sentence: number for number, sentence in enumerate(distinct)}
    found = []
    for some in parts:
        count = len(some)
        if count < 2:
            found.append(1.0)
            continue
        total = vectors[[row[sentence] for sentence in some]].astype("float64").sum(axis=0)
        # |Σe|² is the sum of cosines over all ordered pairs, `count` of which pair a sentence with itself.
        found.append(max(0.0, float((total @ total - count) / (count * (count - 1)))))
    return found


def self_contained(chunks: Sequence[Chunk], split: Splitter) -> list[float]:
    """The self-containedness of each chunk of one document."""
    spelled = {match["name"] for chunk in chunks for match in _SPELLED_OUT.finditer(chunk.text)}
    found = []
    for chunk, (begins, ends) in zip(chunks, _aligned(chunks), strict=True):
        parts = sentences(chunk.text, split)
        heads = [bool(_HEAD.match(sentence)) for sentence in parts]
        acronyms = spelled.intersection(_ACRONYM.findall(chunk.text))
        own = {match["name"] for match in _SPELLED_OUT.finditer(f"{' '.join(chunk.section_path)} {chunk.text}")}
        references = sum(heads) + len(acronyms) + 2
        unresolved = sum(heads[:1]) + len(acronyms - own) + (not begins) + (not ends)
        found.append(1 - unresolved / references)
    return found


def density(chunk: Chunk) -> float:
    """The density of one chunk; 0 when it has no tokens."""
    names = set(_NAME.findall(chunk.text))
    facts = {" ".join(fact.split()) for fact in _FACT.findall(chunk.text)}
    return (len(names) + len(facts)) / chunk.tokens if chunk.tokens else 0.0


def boundary(chunks: Sequence[Chunk]) -> list[float]:
    """The boundary figure of each chunk of one document."""
    return [(begins + ends) / 2 for begins, ends in _aligned(chunks)]


def _aligned(chunks: Sequence[Chunk]) -> Iterable[tuple[bool, bool]]:
    """Whether each chunk begins, and whether it ends, where a sentence or a block does."""
    ends = [_ends(chunk.text, after) for chunk, after in zip_longest(chunks, chunks[1:])]
    return pairwise([True, *ends])


def _ends(text: str, after: Chunk | None) -> bool:
    """Whether a sentence or a block ends at the end of a text.

    after: the chunk that follows; None at the end of the document
    """
    if after is None or (not after.continues and text.endswith(("\n", "\r"))):
        return True
    return text.rstrip().rstrip(_CLOSERS).endswith(_ENDINGS)
