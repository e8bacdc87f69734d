"""Reads the authority tables on disk, since rows that were set by hand must not be lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from infograph.config.settings import Settings
from infograph.errors import FormatError
from infograph.files.disk import read_file, unread
from infograph.formats.alias_table import parse_aliases
from infograph.formats.keyword_table import parse_words
from infograph.formats.names import ALIASES, KEYWORDS, has_rows_set_by_hand, join

if TYPE_CHECKING:
    from infograph.model import KeywordRow

LARGEST_TABLE = 1 << 25
"""Most bytes of an authority table that is read."""


def pinned_rows(settings: Settings, topic: str, *, copied: bool = False) -> list[KeywordRow]:
    """Returns the rows of a topic that were set by hand: from the table beside the sources, or else beside the outputs.

    copied: the rows among the outputs are copies of a table beside the sources, as the last build found it

    Raises FormatError when the table does not parse, or could be one that infograph did not write.
    """
    target = join(topic, KEYWORDS)
    for folder in dict.fromkeys((settings.root, settings.root if copied else settings.out)):
        if any(os.path.islink(place) for place in (folder / target, (folder / target).parent)):
            reason = "is a symbolic link or lies behind one, which is not followed"
            raise FormatError(target, reason, "Put the table itself there, or take the link away.")
        data = read_file(folder / target, LARGEST_TABLE + 1)
        if data is None and (error := unread(folder / target)):
            reason = f"cannot be read: {error.strerror}"
            raise FormatError(target, reason, "It may hold rows set by hand: make it readable, or take it away.")
        if data is not None:
            return [row for row in parse_words(target, _bounded(target, data)) if row.pinned]
    return []


def is_beside_sources(settings: Settings, topic: str) -> bool:
    """Whether a topic's rows set by hand belong to a table beside the sources, of which the outputs hold copies."""
    return not settings.in_place and os.path.lexists(settings.root / join(topic, KEYWORDS))


def holds_pins(out: Path, path: str) -> bool:
    """Whether a file is an authority table or the table of aliases with rows set by hand, or one that cannot be read: a
    topic may be gone for one build only, because its page is broken or an ignore file has a slip."""
    if not has_rows_set_by_hand(path):
        return False
    try:
        data = _bounded(path, read_file(out / path, LARGEST_TABLE + 1) or b"")
        if path == ALIASES:
            return bool(parse_aliases(path, data))
        return any(row.pinned for row in parse_words(path, data))
    except FormatError:
        return True


def _bounded(path: str, data: bytes) -> bytes:
    if len(data) > LARGEST_TABLE:
        raise FormatError(path, f"is larger than {LARGEST_TABLE >> 20} MB", "Take it away, or the rows not needed.")
    return data
