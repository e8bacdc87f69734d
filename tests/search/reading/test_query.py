"""What a query wants of a ranking."""

from __future__ import annotations

from dataclasses import replace

from infograph.search.reading.query import Query


def test_a_query_wants_no_less_than_nothing() -> None:
    query = Query("cache", limit=-3, offset=-2)
    assert (query.first, query.end) == (0, 0)
    assert (replace(query, limit=3).end, replace(query, offset=4).first, replace(query, offset=4).end) == (3, 4, 4)


def test_what_a_query_does_not_say() -> None:
    query = Query("cache")
    assert (query.limit, query.offset, query.one_per_page, query.passes) == (10, 0, False, None)
    assert (query.collapsed, query.diversity, query.vector, query.exact) == (False, 0.0, None, False)
    assert (query.first, query.end) == (0, 10)
