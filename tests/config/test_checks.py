"""Checks of the values of settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from infograph.config import load
from infograph.config.checks import check_values, is_address
from infograph.config.settings import Config
from infograph.errors import ConfigError


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


@pytest.mark.parametrize(
    "out", ["s3://bucket", "s3://a.b-c/x/y/", "gs://bucket/ü", "az://container/docs", "site", "a:b"]
)
def test_places_that_outputs_may_go_to(tmp_path: Path, out: str) -> None:
    settings = load(str(tmp_path), flags={"out": out}, environment={})
    assert settings.store == (out if "://" in out else None)


@pytest.mark.parametrize(
    "out",
    [
        "s3://",
        "s3:///x",
        "s3://bucket//x",
        "s3://bucket/../x",
        "s3://bucket/./x",
        "ftp://x/y",
        "https://x/y",
        "s3://b/x#y",
    ],
)
def test_what_is_no_address_of_a_store(out: str) -> None:
    with pytest.raises(ConfigError, match="no address of an object store"):
        check_values(Config(out=out), str)


@pytest.mark.parametrize("out", ["s3://AKIAKEY:SECRETKEY@bucket/x", "az://container/x?sig=SECRETKEY"])
def test_a_key_in_an_address_is_not_repeated(out: str) -> None:
    with pytest.raises(ConfigError, match="holds a user's name or a key") as caught:
        check_values(Config(out=out), str)
    assert "SECRETKEY" not in str(caught.value)
