"""Makes the record of a document, which holds what the topic stage needs."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from infograph.chunking.document_units import UnitsOfRows, placed_units, table_of
from infograph.chunking.quick_reference import is_quick_reference
from infograph.errors import ConfigError
from infograph.formats.names import is_questions
from infograph.model import Block, Chunk, Document, SaidOfChunk, enriched_of, is_markdown
from infograph.pipeline.memory.records import ChunkRecord, DocumentRecord, pack_said, pack_terms
from infograph.search.format.question_hash import hashed_once, words_of
from infograph.source.overview import overview
from infograph.topic.answered_questions import questions_asked
from infograph.topic.candidate_terms import ChunkTerms, chunk_terms, document_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RULES = ("title", "first-code")
"""Names of the ways to find the technical baseline."""


def record_of(
    document: Document,
    blocks: tuple[Block, ...],
    chunks: Sequence[Chunk],
    language: str,
    technical_rule: str,
    known: dict[tuple[str, bool], ChunkTerms] | None = None,
    said: Sequence[SaidOfChunk] | None = None,
) -> DocumentRecord:
    """Returns a document's record, in which nothing that depends on vectors is filled in.

    language:       ISO 639-1 code
    technical_rule: one of RULES
    known:          terms of texts that were seen before, by the text's hash and whether it starts inside a fence
    said:           what a language model said of each chunk, where the caller has read it of their metadata
    """
    said = [enriched_of(chunk.facts) for chunk in chunks] if said is None else said
    title, description = overview(document, blocks)
    terms = _terms(chunks, language, {} if known is None else known)
    return DocumentRecord(
        path=document.path,
        sha256=document.sha256,
        size=len((document.prefix + document.body).encode()),
        title=title,
        description=description,
        questions=_questions(document, blocks, chunks, language) if is_questions(document.path) else [],
        technical=technical_baseline([c.title for c in chunks], [c.is_code for c in chunks], technical_rule),
        chunks=list(map(_row, chunks)),
        terms=pack_terms([*terms, document_terms(document.title, document.keywords, language)]),
        units=[list(unit) for unit in placed_units(document, blocks, chunks)],
        said=pack_said(said, [_hashes(questions_in(own), language) for own in said]),
    )


def _questions(
    document: Document, blocks: tuple[Block, ...], chunks: Sequence[Chunk], language: str
) -> list[tuple[str, int]]:
    """Returns the distinct questions of a document, each with the index of the chunk that it first begins in."""
    if not chunks:
        return []
    first = chunks[0].lines[0]  # the body's
    starts = [chunk.lines[0] - first for chunk in chunks]
    found: dict[str, int] = {}
    for line, question in questions_asked(document.body, blocks, language):
        found.setdefault(question, max(0, bisect_right(starts, line) - 1))
    return list(found.items())


def compare(record: DocumentRecord, vectors: NDArray[np.float32]) -> None:
    """Fills in the values computed from the vectors of a document's chunks: their sum, and each chunk's similarity to
    the conceptual baseline (chunk 0) and to the technical one.

    vectors: [chunks, dimension]
    """
    from infograph.topic.similarities import (  # numpy, which a worker that embeds nothing spares
        similarities,
        vector_sum,
    )

    record.vector_sum = vector_sum(vectors)
    if not record.chunks:
        return
    conceptual = similarities(vectors, 0)
    technical = similarities(vectors, record.technical) if record.technical is not None else [None] * len(conceptual)
    for row, to_overview, to_reference in zip(record.chunks, conceptual, technical, strict=True):
        row.similarity_conceptual = to_overview
        row.similarity_technical = to_reference


class StreamedRecord:
    """Makes the record of a table whose chunks come in batches, since they are too many to be held.

    Its baselines are among the first batch, for a table has no code. A term that occurs once in a batch is left out.
    """

    def __init__(self, document: Document, size: int, language: str, technical_rule: str) -> None:
        """document: without its body, which has `size` bytes"""
        self._language = language
        self._rule = technical_rule
        self._record = record_of(document, (), (), language, technical_rule)
        self._record.size = size
        self._terms: list[bytes] = []
        self._baselines: list[NDArray[np.float32]] = []
        self._rows = UnitsOfRows()

    def add(self, chunks: Sequence[Chunk]) -> None:
        """Takes the next batch of chunks."""
        record = self._record
        if not record.chunks:
            titles, is_code = [chunk.title for chunk in chunks], [chunk.is_code for chunk in chunks]
            record.technical = technical_baseline(titles, is_code, self._rule)
        record.chunks += map(_row, chunks)
        self._rows.add(chunks)
        self._terms.append(pack_terms(_repeated(_terms(chunks, self._language, {}))))

    def compare(self, vectors: NDArray[np.float32]) -> None:
        """Fills in the values computed from the vectors of the batch just added, see the function `compare`."""
        import numpy as np

        from infograph.topic.similarities import similarities, vector_sum

        record = self._record
        if record.vector_sum is None:
            places = (0,) if record.technical is None else (0, record.technical)
            self._baselines = [vectors[place].copy() for place in places]
            record.vector_sum = vector_sum(vectors)
        else:
            record.vector_sum = vector_sum(np.concatenate([record.vector_sum[None], vectors]))
        found = [similarities(np.concatenate([to[None], vectors]), 0)[1:] for to in self._baselines]
        for row, values in zip(record.chunks[-len(vectors) :], zip(*found, strict=True), strict=True):
            row.similarity_conceptual = values[0]
            row.similarity_technical = values[1] if len(values) > 1 else None

    def finish(self) -> DocumentRecord:
        """Returns the record, when all chunks were added."""
        self._record.terms = b"".join([*self._terms, self._record.terms])  # those of the front matter come last
        self._record.units = [list(unit) for unit in (table_of(len(self._record.chunks)), *self._rows.found())]
        return self._record


def digest_of(text: str) -> bytes:
    """Returns the 16 bytes by which equal texts are found."""
    return hashlib.sha256(text.encode()).digest()[:16]


_COUNTED = 8
"""Bytes of a digest by which different texts are counted, and no more: of a million the count is wrong once in 10^7."""


def digests_of(texts: Iterable[str]) -> bytes:
    """Returns what `different` counts of some texts, one after the other."""
    return b"".join(digest_of(text)[:_COUNTED] for text in texts)


def different(digests: Iterable[bytes]) -> tuple[int, int]:
    """Returns the number of texts, and how many different ones there are, from what `digests_of` gave."""
    import numpy as np  # as in `compare`

    found = np.sort(np.frombuffer(b"".join(digests), f"<u{_COUNTED}"))  # `unique` imports masked arrays: 9 ms
    return len(found), int(len(found) > 0) + int(np.count_nonzero(found[1:] != found[:-1]))


def technical_baseline(titles: Sequence[str], is_code: Sequence[bool] = (), rule: str = "title") -> int | None:
    """Returns the index of the technical baseline among a document's chunks, or None. Raises ConfigError for an unknown
    rule.

    `title`: chunk 1, when its title says that it is a quick reference. `first-code`: that, else the first code chunk
    after chunk 0 (the conceptual baseline), for trees whose pages have no such heading.
    """
    if rule not in RULES:
        raise ConfigError("index.technical_baseline", f"there is no `{rule}`", "Valid: " + ", ".join(RULES))
    if len(titles) > 1 and is_quick_reference(titles[1]):
        return 1
    if rule == "first-code":
        return next((index for index, code in enumerate(is_code) if code and index), None)
    return None


def _row(chunk: Chunk) -> ChunkRecord:
    return ChunkRecord(chunk.title, list(chunk.section_path), chunk.is_code, chunk.tokens, chunk.sha256)


def _hashes(questions: Sequence[str], language: str) -> list[int]:
    """Returns the different SimHashes of some questions, sorted, without that of questions which say nothing."""
    words = words_of(language)
    return sorted({hashed_once(question, words)[0] for question in questions} - {0}) if questions else []


def answers_of(asked: Iterable[Sequence[str]]) -> Iterator[tuple[str, int, float]]:
    """Yields the questions that a language model wrote of a document's chunks: text, chunk, and the cosine 1.

    asked: those of each chunk
    """
    for index, questions in enumerate(asked):
        for question in questions:
            yield question, index, 1.0


def questions_in(said: SaidOfChunk) -> Sequence[str]:
    """Returns the questions that a language model wrote of a chunk."""
    found = said.get("questions", ())
    return (str(found),) if isinstance(found, str | int | float) else found


def _terms(chunks: Sequence[Chunk], language: str, known: dict[tuple[str, bool], ChunkTerms]) -> list[ChunkTerms]:
    terms = []
    for chunk in chunks:
        text = chunk.readable
        digest = hashlib.sha256(text.encode()).hexdigest() if chunk.edits else chunk.sha256
        key = (digest, chunk.is_code and (chunk.continues or not is_markdown(chunk.document)))
        if key not in known:
            known[key] = chunk_terms(text, language, in_fence=key[1])
        terms.append(known[key])
    return terms


def _repeated(chunks: Sequence[ChunkTerms]) -> list[ChunkTerms]:
    """Returns the terms of neighbouring chunks, sorted (they pack better), without those that occur once: in a large
    table these are numbers of orders and turns of phrase, which fill the memory and become no keyword."""

    def kept(texts: Sequence[str]) -> list[str]:
        parts = [text.split("\n") for text in texts]
        counts = Counter(chain.from_iterable(parts))
        return ["\n".join(sorted(term for term in terms if counts[term] > 1)) for terms in parts]

    words, compounds, codes = (kept([getattr(c, kind) for c in chunks]) for kind in ("words", "compounds", "codes"))
    headed = [c.headed for c in chunks]
    return list(map(ChunkTerms, words, compounds, codes, headed))
