from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from infograph.errors import FormatError
from infograph.search.format.bundle_manifest import UnknownFormatError
from infograph.search.format.federation import (
    MOST_SITES,
    SITE_SLOTS,
    bound,
    is_federation,
    place_in,
    read_federation,
    site_of,
    step_up,
    unfit,
)
from infograph.search.format.search_space import load_space
from infograph.search.format.terms import Language
from infograph.search.writing.bundle import bundle


@given(st.integers(0, MOST_SITES - 1), st.integers(0, SITE_SLOTS - 1))
def test_a_slot_of_a_site_is_found_again(number: int, slot: int) -> None:
    assert site_of(place_in(number, slot)) == (number, slot)
    assert (place_in(MOST_SITES - 1, SITE_SLOTS - 1) + 1) << 20 == 1 << 53  # as far as JavaScript counts


@pytest.mark.parametrize("slot", [-1, SITE_SLOTS])
def test_a_slot_that_a_site_has_no_room_for_is_refused(slot: int) -> None:
    with pytest.raises(ValueError, match=f"slot {slot}"):
        place_in(0, slot)


@given(st.floats(0, 3.4), st.floats(0.1, 3.4))
@example(5e-324, 2.0)
def test_a_bound_is_never_below_what_it_bounds(gain: float, most: float) -> None:
    gain = min(gain, most)
    assert bound(step_up(gain, most), most) >= gain * (1 - 1e-12)
    assert 0 <= step_up(gain, most) <= 1023


@pytest.fixture(scope="module")
def made(make_page: Callable[..., Any], language: Language, federated: Any) -> dict[str, Any]:
    files = [dict(bundle([make_page(f"{name}.md")], language, load_space()).files) for name in ("one", "two")]
    found: dict[str, Any] = json.loads(federated(dict(zip(("one", "two"), files, strict=True))).made.manifest)
    return found


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


def test_what_is_written_is_read(made: dict[str, Any]) -> None:
    read = read_federation(dumped(made))
    assert [site.id for site in read.sites] == ["one", "two"]
    assert read.bundle.chunks == 6
    assert is_federation(dumped(made))
    assert not is_federation(b"{}")
    assert not is_federation(b"[")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"federation": True}, "not the manifest of a federation"),
        ({"federation": "1"}, "not the manifest of a federation"),
        ({"sites": []}, "0 sites: there are 1 to 1024"),
        ({"sites": {}}, "a field is missing or of another kind: sites"),
        ({"sites": [{"id": "a"}]}, "is missing"),
        ({"bm25": None}, "bm25"),
        ({"chunks": -1}, "chunks"),
        ({"postings": {"bits": 3, "names": ""}}, "do not belong together"),
        ({"format": 99}, "its format is 99"),
        ({"most_postings": -1}, "most_postings"),
    ],
)
def test_a_manifest_that_is_none_is_refused(made: dict[str, Any], change: dict[str, Any], reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        read_federation(dumped(made | change))
    assert caught.value.place == "federation.json"
    assert "infograph federate" in caught.value.hint


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": "one"}, "one and one have one name or one address"),
        ({"id": "ONE"}, "one and ONE have one name"),
        ({"href": "one/"}, "one name or one address"),
        ({"id": "../x"}, "does not match"),
        ({"id": "_search"}, "does not match"),
        ({"id": ""}, "does not match"),
        ({"build": "?"}, "does not match"),
        ({"href": "x" * 3000 + "/"}, "the address of two is none"),
        ({"href": "../x/"}, "the address of two is none"),
        ({"href": "https://me:secret@example.org/"}, "the address of two is none"),
        ({"chunks": 1 << 60}, "chunks"),
    ],
)
def test_sites_that_cannot_be_told_apart_are_refused(made: dict[str, Any], change: dict[str, Any], reason: str) -> None:
    first, second = made["sites"]
    with pytest.raises(FormatError, match=reason):
        read_federation(dumped(made | {"sites": [first, second | change]}))


def test_too_many_sites_are_refused(made: dict[str, Any]) -> None:
    sites = [made["sites"][0] | {"id": f"s{number}", "href": f"s{number}/"} for number in range(MOST_SITES + 1)]
    with pytest.raises(FormatError, match="1025 sites"):
        read_federation(dumped(made | {"sites": sites}))
    assert len(read_federation(dumped(made | {"sites": sites[:-1]})).sites) == MOST_SITES


def test_another_format_is_one_error() -> None:
    with pytest.raises(UnknownFormatError, match="its format is 2, and this release of infograph knows 1"):
        read_federation(b'{"federation": 2}')


@pytest.mark.parametrize("data", [b"", b"[]", b"null", b"7", b"\xff", b"{" * 1000, b" " * (1 << 22) + b"{}"])
def test_other_bytes_are_one_error(data: bytes) -> None:
    with pytest.raises(FormatError):
        read_federation(data)


def test_what_cannot_be_ranked_together_is_named(made: dict[str, Any]) -> None:
    own = read_federation(dumped(made)).bundle
    assert unfit(replace(own, bm25=replace(own.bm25, average_length=7.0)), own) == ""
    assert "its language is de" in unfit(replace(own, language="de"), own)
    assert "another release" in unfit(replace(own, bm25=replace(own.bm25, k1=9.0)), own)
    assert "another release" in unfit(replace(own, neighbour=0.9), own)
    assert "pages" in unfit(replace(own, pages=1 << 19), own)
    assert unfit(replace(own, pages=(1 << 19) - 1), own) == ""
