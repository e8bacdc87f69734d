"""What the files of a graph say of what a language model said: of entities, and of the communities of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from infograph.graph.entities import Entities
from infograph.graph.stated import SaidOfGraph, StatedRelation
from infograph.graph.weighted import Integers
from infograph.search.format.graph_layout import MOST_EVIDENCE, MOST_STATED
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.writing.graph_files import MOST_TIES, SaidRow, StatedRow


def said_rows(
    said: SaidOfGraph, entities: Entities, places: Sequence[ChunkPlace], leading: Sequence[bool]
) -> list[SaidRow]:
    """Returns what was said of the entities that a walk may follow.

    leading: which these are
    """
    frequency = entities.frequencies()
    of: dict[int, list[tuple[StatedRelation, bool]]] = {}
    for own in said.relations:
        if leading[own.source] and leading[own.target]:
            of.setdefault(own.source, []).append((own, True))
            of.setdefault(own.target, []).append((own, False))
    rows = []
    for number in sorted({number for number in said.descriptions if leading[number]} | of.keys()):
        stated = [_stated(own, is_source, (entities, frequency, places)) for own, is_source in of.get(number, ())]
        stated.sort(key=lambda row: (row.chunks, row.other, not row.is_source))
        models = ", ".join(said.models.get(number, ()))
        rows.append(
            SaidRow(entities.keys[number], said.descriptions.get(number, ""), models, tuple(stated[:MOST_STATED]))
        )
    return rows


def _stated(
    own: StatedRelation, is_source: bool, of_graph: tuple[Entities, Integers, Sequence[ChunkPlace]]
) -> StatedRow:
    entities, frequency, places = of_graph
    other = own.target if is_source else own.source
    evidence = tuple(places[chunk] for chunk in own.chunks[:MOST_EVIDENCE])
    return StatedRow(is_source, own.relation, entities.keys[other], int(frequency[other]), evidence)


def stated_among(members: Sequence[int], said: SaidOfGraph) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Returns the relations among entities that were stated, by their places, those that most chunks state first; and
    the models that say so."""
    place = {member: number for number, member in enumerate(members)}
    found = [
        (-len(own.chunks), place[own.source], place[own.target], own)
        for own in said.relations
        if own.source in place and own.target in place
    ]
    best = sorted(found, key=lambda row: row[:3])[:MOST_TIES]
    models = {model for *_, own in best for end in (own.source, own.target) for model in said.models.get(end, ())}
    return tuple((source, target, own.relation) for _, source, target, own in best), ", ".join(sorted(models))


def numbers_of(said: SaidOfGraph) -> Mapping[str, int]:
    """Returns what the manifest counts of it; nothing where a model was not asked."""
    if not (said.relations or said.descriptions or said.unlinked):
        return {}
    return {"stated": len(said.relations), "unlinked": said.unlinked}
