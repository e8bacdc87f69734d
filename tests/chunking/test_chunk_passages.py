from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.chunking.chunk_passages import passages
from infograph.chunking.chunker import ChunkedDocument, chunk_document
from infograph.chunking.context import ChunkContext
from infograph.chunking.interface import ChunkPiece, DocumentLayout, Strategy, StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

WORDS = "one two three four five six seven eight nine ten"
FENCE = "```py\n" + "call()\n" * 60 + "```\n"
TABLE = "| head | er |\n| --- | --- |\n" + "| some cell | another cell |\n" * 40
PAGE = st.lists(
    st.sampled_from(
        [
            "# A\n",
            "## B\n",
            f"{WORDS}. And more.\n",
            f"{WORDS}. " * 12 + "\n",
            "- item\n- item\n",
            FENCE,
            TABLE,
            "> q " * 90,
        ]
    ),
    max_size=20,
).map("\n".join)
MADE = ("semantic-250-750", "structural", "fixed", "hierarchical", "semantic-embedding")


def cut(
    source: str, made: Strategy, tools: StrategyTools, limit: int, path: str = "page.md", **extras: object
) -> ChunkedDocument:
    document = decode(path, source.encode())
    blocks = parse_blocks(document)[0]
    return chunk_document(document, blocks, made, tools, ChunkContext(**extras), passage=limit)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", MADE)
@given(source=PAGE, limit=st.sampled_from([10, 30, 128]))
@settings(max_examples=25, deadline=None)
def test_passages_tile_their_chunk_and_are_small(
    name: str, tools: StrategyTools, counter: WordPieceCounter, source: str, limit: int
) -> None:
    document = decode("page.md", source.encode())
    page = DocumentLayout(document, parse_blocks(document)[0])
    pieces = strategy(name)(page, tools).pieces
    found = passages(page, pieces, limit, counter)
    for piece, own in zip(pieces, found, strict=True):
        assert [piece.start, *(passage.end for passage in own)] == [*(passage.start for passage in own), piece.end]
        assert (own[0].before, own[-1].after, own[0].continues) == (piece.before, piece.after, piece.continues)
        counts = counter.count([page.body[passage.start : passage.end] for passage in own])
        headings = sum(block.kind == "heading" for block in page.blocks)
        assert max(counts) <= 2 * limit + 4 * headings  # a heading stays with what it heads
        assert len(own) == 1 or sum(counts) > limit


def test_a_chunk_that_is_no_larger_than_a_passage_is_its_own(tools: StrategyTools) -> None:
    found = cut(f"# A\n\n{WORDS}\n", strategy(), tools, 128)
    assert found.passages == ((found.chunks[0].embed_text,),)
    assert cut(f"# A\n\n{WORDS}\n", strategy(), tools, 0).passages == ()


def test_a_passage_has_the_breadcrumb_of_its_own_place(tools: StrategyTools) -> None:
    body = f"{WORDS}. " * 3
    ((first, second, third),) = cut(
        f"# A\n\n{body}\n\n## B\n\n{body}\n\n### C\n\n{body}\n", strategy(), tools, 40
    ).passages
    assert first.startswith("A\n\n# A\n\none")
    assert second.startswith("A > B\n\n## B\n\none")
    assert third.startswith("A > B > C\n\n### C\n\none")


def test_cut_fences_and_tables_are_whole_again(tools: StrategyTools) -> None:
    (chunk,) = cut(f"# A\n\n{TABLE}\n{FENCE}", strategy(), tools, 100).passages
    tables = [text for text in chunk if "cell" in text]
    fences = [text for text in chunk if "call()" in text]
    assert len(tables) > 2 and len(fences) > 1
    assert all(text.count("| head | er |\n| --- | --- |\n") == 1 for text in tables)
    assert all(text.count("```") == 2 and "```py\n" in text for text in fences)


def test_sentences_stay_whole(tools: StrategyTools) -> None:
    (found,) = cut("# A\n\n" + f"{WORDS}. " * 20 + "\n", strategy(), tools, 40).passages
    assert len(found) > 4
    assert all(text.strip().endswith("ten.") for text in found)


def test_context_is_that_of_a_chunk(tools: StrategyTools) -> None:
    source = "# A\n\n" + f"{WORDS}. " * 6 + "\n"
    (bare,) = cut(source, strategy(), tools, 40, prefix="none").passages
    assert "".join(bare) == source
    (lapped,) = cut(source, strategy(), tools, 40, prefix="none", overlap=20, metadata=("id", "summary")).passages
    assert lapped[1] == f"{WORDS}.\n{bare[1]}"


def test_what_is_embedded_by_another_text_is_not_cut(tools: StrategyTools) -> None:
    captions = "WEBVTT\n\n" + "".join(
        f"00:{at:02}:00.000 --> 00:{at:02}:30.000\n<v Ada>{WORDS}.\n\n" for at in range(12)
    )
    document = decode("talk.vtt", captions.encode())
    found = chunk_document(document, (), strategy("transcript"), tools, passage=20)
    assert found.passages == tuple((chunk.embed_text,) for chunk in found.chunks)


def test_a_piece_may_end_anywhere(counter: WordPieceCounter) -> None:
    document = decode("page.md", f"# A\n\n{WORDS} {WORDS}\n\n{WORDS}\n".encode())
    page = DocumentLayout(document, parse_blocks(document)[0])
    pieces = strategy("fixed", {"window": 7, "overlap": 0})(page, StrategyTools(counter)).pieces
    blocks = {page.starts[block.start] for block in page.blocks}
    for piece, own in zip(pieces, passages(page, pieces, 4, counter), strict=True):
        assert "".join(page.body[part.start : part.end] for part in own) == page.body[piece.start : piece.end]
        assert [part.continues for part in own] == [part.start not in blocks for part in own]


@pytest.mark.parametrize(("limit", "count"), [(10, 3), (19, 3), (20, 2), (29, 2), (30, 1)])
def test_a_passage_of_exactly_the_limit(limit: int, count: int, tools: StrategyTools) -> None:
    (found,) = cut(f"{WORDS}\n\n" * 3, strategy(), tools, limit).passages
    assert len(found) == count


def test_a_passage_cut_out_of_a_chunk_has_the_path_that_its_strategy_gave_it(counter: WordPieceCounter) -> None:
    document = decode("a.md", f"{WORDS}\n\n{WORDS}\n".encode())
    page = DocumentLayout(document, parse_blocks(document)[0])
    piece = ChunkPiece(0, len(page.body), continues=True, before="b", after="a", path=("x", "y"))
    first, second = passages(page, [piece], 10, counter)[0]
    assert (first.path, first.before, first.after, first.continues) == (("x", "y"), "b", "", True)
    assert (second.path, second.before, second.after, second.continues) == (("x", "y"), "", "a", False)
