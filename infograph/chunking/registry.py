"""The table of chunking strategies, by the names that a configuration uses.

To add a strategy, write a frozen dataclass in `strategies/` that fulfils `interface.Strategy` and add its line to
`STRATEGIES`. Its fields are the options below `[strategies.NAME]`; its `extensions` are the files that it cuts by
default. Another package declares one as an entry point of `infograph.strategies`, whose name begins its `key`; such a
strategy cuts what the configuration says, and no files by their suffix.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from types import NoneType
from typing import Any, Protocol, get_type_hints

from infograph.chunking.interface import Strategy
from infograph.chunking.plugin import hints_of, made_by_plugin, options_class
from infograph.chunking.strategies.agentic import Agentic
from infograph.chunking.strategies.code import CodeScopes
from infograph.chunking.strategies.fixed import FixedWindow
from infograph.chunking.strategies.hierarchical import Hierarchical
from infograph.chunking.strategies.semantic_250_750 import SemanticWindow
from infograph.chunking.strategies.semantic_embedding import SemanticEmbedding
from infograph.chunking.strategies.structural import Structural
from infograph.chunking.strategies.tabular import Tabular
from infograph.chunking.strategies.transcript import Transcript
from infograph.chunking.tokens import DEFAULT_COUNTER, TokenCounter
from infograph.errors import ConfigError
from infograph.formats.codec import DecodeError, Notation, decode, described
from infograph.plugins.entry_points import STRATEGIES as PLUGINS
from infograph.plugins.entry_points import load_plugin, plugin_names

DEFAULT_STRATEGY = "semantic-250-750"

STRATEGIES: dict[str, type[Any]] = {
    "semantic-250-750": SemanticWindow,
    "structural": Structural,
    "fixed": FixedWindow,
    "semantic-embedding": SemanticEmbedding,
    "hierarchical": Hierarchical,
    "agentic": Agentic,
    "code": CodeScopes,
    "tabular": Tabular,
    "transcript": Transcript,
}
"""Maps a name to the dataclass whose fields are the strategy's options and whose instances are a `Strategy`."""

_TAKEN = frozenset({*STRATEGIES, "auto"})
"""Names that no other package may take."""

STRATEGY_OF_EXTENSIONS = {made.extensions: name for name, made in STRATEGIES.items() if made.extensions}
"""Maps suffixes of files other than Markdown to the name of the strategy that cuts them, from its `extensions`."""

_OPTIONS = Notation(
    words={
        int: "a whole number",
        float: "a number",
        str: "text",
        bool: "true or false",
        NoneType: "unset",
        tuple: "a list, each item {}",
    },
    lists=(tuple,),
    unset=(None,),
)
"""Options of strategies, as settings hand them on."""


def strategy(name: str = DEFAULT_STRATEGY, options: Mapping[str, Any] | None = None) -> Strategy:
    """Returns a strategy by name; raises ConfigError for an unknown name, an unknown option or an invalid value."""
    made, plugin = STRATEGIES.get(name), None
    if made is None:
        plugin = load_plugin(PLUGINS, name, _TAKEN)
        if plugin is None:
            raise unknown("strategy", name, list(STRATEGIES))
        made = options_class(plugin)
    names = [field.name for field in fields(made)]
    types = get_type_hints(made) if plugin is None else hints_of(plugin, made)
    for option, value in (options or {}).items():
        if option not in names:
            raise ConfigError(f"strategies.{name}", f"there is no option `{option}`", _nearest(option, names))
        try:
            # Only checked: a strategy's name has the numbers as they were written, and 2.0 would be another than 2.
            decode(types[option], value, _OPTIONS)
        except DecodeError:
            wanted = described(types[option], _OPTIONS)
            raise ConfigError(f"strategies.{name}", f"`{option}` must be {wanted}, not {value!r}") from None
    return made(**(options or {})) if plugin is None else made_by_plugin(plugin, made, options or {})


def is_known(name: str) -> bool:
    """Whether there is a strategy of this name, here or in another package. Raises ConfigError where that does not
    load."""
    return name in STRATEGIES or load_plugin(PLUGINS, name, _TAKEN) is not None


class Keyed(Protocol):
    """An object with a cache key: a strategy, or a router that chooses between several."""

    @property
    def key(self) -> str: ...


def cache_key(strategy: Keyed, counter: TokenCounter, embedder: tuple[str, str] | None = None) -> str:
    """Returns the directory name of everything that chunking depends on: `semantic-250-750`, followed by the
    tokenizer unless it is the packaged one.

    embedder: name and revision of the model whose vectors the strategy cuts by, where it needs one
    """
    other = () if counter.name == DEFAULT_COUNTER else (counter.name,)
    return "-".join((strategy.key, *(re.sub(r"[^A-Za-z0-9._-]+", "-", name) for name in (*other, *(embedder or ())))))


def unknown(place: str, name: str, names: list[str]) -> ConfigError:
    """Returns the error for a strategy name that does not exist."""
    known = name.partition(":")[0]
    if known in names:
        hint = f"Options of `{known}` stand in the configuration, below `[strategies.{known}]`."
        return ConfigError(place, f"there is no `{name}`", hint)
    return ConfigError(place, f"there is no `{name}`", _nearest(name, [*names, *plugin_names(PLUGINS)]))


def _nearest(name: str, names: list[str]) -> str:
    close = get_close_matches(name, names, n=1)
    known = "Valid: " + ", ".join(f"`{known}`" for known in names)
    return f"Did you mean `{close[0]}`? {known}" if close else known
