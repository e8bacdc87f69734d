"""Global search: which communities of entities a question is about, by the words of their summaries.

The communities of a site are one small table; each is scored as a document of its own, by BM25 over its keywords and
sentences. So a broad question ("what is this site about?", "how is access controlled?") finds groups of chunks that
belong together, where a search for chunks finds single ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from infograph.search.format.bundle_manifest import Bm25Parameters
from infograph.search.format.graph_layout import community_name
from infograph.search.format.graph_manifest import GraphManifest
from infograph.search.format.results import CommunityHit, Remarks
from infograph.search.format.terms import Language, bounded, cut
from infograph.search.ranking.scoring import chosen_terms, idf
from infograph.search.reading.fetching import Asking, ask_for


def find_communities(
    manifest: GraphManifest, bm25: Bm25Parameters, language: Language, query: str, limit: int, remarks: Remarks
) -> Asking[list[CommunityHit]]:
    """Returns the communities that have a word of the query, the best first; all of them, the largest of a level first,
    for a query without letters."""
    files = yield from ask_for([manifest.table], remarks)
    rows = _rows(manifest.table, files.get(manifest.table, []), remarks)
    if not any(map(str.isalnum, query)):
        return rows[:limit]
    asked = chosen_terms(cut(bounded(query), language))
    texts = [_terms(row, language) for row in rows]
    lengths = [sum(counts.values()) for counts in texts]
    average = max(1.0, sum(lengths) / max(1, len(lengths)))
    scores = [0.0] * len(rows)
    for term in asked:
        rarity = idf(len(rows), sum(term in counts for counts in texts))
        for place, counts in enumerate(texts):
            if count := counts[term]:
                norm = bm25.k1 * (1 - bm25.b + bm25.b * lengths[place] / average)
                scores[place] += rarity * (count * (bm25.k1 + 1) / (count + norm))
    order = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: -scores[place])
    return [replace(rows[place], score=scores[place]) for place in order[:limit]]


def _terms(row: CommunityHit, language: Language) -> Counter[str]:
    text = "\n".join([*row.keywords, *row.sentences])
    return Counter(term for terms in cut(text, language) for term in (terms.whole, *terms.parts) if term)


def _rows(name: str, found: Any, remarks: Remarks) -> list[CommunityHit]:
    """Returns the rows of a table; none, and a remark, where one is malformed."""
    try:
        rows = [_row(row) for row in found]
    except (TypeError, ValueError) as error:
        remarks.missing[name] = f"not rows of communities: {error}"
        return []
    return rows


def _row(row: Sequence[Any]) -> CommunityHit:
    file, level, _, size, title, keywords, sentences, _, *said = row
    texts = (file, title, *keywords, *sentences, *said)
    if len(said) > 1:
        raise ValueError("it has too many values")
    if not all(isinstance(text, str) for text in texts) or not all(type(number) is int for number in (level, size)):
        raise ValueError("a value is of another kind")
    return CommunityHit(
        id=file.partition(".")[0],  # in an `--out` tree a version follows
        title=title,
        level=level,
        size=size,
        keywords=tuple(keywords),
        sentences=tuple(sentences),
        href=f"_graph/{community_name(file)}",
        score=0.0,
        enriched_by="".join(said),
    )
