from __future__ import annotations

import re
from dataclasses import fields

import pytest

from infograph.chunking.registry import DEFAULT_STRATEGY, STRATEGIES, cache_key, strategy
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


DEFAULTS = {
    "semantic-250-750": {"minimum": 250, "deeper": 500, "maximum": 750, "tokens": "wordpiece"},
    "structural": {"minimum": None, "maximum": None, "unit": "characters"},
    "fixed": {"window": 512, "overlap": 64, "whole_sentences": False, "whole_sentence_overlap": True},
    "semantic-embedding": {"minimum": 100, "maximum": 512, "smooth": 3, "sensitivity": 1.0, "percentile": None},
    "hierarchical": {"levels": (2048, 512, 128)},
    "agentic": {"maximum": 2000},
    "code": {"minimum": 150, "maximum": 750},
    "tabular": {"maximum": 750, "group_by": "", "sentences": False, "header": "auto", "delimiter": ""},
    "transcript": {"minimum": 250, "maximum": 750, "pause": 2.0},
}


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_defaults_are_those_of_the_user_guide(name: str) -> None:
    """The defaults decide over every tree without settings: a change cuts all of them again."""
    assert {field.name: getattr(strategy(name), field.name) for field in fields(strategy(name))} == DEFAULTS[name]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("hierarchical", {"levels": (900, True)}, "`levels` must be a list, each item a whole number"),
        ("tabular", {"sentences": 1}, "`sentences` must be true or false, not 1"),
        ("tabular", {"header": True}, "`header` must be text, not True"),
        ("semantic-embedding", {"sensitivity": "1"}, "`sensitivity` must be a number, not '1'"),
        ("semantic-embedding", {"percentile": "1"}, "`percentile` must be a number or unset, not '1'"),
        ("semantic-embedding", {"percentile": True}, "`percentile` must be a number or unset, not True"),
    ],
)
def test_what_a_value_must_be_is_said(name: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(said)):
        strategy(name, options)


def test_a_whole_number_does_for_any_number() -> None:
    assert strategy("semantic-embedding", {"sensitivity": 2, "percentile": 50}).key.startswith(
        "semantic-embedding-p50-"
    )
    assert strategy("semantic-embedding", {"percentile": None}) == strategy("semantic-embedding")


def test_a_strategy_with_options_after_its_name_is_told_where_they_stand() -> None:
    with pytest.raises(ConfigError, match=r"no `fixed:100`. Options of `fixed` .* below `\[strategies.fixed\]`"):
        strategy("fixed:100")
    with pytest.raises(ConfigError, match=r"no `zzz`. Valid: `semantic-250-750`, `structural`"):
        strategy("zzz")


def test_the_model_that_a_strategy_cuts_by_is_in_its_key() -> None:
    key = cache_key(strategy("fixed"), WordPieceCounter(), ("org/a model", "r1"))
    assert key == "fixed-64-512-org-a-model-r1"
