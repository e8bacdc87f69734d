"""What the explorer shows of a whole tree: the map of its chunks, and questions to begin with and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from infograph.formats.names import EXPLORER_MAP, EXPLORER_START
from infograph.search.format.layout import MANIFEST
from infograph.search.reading.reader import Reader
from infograph.text.language import stemmer
from infograph.web.chunk_map import MappedPage, map_file
from infograph.web.examples import TitledPage, examples, start_file
from infograph.web.landmarks import Landmarks

if TYPE_CHECKING:
    from infograph.search.writing.bundle_state import SearchState
    from infograph.search.writing.page_table import PageTable

HITS = 10
"""Results of a question whose bytes are counted: as many as a client gives."""
ASKED = 3
"""Questions whose bytes are counted, the first ones: each takes 10 ms of every build. The average of all six is within
a tenth on five trees."""


def explorer_map(pages: PageTable, landmarks: bytes) -> tuple[bytes, bytes]:
    """Returns the file of the chunks' map, for which it is enough to know what pages a bundle is about to have, and the
    landmarks that the next one can start from.

    landmarks: of the last bundle's map, see `SearchState.landmarks`
    """
    rows = zip(pages.paths, pages.sizes.tolist(), pages.slots.tolist(), strict=True)
    before = Landmarks.load(landmarks).renumbered(pages.numbers, len(pages.vectors)) if landmarks else None
    data, marks = map_file([MappedPage(*row) for row in rows], pages.vectors, before)
    return data, marks.dump() if marks is not None else b""


def explorer_files(state: SearchState, drawn: bytes, read: Callable[[str], bytes]) -> dict[str, bytes]:
    """Returns the files by path: a function of the bundle alone.

    state: of the bundle
    drawn: the file of its map, see `explorer_map`
    read:  returns a file of the bundle by its name in `_search/`
    """
    chosen = examples(_pages(state))
    start = start_file(len(state.paths), len(state.vectors), chosen, _bytes_each(chosen[:ASKED], read))
    return {EXPLORER_START: start, EXPLORER_MAP: drawn}


def _pages(state: SearchState) -> Iterator[TitledPage]:
    """Yields the titles of each page, and of its chunks."""
    import orjson

    rows = (orjson.loads(state.blocks[number]) for number in range(len(state.blocks)))
    for (path, title), blocks in groupby(rows, itemgetter(0, 1)):
        yield TitledPage(path, title, [row[0] for block in blocks for row in block[3]])


def _bytes_each(questions: list[str], read: Callable[[str], bytes]) -> int:
    """Returns the bytes that a question takes on the average, asked of nothing but files; 0 without a question."""
    if not questions:
        return 0
    sizes: dict[str, int] = {}

    def counted(name: str) -> bytes:
        data = read(name)
        sizes[name] = len(data)
        return data

    reader = Reader(counted, stemmer)
    total = 0
    for question in questions:
        reader.search(question, HITS)
        total += sum(sizes.get(name, 0) for name in (MANIFEST, *reader.files))
    return round(total / len(questions))
