"""Everything infograph raises on purpose.

    InfographError                  what the command line prints as one line and turns into exit status 1
    ├── ConfigError                 infograph.toml, [tool.infograph], an environment variable or a flag
    ├── DocumentError               one source file cannot be indexed; the others still are
    ├── FormatError                 a file infograph wrote (or a person edited) no longer parses
    ├── ModelError                  an embedding model is not there or does not load
    ├── OutputError                 an output cannot be written (disk full, no permission)
    ├── LockedError                 another process is building the same output tree
    └── ClientError                 a published tree cannot be read (`infograph.client.errors`)

A message names the place, the reason and the way out, in that order, on one line.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]")
"""Control characters, ends of lines and changes of the writing direction."""


def printable(text: str) -> str:
    """One line for a terminal. The name of a file may hold anything: what would command the terminal is escaped."""
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


class LockedError(InfographError):
    """Another process holds the output tree."""
