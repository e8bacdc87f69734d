"""The two forms in which endpoints are asked, as plain values: a call becomes a body, a response an answer."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from infograph.remote.transport import as_json

STEPS = {"openai": ("json_schema", "json_object", "none"), "anthropic": ("tool", "none")}
"""Ways to ask for JSON in each form, the best first."""

TOOL = "record"
"""Name of the tool, and of the schema, by which an answer is given."""


_PIXELS_OF_TOKEN = 750
_MOST_TOKENS = 1_600
"""Tokens of an image as one provider counts them, who shrinks larger ones. Others ask for 85 to 1,500."""


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image that is sent with a call."""

    media_type: str
    """`image/png`, `image/jpeg`, `image/gif` or `image/webp`."""
    data: bytes
    pixels: int
    """Width times height."""
    told: str = ""
    """What stands in the place of the data where a person reads the request."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the data, 64 hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def tokens(self) -> int:
        """Estimate of what it comes to."""
        return min(_MOST_TOKENS, -(-self.pixels // _PIXELS_OF_TOKEN))

    @property
    def encoded(self) -> str:
        """The data in base64."""
        return self.told or base64.b64encode(self.data).decode()

    def shown(self) -> ImagePart:
        """Returns the same for a person: a line in the place of the data."""
        return replace(self, told=f"({len(self.data):,} bytes, SHA-256 {self.sha256})")


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model."""

    model: str
    system: str
    shared: str
    """First part of the user's message, equal for many calls, which providers may keep; may be empty."""
    text: str
    """The rest of the user's message."""
    schema: Mapping[str, Any] | None
    """JSON Schema of the answer; None for plain text."""
    max_tokens: int
    temperature: float
    turns: tuple[tuple[str, str], ...] = ()
    """Later turns of the conversation: role and text."""
    images: tuple[ImagePart, ...] = ()
    """Images that stand before the text of the user's message."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call, as the endpoint counts them, or counted from the characters where it does not."""

    input: int = 0
    output: int = 0
    cached_input: int = 0
    """Part of `input` that the endpoint had kept from an earlier call."""
    counted: bool = False
    """Whether the endpoint said nothing and the numbers are estimates."""

    def plus(self, other: Usage) -> Usage:
        """Returns the sum of two."""
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached_input + other.cached_input,
            self.counted or other.counted,
        )


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's answer."""

    text: str
    model: str
    """Model that was asked."""
    usage: Usage
    cut: bool = False
    """Whether it ends at the output limit, and so is no answer."""


def body_of(form: str, call: Call, step: str) -> dict[str, Any]:
    """Returns the body of a request.

    form: `openai` or `anthropic`
    step: how JSON is asked for, one of `STEPS[form]`
    """
    return _anthropic(call, step) if form == "anthropic" else _openai(call, step)


def _openai(call: Call, step: str) -> dict[str, Any]:
    said: str | list[dict[str, Any]] = call.shared + call.text
    if call.images:
        urls = [f"data:{image.media_type};base64,{image.encoded}" for image in call.images]
        said = [*({"type": "image_url", "image_url": {"url": url}} for url in urls), {"type": "text", "text": said}]
    messages: list[dict[str, Any]] = [{"role": "system", "content": call.system}, {"role": "user", "content": said}]
    messages += [{"role": role, "content": text} for role, text in call.turns]
    body: dict[str, Any] = {
        "model": call.model,
        "messages": messages,
        "temperature": call.temperature,
        "max_tokens": call.max_tokens,
    }
    if call.schema is not None and step == "json_schema":
        schema = {"name": TOOL, "strict": True, "schema": call.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif call.schema is not None and step == "json_object":
        body["response_format"] = {"type": "json_object"}
    return body


def _anthropic(call: Call, step: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    for image in call.images:
        source = {"type": "base64", "media_type": image.media_type, "data": image.encoded}
        content.append({"type": "image", "source": source})
    if call.shared:
        content.append({"type": "text", "text": call.shared, "cache_control": {"type": "ephemeral"}})
    content.append({"type": "text", "text": call.text})
    messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
    messages += [{"role": role, "content": text} for role, text in call.turns]
    body: dict[str, Any] = {
        "model": call.model,
        "system": call.system,
        "messages": messages,
        "temperature": call.temperature,
        "max_tokens": call.max_tokens,
    }
    if call.schema is not None and step == "tool":
        tool = {"name": TOOL, "description": "Takes the answer.", "input_schema": call.schema}
        body |= {"tools": [tool], "tool_choice": {"type": "tool", "name": TOOL}}
    return body


def answer_of(form: str, call: Call, data: Any) -> ModelAnswer:
    """Reads a response. Raises ValueError for one that is none of this form.

    data: the decoded JSON
    """
    if not isinstance(data, dict):
        raise ValueError("the response is no object")
    try:
        return _read_anthropic(call, data) if form == "anthropic" else _read_openai(call, data)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"the response lacks {error}") from None


def _read_openai(call: Call, data: dict[str, Any]) -> ModelAnswer:
    choice = data["choices"][0]
    text = choice["message"].get("content") or ""
    if not isinstance(text, str):
        raise ValueError("its content is no text")
    usage = data.get("usage") or {}
    details = usage.get("prompt_tokens_details") or {}
    counted = Usage(
        _number(usage.get("prompt_tokens")),
        _number(usage.get("completion_tokens")),
        _number(details.get("cached_tokens")),
    )
    return ModelAnswer(text, call.model, _known(counted, call, text), choice.get("finish_reason") == "length")


def _read_anthropic(call: Call, data: dict[str, Any]) -> ModelAnswer:
    blocks = data["content"]
    given = [json.dumps(b["input"], ensure_ascii=False) for b in blocks if b["type"] == "tool_use"]
    text = given[0] if given else "".join(b["text"] for b in blocks if b["type"] == "text")
    usage = data.get("usage") or {}
    cached = _number(usage.get("cache_read_input_tokens"))
    # Here, unlike in the other form, the kept part is not in the number of input tokens.
    total = _number(usage.get("input_tokens")) + _number(usage.get("cache_creation_input_tokens")) + cached
    counted = Usage(total, _number(usage.get("output_tokens")), cached)
    return ModelAnswer(text, call.model, _known(counted, call, text), data.get("stop_reason") == "max_tokens")


def _number(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _known(usage: Usage, call: Call, answer: str) -> Usage:
    if usage.input or usage.output:
        return usage
    return Usage(estimated_input(call), tokens_of(answer), counted=True)


def tokens_of(text: str) -> int:
    """Estimates the tokens of a text as models count them: a quarter of its UTF-8 bytes."""
    return (len(text.encode()) + 3) // 4


def estimated_input(call: Call) -> int:
    """Estimates the input tokens of a call, the schema's included."""
    parts = (call.system, call.shared, call.text, *(text for _, text in call.turns))
    schema = (len(as_json(call.schema)) + 3) // 4 if call.schema else 0
    images = sum(image.tokens for image in call.images)
    return sum(map(tokens_of, parts)) + schema + images + 8 * (2 + len(call.turns))
