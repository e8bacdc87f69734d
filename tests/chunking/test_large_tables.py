"""A streamed table has the same chunks as one in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import settings as options
from hypothesis import strategies as st

from infograph.chunking import large_tables
from infograph.chunking.chunker import chunk_document
from infograph.chunking.context import ChunkContext
from infograph.chunking.interface import StrategyTools
from infograph.chunking.large_tables import is_streamable, stream_table
from infograph.chunking.routing import Router
from infograph.chunking.strategies.tabular import Tabular
from infograph.source.document import decode
from infograph.text.lines import line_starts


@dataclass
class Held:
    """A text in memory with the interface of a file's text."""

    path: str
    prefix: str
    body: str

    @property
    def length(self) -> int:
        return len(self.body)

    def lines(self) -> Iterator[str]:
        return (self.body[start:end] for start, end in pairwise(line_starts(self.body)))

    def slices(self, lengths: Iterable[int]) -> Iterator[str]:
        at = 0
        for length in lengths:
            yield self.body[at : at + length]
            at += length


@pytest.fixture(scope="module", params=[1, 3])
def window(request: pytest.FixtureRequest) -> Iterator[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_tables, "WINDOW", request.param)
        yield request.param


EXTRAS = ChunkContext(
    overlap=5, prefix="summary", images=True, metadata=("id", "summary", "source_version"), source_version="v"
)


@given(
    text=st.text(st.sampled_from('\ufeffab1,;"\n\r\t é☃#.|'), max_size=200),
    chosen=st.fixed_dictionaries(
        {"maximum": st.sampled_from([3, 20])},
        optional={"group_by": st.sampled_from(["a", "column 1"]), "sentences": st.just(True), "header": st.just("no")},
    ),
    extras=st.sampled_from([ChunkContext(), EXTRAS]),
)
@example(text="a" * 50 + "\r\nb\r\n", chosen={"maximum": 3}, extras=ChunkContext())
@example(text="\n\r\n", chosen={}, extras=EXTRAS)
@example(text="", chosen={}, extras=EXTRAS)
@options(max_examples=150, deadline=None)
def test_the_chunks_are_those_of_a_held_table(
    text: str, chosen: dict[str, Any], extras: ChunkContext, tools: StrategyTools, window: int
) -> None:
    document = decode("a/t.csv", text.encode())
    held = Held(document.path, document.prefix, document.body)
    for strategy in (Tabular(**chosen), Router("structural", (), (("tabular", tuple(chosen.items())),))):
        expected = chunk_document(document, (), strategy, tools, extras)
        streamed = stream_table(held, strategy, tools, extras)
        windows = list(streamed.windows)
        assert tuple(chain.from_iterable(windows)) == expected.chunks
        assert all(len(chunks) == window for chunks in windows[:-1])
        assert streamed.notices == expected.notices


def test_only_tables_that_are_cut_as_tables_are_streamed() -> None:
    router = Router("structural", (("raw/*.csv", "fixed"), ("auto/*.csv", "auto")), ())
    assert [
        is_streamable(path, router) for path in ("t.csv", "a/T.TSV", "t.md", "raw/t.csv", "auto/t.csv", "t.vtt")
    ] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    assert is_streamable("t.csv", Tabular()) and not is_streamable("t.md", Tabular())
