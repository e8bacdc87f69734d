"""Which endpoint is asked, with which key: from settings and the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from infograph.config.reading import LLM_KEY
from infograph.config.settings import PROVIDERS, LlmSettings
from infograph.errors import ConfigError
from infograph.remote.addresses import check_address, check_key

_HOMES = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
_VERSION = "2023-06-01"
"""Version of the interface that the second form is asked by."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address to send calls to."""

    form: str
    """Wire format: `openai` or `anthropic`."""
    base: str
    """Address without a slash at its end."""
    model: str
    fallback: str = ""
    key: str = field(default="", repr=False)

    @property
    def url(self) -> str:
        """Address of single calls."""
        if self.form == "anthropic":
            return self.base + ("/messages" if self.base.endswith("/v1") else "/v1/messages")
        return self.base + "/chat/completions"

    @property
    def batches(self) -> str:
        """Address of batches of calls."""
        return f"{self.url}/batches" if self.form == "anthropic" else f"{self.base}/batches"

    @property
    def files(self) -> str:
        """Address of files, which the first form takes and gives the lines of a batch by."""
        return f"{self.base}/files"

    @property
    def headers(self) -> dict[str, str]:
        """Headers of every request."""
        if self.form == "anthropic":
            return {"anthropic-version": _VERSION} | ({"x-api-key": self.key} if self.key else {})
        return {"authorization": f"Bearer {self.key}"} if self.key else {}


def endpoint_of(llm: LlmSettings, environment: Mapping[str, str]) -> Endpoint:
    """Returns the endpoint that settings and environment name.

    Where a setting has its default, `LLM_PROVIDER`, `LLM_BASE_URL` and `LLM_MODEL` count.

    Raises ConfigError without a model, without a key for a provider's own address, and for an address that would send
    text unencrypted over a network.
    """
    provider = llm.provider
    if provider == LlmSettings().provider:
        provider = environment.get("LLM_PROVIDER", provider).replace("_", "-") or provider
    if provider not in PROVIDERS:
        raise ConfigError("LLM_PROVIDER", f"there is no {provider!r}", f"Valid: {', '.join(PROVIDERS)}")
    form = "anthropic" if provider == "anthropic" else "openai"
    model = llm.model or environment.get("LLM_MODEL", "")
    if not model:
        said = "Set `llm.model` in infograph.toml, or --model (of `eval`: --judge-model)"
        hint = f"{said}: there is no default, since each has its price."
        raise ConfigError("llm.model", "names no model", hint)
    base = (llm.base_url or environment.get("LLM_BASE_URL", "")).rstrip("/")
    own = base or (provider in _HOMES and _HOMES[provider]) or ""
    if not own:
        raise ConfigError("llm.base_url", f"`{provider}` needs the address of a server", "Set `llm.base_url`.")
    check_address(own, "llm", "base_url", allow_http=llm.allow_http)
    key = environment.get(LLM_KEY) or environment.get("LLM_API_KEY") or ""
    if not base:
        key = key or environment.get(_KEYS[form], "")
        if not key:
            raise ConfigError(_KEYS[form], f"no key for {provider}", f"Set {LLM_KEY} or {_KEYS[form]}.")
    check_key(key, LLM_KEY)
    return Endpoint(form, own, model, llm.fallback_model, key)
