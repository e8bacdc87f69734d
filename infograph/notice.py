"""What is worth a warning, beside the errors of errors.py."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know about one file; never silent, never fatal."""

    path: str
    """Posix path relative to the source root."""
    kind: str
    """What happened, as a fixed word: `symlink`, `not-regular`, `unreadable`, `unresolved-include`, `nesting`, …"""
    message: str
    """The reason, for a person."""
    count: int = 1
    """How many times, where one file has several of a kind."""
