"""The table of aliases, `_graph/aliases.md`: short forms that documents define, and what a person sets beside them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import dropwhile

from infograph.errors import FormatError
from infograph.formats.markdown_table import escape, numbered_lines, read_table, render_table

Aliases = Mapping[str, tuple[str, str]]
"""Names that stand for others, by key: as they are written, and what they stand for."""

_COLUMNS = ("Term", "Stands for", "Pinned")
_EXPLANATION = (
    "Names that stand for another entity. Short forms are found where a document spells them out. Write `yes` under "
    "Pinned to keep a row in every rebuild; with nothing under Stands for, it keeps the name apart."
)


def render_aliases(found: Aliases, pinned: Aliases) -> bytes:
    """Returns the bytes of the table: rows that a person set, and those found for other names, by key."""
    rows = []
    for key in sorted({**found, **pinned}):
        name, full = pinned.get(key) or found[key]
        rows.append((escape(name), escape(full) if full else "", "yes" if key in pinned else ""))
    return f"# Aliases\n\n{_EXPLANATION}\n\n{render_table(_COLUMNS, rows)}\n".encode()


def parse_aliases(place: str, data: bytes) -> list[tuple[str, str]]:
    """Returns the pinned rows: a name and what it stands for, empty where it is to stand for itself. Raises
    FormatError, with `place` as the file's name."""
    lines = numbered_lines(data, place)
    table = [line for line in dropwhile(lambda line: not line[1].lstrip().startswith("|"), lines) if line[1].strip()]
    found: dict[str, str] = {}
    for row in read_table(place, table, _COLUMNS):
        name = row.text("Term")
        if not name:
            raise row.error("Term", "a name")
        pinned = row.text("Pinned").lower()
        if pinned not in ("", "no", "yes"):
            raise row.error("Pinned", "yes, no or nothing")
        if pinned != "yes":
            continue
        if name in found:
            raise FormatError(row.place, f"the term {name!r} has two rows", "Remove one of them.")
        found[name] = row.text("Stands for")
    return list(found.items())
