"""What the chunks of a document can be filtered by: the fields that `search.fields` lists."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from infograph.chunking.code.grammars import BY_EXTENSION, BY_FENCE
from infograph.chunking.code.listings import language_of
from infograph.formats.search_fields import BUILT_IN, SearchField, Value, Values, typed
from infograph.formats.unit_groups import keys_and_claims
from infograph.model import Block, Chunk, Document, enriched_of
from infograph.text.units import PlacedUnit, chunks_of, said_units

_OF_FRONT_MATTER: dict[str, Values] = {"authority": (1,), "created_at": ()}
"""Fields that the front matter gives alone, and what they are where it does not."""


def chunk_fields(
    specs: Sequence[SearchField],
    document: Document,
    blocks: Sequence[Block],
    chunks: Sequence[Chunk],
    units: Sequence[PlacedUnit],
) -> list[dict[str, Values]]:
    """Returns the fields of each chunk, by name: what a build works out, else the chunk's metadata, else the front
    matter. A value of metadata that is not of the field's type is left out.

    units: those of the document that do not follow from its chunks
    """
    if not specs:
        return [{} for _ in chunks]
    names = {spec.name for spec in specs}
    front = dict(document.fields)
    languages = _languages(document, blocks, chunks) if "language" in names else []
    parts = _units(chunks, units) if "units" in names else []
    found = []
    for number, chunk in enumerate(chunks):
        facts = dict(chunk.facts)
        own: dict[str, Values] = {}
        for spec in specs:
            fact = facts.get(spec.name)
            if spec.name == "language":
                values = _typed(tuple(sorted({*languages[number], *_listed(fact)})), spec.type)
            elif spec.name == "units":
                values = parts[number]
            elif spec.name == "keywords":
                values = _typed(document.keywords, spec.type)
            elif spec.name in _OF_FRONT_MATTER or (fact is None and spec.name not in BUILT_IN):
                values = front.get(spec.name, _OF_FRONT_MATTER.get(spec.name, ()))
            else:
                values = _typed(_listed(fact) if fact is not None else (getattr(chunk, spec.name),), spec.type)
            if values:
                own[spec.name] = values
        found.append(own)
    return found


def _units(chunks: Sequence[Chunk], units: Sequence[PlacedUnit]) -> list[Values]:
    """Returns the types of units that each chunk is part of, alone and with their level: `table`, `table.2`. Sections
    are left out: the headings of a hit say them."""
    found: list[set[str]] = [set() for _ in chunks]
    keys, claims = keys_and_claims(enriched_of(chunk.facts) for chunk in chunks)
    follow = said_units([chunk.section_path for chunk in chunks], keys, claims)
    for unit in (*units, *follow):
        for at in chunks_of(unit.slices):
            found[at] |= {unit.type, f"{unit.type}.{unit.level}"}
    return [tuple(sorted(own)) for own in found]


def _typed(values: Values, kind: str) -> Values:
    try:
        return typed(values, kind)
    except ValueError:  # metadata says what it says, whatever the settings call it
        return ()


def _listed(fact: object) -> Values:
    if fact is None:
        return ()
    return tuple(fact) if isinstance(fact, tuple) else (fact,)  # type: ignore[return-value]  # a fact is one or several


def _languages(document: Document, blocks: Sequence[Block], chunks: Sequence[Chunk]) -> list[set[Value]]:
    """Returns the programming languages of each chunk: of its fences, and of the file that is source code."""
    grammar = BY_EXTENSION.get("." + document.path.rpartition(".")[2].lower())
    found: list[set[Value]] = [{grammar.language} if grammar else set() for _ in chunks]
    first = chunks[0].lines[0] if chunks else 0
    ends = [chunk.lines[1] - first + 1 for chunk in chunks]
    for fence in _fences(blocks):
        name = language_of(fence)
        if not name:
            continue
        known = BY_FENCE.get(name)
        number = bisect_left(ends, fence.start + 1)
        while number < len(chunks) and chunks[number].lines[0] - first < fence.end:
            found[number].add(known.language if known else name)
            number += 1
    return found


def _fences(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind == "fence":
            yield block
        else:
            yield from _fences(block.children)
