"""Ranks sections by what their summaries say, and lists these (section 9.4 of the specification, summary first).

    ranking ─▶ three times as many hits as a list has, 30 at the least ─▶ of each the smallest section around it, of
    eight chunks at the most ─▶ the first chunk of each, which has the summary that a language model wrote of the
    section, or else begins with its first sentences ─▶ the best sections, 30 hits after 30: how many of the query's
    rare words headings and summary have, beside the score of the best chunk ─▶ one hit for each, which is this chunk,
    with the section as its unit

A hit without such a section stands for itself, with its own summary. Scores stay those of the chunks. What is behind
these hits is not listed.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from infograph.client.asks import Asks
from infograph.client.embedded import Rerank
from infograph.client.errors import ClientError
from infograph.client.packing import pieces, values
from infograph.client.parents import LEAST, listed, sections_of_hits
from infograph.search.format.results import Hit, Remarks
from infograph.search.format.terms import cut, index_terms
from infograph.search.reading.asking import RankedHits, Searcher
from infograph.search.reading.query import Query

if TYPE_CHECKING:
    from infograph.client.tree import PublishedTree
    from infograph.client.types import PublishedChunk

OPENING = 300
"""Most characters of the first sentences of a section without a summary."""


def with_summaries(
    tree: PublishedTree, query: Query, rerank: Rerank, searcher: Searcher, remarks: Remarks
) -> Asks[RankedHits]:
    """Returns the sections around the hits of a query, in the order of their summaries."""
    found, parts = yield from sections_of_hits(tree, query, rerank, searcher, remarks, every=True)
    chunks = yield from tree.chunks([(opening.href, opening.sha256) for _, _, opening in parts])
    pairs, terms = [], []
    for (place, hit, opening), chunk in zip(parts, chunks, strict=True):
        said, sentences = "", ""
        if isinstance(chunk, ClientError):
            remarks.missing[opening.href] = str(chunk)
        else:
            said = _said(chunk, hit)
            sentences = said or _opening(chunk.readable)
        if hit.unit is not None:
            hit = replace(hit, unit=replace(hit.unit, summary=said))
        headings = hit.unit.section_path if hit.unit is not None else hit.section_path
        shown = "\n".join((hit.page_title, *headings, sentences))
        terms.append(set(index_terms(shown, searcher.language)))
        pairs.append((place, hit))
    best = max([hit.score for _, hit in pairs], default=0.0)
    shares = [max(0.0, hit.score / best) if best > 0 else 1.0 for _, hit in pairs]
    searched = " ".join([query.text, *remarks.corrected.values()])
    asked = dict.fromkeys(term for own in cut(searched, searcher.language) for term in (own.whole, *own.parts) if term)
    blocks: defaultdict[int, list[int]] = defaultdict(list)
    for at, (place, _) in enumerate(pairs):
        blocks[found.chunks.index(place) // LEAST].append(at)
    order: list[int] = []
    for own in blocks.values():
        worth = values([shares[at] for at in own], [terms[at] for at in own], list(asked))
        order += [at for _, at in sorted(zip(worth, own, strict=True), key=lambda pair: -pair[0])]
    answer = listed(found, query, [pairs[at] for at in order])
    return replace(answer, total=len(pairs), total_relation="eq") if query.limit else answer


def _said(chunk: PublishedChunk, hit: Hit) -> str:
    """Returns what a language model wrote of the section of a hit, in the section's first chunk, or of a hit alone."""
    if chunk.enriched is None:
        return ""
    if hit.unit is None:
        return chunk.enriched.summary or ""
    return next((own.summary for own in chunk.enriched.sections if own.chunks == hit.unit.size), "")


def _opening(text: str) -> str:
    """Returns the first paragraph of a text with the headings above it, or the first sentences of it."""
    return next((text[start:end] for start, end in pieces(text, OPENING)), "")
