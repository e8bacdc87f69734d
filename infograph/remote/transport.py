"""Sends one body to an endpoint and returns the decoded response, within bounds of time and size."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from infograph.errors import EndpointError

if TYPE_CHECKING:
    import httpx2

LARGEST_RESPONSE = 8 << 20
"""Most bytes of a response that are read."""
_CONNECT_SECONDS = 10.0
_LATER = "Run the same command again later."
_SHOWN = 300
"""Most characters of an endpoint's error message that are kept."""


@dataclass(frozen=True, slots=True)
class Response:
    """What came back. Without a status, nothing did."""

    status: int
    """HTTP status; 0 where the connection failed or the time was over."""
    data: Any = None
    """Decoded JSON; None where it is none."""
    message: str = ""
    """What went wrong, for a person; never with the key."""
    retry_after: str = ""
    should_retry: bool | None = None
    """What the endpoint says of trying the same again (`x-should-retry`); None where it says nothing."""


class Reachable(Protocol):
    """What a transport needs to know of an endpoint."""

    @property
    def url(self) -> str:
        """Address of single calls."""

    @property
    def headers(self) -> dict[str, str]:
        """Headers of every request."""

    @property
    def key(self) -> str:
        """The secret in these headers, which no message may show; empty without one."""


def as_json(value: object) -> bytes:
    """Returns a value as JSON with sorted keys. Half of a surrogate pair, which no JSON can hold, becomes a question
    mark."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return json.dumps(value, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")


class Transport:
    """A pool of connections to one endpoint. Follows no redirect, so no other host is asked."""

    def __init__(self, endpoint: Reachable, timeout: float, client: httpx2.Client | None = None) -> None:
        """client: for tests; None: one of its own"""
        import httpx2

        self._endpoint = endpoint
        self._timeout = timeout
        self._errors = httpx2.HTTPError
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=256)
        times = httpx2.Timeout(timeout, connect=min(_CONNECT_SECONDS, timeout))
        self._client = client or httpx2.Client(timeout=times, limits=limits, follow_redirects=False, trust_env=True)

    def close(self) -> None:
        """Closes all connections."""
        self._client.close()

    def post(self, body: Mapping[str, Any]) -> Response:
        """Sends a call; never raises for what the endpoint or the network does."""
        return self.send("POST", self._endpoint.url, as_json(body))

    def send(self, method: str, address: str, content: bytes = b"", kind: str = "application/json") -> Response:
        """Sends a request; never raises for what the endpoint or the network does.

        kind: media type of the content
        """
        until = time.monotonic() + self._timeout
        headers = {"content-type": kind, **self._endpoint.headers}
        try:
            with self._client.stream(method, address, content=content, headers=headers) as response:
                parts, size = [], 0
                for part in response.iter_bytes():
                    size += len(part)
                    if size > LARGEST_RESPONSE:
                        return Response(0, message=f"answered with more than {LARGEST_RESPONSE >> 20} MiB")
                    if time.monotonic() > until:
                        return Response(0, message=f"had not ended its answer after {self._timeout:g} s")
                    parts.append(part)
                return self._read(response, b"".join(parts))
        except self._errors as error:
            return Response(0, message=self._safe(f"{type(error).__name__}: {error}"))

    def lines(self, address: str) -> Iterator[bytes]:
        """Yields the lines of a file of the endpoint, each once it is there. Raises EndpointError."""
        try:
            with self._client.stream("GET", address, headers=self._endpoint.headers) as response:
                if response.status_code != 200:
                    raise EndpointError(address, f"answered {response.status_code}", _LATER)
                rest = b""
                for part in response.iter_bytes():
                    *whole, rest = (rest + part).split(b"\n")
                    yield from filter(None, whole)
                    if len(rest) > LARGEST_RESPONSE:
                        said = f"has a line of more than {LARGEST_RESPONSE >> 20} MiB"
                        raise EndpointError(address, said, "Nothing of it can be taken.")
                if rest:
                    yield rest
        except self._errors as error:
            said = self._safe(f"{type(error).__name__}: {error}")
            raise EndpointError(address, said, _LATER) from None

    def _read(self, response: httpx2.Response, data: bytes) -> Response:
        try:
            value = orjson.loads(data)
        except ValueError:
            value = None
        status = response.status_code
        if 300 <= status < 400:
            return Response(status, message="redirects to another address, which is not followed")
        message = "" if status == 200 else self._safe(_said(value) or data.decode("utf-8", "replace"))
        if status == 200 and value is None:
            message = (
                "answered with NaN, which is no JSON" if b"NaN" in data else "answered with something else than JSON"
            )
        told = {"true": True, "false": False}.get(response.headers.get("x-should-retry", "").lower())
        return Response(status, value, message, response.headers.get("retry-after", ""), told)

    def _safe(self, text: str) -> str:
        """Returns the beginning of a text without the key: taken out of the whole, or a part of it would be left."""
        key = self._endpoint.key
        text = text.replace(key, "[key]") if key else text
        return " ".join(text.split())[:_SHOWN]


def _said(value: object) -> str:
    """The message in an error's JSON, in any of the forms that endpoints have."""
    error = value.get("error", value) if isinstance(value, dict) else None
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail")
    return error if isinstance(error, str) else ""
