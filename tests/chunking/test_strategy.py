from __future__ import annotations

import re
from dataclasses import fields

import pytest

from infograph.chunking.strategy import DEFAULT_STRATEGY, STRATEGIES, cache_key, strategy
from infograph.chunking.tokens import WordPieceCounter
from infograph.errors import ConfigError


class OtherCounter(WordPieceCounter):
    name = "org/Other Model"


def test_the_default_is_in_the_table_and_its_key_is_its_name() -> None:
    assert DEFAULT_STRATEGY in STRATEGIES
    assert cache_key(strategy(), WordPieceCounter()) == DEFAULT_STRATEGY


def test_another_tokenizer_shows_in_the_key_as_a_directory_name() -> None:
    key = cache_key(strategy(), OtherCounter())
    assert key == "semantic-250-750-org-Other-Model"
    assert re.fullmatch(r"[A-Za-z0-9._-]+", key)


def test_unknown_names_are_errors_that_help() -> None:
    with pytest.raises(ConfigError, match=r"no `semantic-250-700`. Did you mean `semantic-250-750`\? Valid: "):
        strategy("semantic-250-700")
    with pytest.raises(ConfigError, match=r"no option `minimun`. Did you mean `minimum`\? Valid: `minimum`, `deeper`"):
        strategy(DEFAULT_STRATEGY, {"minimun": 3})


@pytest.mark.parametrize("name", STRATEGIES)
def test_an_unknown_option_names_all_that_the_strategy_has(name: str) -> None:
    with pytest.raises(ConfigError, match=rf"strategies\.{name}: there is no option `widow`") as caught:
        strategy(name, {"widow": 3})
    assert all(f"`{field.name}`" in caught.value.hint for field in fields(STRATEGIES[name]))


@pytest.mark.parametrize("options", [{"minimum": 0}, {"minimum": 800}, {"deeper": 100}, {"maximum": 400}])
def test_impossible_values_are_errors(options: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="not in ascending order"):
        strategy(DEFAULT_STRATEGY, options)


@pytest.mark.parametrize("value", [True, "250", 2.5, None])
def test_values_of_another_type_are_errors(value: object) -> None:
    with pytest.raises(ConfigError, match="must be a whole number"):
        strategy(DEFAULT_STRATEGY, {"minimum": value})  # type: ignore[dict-item]


def test_lists_are_options() -> None:
    assert strategy("hierarchical", {"levels": (900, 300)}) != strategy("hierarchical")
    with pytest.raises(ConfigError, match=r"`levels` must be a list, each item a whole number, not \(900, 'x'\)"):
        strategy("hierarchical", {"levels": (900, "x")})
    with pytest.raises(ConfigError, match="`levels` must be a list"):
        strategy("hierarchical", {"levels": 900})
