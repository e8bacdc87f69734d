"""Agents for the tests of `infograph mcp`: the SDK's own client, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import jsonschema
import mcp
import pytest

from infograph.integrations.mcp.server import make_server
from infograph.integrations.mcp.site import SiteOptions, open_sites

Asks = Callable[[Any], Awaitable[Any]]


@pytest.fixture(scope="session")
def ask() -> Callable[..., Any]:
    """ask(sites, asks): what `asks` returns, called with a client of a server of these sites."""

    def asked(sites: Any, asks: Asks, *, rerank: bool | None = None, text_only: bool = False) -> Any:
        sources = [str(site) for site in (sites if isinstance(sites, list) else [sites])]

        async def run() -> Any:
            async with (
                open_sites(sources, SiteOptions(rerank=rerank)) as opened,
                mcp.Client(make_server(opened, text_only=text_only)) as client,
            ):
                return await asks(client)

        return asyncio.run(run())

    return asked


@pytest.fixture(scope="session")
def call(ask: Callable[..., Any]) -> Callable[..., Any]:
    """call(sites, tool, **arguments): the fields of an answer, which are those of the tool's schema."""

    def called(sites: Any, tool: str, **arguments: Any) -> Any:
        async def asks(client: Any) -> Any:
            schemas = {own.name: own.output_schema for own in (await client.list_tools()).tools}
            return await client.call_tool(tool, arguments), schemas[tool]

        result, schema = ask(sites, asks)
        assert not result.is_error, result.content[0].text
        jsonschema.validate(result.structured_content, schema)
        return result.structured_content

    return called


@pytest.fixture(scope="session")
def told(ask: Callable[..., Any]) -> Callable[..., str]:
    """told(sites, tool, **arguments): the text of an answer that is text alone."""

    def called(sites: Any, tool: str, **arguments: Any) -> str:
        result = ask(sites, lambda client: client.call_tool(tool, arguments), text_only=True)
        assert not result.is_error and result.structured_content is None, result.content[0].text
        (content,) = result.content
        return str(content.text)

    return called


@pytest.fixture(scope="session")
def failed(ask: Callable[..., Any]) -> Callable[..., str]:
    """failed(sites, tool, **arguments): the text of an error, one line."""

    def called(sites: Any, tool: str, **arguments: Any) -> str:
        result = ask(sites, lambda client: client.call_tool(tool, arguments))
        assert result.is_error and result.structured_content is None
        text = str(result.content[0].text)
        assert "Traceback" not in text and "\n" not in text and len(text) < 1000
        return text

    return called
