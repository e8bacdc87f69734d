"""The index of one document: everything that a build must remember of it to be incremental."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import orjson

from infograph.formats.search_fields import Values
from infograph.model import placed
from infograph.search.format.impact import HEADING, NAME, impacts
from infograph.search.format.ragged import spread
from infograph.search.format.shown_text import shown_lines
from infograph.search.format.terms import Language
from infograph.search.writing.page_fields import pack_fields
from infograph.search.writing.page_links import PageLinks, page_links
from infograph.search.writing.simhash import chunk_hashes
from infograph.search.writing.vocabulary import Vocabulary, vocabulary
from infograph.words.simhash import BYTES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 4
"""Chunks of a page that are kept together in document and vector shards: who shows one of them reads the others, too.

On FastAPI's documentation the five blocks of a first query have 6.4 KB by fours, 8.1 by eights, 11.3 by sixteens."""
SNIPPET = 120
"""Most characters of a snippet."""
SNIPPET_SOURCE = 4000
"""Most characters of a chunk from which its snippet is made."""
DIGEST = 32
"""Hex digits of a chunk's SHA-256 that are kept: nothing else in a shard is as large once deflated."""


@dataclass(frozen=True, slots=True)
class SearchChunk:
    """One chunk as search finds it and shows it."""

    title: str
    section_path: tuple[str, ...]
    anchor: str
    """Fragment of the page's URL, without `#`; empty for the page's start."""
    href: str
    """Path of the chunk's file, relative to the page's `folder`."""
    tokens: int
    sha256: str
    text: str
    """The text that is searched: breadcrumb and slice, Markdown."""
    snippet: str
    """The text that search shows, see `snippet_of`."""
    headings: tuple[str, ...] = ()
    """Headings within the text."""
    fields: Mapping[str, Values] = field(default_factory=dict)
    """What the chunk can be filtered by."""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """One document as search finds it and shows it."""

    path: str
    """Path of the source, relative to the root; the page's id."""
    title: str
    url: str
    """URL of the rendered page."""
    chunks: tuple[SearchChunk, ...]
    folder: str = ""
    """Folder of the chunks' files, relative to the one that holds `_search`; empty, or ends with a slash."""
    related: tuple[str, ...] = ()
    """Pages that the front matter names, by path, URL or title."""


@dataclass(frozen=True, slots=True)
class PageForms:
    """The words that a page writes its terms as, in the shape of postings of its first chunk, so that both are merged
    in the same way."""

    terms: bytes
    """Distinct pairs (`forms.pair`), sorted, each followed by a line feed; UTF-8."""
    impacts: NDArray[np.uint8]
    """Occurrences of each pair in the page; 255 stands for 255 and more."""

    @property
    def frequencies(self) -> NDArray[np.unsignedinteger]:
        import numpy as np

        return np.ones(len(self.impacts), np.uint8)

    @property
    def chunks(self) -> NDArray[np.unsignedinteger]:
        import numpy as np

        return np.zeros(len(self.impacts), np.uint8)


@dataclass(frozen=True, slots=True)
class PageIndex:
    """A document's part of the index: a function of the page, its vectors and the language alone.

    It is packed, since a build holds those of a whole tree: some 3 bytes a posting, no object for each term or chunk.
    """

    path: str
    blocks: tuple[bytes, ...]
    """The JSON that is shown of each `BLOCK` chunks: path, title and URL of the page, and of each chunk the title,
    section path, anchor, snippet, tokens, href, first digits of SHA-256; and the SimHashes of all of them."""
    size: int
    """Number of chunks."""
    length: int
    """Number of terms in all chunks, repeats counted."""
    terms: bytes
    """Distinct terms, sorted, each followed by a line feed; UTF-8."""
    frequencies: NDArray[np.unsignedinteger]
    """Number of chunks of the page that have each term."""
    chunks: NDArray[np.unsignedinteger]
    """The chunks that have a term, term after term, ascending in each."""
    impacts: NDArray[np.uint16]
    """The impact of each entry of `chunks`, see `impact.py`."""
    forms: PageForms
    hashes: bytes
    """The chunks' SimHashes, one after the other, see `simhash.py`."""
    vectors: NDArray[np.int8]
    """The chunks' vectors, [chunks, dimension of the space], see `SearchSpace.project`."""
    links: PageLinks
    """What leads from this page to others, and from others to it."""
    questions: bytes = b""
    """The questions that its chunks are known to answer, see `pack_questions`."""
    fields: bytes = b""
    """What the chunks can be filtered by, see `page_fields`."""


def index_page(page: SearchPage, vectors: NDArray[np.int8], language: Language) -> PageIndex:
    """Cuts a page into terms. `vectors` are those of its chunks, projected by `SearchSpace.project`."""
    import numpy as np

    known = vocabulary(language)
    size = len(page.chunks)
    found = [
        np.concatenate([known.numbers(chunk.text), known.headings({chunk.title, *chunk.headings})])
        for chunk in page.chunks
    ]
    chunk_of = np.repeat(np.arange(size), [len(numbers) for numbers in found])
    # Pieces first, each counted once a chunk, and then the terms that they are cut into.
    pairs, times = np.unique(np.concatenate([np.zeros(0, np.int64), *found]) * size + chunk_of, return_counts=True)
    pieces = pairs // max(1, size)
    begins = np.ones(len(pieces), bool)
    begins[1:] = pieces[1:] != pieces[:-1]
    distinct, place = pieces[begins], np.cumsum(begins) - 1
    given = [known.terms[number] for number in distinct.tolist()]
    terms = sorted(set(chain.from_iterable(given)))
    numbers = {term: number for number, term in enumerate(terms)}
    flat = np.fromiter(map(numbers.__getitem__, chain.from_iterable(given)), np.int64)
    source, index = spread(np.fromiter(map(len, given), np.int64, len(given)), place)
    keys = flat[index] * size + (pairs % max(1, size))[source]
    postings, same = np.unique(keys, return_inverse=True)
    counts = np.bincount(same, times[source], len(postings)).astype(np.int64)
    owners, chunks = postings // max(1, size), postings % max(1, size)
    lengths = np.bincount(chunks, counts, size).astype(np.int64)
    frequencies = np.bincount(owners, minlength=len(terms))
    small = np.min_scalar_type(size)
    hashes = chunk_hashes(terms, owners, chunks, counts, size)
    return PageIndex(
        path=page.path,
        blocks=page_blocks(page, hashes),
        size=size,
        length=int(lengths.sum()),
        terms="\n".join([*terms, ""]).encode(),
        frequencies=frequencies.astype(small),
        chunks=chunks.astype(small),
        impacts=impacts(counts, lengths[chunks], _fields(page, known, numbers, postings)),
        forms=_forms([known.forms[number] for number in distinct.tolist()], np.bincount(place, times).tolist()),
        hashes=hashes,
        vectors=vectors,
        links=page_links(page, language),
        fields=pack_fields([chunk.fields for chunk in page.chunks]),
    )


def _fields(
    page: SearchPage, known: Vocabulary, numbers: Mapping[str, int], postings: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Returns the fields that have the term of each posting, as bits.

    numbers:  places of the page's terms
    postings: place of the term times the number of chunks and the chunk of each posting, ascending
    """
    import numpy as np

    fields = np.zeros(len(postings), np.int64)
    if not len(postings):
        return fields
    size = len(page.chunks)
    folder, _, file = placed(page.path)[1].rpartition("/")
    name = folder or file.rpartition(".")[0]
    given = [(place, "\n".join((*chunk.section_path, *chunk.headings))) for place, chunk in enumerate(page.chunks)]
    for bit, rows in ((HEADING, given), (NAME, [(0, name)])):
        found: list[int] = []
        for place, text in rows:
            terms = {term for number in set(known.numbers(text).tolist()) for term in known.terms[number]}
            found += [numbers[term] * size + place for term in terms if term in numbers]
        keys = np.array(found, np.int64)
        places = np.minimum(np.searchsorted(postings, keys), len(postings) - 1)
        fields[places[postings[places] == keys]] |= bit
    return fields


def _forms(given: Iterable[Sequence[str]], times: Iterable[int]) -> PageForms:
    """Counts the forms of a page.

    given: forms of each piece of text
    times: occurrences of each piece in the page
    """
    import numpy as np

    counts: defaultdict[str, int] = defaultdict(int)
    for pairs, count in zip(given, times, strict=True):
        for one in pairs:
            counts[one] += count
    found = sorted(counts)
    often = np.fromiter(map(counts.__getitem__, found), np.int64, len(found))
    return PageForms("\n".join([*found, ""]).encode(), np.minimum(often, 255).astype(np.uint8))


def page_blocks(page: SearchPage, hashes: bytes) -> tuple[bytes, ...]:
    """Returns `PageIndex.blocks`, which depend on the document's path; of the rest only the addresses in
    `PageIndex.links` do.

    hashes: SimHashes of the page's chunks
    """
    return tuple(_block(page, hashes, start) for start in range(0, len(page.chunks), BLOCK))


def _block(page: SearchPage, hashes: bytes, start: int) -> bytes:
    chunks, own = page.chunks[start : start + BLOCK], hashes[BYTES * start : BYTES * (start + BLOCK)]
    rows = [
        (c.title, c.section_path, c.anchor, c.snippet, c.tokens, page.folder + c.href, c.sha256[:DIGEST])
        for c in chunks
    ]
    return orjson.dumps((page.path, page.title, page.url, rows, own.hex()))


@lru_cache(maxsize=256)  # the versions of a page come one after the other, and share most chunks
def snippet_of(body: str) -> str:
    """Returns the first characters that are neither heading nor markup, cut at a space."""
    text = ""
    for words in shown_lines(body[:SNIPPET_SOURCE]):
        text = f"{text} {words}".strip()
        if len(text) > SNIPPET:
            return text[:SNIPPET].rpartition(" ")[0] or text[:SNIPPET]
    return text
