"""Which strategy cuts a document: what the configuration's globs say, else what its structure calls for.

    globs ─▶ file kind ─▶ `strategy` of the configuration ─▶ with `auto`, the page's class

Classes, told in `classes.py`, are those of section 9.1.3 of the specification that a tree of documentation has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from infograph.chunking.classes import classify
from infograph.chunking.page import Page, Strategy
from infograph.chunking.registry import DEFAULT_STRATEGY, STRATEGIES, strategy, unknown
from infograph.errors import ConfigError
from infograph.model import CODE, TABLES, TRANSCRIPTS, Fact
from infograph.text.gitignore import PatternError, compiled, wanted

AUTO = "auto"
"""In the place of a strategy's name: by the class of each page."""

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
"""Class of a page to the name of its strategy. Where an author has made small units (an entry, a question, a method, a
turn), their borders are kept; clauses also need what they stand under, and source in listings longer than a chunk is
cut at scopes, as its file would be. Prose without headings is not cut by its meaning: on such corpora nDCG@10 was 0.845
that way and 0.882 with the default (chroma set, `benchmarks/quality.py`)."""

KINDS = {CODE: "code", TABLES: "tabular", TRANSCRIPTS: "transcript"}
"""Suffixes of files that are no Markdown to the name of their strategy."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How one document is cut."""

    strategy: Strategy
    name: str = ""
    """Of the strategy; empty where nothing was chosen, because the configured strategy cuts every page."""
    reason: str = ""
    """For a person."""

    @property
    def facts(self) -> Mapping[str, Fact]:
        """What every chunk of the document says of the choice."""
        return {"strategy": self.name, "reason": self.reason} if self.reason else {}


class Router:
    """The strategies of a configuration. Raises ConfigError for a name, an option, a value or a glob that is wrong.

    name:    of the strategy for Markdown, or `auto`
    routes:  globs (gitignore syntax) with names of strategies; the last that matches holds
    options: a table of options for each strategy that has some
    """

    def __init__(
        self,
        name: str = DEFAULT_STRATEGY,
        routes: Iterable[tuple[str, Any]] = (),
        options: Iterable[tuple[str, Any]] = (),
    ) -> None:
        given = {owner: _options(owner, table) for owner, table in options}
        for owner in given:
            if owner not in STRATEGIES:
                raise unknown("strategies", owner, list(STRATEGIES))
        if name != AUTO and name not in STRATEGIES:
            raise unknown("strategy", name, [*STRATEGIES, AUTO])
        self._routes = tuple((glob, _route(glob, target)) for glob, target in routes)
        self._matches = [(glob, target, _compiled(glob)) for glob, target in reversed(self._routes)]
        self._made = {known: strategy(known, given.get(known)) for known in STRATEGIES}
        self._name = name
        self._given = {owner: table for owner, table in given.items() if owner != name}

    @property
    def embeds(self) -> bool:
        """Whether a document may be cut by a strategy that needs vectors."""
        named = {target for _, target in self._routes} | {self._name}
        used = named | set(CLASSES.values()) if AUTO in named else named
        return any(getattr(self._made[name], "embeds", False) for name in used if name in self._made)

    @property
    def key(self) -> str:
        """The strategy's key; where others may come in, a digest of what they depend on after it."""
        key = AUTO if self._name == AUTO else self._made[self._name].key
        if not self._routes and not self._given:
            return key
        rest = json.dumps([self._routes, self._given], sort_keys=True)
        return f"{key}-{hashlib.sha256(rest.encode()).hexdigest()[:8]}"

    def glob(self, path: str) -> str | None:
        """The glob that decides for a document: with the kind of file, all of its path that the choice hangs on."""
        return next((glob for glob, _, matches in self._matches if matches(path)), None)

    def choose(self, page: Page) -> Choice:
        """The strategy for a page, and why."""
        path = page.document.path
        name, reason = self._name, ""
        for glob, target, matches in self._matches:
            if matches(path):
                name, reason = target, f"the path matches {glob}"
                break
        else:
            for suffixes, own in KINDS.items():
                if path.lower().endswith(suffixes):
                    name, reason = own, f"the file ends in .{path.rpartition('.')[2].lower()}"
        if name == AUTO:
            found, why = classify(page)
            name, reason = CLASSES[found], f"{found}: {why}"
        return Choice(self._made[name], name if reason else "", reason)


def chosen(strategy: Strategy | Router, page: Page) -> Choice:
    """The strategy for a page, where there is one to choose."""
    return strategy.choose(page) if isinstance(strategy, Router) else Choice(strategy)


def _options(owner: str, table: Any) -> dict[str, Any]:
    try:
        return {str(name).replace("-", "_"): value for name, value in table}
    except (TypeError, ValueError):
        raise ConfigError(f"strategies.{owner}", f"must be a table of options, not {table!r}") from None


def _route(glob: str, target: Any) -> str:
    if not isinstance(target, str) or (target != AUTO and target not in STRATEGIES):
        error = unknown("routes", str(target), [*STRATEGIES, AUTO])
        raise ConfigError(error.place, f"`{glob}`: {error.reason}", error.hint)
    return target


def _compiled(glob: str) -> Callable[[str], bool]:
    try:
        pattern = compiled(glob)
    except PatternError as error:
        raise ConfigError("routes", f"`{glob}` is not a gitignore pattern: {error}") from None
    return wanted([pattern] if pattern else [])
