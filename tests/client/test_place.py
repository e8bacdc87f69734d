"""Which addresses belong to a tree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.client import Client, ClientError
from infograph.client.place import LONGEST_HREF, Place, folder_place, is_url, web_place
from infograph.errors import ConfigError

BASE = "https://example.org/docs/"
PLACE = Place(BASE, BASE)


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org/docs", BASE),
        ("https://example.org/docs/", BASE),
        ("https://example.org/docs/index.json?v=1#top", BASE),
        ("https://example.org/docs/_search/../index.html", BASE),
        ("HTTP://example.org:8000/a.b", "http://example.org:8000/a.b/"),
    ],
)
def test_a_tree_is_named_by_its_folder_or_a_file_in_it(given: str, base: str) -> None:
    assert web_place(given).base == base


@pytest.mark.parametrize(
    ("own", "page_url", "url"),
    [
        ("index.json", "guide/", ""),
        ("/kb/index.json", "guide/", ""),
        ("/kb/index.json", "https://example.org/guide/", "https://example.org/guide/#a"),
        ("https://example.org/kb/index.json", "guide/", "https://example.org/kb/guide/#a"),
        ("http://localhost/index.json", "guide/", "http://localhost/guide/#a"),
    ],
)
def test_what_a_folder_stands_for_is_no_address_of_its_pages(tmp_path: Path, own: str, page_url: str, url: str) -> None:
    (tmp_path / "index.json").write_text(json.dumps({"_links": {"self": {"href": own}}}))
    _, place = folder_place(str(tmp_path))
    assert place.rendered(page_url, "a") == url


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("index.json", f"{BASE}index.json"),
        ("./a%3Ab/_chunks/c-0.md", f"{BASE}a%3Ab/_chunks/c-0.md"),
        ("guide/../index.json#chunks", f"{BASE}index.json"),
        ("/docs/guide/index.json", f"{BASE}guide/index.json"),
        ("HTTPS://EXAMPLE.org:443/d%6Fcs/x", f"{BASE}x"),
        ("//example.org/docs/x", f"{BASE}x"),
        ("a%5Cb.md", f"{BASE}a%5Cb.md"),
        ("index.json?v=2", f"{BASE}index.json?v=2"),
    ],
)
def test_what_lies_under_the_base(href: str, address: str) -> None:
    assert PLACE.resolve(href) == address


@pytest.mark.parametrize(
    "href",
    [
        "//evil.example/x",
        "\\\\evil.example\\x",
        "/\\evil.example/x",
        "/\t/evil.example/x",
        " https://evil.example/x",
        "http://example.org/docs/x",
        "https://example.org.evil.example/docs/x",
        "https://example.org@evil.example/docs/x",
        "https://user@example.org/docs/x",
        "https://example.org:8443/docs/x",
        "http:evil",
        "file:///etc/passwd",
        "data:,x",
        "javascript:alert(1)",
        "blob:x",
        "../x",
        "/x",
        "/docs",
        "%2e%2e/x",
        ".%2E/x",
        "a/%2e%2e/%2e%2e/x",
        "a%2f..%2f..%2fx",
        "..%5cx",
        "a/..%5c..%5cx",
        "a%00b",
        "a\0b",
        "a\nb",
        "http://[",
        "x" * 10_000,
        7,
        None,
    ],
)
def test_what_does_not(href: Any) -> None:
    with pytest.raises(ClientError) as caught:
        PLACE.resolve(href)
    assert caught.value.code == "outside"
    assert len(str(caught.value)) < 1000


def test_a_link_may_be_so_long_and_no_longer() -> None:
    assert PLACE.resolve("x" * LONGEST_HREF) == BASE + "x" * LONGEST_HREF
    with pytest.raises(ClientError, match="is no link"):
        PLACE.resolve("x" * (LONGEST_HREF + 1))


PARTS = st.sampled_from(
    ["..", ".", "%2e", "%2E%2e", "/", "//", "\\", "%5c", "%2f", "a", "http:", "@", "?", "#", ":", "\t"]
)


@given(st.one_of(st.text(max_size=40), st.lists(PARTS, max_size=12).map("".join)))
def test_whatever_is_resolved_lies_under_the_base_and_is_taken_back(href: str) -> None:
    try:
        address = PLACE.resolve(href)
    except ClientError as error:
        assert error.code == "outside"
        return
    path = PLACE.relative(address)
    assert address.startswith(BASE)
    assert ".." not in path.split("?")[0].replace("\\", "/").split("/")
    assert PLACE.resolve(path) == address or not path


@pytest.mark.parametrize("source", ["ftp://example.org/", "file:///etc/", "/nowhere/at/all"])
def test_what_is_no_tree(source: str) -> None:
    with pytest.raises(ConfigError, match="neither a folder nor"):
        Client(source)


@pytest.mark.parametrize(
    "url",
    ["http://user:secret@example.org/", "http://example.org:port/", "http://[", "http://", "http://exam\x07ple.org/"],
)
def test_an_address_that_cannot_be_used_is_not_repeated(url: str) -> None:
    with pytest.raises(ClientError) as caught:
        Client(url)
    assert caught.value.code == "outside"
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("page_url", "anchor", "url"),
    [
        ("guide/", "install", f"{BASE}guide/#install"),
        ("guide/", "", f"{BASE}guide/"),
        ("https://other.example/x/", "a b", "https://other.example/x/#a%20b"),
        ("javascript:alert(1)", "", ""),
        ("data:text/html,x", "x", ""),
        ("http://[", "", ""),
        ("größe/", "größe", f"{BASE}gr%C3%B6%C3%9Fe/#gr%C3%B6%C3%9Fe"),
    ],
)
def test_the_rendered_page(page_url: str, anchor: str, url: str) -> None:
    assert PLACE.rendered(page_url, anchor) == url


def test_a_folder_is_no_address_of_the_web(folder: Client) -> None:
    assert {hit.url for hit in folder.search("cache").hits} == {""}


@pytest.mark.parametrize("index", ["", "{", "[]", "7", "{}", '{"_links": []}', '{"_links": {"self": {"href": 7}}}'])
def test_a_folder_whose_index_says_nothing_of_it_stands_for_none(tmp_path: Path, index: str) -> None:
    if index:
        (tmp_path / "index.json").write_text(index)
    root, place = folder_place(str(tmp_path))
    assert (root, place.base, place.shown) == (tmp_path, "http://localhost/", str(tmp_path))
    assert place.rendered("guide/", "a") == ""


def test_a_folder_does_not_stand_for_an_address_with_a_password(tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text('{"_links": {"self": {"href": "https://u:p@example.org/docs/index.json"}}}')
    assert folder_place(str(tmp_path))[1].base == "http://localhost/"


def test_an_href_is_not_taken_for_one_with_a_scheme() -> None:
    assert PLACE.relative(f"{BASE}a:b.md") == "./a:b.md"
    assert PLACE.relative(f"{BASE}a/b:c.md") == "a/b:c.md"


def test_links_in_a_file_begin_at_its_folder() -> None:
    assert PLACE.resolve("b.md", f"{BASE}a/index.json") == f"{BASE}a/b.md"
    assert PLACE.resolve("b.md") == f"{BASE}b.md"
    with pytest.raises(ClientError) as caught:
        PLACE.resolve("x:" + "y" * 1000)
    assert len(caught.value.reason) == len("a link is not followed: ") + 300
    with pytest.raises(ClientError, match="is no link") as caught:
        PLACE.resolve(["z" * 1000])
    assert caught.value.place == repr(["z" * 1000])[:200]


@pytest.mark.parametrize(
    ("source", "known"), [("https://e.org", True), ("HTTP://e", True), ("ftp://e", False), ("a", False)]
)
def test_what_is_an_address(source: str, known: bool) -> None:
    assert is_url(source) is known
