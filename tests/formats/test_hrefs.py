"""Every name a file system allows must come back from a link as the same name."""

from __future__ import annotations

from urllib.parse import unquote, urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infograph.formats.hrefs import Hrefs, encode_path, index_path

segments = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1).filter(
    lambda name: name not in {".", ".."}
)
paths = st.lists(segments, min_size=1, max_size=4).map("/".join)


@pytest.mark.parametrize(
    ("directory", "path", "href"),
    [
        ("", "index.json", "index.json"),
        ("guide", "guide/_chunks/a-0.md", "_chunks/a-0.md"),
        ("guide/start", "guide/index.json", "../index.json"),
        ("guide/start", "_schema/s.json", "../../_schema/s.json"),
        ("guide", "api/a b#c?.md", "../api/a%20b%23c%3F.md"),
        ("", "c:d.md", "./c%3Ad.md"),
        ("", "100%.md", "100%25.md"),
        ("", "a\\b.md", "a%5Cb.md"),
        ("", "é.md", "%C3%A9.md"),
        ("", "{x}.md", "%7Bx%7D.md"),
    ],
)
def test_relative(directory: str, path: str, href: str) -> None:
    assert Hrefs(directory).to(path) == href


@pytest.mark.parametrize("base", ["/docs/", "/docs", "https://example.org/docs/"])
def test_under_a_base_url(base: str) -> None:
    assert Hrefs("guide", base).to("guide/a b.md") == base.rstrip("/") + "/guide/a%20b.md"


@given(paths, paths)
def test_a_link_leads_to_its_file(directory: str, folder: str) -> None:
    path = f"{folder}/file.md"
    here = f"http://host/{encode_path(directory)}/index.json"
    assert urljoin(here, Hrefs(directory).to(path)) == f"http://host/{encode_path(path)}"
    assert unquote(encode_path(path)) == path


@given(paths)
def test_only_unreserved_characters_and_slashes(path: str) -> None:
    assert set(encode_path(path)) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%/")


def test_index_path() -> None:
    assert [index_path(""), index_path("a/b")] == ["index.json", "a/b/index.json"]


@given(paths, paths)
def test_beside_is_a_short_way_to_say_to(directory: str, name: str) -> None:
    for hrefs in (Hrefs(directory), Hrefs(directory, "/docs/")):
        assert hrefs.beside(name) == hrefs.to(f"{directory}/{name}")
