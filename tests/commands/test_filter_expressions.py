"""Filters as the command line takes them."""

from __future__ import annotations

from typing import Any

import pytest

from infograph.commands.filter_expressions import as_filters, parse_expression
from infograph.search.format.filters import parse_filters


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["language=python"], {"language": ["python"]}),
        (["tags=a", "tags=b=c", "x="], {"tags": ["a", "b=c"], "x": [""]}),
        (["tokens>=100", "tokens<500"], {"all": [{"tokens": {"gte": "100"}}, {"tokens": {"lt": "500"}}]}),
        (["tokens>1", "tokens<=2"], {"all": [{"tokens": {"gt": "1"}}, {"tokens": {"lte": "2"}}]}),
        (["product", "!draft"], {"all": [{"product": {"exists": True}}, {"not": {"draft": {"exists": True}}}]}),
        (["!tags=old", "tags=new"], {"tags": ["new"], "all": [{"not": {"tags": "old"}}]}),
        (["!n>3"], {"all": [{"not": {"n": {"gt": "3"}}}]}),
        (["Module Name=Core", "ms.date=x"], {"Module Name": ["Core"], "ms.date": ["x"]}),
        ([], {}),
    ],
)
def test_expressions_become_a_filter(given: list[str], found: Any) -> None:
    expressions = [own for own in map(parse_expression, given) if own is not None]
    assert len(expressions) == len(given)
    assert as_filters(expressions) == found
    parse_filters(found)


@pytest.mark.parametrize("text", ["", "!", "=x", "1=x", "a!=b", "!!a", ">=3", "a~b"])
def test_a_text_that_is_no_expression(text: str) -> None:
    assert parse_expression(text) is None
