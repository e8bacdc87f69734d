"""Finds the chunks that are known to answer a question like the one that is asked: at most two files are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from infograph.search.format.bundle_manifest import QuestionParameters
from infograph.search.format.question_hash import QuestionWords, distance, simhash, stems
from infograph.search.format.question_rows import keys_of, rows_of
from infograph.search.format.results import MatchedQuestion, Remarks
from infograph.search.format.terms import Language, bounded
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.fetching import Asking, ask_for

if TYPE_CHECKING:
    from infograph.search.reading.links import Names

PINNED = 3
"""Most chunks of matched questions that stand before all others."""


def matched_chunks(
    said: QuestionParameters, language: Language, question: str, most: int, names: Names, remarks: Remarks
) -> Asking[dict[ChunkPlace, MatchedQuestion]]:
    """Returns the chunks that answer questions like this one, each with the question that is nearest: by distance, the
    best chunk of a question first.

    most:  bits, of 64, that the hashes of two questions may differ in
    names: returns the file of each key of a table
    """
    words = QuestionWords(language.stem, language.stop_words, {name: set(own) for name, own in said.turning.items()})
    asked = bounded(question)
    keys = keys_of(stems(asked, words), frozenset(said.common))
    if not keys:
        return {}
    own = simhash(asked, words)
    files = yield from names(said.shards, keys, remarks)
    shards = yield from ask_for(files.values(), remarks)
    found: dict[ChunkPlace, tuple[int, float, str]] = {}
    for name, shard in shards.items():
        try:
            near = [(bits, row) for row in rows_of(shard) if (bits := distance(row.hash, own)) <= most]
        except ValueError as error:
            remarks.missing[name] = f"malformed: {error}"
            continue
        for bits, row in near:
            for slot, index, cosine in row.answers:
                match = (bits, -cosine, row.question)
                found[slot, index] = min(found.get((slot, index), match), match)
    order = sorted(found, key=lambda chunk: (found[chunk], chunk))
    return {chunk: MatchedQuestion(text, bits, -less) for chunk in order for bits, less, text in (found[chunk],)}


def pinned(ranking: Sequence[tuple[ChunkPlace, float]], chunks: Iterable[ChunkPlace]) -> list[tuple[ChunkPlace, float]]:
    """Returns a ranking with some chunks before all others, in their order, with the best score at the least."""
    own = dict(ranking)
    best = ranking[0][1] if ranking else 0.0
    first = {chunk: max(best, own.get(chunk, 0.0)) for chunk in chunks}
    return [*first.items(), *(item for item in ranking if item[0] not in first)]
