"""Bodies and responses of both forms, and what neither form is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infograph.llm.wire import Call, Usage, answer_of, body_of, estimated_input, tokens_of

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
CALL = Call("m", "be good", "the document", "the chunk", SCHEMA, 100, 0.2, (("assistant", "no"), ("user", "again")))


def test_the_first_form() -> None:
    body = body_of("openai", CALL, "json_schema")
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]
    assert body["messages"][1]["content"] == "the documentthe chunk"
    assert body["response_format"]["json_schema"] == {"name": "record", "strict": True, "schema": SCHEMA}
    assert body_of("openai", CALL, "json_object")["response_format"] == {"type": "json_object"}
    assert "response_format" not in body_of("openai", CALL, "none")


def test_the_second_form_keeps_the_shared_part() -> None:
    body = body_of("anthropic", CALL, "tool")
    first, second = body["messages"][0]["content"]
    assert (first["text"], first["cache_control"]) == ("the document", {"type": "ephemeral"})
    assert (second["text"], "cache_control" in second) == ("the chunk", False)
    assert body["tool_choice"] == {"type": "tool", "name": "record"}
    assert "tools" not in body_of("anthropic", CALL, "none")


def test_answers_with_what_they_cost() -> None:
    usage = {"prompt_tokens": 90, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 64}}
    said = answer_of(
        "openai", CALL, {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}], "usage": usage}
    )
    assert (said.text, said.cut, said.usage) == ("hi", False, Usage(90, 7, 64))
    usage = {"input_tokens": 26, "output_tokens": 7, "cache_read_input_tokens": 64}
    part = {"type": "tool_use", "input": {"a": "é"}}
    said = answer_of("anthropic", CALL, {"content": [part], "stop_reason": "max_tokens", "usage": usage})
    assert (json.loads(said.text), said.cut, said.usage) == ({"a": "é"}, True, Usage(90, 7, 64))


def test_tokens_are_counted_where_the_endpoint_does_not() -> None:
    said = answer_of("openai", CALL, {"choices": [{"message": {"content": "x" * 40}}]})
    assert said.usage == Usage(estimated_input(CALL), 10, counted=True)
    assert tokens_of("日本") == 2


@pytest.mark.parametrize("form", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "data", [None, [], {}, {"choices": []}, {"choices": [{}]}, {"content": [{"type": "text"}]}, {"content": 3}, "text"]
)
def test_what_is_no_response(form: str, data: Any) -> None:
    with pytest.raises(ValueError, match=r"response|content"):
        answer_of(form, CALL, data)
