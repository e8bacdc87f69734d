"""Follows the links of the first pages of a ranking: one more read, and none where no page of the site has links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from infograph.search.format.bundle_manifest import LinkParameters, ShardTable
from infograph.search.format.links import KINDS, PageLists, find_lists, shard_key
from infograph.search.format.results import Hit, Remarks, Via
from infograph.search.ranking.linking import Lead, leading, linked
from infograph.search.ranking.scoring import ChunkPlace
from infograph.search.reading.fetching import Asking, ask_for

Ranked = list[tuple[ChunkPlace, float]]
Names = Callable[[ShardTable, Iterable[str], Remarks], Asking[dict[str, str]]]
"""Returns the file of each key of a table."""
Lists = Callable[[Sequence[int], Remarks], Asking[dict[int, PageLists]]]
"""Reads the links of pages, by slot."""
Shown = Callable[[Sequence[tuple[ChunkPlace, float]], Remarks], Asking[list[tuple[ChunkPlace, Hit]]]]
"""Reads what is shown of chunks."""


def follow(
    said: LinkParameters, ranking: Ranked, lists: Lists, remarks: Remarks
) -> Asking[tuple[Ranked, dict[ChunkPlace, Lead]]]:
    """Returns the ranking with the chunks that links raise or bring in, and what led to each of them."""
    leaders = leading(ranking, said.leaders)
    found = yield from lists([chunk[0] for chunk, _ in leaders], remarks)
    return linked(ranking, leaders, found, said.share, said.after)


def lists_of(
    said: LinkParameters, group: int, slots: Sequence[int], names: Names, remarks: Remarks
) -> Asking[dict[int, PageLists]]:
    """Returns the links of pages, by slot; of one whose file is missing or malformed there are none.

    group: slots whose pages share a shard
    """
    keys = {slot: shard_key(slot, group) for slot in slots}
    files = yield from names(said.shards, keys.values(), remarks)
    shards = yield from ask_for(files.values(), remarks)
    lists: dict[int, PageLists] = {}
    for slot, key in keys.items():
        name = files[key]
        if name not in shards or name in remarks.missing:
            continue
        try:
            lists[slot] = find_lists(shards[name], slot)
        except ValueError as error:
            remarks.missing[name] = f"malformed: {error}"
    return lists


def explained(
    hits: Sequence[Hit],
    chunks: Mapping[tuple[str, int], ChunkPlace],
    leads: Mapping[ChunkPlace, Lead],
    shown: Shown,
    remarks: Remarks,
) -> Asking[list[Hit]]:
    """Returns the hits; those that a link led to say from where."""
    of_hit = [leads.get(chunks[hit.page, hit.index]) for hit in hits]
    wanted = dict.fromkeys((lead.chunk, 0.0) for lead in of_hit if lead is not None)
    if not wanted:
        return list(hits)
    found = dict((yield from shown(list(wanted), remarks)))
    return [
        hit if lead is None else _led(hit, lead, found.get(lead.chunk)) for hit, lead in zip(hits, of_hit, strict=True)
    ]


def _led(hit: Hit, lead: Lead, source: Hit | None) -> Hit:
    if source is None:  # its file is missing, as the remarks say
        return replace(hit, hops=1)
    via = Via(source.page, source.page_title, source.page_url, source.index, KINDS[lead.kind], lead.back)
    return replace(hit, hops=1, via=via)
