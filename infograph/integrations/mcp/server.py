"""The Model Context Protocol between agents and the tools: lists them, checks arguments, gives answers and errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from mcp.server import Server, ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import Field, ValidationError, create_model
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import CoreSchema

from infograph import __version__
from infograph.errors import InfographError, printable
from infograph.integrations.mcp.about import about
from infograph.integrations.mcp.arguments import ToolArguments
from infograph.integrations.mcp.results import ToolResult
from infograph.integrations.mcp.site import OpenSite
from infograph.integrations.mcp.tools import TOOLS, ToolOfSites

LONGEST_ANSWER = 400_000
"""Most characters of an answer; only a tree with wrong numbers exceeds them."""

_WRONG = 5
"""Most arguments that an error names."""

_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def make_server(sites: Sequence[OpenSite], *, text_only: bool = False) -> Server[Any]:
    """Returns a server of sites that are open, for any transport.

    text_only: answer in text alone, for clients that show a model no structured content; else the fields have all, and
               the text says in a few words what they have
    """
    own = about(sites)
    arguments = {tool.name: with_site(tool.arguments, [site.id for site in sites]) for tool in TOOLS}
    listed = [_listed(tool, arguments[tool.name], text_only) for tool in TOOLS]

    async def list_tools(context: ServerRequestContext[Any], asked: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=listed)

    async def call_tool(context: ServerRequestContext[Any], asked: CallToolRequestParams) -> CallToolResult:
        tool = next((tool for tool in TOOLS if tool.name == asked.name), None)
        if tool is None:
            return _failed(f"There is no tool {asked.name[:100]!r}; there are: {', '.join(arguments)}")
        try:
            given = arguments[tool.name].model_validate(asked.arguments or {})
        except ValidationError as error:
            return _failed(_refused(error, arguments[tool.name]))
        name = getattr(given, "site", "")
        try:
            result = await tool.call(next((site for site in sites if site.id == name), sites[0]), given)
        except InfographError as error:
            return _failed(f"{name}: {error}" if name else str(error))
        result.site = name
        return _answer(tool, result, text_only)

    return Server(
        own.name,
        title=own.title,
        website_url=own.address or None,
        version=__version__,
        instructions=own.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def with_site(arguments: type[ToolArguments], ids: Sequence[str]) -> type[ToolArguments]:
    """Returns the arguments of a tool with the site that is asked, where a server has several."""
    if len(ids) == 1:
        return arguments
    site: Any = (Literal[tuple(ids)], Field(description="The site to ask"))
    return create_model(arguments.__name__, __base__=arguments, site=site)


def _listed(tool: ToolOfSites, arguments: type[ToolArguments], text_only: bool) -> Tool:
    """Returns a tool as agents see it; its schemas are flat, without the titles that only repeat names."""
    return Tool(
        name=tool.name,
        description=" ".join((tool.call.__doc__ or "").split()),
        input_schema=arguments.model_json_schema(schema_generator=_Untitled),
        output_schema=None if text_only else tool.result.model_json_schema(schema_generator=_Untitled),
        annotations=_READS,
    )


class _Untitled(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def generate(self, schema: CoreSchema, mode: Any = "validation") -> JsonSchemaValue:
        made = super().generate(schema, mode)
        for own in (made, *made.get("$defs", {}).values()):
            own.pop("title", None)
        return made


def _answer(tool: ToolOfSites, result: ToolResult, text_only: bool) -> CallToolResult:
    """Returns a result to an agent, each thing once; an error where it is too long."""
    text = tool.text(result, text_only)
    if result.site:
        text = f"{result.site}: {text}"
    size = len(text if text_only else result.model_dump_json())
    if size > LONGEST_ANSWER:
        return _failed(f"The answer has {size:,} characters, which is too much. Ask for less")
    fields = None if text_only else result.model_dump(mode="json", exclude_defaults=True)
    return CallToolResult(content=[TextContent(text=text)], structured_content=fields)


def _failed(reason: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=reason)], is_error=True)


def _refused(error: ValidationError, arguments: type[ToolArguments]) -> str:
    """Returns what is wrong with the arguments of a call, in one line. What was given is not repeated."""
    said = []
    for own in error.errors(include_url=False, include_input=False):
        reason = own["msg"]
        if own["type"] == "extra_forbidden":
            reason = f"there is no such argument; there are: {', '.join(arguments.model_fields)}"
        said.append(printable(f"`{'.'.join(map(str, own['loc']))[:100]}`: {reason}"))
    return "; ".join(said[:_WRONG])
