"""What one source file may cost before it fails alone, by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """Per-file limits; the settings `limits.*` of infograph.toml carry these names."""

    bytes: int = 5_000_000
    """Size of a source file."""
    blocks: int = 100_000
    """Markdown blocks in one file, nested ones included."""
    front_matter: int = 8_192
    """Bytes between the fences of a front matter."""
    nesting: int = 100
    """Depth at which lists and quotes are no longer taken apart; a list counts twice (list, item)."""
