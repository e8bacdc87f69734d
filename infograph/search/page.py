"""What one document gives to the index: everything a build must remember of it to be incremental."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from infograph.search.impact import impacts
from infograph.search.terms import Language, cut, plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SNIPPET = 120
"""Characters."""
DIGEST = 32
"""Hex digits of a chunk's SHA-256 that are kept: nothing else in a shard is as large once deflated."""


@dataclass(frozen=True, slots=True)
class SearchChunk:
    """One chunk, as search shows it and finds it."""

    title: str
    section_path: tuple[str, ...]
    anchor: str
    """Fragment of the page's URL, without `#`; empty for the page's start."""
    href: str
    """Of the chunk's file, relative to the folder that holds `_search`."""
    tokens: int
    sha256: str
    text: str
    """What is searched: breadcrumb and slice, Markdown."""
    body: str
    """The slice, of which the snippet is made."""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One document."""

    path: str
    """Of the source, relative to the root; the page's id."""
    title: str
    url: str
    """Of the rendered page."""
    chunks: tuple[SearchChunk, ...]


@dataclass(frozen=True, slots=True)
class PageIndex:
    """A document's part of the index: a function of the page, its vectors and the language alone."""

    path: str
    title: str
    url: str
    rows: tuple[tuple[object, ...], ...]
    """What is shown of each chunk: title, section path, anchor, snippet, tokens, href, first digits of SHA-256."""
    terms: tuple[str, ...]
    """Distinct, sorted."""
    postings: NDArray[np.uint32]
    """[postings, 3]: place in `terms`, chunk, impact; sorted."""
    lengths: tuple[int, ...]
    """Terms in each chunk, repeats counted."""
    vectors: NDArray[np.int8]
    """[chunks, dimension of the term table], see `TermTable.project`."""


def index_page(page: SearchPage, vectors: NDArray[np.int8], language: Language) -> PageIndex:
    """Cut a page into terms. `vectors` are its chunks', projected (`TermTable.project`)."""
    import numpy as np

    counts = [term_counts(chunk.text, language) for chunk in page.chunks]
    terms = sorted(set().union(*counts))
    places = {term: place for place, term in enumerate(terms)}
    lengths = [sum(count.values()) for count in counts]
    flat = [
        (places[term], index, times, lengths[index])
        for index, count in enumerate(counts)
        for term, times in count.items()
    ]
    table = np.array(sorted(flat), np.int64).reshape(-1, 4)
    byte = impacts(table[:, 2], table[:, 3])
    return PageIndex(
        path=page.path,
        title=page.title,
        url=page.url,
        rows=tuple(_row(chunk) for chunk in page.chunks),
        terms=tuple(terms),
        postings=np.column_stack([table[:, 0], table[:, 1], byte]).astype(np.uint32),
        lengths=tuple(lengths),
        vectors=vectors,
    )


def term_counts(text: str, language: Language) -> Counter[str]:
    """How often each term stands in a text: wholes and parts alike."""
    counts: Counter[str] = Counter()
    for found in cut(plain(text), language):
        if found.whole:
            counts[found.whole] += 1
        counts.update(found.parts)
    return counts


def _row(chunk: SearchChunk) -> tuple[object, ...]:
    snippet = snippet_of(chunk.body)
    return chunk.title, chunk.section_path, chunk.anchor, snippet, chunk.tokens, chunk.href, chunk.sha256[:DIGEST]


def snippet_of(body: str) -> str:
    """The first characters that are neither heading nor markup, cut at a space."""
    lines = (line.strip() for line in plain(body).splitlines())
    text = " ".join(
        " ".join(line for line in lines if line and not line.startswith(("#", "```", "~~~", ":::"))).split()
    )
    text = text.replace("**", "").replace("`", "").replace("[", "").replace("]", "")
    return text if len(text) <= SNIPPET else text[:SNIPPET].rpartition(" ")[0] or text[:SNIPPET]
