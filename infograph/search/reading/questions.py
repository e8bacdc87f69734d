"""Finds the chunks that are known to answer a question like the one that is asked: at most two files are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from infograph.search.format.bundle_manifest import QuestionParameters
from infograph.search.format.question_hash import QuestionWords, alike, distance, is_asked, simhash, stems
from infograph.search.format.question_rows import keys_of, rows_of
from infograph.search.format.results import MatchedQuestion, Remarks
from infograph.search.format.terms import Language, bounded
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.fetching import Asking, ask_for

if TYPE_CHECKING:
    from infograph.search.reading.links import Names, Ranked

PINNED = 3
"""Most chunks that stand before all others: those of which people, or a language model, say that they answer a matched
question."""
RAISE = 10.0
"""What a cosine of 1 adds to the score of a chunk that is near a matched question. Other chunks are as near to it as
the last of the chunks that it names at most, so what counts is the cosine beyond that one's: a third of the weight that
a cosine has where that of every chunk is known. `infograph eval --prompts` shows what it gives, and what it costs to
put these chunks before all others instead."""
FLOOR = 0.3
"""Cosine that counts in the place of the last chunk's where a question names one chunk only."""
WRITTEN = 1.0
"""Cosine of a chunk that holds the question, or of which a language model wrote it."""


class KnownChunk(NamedTuple):
    """A chunk that is known to answer a question like the one asked."""

    question: MatchedQuestion
    gain: float
    """What that adds to its score."""


def matched_chunks(
    said: QuestionParameters, language: Language, question: str, most: int, names: Names, remarks: Remarks
) -> Asking[dict[ChunkPlace, KnownChunk]]:
    """Returns the chunks that answer questions like this one, each with the question that is nearest: by distance, the
    best chunk of a question first.

    most:  bits, of 64, that the hashes of two questions may differ in
    names: returns the file of each key of a table
    """
    words = QuestionWords(language.stem, language.stop_words, {name: set(own) for name, own in said.turning.items()})
    asked = bounded(question)
    keys = keys_of(stems(asked, words), frozenset(said.common)) if is_asked(asked, words) else []
    if not keys:
        return {}
    own = simhash(asked, words)
    files = yield from names(said.shards, keys, remarks)
    shards = yield from ask_for(files.values(), remarks)
    found: dict[ChunkPlace, tuple[int, float, str, float]] = {}
    for name, shard in shards.items():
        try:
            rows = [(distance(row.hash, own), row) for row in rows_of(shard)]
        except ValueError as error:
            remarks.missing[name] = f"malformed: {error}"
            continue
        near = ((bits, row) for bits, row in rows if bits <= most and alike(asked, row.question, words))
        for bits, row in near:
            gains = gains_of([cosine for *_, cosine in row.answers])
            for (slot, index, cosine), gain in zip(row.answers, gains, strict=True):
                match = (bits, -cosine, row.question, gain)
                found[slot, index] = min(found.get((slot, index), match), match)
    order = sorted(found, key=lambda chunk: (found[chunk], chunk))
    return {
        chunk: KnownChunk(MatchedQuestion(text, bits, -less), gain)
        for chunk in order
        for bits, less, text, gain in (found[chunk],)
    }


def gains_of(cosines: Sequence[float]) -> list[float]:
    """Returns what chunks gain by the cosines that a matched question has with each of them."""
    floor = min(cosines) if len(cosines) > 1 else FLOOR
    return [RAISE * max(0.0, cosine - floor) for cosine in cosines]


def raised(ranking: Ranked, known: Mapping[ChunkPlace, KnownChunk]) -> Ranked:
    """Returns a ranking by words in which known chunks gain what their cosines say."""
    gains = {chunk: found.gain for chunk, found in known.items() if found.gain > 0}
    if not gains:
        return ranking
    scores = dict(ranking)
    for chunk, gain in gains.items():
        scores[chunk] = scores.get(chunk, 0.0) + gain
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def pinned(ranking: Ranked, known: Mapping[ChunkPlace, KnownChunk]) -> Ranked:
    """Returns a ranking with the chunks that are said to answer a matched question before all others, the nearest
    question first, with the best score at the least."""
    own = dict(ranking)
    best = ranking[0][1] if ranking else 0.0
    said = [chunk for chunk, found in known.items() if found.question.similarity >= WRITTEN]
    first = {chunk: max(best, own.get(chunk, 0.0)) for chunk in said[:PINNED]}
    return [*first.items(), *(item for item in ranking if item[0] not in first)]
