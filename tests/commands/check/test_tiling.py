"""Chunks as tiles of a converted document, whatever comes first."""

from __future__ import annotations

import hashlib
from itertools import permutations

import pytest

from infograph.commands.check.promises import Broken
from infograph.commands.check.tiling import Tile, Tilings, Whole, check_converted

HEAD = b'---\ntitle: ""\nsource: "a.html"\nconverter: "html 1"\n---\n'
BODY = b"# One\n\n# Two\n"
URL = "https://x.org/_chunks/a.converted.md"


def tile(index: int, start: int, end: int) -> Tile:
    digest = hashlib.sha256(BODY[start:end]).hexdigest()
    return Tile(URL, index, 2, len(HEAD) + start, len(HEAD) + end, digest)


def said(*parts: Tile | Whole) -> list[str]:
    tilings = Tilings()
    return [tilings.add(URL if isinstance(part, Whole) else f"{URL}#{part.index}", part) for part in parts]


def test_in_any_order() -> None:
    parts = (tile(0, 0, 7), tile(1, 7, 13), Whole(HEAD + BODY))
    for order in permutations(parts):
        assert said(*order) == ["", "", ""]
    for order in permutations((tile(0, 0, 7), tile(1, 7, 13), Whole(HEAD + BODY + b"x"))):
        assert said(*order)[-1].startswith("the chunks end at byte")


@pytest.mark.parametrize(("first", "second"), [((0, 6), (7, 13)), ((0, 7), (6, 13)), ((1, 7), (7, 13))])
def test_gaps_and_overlaps(first: tuple[int, int], second: tuple[int, int]) -> None:
    assert said(tile(0, *first), tile(1, *second), Whole(HEAD + BODY))[-1].startswith("chunk ")


def test_what_is_no_converted_document() -> None:
    assert check_converted(HEAD + BODY) == Whole(HEAD + BODY)
    for data in (b"", BODY, HEAD.replace(b"converter", b"other") + BODY):
        with pytest.raises(Broken):
            check_converted(data)
