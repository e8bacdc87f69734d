"""What the chunks of a converted document say of the places that their text comes from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from infograph.errors import OTHER_LANGUAGE, Notice
from infograph.model import Chunk, Document


def with_places(chunks: Sequence[Chunk], document: Document) -> tuple[Chunk, ...]:
    """Returns the chunks of a converted document with the first and last line, page or cell that each comes from."""
    origin = document.origin
    if origin is None or not origin.places:
        return tuple(chunks)
    starts = [line for line, _ in origin.places]

    def number(line: int) -> int:
        return origin.places[max(bisect_right(starts, line) - 1, 0)][1]

    result = []
    for chunk in chunks:
        first, last = (number(line - document.first_line) for line in chunk.lines)
        facts = {**dict(chunk.facts), f"first_{origin.unit}": first, f"last_{origin.unit}": max(first, last)}
        result.append(replace(chunk, facts=tuple(sorted(facts.items()))))
    return tuple(result)


def other_language(document: Document, language: str) -> Iterator[Notice]:
    """Yields a notice where a document says that it is in another language than words are cut in."""
    said = document.origin.language if document.origin else ""
    if said and said.replace("_", "-").partition("-")[0].lower() != language:
        reason = f"says that it is in `{said}`, and its words are stemmed as `{language}`: see `keywords.language`"
        yield Notice(document.path, OTHER_LANGUAGE, reason)
