"""Checks of the values of settings."""

from __future__ import annotations

import pytest

from infograph.config.checks import is_address


@pytest.mark.parametrize(
    "address",
    ["/", "/docs/", "https://example.org", "http://127.0.0.1:0/docs/", "http://[::1]:8000/", "https://münchen.de/x"],
)
def test_addresses_that_a_browser_goes_to(address: str) -> None:
    assert is_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "docs",
        "//x/",
        "https://",
        "https://[",
        "http://[::1",
        "http://%zz/",
        "https://a:b/",
        "https://a:99999/",
        "ftp://a",
    ],
)
def test_what_is_no_such_address(address: str) -> None:
    assert not is_address(address)
