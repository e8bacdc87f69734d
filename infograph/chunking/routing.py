"""Chooses the strategy of each document: by the configuration's globs, else by the document's structure.

    globs ─▶ file suffix ─▶ `strategy` of the configuration ─▶ with `auto`, the document's class

`classifier.py` determines the class; the classes are those of section 9.1.3 of the specification that occur in
documentation.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from infograph.chunking.classifier import classify
from infograph.chunking.interface import DocumentLayout, Strategy
from infograph.chunking.registry import (
    DEFAULT_STRATEGY,
    STRATEGIES,
    STRATEGY_OF_EXTENSIONS,
    is_known,
    strategy,
    unknown,
)
from infograph.errors import ConfigError
from infograph.model import Fact
from infograph.text.gitignore import PatternError, compiled, wanted

AUTO = "auto"
"""The strategy name that stands for a choice by the class of each document."""

CLASSES = {
    "release-notes": "structural",
    "faq": "structural",
    "reference": "structural",
    "clauses": "hierarchical",
    "dialogue": "structural",
    "tables": "tabular",
    "source": "code",
    "listings": "structural",
    "prose": DEFAULT_STRATEGY,
    "guide": DEFAULT_STRATEGY,
}
"""Maps the class of a document to the name of its strategy.

Where an author has written small units (an entry, a question, a method, a turn), their borders are kept. Clauses
also need the headings above them. Source code in listings longer than a chunk is cut at scopes, as its file would
be. Prose without headings is not cut by meaning: on such corpora nDCG@10 was 0.845 that way and 0.882 with the
default (chroma set, `benchmarks/strategies.py`).
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """The strategy chosen for one document, and why."""

    strategy: Strategy
    name: str = ""
    """Name of the strategy; empty where nothing was chosen because the configured strategy cuts every document."""
    reason: str = ""
    """Reason for the choice, for the user; empty where nothing was chosen."""

    @property
    def facts(self) -> Mapping[str, Fact]:
        """The metadata that the choice adds to every chunk of the document."""
        return {"strategy": self.name, "reason": self.reason} if self.reason else {}


class Router:
    """Chooses between the strategies of a configuration. Raises ConfigError for a wrong name, option, value or glob.

    name:    name of the strategy for Markdown, or `auto`
    routes:  globs (gitignore syntax) with names of strategies; the last match wins
    options: tables of options by the name of their strategy
    """

    def __init__(
        self,
        name: str = DEFAULT_STRATEGY,
        routes: Iterable[tuple[str, Any]] = (),
        options: Iterable[tuple[str, Any]] = (),
    ) -> None:
        given = {owner: _options(owner, table) for owner, table in options}
        for owner in given:
            if not is_known(owner):
                raise unknown("strategies", owner, list(STRATEGIES))
        if name != AUTO and not is_known(name):
            raise unknown("strategy", name, [*STRATEGIES, AUTO])
        self._routes = tuple((glob, _route(glob, target)) for glob, target in routes)
        self._matches = [(glob, target, _compiled(glob)) for glob, target in reversed(self._routes)]
        named = {name, *given, *(target for _, target in self._routes)} - {AUTO}
        others = sorted(named - STRATEGIES.keys())  # those of other packages
        self._made = {known: strategy(known, given.get(known)) for known in (*STRATEGIES, *others)}
        self._name = name
        self._given = {owner: table for owner, table in given.items() if owner != name}

    @property
    def embeds(self) -> bool:
        """Whether some document may be cut by a strategy that needs vectors."""
        named = {target for _, target in self._routes} | {self._name}
        used = named | set(CLASSES.values()) if AUTO in named else named
        return any(self._made[name].embeds for name in used if name in self._made)

    @property
    def key(self) -> str:
        """The cache key: the configured strategy's, and a digest of routes and options where others may be chosen."""
        key = AUTO if self._name == AUTO else self._made[self._name].key
        if not self._routes and not self._given:
            return key
        rest = json.dumps([self._routes, self._given], sort_keys=True)
        return f"{key}-{hashlib.sha256(rest.encode()).hexdigest()[:8]}"

    def glob(self, path: str) -> str | None:
        """Returns the glob that decides for a path, or None.

        The choice depends on nothing else of the path but its suffix.
        """
        return next((glob for glob, _, matches in self._matches if matches(path)), None)

    def choose(self, layout: DocumentLayout) -> Choice:
        """Returns the strategy for a document, and why."""
        path = layout.document.path
        name, reason = self._name, ""
        for glob, target, matches in self._matches:
            if matches(path):
                name, reason = target, f"the path matches {glob}"
                break
        else:
            for suffixes, own in STRATEGY_OF_EXTENSIONS.items():
                if path.lower().endswith(suffixes):
                    name, reason = own, f"the file ends in .{path.rpartition('.')[2].lower()}"
        if name == AUTO:
            found, why = classify(layout)
            name, reason = CLASSES[found], f"{found}: {why}"
        return Choice(self._made[name], name if reason else "", reason)


def choose_strategy(strategy: Strategy | Router, layout: DocumentLayout) -> Choice:
    """Returns the choice of a router, or the given strategy itself."""
    return strategy.choose(layout) if isinstance(strategy, Router) else Choice(strategy)


def _options(owner: str, table: Any) -> dict[str, Any]:
    try:
        return {str(name).replace("-", "_"): value for name, value in table}
    except (TypeError, ValueError):
        raise ConfigError(f"strategies.{owner}", f"must be a table of options, not {table!r}") from None


def _route(glob: str, target: Any) -> str:
    if not isinstance(target, str) or (target != AUTO and not is_known(target)):
        error = unknown("routes", str(target), [*STRATEGIES, AUTO])
        raise ConfigError(error.place, f"`{glob}`: {error.reason}", error.hint)
    return target


def _compiled(glob: str) -> Callable[[str], bool]:
    try:
        pattern = compiled(glob, characters=True)
    except PatternError as error:
        raise ConfigError("routes", f"`{glob}` is not a gitignore pattern: {error}") from None
    return wanted([pattern] if pattern else [])
