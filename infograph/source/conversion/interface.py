"""What a converter is given and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from infograph.errors import Notice


@dataclass(frozen=True, slots=True)
class ConversionOptions:
    """The settings that conversions depend on."""

    outputs: bool = False
    """Whether the outputs of notebook cells are kept."""
    commands: tuple[tuple[str, str], ...] = ()
    """Suffixes that commands of the user convert, and the commands."""
    seconds: float = 30.0
    """Longest time that a command may take for one file."""


@dataclass(frozen=True, slots=True)
class Converted:
    """The Markdown of a file. Lines are 0-based lines of it."""

    text: str
    title: str | None = None
    """Title, where the text has no heading of level 1 that is one."""
    description: str | None = None
    language: str = ""
    """Language that the file says it is in, as in `lang`; empty where it says nothing."""
    addresses: tuple[tuple[str, str], ...] = ()
    """What the file says of its address, see `Document.addresses`."""
    anchors: tuple[tuple[int, str], ...] | None = None
    """See `Origin`; so the next ones."""
    unit: str = ""
    places: tuple[tuple[int, int], ...] = ()
    notices: tuple[Notice, ...] = field(default=())
    left_out: str = ""


Convert = Callable[[str, bytes, ConversionOptions], Converted]
"""(path, bytes of the file, options) -> its Markdown. Raises DocumentError for a file that is none of its kind."""


@dataclass(frozen=True, slots=True)
class Converter:
    """A converter, as the table names it."""

    name: str
    version: int
    """Raised when the same bytes become other Markdown."""
    load: Callable[[], Convert]
    """Imports what the converter needs. Raises ImportError where it is not installed."""
    extra: str = ""
    """Extra of infograph that brings the packages."""
    packages: tuple[str, ...] = ()
    """Packages that the result depends on."""
    left_out: Callable[[str], str] = field(default=lambda path: "")
    """path -> why a file of this name is no document; empty for a document."""
