"""Which addresses a scope takes, as one origin and path, however they are spelled."""

from __future__ import annotations

import pytest

from infograph.client.scope import RefusedError, Scope


@pytest.mark.parametrize(
    ("base", "other"),
    [
        ("http://e.org/d/", "http://e.org:80/d/x"),
        ("http://e.org:80/d/", "http://E.ORG/d/x"),
        ("https://e.org/d/", "https://e.org:443/%64/x#y"),
        ("https://e.org:8443/d/", "https://e.org:8443/d/x?a=b"),
    ],
)
def test_one_origin_in_several_spellings(base: str, other: str) -> None:
    assert Scope(base).resolve(base, other) == other.partition("#")[0]


@pytest.mark.parametrize(
    ("base", "other"),
    [
        ("http://e.org/d/", "http://e.org:443/d/x"),
        ("http://e.org/d/", "http://e.org:81/d/x"),
        ("https://e.org/d/", "https://e.org:80/d/x"),
        ("https://e.org/d/", "https://e.org:444/d/x"),
        ("http://e.org/d/", "https://e.org/d/x"),
        ("http://e.org/d/", "http://e.com/d/x"),
        ("http://e.org/d/", "/dx"),
        ("http://e.org/d/", "../x"),
    ],
)
def test_what_lies_elsewhere_is_outside(base: str, other: str) -> None:
    with pytest.raises(RefusedError, match="lies outside of") as caught:
        Scope(base).resolve(base, other)
    assert caught.value.outside


@pytest.mark.parametrize("other", ["a b", "a\\b", "http://[", "u:p@", "http://u@e.org/d/x", "a/%2e/b", "a%2Fb", "%00"])
def test_what_is_no_address_is_not_said_to_be_outside(other: str) -> None:
    with pytest.raises(RefusedError) as caught:
        Scope("http://e.org/d/").resolve("http://e.org/d/", other)
    assert caught.value.outside is (other == "u:p@")


def test_a_key_is_one_for_all_spellings() -> None:
    scope = Scope("https://e.org/d/")
    assert scope.key("https://E.org:443/d/%61%C3%a4~") == scope.key("https://e.org/d/a%c3%a4%7E") == "/d/a%C3%A4~"
    assert scope.key("https://e.org/d/a?b=1") == "/d/a?b=1"
    assert scope.segments("https://e.org/d/a%20b/c%41?x=/y") == ["a b", "cA"]
    assert scope.segments("https://e.org/d/") == [""]
