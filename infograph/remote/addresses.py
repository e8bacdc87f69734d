"""Addresses and keys that may be used: text and key cross a network only where no other can read them."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from infograph.errors import ConfigError

EMBEDDING_KEY = "INFOGRAPH_EMBEDDING_API_KEY"
"""Environment variable of the key to `embedding.endpoint`."""


def check_key(key: str, variable: str) -> None:
    """Raises ConfigError for a key that no header can hold.

    variable: environment variable that gave it
    """
    if not key.isascii() or not key.isprintable():
        raise ConfigError(variable, "holds characters that no key has", "Set it again, without line ends.")


def check_address(address: str, table: str, name: str, *, allow_http: bool) -> None:
    """Raises ConfigError for an address that no call may go to.

    table, name: setting that gave it; `allow_http` is one of the same table
    """
    setting = f"{table}.{name}"
    wrong = ConfigError(setting, f"{address!r} is no http(s) address", "Write https://HOST/v1")
    try:
        parts = urlsplit(address)
        _ = parts.port  # read, since it is looked at no earlier
    except ValueError:  # of a host or a port that is none
        raise wrong from None
    is_plain = address.isprintable() and " " not in address
    if not is_plain or parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise wrong
    if parts.scheme == "https" or is_loopback(parts.hostname):
        return
    if not (allow_http and _is_private(parts.hostname)):
        hint = f"Use https; for an address of your own network, set `{table}.allow_http = true`."
        raise ConfigError(setting, f"{address} would send your documents and the key unencrypted", hint)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_private(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan"))
