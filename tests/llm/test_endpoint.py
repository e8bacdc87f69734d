"""Which endpoint is asked: a key from the environment alone, and nothing unencrypted over a network."""

from __future__ import annotations

from dataclasses import replace

import pytest

from infograph.config.settings import LlmSettings
from infograph.errors import ConfigError
from infograph.llm.endpoint import endpoint_of

SET = LlmSettings(model="m")


def test_a_providers_own_address_wants_its_key() -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY: no key for openai"):
        endpoint_of(SET, {})
    made = endpoint_of(SET, {"OPENAI_API_KEY": "sk-1", "ANTHROPIC_API_KEY": "no"})
    assert (made.url, made.headers) == ("https://api.openai.com/v1/chat/completions", {"authorization": "Bearer sk-1"})
    made = endpoint_of(replace(SET, provider="anthropic"), {"ANTHROPIC_API_KEY": "k", "INFOGRAPH_LLM_API_KEY": "first"})
    assert made.url == "https://api.anthropic.com/v1/messages"
    assert made.headers["x-api-key"] == "first"
    assert "first" not in repr(made)


def test_no_model_no_call() -> None:
    with pytest.raises(ConfigError, match=r"llm\.model: names no model"):
        endpoint_of(LlmSettings(), {"OPENAI_API_KEY": "k"})


def test_the_seeds_names_count_where_nothing_else_is_said() -> None:
    environment = {"LLM_PROVIDER": "openai_compatible", "LLM_BASE_URL": "http://localhost:1/v1/", "LLM_MODEL": "q"}
    made = endpoint_of(LlmSettings(), environment)
    assert (made.url, made.model, made.headers) == ("http://localhost:1/v1/chat/completions", "q", {})
    assert endpoint_of(SET, environment).model == "m"
    with pytest.raises(ConfigError, match="LLM_PROVIDER: there is no 'other'"):
        endpoint_of(SET, {"LLM_PROVIDER": "other"})


@pytest.mark.parametrize(
    ("address", "allowed", "fine"),
    [
        ("https://host.example/v1", False, True),
        ("http://127.0.0.1:8000/v1", False, True),
        ("http://[::1]:8000/v1", False, True),
        ("http://10.0.0.5/v1", False, False),
        ("http://10.0.0.5/v1", True, True),
        ("http://gpu-box:11434/v1", True, True),
        ("http://host.example/v1", True, False),
        ("http://8.8.8.8/v1", True, False),
        ("file:///etc/passwd", True, False),
        ("https://host.example/v1?x=1", False, False),
    ],
)
def test_text_goes_over_a_network_encrypted(address: str, allowed: bool, fine: bool) -> None:
    llm = replace(SET, provider="openai-compatible", base_url=address, allow_http=allowed)
    if fine:
        assert endpoint_of(llm, {}).base == address
    else:
        with pytest.raises(ConfigError, match=r"llm\.base_url"):
            endpoint_of(llm, {})


def test_a_key_with_a_line_end_is_named_and_not_shown() -> None:
    with pytest.raises(ConfigError) as caught:
        endpoint_of(SET, {"INFOGRAPH_LLM_API_KEY": "secret\nx"})
    assert "secret" not in str(caught.value)


def test_compatible_needs_an_address() -> None:
    with pytest.raises(ConfigError, match="needs the address of a server"):
        endpoint_of(replace(SET, provider="openai-compatible"), {})
