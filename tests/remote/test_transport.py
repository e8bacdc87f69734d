"""A server that hangs, floods, lies or redirects costs bounded time and memory."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from infograph.llm.endpoint import Endpoint
from infograph.remote.transport import LARGEST_RESPONSE, Transport

BODY = {"model": "m", "messages": [{"role": "user", "content": "x"}]}


def post(endpoints: Any, fault: Any, timeout: float = 5.0) -> Any:
    with endpoints.serving(endpoints.FakeEndpoint(always=fault)) as fake:
        transport = Transport(Endpoint("openai", fake.url, "m", key="s3cret-key"), timeout)
        try:
            return transport.post(BODY)
        finally:
            transport.close()


def test_silence_is_not_waited_for(endpoints: Any) -> None:
    response = post(endpoints, endpoints.silence(1.0), 0.2)
    assert (response.status, "Timeout" in response.message) == (0, True)


def test_a_flood_is_cut(endpoints: Any) -> None:
    tracemalloc.start()
    response = post(endpoints, endpoints.flood, 60.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (response.status, response.message) == (0, f"answered with more than {LARGEST_RESPONSE >> 20} MiB")
    assert peak < 6 * LARGEST_RESPONSE


def test_half_a_body_is_no_answer(endpoints: Any) -> None:
    assert post(endpoints, endpoints.half).status == 0


def test_redirects_are_not_followed(endpoints: Any) -> None:
    response = post(endpoints, endpoints.status(302, "elsewhere", location="http://127.0.0.1:1/"))
    assert (response.status, "redirects" in response.message) == (302, True)


def test_an_error_that_repeats_the_key_does_not_show_it(endpoints: Any) -> None:
    response = post(endpoints, endpoints.status(401, "wrong key s3cret-key\n  given"))
    assert response.message == "wrong key [key] given"
    for before in ("x" * 290, " " * 296 + "x"):  # where the message is cut off
        response = post(endpoints, endpoints.status(401, f"{before}s3cret-key"))
        assert "s3cr" not in response.message


@pytest.mark.parametrize("data", [b"", b"<html>busy</html>", b"[" * 100_000])
def test_something_else_than_json(endpoints: Any, data: bytes) -> None:
    def fault(exchange: Any) -> bool:
        exchange.send(200, data)
        return True

    response = post(endpoints, fault)
    assert (response.status, response.data, response.message) == (200, None, "answered with something else than JSON")


def test_nobody_there() -> None:
    transport = Transport(Endpoint("openai", "http://127.0.0.1:9/v1", "m"), 1.0)
    assert transport.post(BODY).status == 0
    transport.close()
