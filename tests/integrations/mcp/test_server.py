"""The protocol: what tools are listed, arguments that are refused, several sites, answers that say each thing once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
ARGUMENTS = {
    "retrieve": [
        "query",
        "path",
        "filters",
        "exact",
        "graph",
        "max_tokens",
        "question_class",
        "level",
        "packing",
        "split",
    ],
    "search": ["query", "path", "filters", "exact", "graph", "limit", "offset", "mode"],
    "read": ["id", "part", "max_tokens", "cursor"],
    "match": ["question", "topic", "limit"],
    "topics": ["path"],
    "sample": ["topic", "n"],
}
SIMPLE = {
    "retrieve": {"query": "how do I clear the cache?"},
    "search": {"query": "how do I clear the cache?"},
    "read": {"id": "reference/api.md"},
    "match": {"question": "How do I plug the kettle in?"},
    "topics": {},
    "sample": {"topic": "reference"},
}
"""A call of each tool."""
OTHER = "infograph-user-guide"


def test_the_tools_only_read_and_say_what_they_give(manual: Path, ask: Call) -> None:
    listed = ask(manual, lambda client: client.list_tools()).tools
    assert {tool.name: list(tool.input_schema["properties"]) for tool in listed} == ARGUMENTS
    for tool in listed:
        hints = tool.annotations
        assert hints.read_only_hint and hints.idempotent_hint and not hints.destructive_hint
        assert tool.description and len(tool.description) < 300 and tool.output_schema["type"] == "object"
        assert all(own.get("description") for own in tool.input_schema["properties"].values())
        assert "$defs" not in tool.input_schema and "title" not in tool.input_schema


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("search", {}, "`query`: Field required"),
        ("search", {"query": 7}, "`query`: "),
        ("search", {"query": ""}, "`query`: "),
        ("retrieve", {"query": " \n\t "}, "`query`: "),
        ("match", {"question": ""}, "`question`: "),
        ("search", {"query": "x", "limit": 0}, "`limit`: "),
        ("search", {"query": "x", "limit": 51}, "`limit`: "),
        ("search", {"query": "x", "offset": -1}, "`offset`: "),
        ("retrieve", {"query": "x", "max_tokens": 10**9}, "`max_tokens`: "),
        ("retrieve", {"query": "x", "filters": "{"}, "`filters`: "),
        ("search", {"query": "x", "max_tokens": 5}, "`max_tokens`: there is no such argument; there are: query, path"),
        ("search", {"query": "x", "\x1b[2J": 5}, "`\\x1b[2J`: there is no such argument"),
        ("sample", {"topic": "guide", "n": 10**6}, "`n`: "),
        ("read", {"id": None}, "`id`: "),
        ("read", {"id": ""}, "`id`: "),
        ("read", {"id": "x", "part": "book"}, "`part`: Input should be 'chunk', 'section' or 'page'"),
        ("write", {}, "There is no tool 'write'; there are: retrieve, search, read, match, topics, sample"),
    ],
)
def test_wrong_arguments_are_tool_errors(
    manual: Path, failed: Call, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    assert failed(manual, tool, **arguments).startswith(reason)


def test_filters_may_be_written_as_text(manual: Path, call: Call) -> None:
    hits = call(manual, "search", query="cache", filters='{"index": 0}')["hits"]
    assert hits == call(manual, "search", query="cache", filters={"index": 0})["hits"] != []


@pytest.mark.parametrize("tool", list(SIMPLE))
def test_an_answer_says_each_thing_once(manual: Path, ask: Call, told: Call, tool: str) -> None:
    result = ask(manual, lambda client: client.call_tool(tool, SIMPLE[tool]))
    (content,) = result.content
    fields = json.dumps(result.structured_content, ensure_ascii=False)
    assert 0 < len(content.text) <= 200 and "\n" not in content.text
    assert len(content.text) < len(told(manual, tool, **SIMPLE[tool])) < 1.5 * len(fields)


@pytest.mark.parametrize("tool", list(SIMPLE))
def test_one_of_several_sites_answers_and_is_named(manual: Path, sample_site: Path, ask: Call, tool: str) -> None:
    async def asks(client: Any) -> Any:
        listed = {own.name: own.input_schema for own in (await client.list_tools()).tools}
        own = {name: await client.call_tool(tool, {**SIMPLE[tool], "site": name}) for name in ("manual", OTHER)}
        return listed[tool], own, await client.call_tool(tool, SIMPLE[tool])

    schema, found, unnamed = ask([manual, sample_site], asks)
    assert schema["properties"]["site"]["enum"] == ["manual", OTHER] and "site" in schema["required"]
    assert unnamed.is_error and unnamed.content[0].text == "`site`: Field required"
    alone = ask(manual, lambda client: client.call_tool(tool, SIMPLE[tool]))
    assert found["manual"].structured_content == {**alone.structured_content, "site": "manual"}
    assert found["manual"].content[0].text == f"manual: {alone.content[0].text}"
    other = found[OTHER]
    assert other.is_error or other.structured_content["site"] == OTHER
    assert other.structured_content != found["manual"].structured_content


def test_an_unknown_site_is_an_error_that_names_those_there_are(manual: Path, failed: Call) -> None:
    text = failed([manual, manual], "search", query="cache", site="nowhere")
    assert text == "`site`: Input should be 'manual' or 'manual-2'"
    assert failed(manual, "search", query="cache", site="manual").startswith("`site`: there is no such argument")
    assert failed([manual, manual], "topics", path="x", site="manual-2").startswith("manual-2: ")
