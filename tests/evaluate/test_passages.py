from __future__ import annotations

from dataclasses import replace

from infograph.chunking.page import Tools
from infograph.chunking.strategy import strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.chunking.tool import chunk_document
from infograph.evaluate.passages import corpus_of, hidden, relevant
from infograph.evaluate.questions import Question, Span
from infograph.model import Chunk
from infograph.source.blocks import parse_blocks
from infograph.source.document import decode

TEXT = "---\ntitle: Ü\n---\n# One\n\n" + "Größe. " * 400 + "\n\n## Two\n\n" + "More. " * 400 + "\n"


def chunks(path: str = "a.md") -> tuple[int, tuple[Chunk, ...]]:
    document = decode(path, TEXT.encode())
    cut = chunk_document(document, parse_blocks(document)[0], strategy(), Tools(WordPieceCounter()))
    return len(document.prefix), cut.chunks


def test_passages_are_the_slices_of_the_decoded_file() -> None:
    corpus = corpus_of([chunks("b.md"), chunks("a.md")])
    assert len(corpus.passages) == len(corpus.texts) > 4
    for passage in corpus.passages:
        assert TEXT[passage.span.start : passage.span.end] == passage.text
    assert [passage.span.file for passage in corpus.passages] == sorted(p.span.file for p in corpus.passages)
    for text, position in zip(corpus.texts, corpus.passage_of, strict=True):
        assert corpus.passages[position].text in text


def test_parents_are_returned_for_their_children() -> None:
    offset, found = chunks()
    nested = [replace(chunk, parents=((0, 2), (0, len(found))) if chunk.index < 2 else ()) for chunk in found]
    corpus = corpus_of([(offset, nested)])
    assert len(corpus.passages) == len(found) - 1
    assert corpus.passage_of[:3] == (0, 0, 1)
    assert corpus.passages[0].text == found[0].text + found[1].text
    assert corpus.passages[0].tokens == found[0].tokens + found[1].tokens
    assert len(corpus_of([(offset, nested)], parents=False).passages) == len(found)


def test_what_overlaps_the_answer_is_relevant_unless_the_question_stands_there() -> None:
    corpus = corpus_of([chunks("a.md"), chunks("b.md")])
    first, second = (passage.span for passage in corpus.passages[:2])
    gold = (Span("a.md", first.end - 1, first.end + 1),)
    assert relevant(corpus, Question("1", "?", gold)) == {0, 1}
    question = Question("1", "?", gold, Span("a.md", second.start + 5, second.start + 6))
    assert hidden(corpus, question) == {1}
    assert relevant(corpus, question) == {0}
    assert corpus.overlapping([Span("c.md", 0, 9)]) == set()
