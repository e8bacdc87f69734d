"""Errors that infograph raises on purpose, and notices about single files, which end nothing.

    InfographError                  what the command line prints as one line and turns into exit status 1
    ├── ConfigError                 infograph.toml, [tool.infograph], an environment variable or a flag
    ├── DocumentError               one source file cannot be indexed; the others still are
    ├── FormatError                 a file infograph wrote (or a person edited) no longer parses
    ├── ModelError                  an embedding model is not there or does not load
    ├── OutputError                 an output cannot be written (disk full, no permission)
    ├── FilterError                 a search is narrowed in a way that makes no sense, or by what the site does not have
    ├── EndpointError               a language model's endpoint refuses, or answers what nothing can be made of
    ├── LockedError                 another process is building the same output tree
    └── ClientError                 a published tree cannot be read (`infograph.client.errors`)

A message names the place, the reason and the way out, in that order, on one line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

REINSTALL = "`pip install --force-reinstall infograph` brings it back."
"""Way out where a packaged file is missing or changed."""

_UNSAFE = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]")
"""Control characters, ends of lines and changes of the writing direction."""


def printable(text: str) -> str:
    """A text as one line for a terminal. The name of a file may hold anything, so what would command the terminal is
    escaped."""
    return _UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


class InfographError(Exception):
    """Base of all errors raised on purpose.

    place:  the file (with a line where there is one) or the setting that is at fault
    reason: what is wrong with it
    hint:   what to do about it; empty when the reason already says so
    """

    def __init__(self, place: str, reason: str, hint: str = "") -> None:
        super().__init__(place, reason, hint)
        self.place = place
        self.reason = reason
        self.hint = hint

    def __str__(self) -> str:
        text = f"{self.place}: {self.reason}" if self.place else self.reason
        return printable(f"{text}. {self.hint}" if self.hint else text)


class ConfigError(InfographError):
    """A setting is unknown, has the wrong type or an impossible value."""


class DocumentError(InfographError):
    """A source file cannot be indexed. Costs that file only."""


class FormatError(InfographError):
    """A file that infograph reads back does not have the form it must have."""


class ModelError(InfographError):
    """An embedding model cannot be found or loaded."""


class OutputError(InfographError):
    """An output file cannot be written."""


class ForeignFileError(OutputError):
    """A file that somebody else wrote stands where an output file belongs."""


class FilterError(InfographError):
    """A filter of a search is malformed, or names what the site does not have."""


class EndpointError(InfographError):
    """A language model's endpoint refuses, does not answer, or cannot be asked."""


class LockedError(InfographError):
    """Another process holds the output tree."""


def missing_extra(extra: str, place: str, reason: str, error: ImportError) -> ConfigError:
    """The error for a feature whose package is not installed; it names the extra of infograph that brings the package.

    reason: what is needed, such as `needs matplotlib`
    """
    return ConfigError(place, f"{reason} ({error})", f"Install it with: {_install(extra)}")


def missing_model_extra(model: str) -> ModelError:
    """The error for an embedding model that needs the extra `sentence-transformers`."""
    hint = f"Install it with `{_install('sentence-transformers')}`."
    return ModelError(f"model `{model}`", "needs the sentence-transformers library", hint)


def _install(extra: str) -> str:
    return f"pip install 'infograph[{extra}]'"


MOST_LINES = 5
"""Most line numbers that a message names."""

COMMENT = "html-comment"
"""Kind of the notice about comments, which are not on the rendered page, but in chunks."""
KEPT_TABLE = "kept-table"
"""Kind of the notice about a keyword table whose topic is gone and that has rows set by hand, so that it stays."""
LACKING = "enrichment"
"""Kind of the notice about chunks of which no language model said anything, in a tree with records of others."""
LEFT_ALONE = "left-alone"
"""Kind of the notice about a file of somebody else's, where infograph would write one that a tree can do without."""
GENERATED = "generated-text"
"""Kind of the notice about text that a site generator makes from data, which no source has."""
BREAKPOINTS = "breakpoints"
"""Kind of the notice about a document that no language model has said where to cut, under the strategy `agentic`."""
FRONT_MATTER = "front-matter"
"""Kind of the notice about a value of a front matter that infograph cannot use."""
LEFT_OUT = "left-out"
"""Kind of the notice about a page that is no document, such as one that only leads to another."""
NOT_READ = "not-read"
"""Kind of the notice that counts files of kinds that are not read."""
OTHER_LANGUAGE = "other-language"
"""Kind of the notice about a page in another language than the site's."""
UNMATCHED = "unmatched-term"
"""Kind of the notice about terms set by hand, in a keyword table, that no chunk has."""
REMARKS = frozenset(
    {
        BREAKPOINTS,
        COMMENT,
        LACKING,
        KEPT_TABLE,
        LEFT_ALONE,
        GENERATED,
        FRONT_MATTER,
        LEFT_OUT,
        NOT_READ,
        OTHER_LANGUAGE,
        UNMATCHED,
    }
)
"""Kinds of notices that are no fault of a document: they are shown, and `strict` does not fail for them. Half of all
trees have comments."""

KINDS = (
    "breakpoints",
    "broken-enrichment",
    "cues",
    "encoding",
    "enrichment",
    "frames",
    "front-matter",
    "generated-text",
    "grammar",
    "group-by",
    "html-comment",
    "invisible-text",
    "kept-table",
    "language",
    "left-alone",
    "left-out",
    "markup",
    "nesting",
    "no-content",
    "not-read",
    "not-regular",
    "not-searched",
    "other-language",
    "quotes",
    "ragged",
    "reserved-name",
    "stale-specification",
    "symlink",
    "syntax",
    "time-stamp",
    "unmatched-term",
    "unreadable",
    "unresolved-include",
)
"""All kinds of notices."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A fact about one file that a person should know. It is shown unless `silence` names its kind."""

    path: str
    """Posix path relative to the source root."""
    kind: str
    """The case, as a fixed word: `symlink`, `not-regular`, `unreadable`, `unresolved-include`, `nesting`, …"""
    message: str
    """The reason, for a person."""
    count: int = 1
    """Number of cases, where one file has several of a kind."""


def lines_named(lines: Sequence[int], count: int | None = None) -> str:
    """Names the lines of a notice: `line 3`, or `lines 3, 7, 9, 12, 15, … (40 in all)`.

    lines: 1-based, ascending; the first of them are enough
    count: how many there are; None: those given
    """
    count = len(lines) if count is None else count
    more = f", … ({count:,} in all)" if count > MOST_LINES else ""
    return f"line{'s' * (count > 1)} {', '.join(map(str, lines[:MOST_LINES]))}{more}"
