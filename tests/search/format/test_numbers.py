"""The numbers that published bytes, and what a question finds, follow from.

The figures of `benchmarks/` were measured with these: whoever changes one measures again, and changes it here, too.
Numbers that memory and time alone depend on are free.
"""

from __future__ import annotations

from importlib import import_module

import pytest

NUMBERS: dict[str, dict[str, object]] = {
    "search.addresses.anchors": {
        "_LONGEST_ANCHOR": 500,
    },
    "search.addresses.headings": {
        "_MOST": 2000,
    },
    "search.format.chunk_sets": {
        "WHOLE": 0,
    },
    "search.format.columns": {
        "SHOWN": 10,
    },
    "search.format.encoding": {
        "LEVEL": 5,
    },
    "search.format.filters": {
        "MOST_CONDITIONS": 64,
        "MOST_VALUES": 256,
        "MOST_DEPTH": 8,
    },
    "search.format.forms": {
        "MOST_FORMS": 8,
        "LETTERS": 64,
    },
    "search.format.fusion_model": {
        "FUSION_FORMAT": 1,
        "LARGEST_FUSION": 60000,
        "POOL": 10,
        "LEAF": -1,
    },
    "search.format.graph_layout": {
        "GRAPH_FORMAT": 1,
        "MOST_NEIGHBOURS": 4,
        "MOST_OF_COMMON": 8,
        "MOST_OF_CHUNK": 6,
    },
    "search.format.impact": {
        "REFERENCE_LENGTH": 150,
        "K1": 1.2,
        "B": 0.75,
        "HEADING": 1,
        "NAME": 2,
        "FIELD_BITS": 2,
        "FIELDS": (0.0, 0.8, 0.4, 1.2),
    },
    "search.format.layout": {
        "FORMAT": 1,
        "HASH_BITS": 64,
        "DIRECTORY": 64,
        "LARGEST_NUMBER": 1125899906842624,
        "LARGEST_MANIFEST": 4194304,
        "LARGEST_SHARD_WRITTEN": 16777216,
        "LARGEST_SHARD_READ": 67108864,
    },
    "search.format.links": {
        "MOST_FROM": 8,
    },
    "search.format.posting_shards": {
        "PACKED": 4,
    },
    "search.format.projection": {
        "MAP_BITS": 8,
        "INPUT_BITS": 14,
    },
    "search.format.question_hash": {
        "THRESHOLD": 12,
        "WORD_WEIGHT": 2,
        "PAIR_WEIGHT": 1,
        "FEW": 3,
        "ALIKE": 0.5,
    },
    "search.format.question_rows": {
        "KEYS": 2,
        "MOST_STEMS": 64,
        "MOST_ANSWERS": 16,
        "COSINE_SCALE": 1000,
    },
    "search.format.rerank_policy": {
        "RERANK_FORMAT": 1,
        "LARGEST_POLICY": 65536,
    },
    "search.format.search_space": {
        "SHORTEST_COMMON": 4,
    },
    "search.format.terms": {
        "LONGEST_TERM": 64,
        "LONGEST_RUN": 128,
        "MOST_PARTS": 8,
    },
    "search.ranking.diversity": {
        "NEAR": 8,
        "DIVERSIFIED": 32,
    },
    "search.ranking.fusion": {
        "RRF_K": 60,
    },
    "search.ranking.linking": {
        "SHARE": 0.6,
        "LEADERS": 8,
        "AFTER": 5,
    },
    "search.ranking.reranking": {
        "RERANKED": 32,
        "WEIGHT": 30.0,
        "FIELDS_SHARE": 0.5,
    },
    "search.ranking.scoring": {
        "IDENTIFIER": 2.0,
        "ABSENT": 0.0,
    },
    "search.ranking.walking": {
        "WEIGHT": 0.8,
        "LEADS": 4,
        "AFTER": 2,
        "MOST_FOLLOWED": 12,
        "MOST_ASKED": 8,
        "MOST_CHUNKS": 16,
    },
    "search.ranking.wilson": {
        "Z": 1.96,
        "LEAST_TRIALS": 30,
    },
    "search.reading.facets": {
        "MOST_VALUES": 1000,
        "SHOWN": 20,
    },
    "search.reading.freshness": {
        "DECAY": 0.01,
    },
    "search.reading.graph_walk": {
        "MOST_QUERY_WORDS": 64,
    },
    "search.reading.passage": {
        "PASSAGE": 200,
        "SOURCE": 10000,
    },
    "search.reading.questions": {
        "PINNED": 3,
        "RAISE": 10.0,
        "FLOOR": 0.3,
        "WRITTEN": 1.0,
    },
    "search.reading.rankings": {
        "MOST_WORDS": 64,
        "MOST_EXAMINED": 2048,
        "EXAMINED_AT_ONCE": 64,
    },
    "search.reading.slips": {
        "LIKELY": 25,
        "MARKED": 1099511627776,
        "SHORTEST": 4,
        "LONGEST": 32,
        "MOST_CORRECTED": 8,
    },
    "search.reading.words": {
        "SHORTEST_STEM": 0.6,
    },
    "search.writing.bundle": {
        "LINKS_SHARE": 0.033,
        "LINK_BYTES": 1024,
        "POSTINGS_SHARE": 0.52,
    },
    "search.writing.columns": {
        "COLUMN_BYTES": 4096,
        "COLUMNS_SHARE": 0.0175,
    },
    "search.writing.graph_files": {
        "ENTITY_BYTES": 6000,
        "CHUNK_BYTES": 6000,
        "MOST_LISTED": 12,
        "MOST_TIES": 16,
        "_SHARE": 0.5,
    },
    "search.writing.link_lists": {
        "COMMON": 0.04,
        "LEAST_COMMON": 8,
        "MOST_ALIKE": 32,
        "MOST_NEAREST": 8,
        "MOST_OF_CHUNK": 32,
        "MOST_LEVELS": 12,
        "NUMBER_BYTES": 4,
        "PAGE_BYTES": 16,
    },
    "search.writing.names": {
        "LONGEST": 8,
        "SHORTEST": 2,
        "LONGEST_LEARNED": 64,
        "MARKED": 1,
        "ALONE": 2,
        "CAPITAL": 4,
        "JOINED": 1,
        "ENDED": 2,
    },
    "search.writing.page_index": {
        "BLOCK": 4,
        "SNIPPET": 120,
        "SNIPPET_SOURCE": 4000,
        "DIGEST": 32,
    },
    "search.writing.page_links": {
        "TITLE": 0,
        "IDENTIFIER": 1,
        "ADDRESS": 2,
        "NAME": 0,
        "LINK": 1,
        "RELATION": 2,
        "MOST_TARGETS": 4096,
        "MOST_ROOTS": 4,
    },
    "search.writing.question_table": {
        "SHARD_BYTES": 32768,
        "MOST_OF_STEM": 96,
        "MOST_OF_KEY": 256,
    },
    "search.writing.shards": {
        "INLINE": 256,
        "DICTIONARY_TERMS": 1024,
        "DICTIONARY_SHARE": 0.02,
        "SINGLE": 4,
    },
    "search.writing.simhash": {
        "BYTES": 8,
    },
    "search.writing.slots": {
        "SLOTS_PER_PAGE_BITS": 4,
        "GROUP": 32,
    },
    "words.runs": {
        "KEY_BYTES": 5,
        "_FACTOR": 11400714819323198485,
    },
}


@pytest.mark.parametrize("module", NUMBERS)
def test_a_number_changes_on_purpose_only(module: str) -> None:
    found = vars(import_module(f"infograph.{module}"))
    assert {name: found[name] for name in NUMBERS[module]} == NUMBERS[module]
