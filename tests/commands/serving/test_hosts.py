from __future__ import annotations

import pytest

from infograph.commands.serving.hosts import NoHostError, asked_host, may_ask, normal


@pytest.mark.parametrize(
    ("authority", "host"),
    [
        ("localhost", "localhost"),
        ("LocalHost:8000", "localhost"),
        ("localhost.", "localhost"),
        ("[::1]", "::1"),
        ("[FE80::1]:80", "fe80::1"),
        ("127.0.0.1:", "127.0.0.1"),
        (" docs.example ", "docs.example"),
    ],
)
def test_a_host_without_its_port(authority: str, host: str) -> None:
    assert normal(authority) == host


@pytest.mark.parametrize("authority", ["", ":80", "[::1", "::1", "a b", "a@b", "a/b", "a:b", "a:123456", "a?b", "[a]x"])
def test_what_is_no_host(authority: str) -> None:
    with pytest.raises(NoHostError):
        normal(authority)


def test_whom_a_request_is_for() -> None:
    assert asked_host("/x", ["localhost:1"], "HTTP/1.1") == "localhost"
    assert asked_host("http://a.example:80/x", ["localhost"], "HTTP/1.1") == "a.example"
    assert asked_host("HTTPS://a.example?x", ["localhost"], "HTTP/1.1") == "a.example"
    assert asked_host("/http://a.example/", ["localhost"], "HTTP/1.1") == "localhost"
    assert asked_host("/x", [], "HTTP/1.0") == ""
    for headers in ([], ["a", "a"]):
        with pytest.raises(NoHostError):
            asked_host("/x", headers, "HTTP/1.1")


def test_who_may_ask() -> None:
    assert may_ask("localhost", ()) and may_ask("::1", ()) and may_ask("", ())
    assert may_ask("docs.example", {"docs.example"})
    assert not may_ask("docs.example", ())
