"""Links to chunks, to a file of one or to one of several in a pack."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.formats.chunk_href import (
    ChunkPlaceName,
    chunk_at,
    chunk_href,
    file_of_chunk,
    fragment_in,
    href_beside,
    is_chunk_href,
    is_whole_pack,
    number_in_pack,
)
from infograph.formats.names import PACKED, chunk_name, named_by

STEMS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/"), min_size=1, max_size=9)


@given(stem=STEMS, index=st.integers(0, 10**6), version=st.sampled_from(["", "0123456789"]), packed=st.booleans())
def test_a_link_says_what_it_was_made_of(stem: str, index: int, version: str, packed: bool) -> None:
    own = named_by(stem, version)
    href = f"guide/_chunks/{chunk_href(own, index, packed=packed)}"
    assert unquote(href.partition("#")[0]) == f"guide/_chunks/{file_of_chunk(own, index, packed=packed)}"
    said = chunk_at(href)
    assert said is not None and (said.topic, said.index) == ("guide/", index)
    assert said.stem == (stem if version else said.stem)
    assert number_in_pack(href) == (index if packed else None)
    assert fragment_in(href) == (f"#{index}" if packed else "")
    assert is_chunk_href(href)


@given(stem=STEMS, index=st.integers(0, 200), other=st.integers(0, 200), packed=st.booleans())
def test_the_front_matter_leads_to_the_chunks_beside(stem: str, index: int, other: int, packed: bool) -> None:
    href = f"a%20b/_chunks/{chunk_href(stem, index, packed=packed)}"
    assert href_beside(href, chunk_name(stem, other)) == f"a%20b/_chunks/{chunk_href(stem, other, packed=packed)}"


@pytest.mark.parametrize(
    ("href", "said"),
    [
        ("_chunks/a-3.md", ChunkPlaceName("", "a", 3)),
        ("./a%3Ab/_chunks/c%23.0123456789-7.md", ChunkPlaceName("./a:b/", "c#", 7)),
        ("g/_chunks/a.0123456789-0.pack.txt#31", ChunkPlaceName("g/", "a", 31)),
        ("g/_chunks/a-32.pack.txt#40", ChunkPlaceName("g/", "a", 40)),
        ("g/_chunks/a-0.pack.txt", ChunkPlaceName("g/", "a", -1)),
        ("g/_chunks/a-0.pack.txt#", ChunkPlaceName("g/", "a", -1)),
        ("g/_chunks/a-0.pack.txt#x", ChunkPlaceName("g/", "a", -1)),
        ("g/_chunks/a-0.pack.txt#٣", ChunkPlaceName("g/", "a", -1)),
        ("g/_chunks/a-0.pack.txt#99999999999", ChunkPlaceName("g/", "a", -1)),
        ("g/_chunks/a.pack.txt-0.md", ChunkPlaceName("g/", "a.pack.txt", 0)),
        ("g/_chunks/a-0.md#3", ChunkPlaceName("g/", "a", 0)),
        ("g/_chunks/a.md", ChunkPlaceName("g/", "", -1)),
        ("g/a-0.md", None),
        ("g/_chunks/b/a-0.md", None),
        ("", None),
    ],
)
def test_what_people_write_is_read(href: str, said: ChunkPlaceName | None) -> None:
    assert chunk_at(href) == said


@pytest.mark.parametrize("href", ["guide", "guide/index.json", "g/_chunks/a-0.pack.txt", "a.pack.txt#3", ""])
def test_what_is_no_link_to_a_chunk(href: str) -> None:
    assert not is_chunk_href(href) and fragment_in(href) == ""
    assert is_whole_pack(href) == href.endswith("a-0.pack.txt")


def test_a_link_to_a_pack_names_a_chunk_by_its_number_alone() -> None:
    for fragment in ("#", "#x", "#99999999999"):
        assert is_whole_pack(f"g/_chunks/a-0.pack.txt{fragment}")
    assert not is_whole_pack("g/_chunks/a-0.pack.txt#3") and not is_whole_pack("g/_chunks/a-0.md#x")


def test_the_chunks_of_most_documents_share_a_file() -> None:
    names = {file_of_chunk("a", index, packed=True) for index in range(PACKED)}
    assert names == {"a-0.pack.txt"} and file_of_chunk("a", PACKED, packed=True) == f"a-{PACKED}.pack.txt"
