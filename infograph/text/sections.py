"""Runs of neighbours below one heading: the sections of a document that is cut into pieces. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

Path = Sequence[str]
"""Headings above the beginning of a piece, outermost first."""


def below_headings(paths: Sequence[Path], depth: int) -> list[tuple[int, int]]:
    """Returns the half-open ranges of neighbouring pieces that have the first `depth` headings in common, in order.

    paths: those of all pieces of a document, in order
    """
    ranges, at = [], 0
    for path, members in groupby(paths, key=lambda path: tuple(path[:depth])):
        size = sum(1 for _ in members)
        if len(path) == depth:
            ranges.append((at, at + size))
        at += size
    return ranges


def sections(paths: Sequence[Path]) -> list[tuple[int, int, int]]:
    """Returns the sections of two pieces or more, each as its number of headings and its half-open range; larger ones
    first where they begin with the same piece, and of the same pieces the one with the most headings.

    paths: those of all pieces of a document, in order
    """
    found: dict[tuple[int, int], int] = {}
    for depth in range(1, max(map(len, paths), default=0) + 1):
        found |= {own: depth for own in below_headings(paths, depth) if own[1] - own[0] > 1}
    return sorted(((depth, *own) for own, depth in found.items()), key=lambda own: (own[1], -own[2]))


def common_headings(paths: Sequence[Path]) -> tuple[str, ...]:
    """Returns the headings that all of some pieces stand below; at least one piece."""
    own = [tuple(path) for path in paths]
    first, last = min(own), max(own)
    same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:same]
