"""From the target of a request to the names of a file."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infograph.commands.serving.addresses import BadAddressError, folder_address, may_be_served, split_target


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1), min_size=1))
def test_every_name_has_one_address(names: list[str]) -> None:
    path = "/" + "/".join(quote(name, safe="") for name in names)
    if {".", ".."} & set(names):
        with pytest.raises(BadAddressError):
            split_target(path)
        return
    assert split_target(path) == (names, "")
    assert split_target(f"http://host:1{path}?a=b#c") == (names, "a=b")
    assert split_target(folder_address(names, "q=1")) == ([*names, ""], "q=1")


def test_an_absolute_address_without_a_path_is_the_root() -> None:
    assert split_target("http://host:1") == ([""], "")
    assert split_target("HTTPS://host?q=1") == ([""], "q=1")


@settings(deadline=None)
@given(st.text(max_size=30))
def test_no_target_leaves_the_root(target: str) -> None:
    try:
        segments, _ = split_target(target)
    except BadAddressError:
        return
    assert segments
    for segment in segments:
        assert segment not in (".", "..") and "/" not in segment and "\0" not in segment


@pytest.mark.parametrize(
    "target",
    [
        "/../secret",
        "/a/../../secret",
        "/%2e%2e/secret",
        "/.%2E/secret",
        "/%2e/x",
        "/a%2fb",
        "/..%2fsecret",
        "/%00",
        "/index.json%00.md",
        "/%zz",
        "/%",
        "/a b",
        "/\\..\\secret",
        "/..\\secret",
        "//../secret",
        "secret",
        "*",
        "/ü",
    ],
)
def test_what_is_no_address_is_refused(target: str) -> None:
    with pytest.raises(BadAddressError):
        split_target(target)


def test_names_that_are_not_served() -> None:
    for names in (
        [".git", "config"],
        ["a", ".env"],
        ["", "etc", "passwd"],
        ["a", "", "b"],
        [".nojekyll"],
        [".well-known", ".git"],
    ):
        assert not may_be_served(names), names
    for names in ([""], ["a", ""], ["a.b"], ["_chunks", "x"], [".well-known", "x"]):
        assert may_be_served(names), names
