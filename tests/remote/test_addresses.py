"""Which addresses and keys may be used."""

from __future__ import annotations

import pytest

from infograph.errors import ConfigError
from infograph.remote.addresses import check_address, check_key


@pytest.mark.parametrize(
    "address", ["https://example.org/v1", "http://127.0.0.1:11434/v1", "http://[::1]/v1", "http://localhost/v1"]
)
def test_what_no_other_can_read(address: str) -> None:
    for allowed in (False, True):
        assert check_address(address, "embedding", "endpoint", allow_http=allowed) is None


@pytest.mark.parametrize("address", ["http://10.0.0.7/v1", "http://gpu/v1", "http://gpu.local:8080"])
def test_a_network_of_ones_own_only_where_it_is_allowed(address: str) -> None:
    with pytest.raises(ConfigError, match=r"embedding\.endpoint: .*unencrypted.*set `embedding\.allow_http = true`"):
        check_address(address, "embedding", "endpoint", allow_http=False)
    check_address(address, "embedding", "endpoint", allow_http=True)


NO_HOSTS = ["http://[::1", "http://127.0.0.1:abc/v1", "http://127.0.0.1:99999/v1", "https://h ost/v1", "https://a\n/v1"]


@pytest.mark.parametrize(
    "address", ["ftp://example.org", "https://", "example.org", "https://example.org/v1?key=x", *NO_HOSTS]
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(ConfigError, match=r"embedding\.endpoint: .* is no http\(s\) address"):
        check_address(address, "embedding", "endpoint", allow_http=True)
    with pytest.raises(ConfigError):
        check_address("http://example.org/v1", "embedding", "endpoint", allow_http=True)


def test_a_key_that_no_header_holds() -> None:
    check_key("sk-1", "A_KEY")
    with pytest.raises(ConfigError, match="A_KEY: holds characters that no key has"):
        check_key("sk\n1", "A_KEY")
