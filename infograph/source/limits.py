"""Limits on one source file; a file above a limit fails alone, and the error names the file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """Per-file limits; the settings `limits.*` of infograph.toml carry these names."""

    bytes: int = 5_000_000
    """Size limit of a source file in bytes."""
    blocks: int = 100_000
    """Limit on Markdown blocks in one file, nested ones included."""
    front_matter: int = 1_048_576
    """Size limit of a front matter in bytes, without its fences."""
    nesting: int = 100
    """Depth at which lists and quotes are no longer taken apart; a list counts twice (list, item)."""
