"""Notices of a build as a site generator logs them: one line for each kind."""

from __future__ import annotations

from collections.abc import Iterable

from infograph.errors import REMARKS, Notice


def lines_by_kind(notices: Iterable[Notice]) -> list[tuple[str, bool]]:
    """Returns a line for each kind of notice, the first of its kind and how many there are, and whether it is a
    warning and not only a remark."""
    kinds: dict[str, list[Notice]] = {}
    for notice in notices:
        kinds.setdefault(notice.kind, []).append(notice)
    lines = []
    for kind, (first, *others) in kinds.items():
        more = f" ({kind}: {len(others)} more documents; `infograph build` names all)" if others else ""
        lines.append((f"{first.path}: {first.message}{more}", kind not in REMARKS))
    return lines
