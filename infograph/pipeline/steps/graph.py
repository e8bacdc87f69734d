"""The step that makes the graph of entities: from the records of all documents, whenever one of these changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from infograph.files.disk import read_file, read_output, stage_private
from infograph.files.stamps import Stamp, as_left, stamp_of
from infograph.formats.alias_table import Aliases, parse_aliases, render_aliases
from infograph.formats.chunk_href import chunk_href
from infograph.formats.community_records import CommunityRecord
from infograph.formats.hrefs import encode_path
from infograph.formats.names import (
    ALIASES,
    CHUNKS,
    GRAPH,
    join,
    named_by,
)
from infograph.graph.entities import Entities, gather, resolved, short_forms
from infograph.graph.levels import community_levels
from infograph.graph.linked_titles import linked_titles, with_links
from infograph.graph.relations import relations
from infograph.graph.stated import SaidOfGraph, said_of_graph
from infograph.graph.summaries import Community, Sentence, communities_of
from infograph.graph.weighted import WeightedGraph
from infograph.model import DocumentEntities, LinkedPages, placed, stem_of
from infograph.pipeline.chunk_names import chunk_versions
from infograph.pipeline.graphed import Graphed
from infograph.pipeline.memory.entities import ENTITIES, EntityState, dump_entities, load_entities, unpack_entities
from infograph.pipeline.memory.state import RecordsLost
from infograph.pipeline.said_rows import numbers_of, said_rows, stated_among
from infograph.search.format.graph_layout import GRAPH_FORMAT, MOST_NEIGHBOURS, MOST_OF_CHUNK, MOST_OF_COMMON
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.ranking.walking import MOST_CHUNKS
from infograph.search.writing.graph_files import (
    MOST_LISTED,
    MOST_TIES,
    CommunityRow,
    EntityRow,
    GraphTables,
    graph_files,
)
from infograph.search.writing.slots import assign_slots, family
from infograph.source.enrichment import community_records
from infograph.text.entity_keys import key_of

if TYPE_CHECKING:
    from infograph.config.settings import Settings
    from infograph.pipeline.context import BuildContext
    from infograph.pipeline.memory.topics import TopicGraph
    from infograph.pipeline.worker.tasks import Result

Flags = np.typing.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GraphManner:
    """How the files of a graph are written."""

    versioned: bool = False
    """See `graph_files`."""
    packed: bool = False
    """Whether several chunks share a file."""
    said: Mapping[str, CommunityRecord] = field(default_factory=dict)
    """What a model said of communities, by id."""


AS_THEY_ARE = GraphManner()


def make_graph(
    context: BuildContext, topics: TopicGraph, results: Mapping[str, Result], linked: Callable[[], LinkedPages | None]
) -> Graphed:
    """Returns what differs of the graph, which is on. Raises RecordsLost where the last build did not
    remember a document's entities, and FormatError for a table of aliases that cannot be read.

    linked: which documents lead to which; None where that is as the last build left it
    """
    settings = context.settings
    before = load_entities(read_file(settings.memory / ENTITIES)) if context.last is not None else EntityState()
    documents = _documents(context, before, results)
    compounds = {key_of(term) for record in topics.topics.values() for term, _ in record.table if " " in term}
    links = linked()
    links = before.links if links is None else links
    read = {ALIASES: stamp_of(settings.out / ALIASES)}
    pinned = _pinned(settings)
    versions = chunk_versions(context.last, documents, results)
    parts: list[Any] = [GRAPH_FORMAT, sorted(compounds), sorted(pinned.items()), links]
    parts.append([[path, known, versions.get(path, "")] for path, (known, _) in documents.items()])
    if settings.config.graph.entities == "records":  # which change while their documents stay
        parts.append([hashlib.sha256(data).hexdigest() for _, data in documents.values()])
    said = {id: own for id, own in _said(settings).items() if own.summary}
    if said:
        parts.append([asdict(own) for _, own in sorted(said.items())])
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    if digest == before.digest and _aliases_left(context, read[ALIASES]):
        return Graphed(names=frozenset(before.files), read=read)
    opened = {path: unpack_entities(data) for path, (_, data) in documents.items()}
    manner = GraphManner(not settings.in_place, settings.packed, said)
    made = made_files(opened, compounds, pinned, versions, links, manner)
    files = {join(GRAPH, name): data for name, data in made.items()}
    if not context.check:
        state = EntityState(documents, digest, tuple(sorted(files)), links)
        stage_private(settings.memory, ENTITIES, dump_entities(state))
    return Graphed(files, frozenset(files), frozenset(before.files).difference(files), read, made=True)


def _aliases_left(context: BuildContext, found: Stamp) -> bool:
    """Whether the table of aliases is as the last build left it, and not lost or edited since."""
    known = context.last.outputs.get(ALIASES) if context.last else None
    return known is not None and as_left(known, found)


def _pinned(settings: Settings) -> Aliases:
    """Returns the aliases that a person set: in the table beside the sources, or else in that of the outputs. Raises
    FormatError."""
    for folder in (settings.root, settings.out):
        data = read_output(folder / ALIASES)
        if data is not None:
            return {key: (name, full) for name, full in parse_aliases(ALIASES, data) if (key := key_of(name))}
    return {}


def _said(settings: Settings) -> dict[str, CommunityRecord]:
    """Returns what a model said of communities, fit to be published. Raises FormatError."""
    from infograph.enrich.communities import cleaned  # as in `outcomes`: few trees have records

    return {id: cleaned(own) for id, own in community_records(settings.root, settings.enrichment).items()}


def _documents(
    context: BuildContext, before: EntityState, results: Mapping[str, Result]
) -> dict[str, tuple[str, bytes]]:
    """Returns SHA-256 and packed record of every document that search finds, sorted by path. Raises RecordsLost."""
    hashes = context.last.hashes if context.last else {}
    found: dict[str, tuple[str, bytes]] = {}
    for path in sorted(context.found.documents):
        if path in results:
            result = results[path]
            if result.sha256 and result.entities:
                found[path] = result.sha256, result.entities
        elif path in before.documents:
            if before.documents[path][0] != hashes.get(path):
                raise RecordsLost(ENTITIES)
            found[path] = before.documents[path]
    return found


def made_files(
    documents: Mapping[str, DocumentEntities],
    compounds: set[str],
    pinned: Aliases,
    versions: Mapping[str, str],
    links: LinkedPages,
    manner: GraphManner = AS_THEY_ARE,
) -> dict[str, bytes]:
    """Returns name and bytes of every file of `_graph/`.

    documents: records by path, sorted
    compounds: keys of the compounds that keyword tables have
    pinned:    aliases that a person set, by key
    versions:  versions in the names of the documents' chunk files, where they have one
    links:     which documents lead to which
    manner:    how they are written
    """
    documents = with_links(documents, links)
    places, numbered, paths = _chunk_places(documents, versions, packed=manner.packed)
    shorts = short_forms(documents.values())
    aliases = {key: key_of(long) for key, (_, long) in shorts.items()}
    aliases |= {key: key_of(name) for key, (_, name) in pinned.items()}
    aliases = resolved({key: full for key, full in aliases.items() if full and full != key})
    entities = gather(numbered, len(places), aliases, compounds)
    told = said_of_graph(entities, numbered)
    edges = zip(linked_titles(entities, documents, links), told.edges(len(entities.keys)), strict=True)
    first, second, weights = map(np.concatenate, edges)
    graph = relations(entities, (first, second, weights))
    leading = _leading(entities, [family(path) for path, document in documents.items() for _ in document.chunks])
    known = {key for key, leads in zip(entities.keys, leading.tolist(), strict=True) if leads}
    levels = community_levels(graph)
    found = communities_of(entities, graph, levels, _sentences(numbered, entities))
    tables = GraphTables(
        entities=_entity_rows(entities, graph, found, places, leading),
        aliases={key: full for key, full in sorted(aliases.items()) if full in known},
        of_chunks=_of_chunks(entities, places, leading),
        communities=[
            _with_words(_community_row(own, entities, places, paths, (graph, told)), manner.said.get(own.id))
            for own in found
        ],
        numbers={
            "documents": len(documents),
            "chunks": len(places),
            "distinct": entities.distinct,
            "entities": len(entities.keys),
            "single": entities.single,
            "written": len(known),
            "left_out": sum(document.left_out for document in documents.values()),
            "relations": len(graph.neighbours) // 2,
            **numbers_of(told),
        },
        said=said_rows(told, entities, places, leading.tolist()),
    )
    files = graph_files(tables, MAX_FILES, versioned=manner.versioned)
    return {ALIASES.rpartition("/")[2]: render_aliases(shorts, pinned), **files}


MAX_FILES = 1024
"""Most shards of the graph."""


def _chunk_places(
    documents: Mapping[str, DocumentEntities], versions: Mapping[str, str], *, packed: bool
) -> tuple[list[ChunkPlace], list[tuple[int, DocumentEntities]], list[str]]:
    """Returns the slot and index of every chunk, the documents with the numbers of their first chunks, and the links to
    the chunks from the root."""
    slots = assign_slots(path for path, document in documents.items() if document.chunks)
    places: list[ChunkPlace] = []
    numbered: list[tuple[int, DocumentEntities]] = []
    paths: list[str] = []
    for path, document in documents.items():
        numbered.append((len(places), document))
        topic, name = placed(path)
        stem, folder = named_by(stem_of(name), versions.get(path, "")), join(topic, CHUNKS)
        encoded = encode_path(folder)
        for index in range(len(document.chunks)):
            places.append((slots[path], index))
            paths.append(f"{encoded}/{chunk_href(stem, index, packed=packed)}")
    return places, numbered, paths


def _sentences(numbered: list[tuple[int, DocumentEntities]], entities: Entities) -> list[Sentence]:
    numbers = {key: number for number, key in enumerate(entities.keys)}
    found = []
    for first, document in numbered:
        for place, (text, names) in enumerate(document.sentences):
            own = []
            for name in names:
                key = key_of(document.chunks[place][name].name)
                number = numbers.get(entities.aliases.get(key, key))
                if number is not None:
                    own.append(number)
            if own:
                found.append(Sentence(first + place, text, tuple(dict.fromkeys(own))))
    return found


def _leading(entities: Entities, families: Sequence[str]) -> Flags:
    """Flags the entities that lead from one page to another. The chunks of others are all of one page, or of its
    versions; or they are compounds, which any search finds by their words.

    families: family of each chunk's page
    """
    numbers = np.unique(np.array(families, object), return_inverse=True)[1] if families else np.zeros(0, np.int64)
    own = numbers[entities.chunks]
    frequency = entities.frequencies()
    differs = own != np.repeat(own[entities.starts[:-1]], frequency)
    owners = np.repeat(np.arange(len(frequency)), frequency)
    written = np.array([kind != "compound" for kind in entities.kinds], bool)
    return written & (np.bincount(owners, differs, len(frequency)) > 0)


def _entity_rows(
    entities: Entities,
    graph: WeightedGraph,
    communities: list[Community],
    places: list[ChunkPlace],
    leading: Flags,
) -> list[EntityRow]:
    smallest = [-1] * len(entities.keys)
    for place, community in enumerate(communities):  # those within others come later
        for member in community.members:
            smallest[member] = place
    rows = []
    for number in np.flatnonzero(leading).tolist():
        key = entities.keys[number]
        begin, end = int(graph.starts[number]), int(graph.starts[number + 1])
        near, weights = graph.neighbours[begin:end], graph.weights[begin:end]
        near, weights = near[leading[near]], weights[leading[near]]
        order = np.lexsort((near, -weights))[:MOST_NEIGHBOURS]
        first, last = int(entities.starts[number]), int(entities.starts[number + 1])
        chunks, counts = entities.chunks[first:last], entities.counts[first:last]
        most = MOST_CHUNKS if last - first <= MOST_CHUNKS else MOST_OF_COMMON
        best = chunks[np.lexsort((chunks, -counts))[:most]]
        rows.append(
            EntityRow(
                key,
                entities.names[number],
                entities.kinds[number],
                last - first,
                smallest[number],
                tuple((entities.keys[other], weight) for other, weight in _pairs(near[order], weights[order])),
                tuple(places[chunk] for chunk in best.tolist()),
            )
        )
    return rows


def _pairs(first: np.typing.NDArray[np.int64], second: np.typing.NDArray[np.int64]) -> list[tuple[int, int]]:
    return list(zip(first.tolist(), second.tolist(), strict=True))


def _of_chunks(entities: Entities, places: list[ChunkPlace], leading: Flags) -> dict[ChunkPlace, list[tuple[str, int]]]:
    """Returns the entities of each chunk that a walk may follow, each with the number of chunks that have it; first
    those that stand in it often and in few others."""
    frequency = entities.frequencies()
    owners = np.repeat(np.arange(len(entities.keys), dtype=np.int64), frequency)
    share = entities.counts / frequency[owners]
    order = np.lexsort((owners, -share, entities.chunks))
    order = order[(leading & (frequency <= MOST_CHUNKS))[owners[order]]]
    found: dict[int, list[tuple[str, int]]] = {}
    for chunk, owner in _pairs(entities.chunks[order], owners[order]):
        row = found.setdefault(chunk, [])
        if len(row) < MOST_OF_CHUNK:
            row.append((entities.keys[owner], int(frequency[owner])))
    same = enumerate(entities.representatives.tolist())
    return {places[chunk]: found[other] for chunk, other in same if other in found}


def _ties(members: Sequence[int], graph: WeightedGraph) -> tuple[tuple[int, int, int], ...]:
    """Returns the heaviest relations among entities, by their places."""
    place = {member: number for number, member in enumerate(members)}
    found = []
    for number, member in enumerate(members):
        begin, end = int(graph.starts[member]), int(graph.starts[member + 1])
        for other, weight in _pairs(graph.neighbours[begin:end], graph.weights[begin:end]):
            if place.get(other, -1) > number:
                found.append((number, place[other], weight))
    return tuple(sorted(found, key=lambda tie: (-tie[2], tie))[:MOST_TIES])


def _community_row(
    own: Community,
    entities: Entities,
    places: list[ChunkPlace],
    paths: list[str],
    of_tree: tuple[WeightedGraph, SaidOfGraph],
) -> CommunityRow:
    graph, told = of_tree
    stated, models = stated_among(own.members[:MOST_LISTED], told)
    return CommunityRow(
        id=own.id,
        level=own.level,
        parent=own.parent,
        size=len(own.members),
        title=own.title,
        keywords=own.keywords,
        entities=tuple(entities.names[member] for member in own.members),
        ties=_ties(own.members[:MOST_LISTED], graph),
        sentences=tuple((sentence.text, paths[sentence.chunk]) for sentence in own.sentences),
        places=tuple(places[chunk] for chunk in own.chunks),
        paths=tuple(paths[chunk] for chunk in own.chunks),
        stated=stated,
        stated_by=models,
    )


def _with_words(row: CommunityRow, said: CommunityRecord | None) -> CommunityRow:
    """Returns a community under the title, and with the summary, that a model gave it, where one did."""
    if said is None:
        return row
    return replace(row, title=said.title, summary=said.summary, key_entities=said.names, model=said.model)
