"""Which names a request may call the server by.

A page of another site may give its own name the address of this machine (DNS rebinding) and then read what is served
here as if it were its own: only the name in the request tells.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names that only ever mean the machine that asks."""

_AUTHORITY = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:/?#@\[\]]+))(?::\d{0,5})?")


class NoHostError(ValueError):
    """The request does not say, or not in one way, whom it is for."""


def asked_host(target: str, headers: Sequence[str], version: str) -> str:
    """The host that a request is for: that of an absolute target, else of its Host header; empty where HTTP/1.0 has
    none. Raises NoHostError.

    headers: values of all Host headers
    """
    if len(headers) > 1:
        raise NoHostError("there is more than one Host header")
    if not headers and version not in ("HTTP/0.9", "HTTP/1.0"):
        raise NoHostError("there is no Host header")
    scheme, found, rest = target.partition("://")
    authorities = [*headers]
    if found and scheme.lower() in ("http", "https"):
        authorities.append(re.split(r"[/?#]", rest, maxsplit=1)[0])
    names = [normal(authority) for authority in authorities]
    return names[-1] if names else ""


def normal(authority: str) -> str:
    """A host without its port, brackets and final dot, in lower case. Raises NoHostError."""
    match = _AUTHORITY.fullmatch(authority.strip())
    if match is None:
        raise NoHostError("the host is not a name or an address")
    return (match[1] or match[2]).lower().removesuffix(".")


def may_ask(host: str, allowed: Collection[str]) -> bool:
    """Whether a request for this host is answered. Without one it cannot come from a browser."""
    return not host or host in LOCAL or host in allowed
