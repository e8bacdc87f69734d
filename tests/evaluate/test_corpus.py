from __future__ import annotations

from dataclasses import replace

import pytest

from infograph.chunking.chunker import chunk_document
from infograph.chunking.interface import StrategyTools
from infograph.chunking.registry import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.evaluate.corpus import Cut, corpus_of, hidden, relevant
from infograph.evaluate.questions import Question, Span
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

TEXT = "---\ntitle: Ü\n---\n# One\n\n" + "Größe. " * 400 + "\n\n## Two\n\n" + "More. " * 400 + "\n"


def cut(path: str = "a.md", passage: int = 0) -> Cut:
    document = decode(path, TEXT.encode())
    tools = StrategyTools(WordPieceCounter())
    found = chunk_document(document, parse_blocks(document)[0], strategy(), tools, passage=passage)
    return Cut(len(document.prefix), found.chunks, found.passages)


@pytest.mark.parametrize("passage", [0, 50])
def test_units_are_the_slices_of_the_decoded_file(passage: int) -> None:
    cuts = [cut("b.md", passage), cut("a.md", passage)]
    corpus = corpus_of(cuts)
    assert [unit.text for unit in corpus.units] == [chunk.text for cut in reversed(cuts) for chunk in cut.chunks]
    for unit in corpus.units:
        assert TEXT[unit.span.start : unit.span.end] == unit.text
    assert [unit.span.file for unit in corpus.units] == sorted(unit.span.file for unit in corpus.units)


def test_whole_chunks_are_matched_unless_there_are_passages() -> None:
    corpus = corpus_of([cut()])
    assert corpus.unit_of == tuple(range(len(corpus.units)))
    assert all(unit.text in text for unit, text in zip(corpus.units, corpus.texts, strict=True))
    finer = corpus_of([cut(passage=50)])
    assert finer.units == corpus.units
    assert len(finer.texts) > 4 * len(corpus.texts)
    assert sorted(set(finer.unit_of)) == list(corpus.unit_of)
    for position, text in zip(finer.unit_of, finer.texts, strict=True):
        assert text.partition("\n\n")[2] in corpus.units[position].text


def test_parents_are_returned_for_their_children() -> None:
    found = cut()
    first, second = found.chunks[:2]
    nested = [
        replace(chunk, parents=((0, 2), (0, len(found.chunks))) if chunk.index < 2 else ()) for chunk in found.chunks
    ]
    corpus = corpus_of([replace(found, chunks=nested)])
    assert len(corpus.units) == len(nested) - 1
    assert corpus.unit_of[:3] == (0, 0, 1)
    assert corpus.units[0].text == first.text + second.text
    assert corpus.units[0].tokens == first.tokens + second.tokens
    assert len(corpus_of([replace(found, chunks=nested)], parents=False).units) == len(nested)


def test_what_overlaps_the_answer_is_relevant_unless_the_question_stands_there() -> None:
    corpus = corpus_of([cut("a.md"), cut("b.md")])
    first, second = (unit.span for unit in corpus.units[:2])
    gold = (Span("a.md", first.end - 1, first.end + 1),)
    assert relevant(corpus, Question("1", "?", gold)) == {0, 1}
    question = Question("1", "?", gold, Span("a.md", second.start + 5, second.start + 6))
    assert hidden(corpus, question) == {1}
    assert relevant(corpus, question) == {0}
    assert corpus.overlapping([Span("c.md", 0, 9)]) == set()


def test_whole_documents_are_returned_where_pages_are_asked_for() -> None:
    cuts = [cut("a.md"), cut("b.md")]
    corpus = corpus_of(cuts, pages=True)
    assert [unit.text for unit in corpus.units] == ["".join(chunk.text for chunk in own.chunks) for own in cuts]
    assert list(corpus.unit_of) == [number for number, own in enumerate(cuts) for _ in own.chunks]
