"""Values of settings that have the right type and make no sense: out of range, or an address that leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter
from urllib.parse import urlsplit

from infograph.config.settings import (
    CHUNK_FILES,
    ENRICHED_FIELDS,
    ENTITIES,
    PAGES,
    PROVIDERS,
    RANGES,
    STORES,
    STRUCTURED,
    Config,
)
from infograph.errors import KINDS, ConfigError
from infograph.formats.search_fields import parse_fields
from infograph.model import MARKDOWN, OTHERS
from infograph.remote.addresses import EMBEDDING_KEY


def check_values(config: Config, place: Callable[[str], str]) -> None:
    """Raises ConfigError for the first value that makes no sense.

    place: dotted name of a setting to where it was given
    """
    for name, (least, most) in RANGES.items():
        number = attrgetter(name)(config)
        if number is not None and not least <= number <= most:  # so nan is refused, too
            raise ConfigError(place(name), f"`{name}` must lie between {least:,} and {most:,}, not {number}")
    for name, address in {
        "index.base_url": config.index.base_url,
        "index.source_url": config.index.source_url,
        "site.url": config.site.url,
        "site.home": config.site.home,
    }.items():
        _check_address(address, place(name), name)
    for folder, address in config.site.roots:
        _check_root(folder, address, place("site.roots"))
    _check_source_url(config.index.source_url, place("index.source_url"))
    if config.out is not None and "://" in config.out:
        _check_store(config.out, place("out"))
    if config.index.technical_baseline not in ("title", "first-code"):
        raise ConfigError(
            place("index.technical_baseline"),
            f"`index.technical_baseline` must be title or first-code, not {config.index.technical_baseline!r}",
        )
    for suffix, command in config.source.convert:
        _check_converter(suffix, command, place("source.convert"))
    if unknown := [kind for kind in config.silence if kind not in KINDS]:
        raise ConfigError(place("silence"), f"`silence`: there is no kind `{unknown[0]}`", f"Valid: {', '.join(KINDS)}")
    for name, shown in config.markup.shortcodes:
        if not isinstance(shown, str):
            reason = f"`markup.shortcodes`: `{name}` must be a text, `keep` or `drop`, not {shown!r}"
            raise ConfigError(place("markup.shortcodes"), reason)
    if config.source.pages not in PAGES:
        reason = f"`source.pages` must be {', '.join(PAGES[:-1])} or {PAGES[-1]}, not {config.source.pages!r}"
        raise ConfigError(place("source.pages"), reason)
    if config.chunks.files not in CHUNK_FILES:
        reason = f"`chunks.files` must be {' or '.join(CHUNK_FILES)}, not {config.chunks.files!r}"
        raise ConfigError(place("chunks.files"), reason)
    if config.graph.entities not in ENTITIES:
        reason = f"`graph.entities` must be {', '.join(ENTITIES[:-1])} or {ENTITIES[-1]}, not {config.graph.entities!r}"
        raise ConfigError(place("graph.entities"), reason)
    if config.graph.entities != "off" and not config.search.enabled:
        reason = "`graph.entities` needs `search.enabled`: the graph leads to what search shows"
        raise ConfigError(place("graph.entities"), reason, "Set it to off, or write the search bundle.")
    _check_llm(config, place)
    try:
        fields = parse_fields(config.search.fields)
    except ValueError as error:
        hint = 'Write them like `["tags", "product", "weight:number"]`'
        raise ConfigError(place("search.fields"), f"`search.fields`: {error}", hint) from None
    least = _OTHER_FILES + len(fields)
    if fields and config.search.max_files < least:
        reason = f"`search.max_files` of {config.search.max_files} has no room for {len(fields)} `search.fields`"
        raise ConfigError(place("search.max_files"), reason, f"Allow {least}, or name fewer fields.")


_OTHER_FILES = 11
"""Files of a search bundle beside one for each field: its manifest, one of each kind, directories."""


def _check_llm(config: Config, place: Callable[[str], str]) -> None:
    """Raises ConfigError for a word that a setting of `llm` or `enrich` does not know, or a price that is none."""
    llm, enrich = config.llm, config.enrich
    for name, value, valid in (
        ("llm.provider", (llm.provider,), PROVIDERS),
        ("llm.structured", (llm.structured,), STRUCTURED),
        ("enrich.unit", (enrich.unit,), ("chunk", "document")),
        ("enrich.granularity", (enrich.granularity,), ("specific", "broad")),
        ("enrich.unverified", (enrich.unverified,), ("drop", "keep")),
        ("search.enriched", config.search.enriched, ENRICHED_FIELDS),
        ("search.vectors", (config.search.vectors,), ("packaged", "own")),
    ):
        if wrong := [word for word in value if word not in valid]:
            raise ConfigError(place(name), f"`{name}`: there is no {wrong[0]!r}", f"Valid: {', '.join(valid)}")
    for name, price in llm.prices:
        if name not in ("input", "output", "cached_input") or not _is_price(price):
            hint = "Write `{input = 1.0, output = 5.0, cached_input = 0.1}`, of a million tokens each."
            raise ConfigError(place("llm.prices"), f"`llm.prices`: {name} = {price!r} is no price", hint)
    if llm.max_cost and not any(price for _, price in llm.prices):
        hint = "Set `llm.prices`, or limit the calls by `llm.max_calls`."
        raise ConfigError(place("llm.max_cost"), "`llm.max_cost` limits nothing while all prices are 0", hint)
    for name, address, variable in (
        ("llm.base_url", llm.base_url, "INFOGRAPH_LLM_API_KEY"),
        ("embedding.endpoint", config.embedding.endpoint, EMBEDDING_KEY),
    ):
        if "@" in address.partition("//")[2].partition("/")[0]:
            hint = f"Set the key as {variable} in the environment."
            raise ConfigError(place(name), f"`{name}` holds a user's name or a key", hint)


def _is_price(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 10**6


_ADDRESS = re.compile(r"(?:https?://[^/?#\s\\]+(?:/[^?#\s\\]*)?|/(?!/)[^?#\s\\]*)")
_QUERY = re.compile(r"[?#][^\s\\]*\Z")
"""A query or fragment of `index.source_url`, which may hold the path: `?file={path}`."""


def is_address(address: str) -> bool:
    """Whether an address is one that a browser goes to: a path from the root of a host, or an http(s) URL."""
    if not _ADDRESS.fullmatch(address):
        return False
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port  # a port that is no number raises, as `https://[` does
    except ValueError:
        return False
    return (address.startswith("/") or host is not None) and "%" not in parts.netloc


def _check_address(address: str, place: str, name: str) -> None:
    """Raises ConfigError for an address that cannot be published.

    It goes into every index or every search result, for browsers to follow. `//host/` would leave the site, and a
    user's name or password would be published.
    """
    if "@" in address.partition("//")[2].partition("/")[0]:  # said first, since the other error repeats the address
        raise ConfigError(place, f"`{name}` holds a user's name, which would be published", "Leave it out.")
    if address and not is_address(_QUERY.sub("", address) if name == "index.source_url" else address):
        reason = f"`{name}` must be a path that begins with / or an http(s) URL, not {address!r}"
        raise ConfigError(place, reason)


def _check_root(folder: str, address: object, place: str) -> None:
    """Raises ConfigError for a row of `site.roots` that is no folder with an address."""
    if not isinstance(address, str):
        hint = 'Write it like `"blog/" = "news/"`'
        raise ConfigError(place, f"`site.roots`: the address of `{folder}` must be a text, not {address!r}", hint)
    parts = folder.strip("/").split("/")
    if folder.startswith("/") or ".." in parts or "." in parts:
        raise ConfigError(place, f"`site.roots`: `{folder}` is no folder of the sources", "Name it relative to them.")
    whole = address if address.startswith(("/", "http")) else f"/{address}"
    _check_address(whole, place, "site.roots")


_STORE = re.compile(r"(?:s3|gs|az)://[A-Za-z0-9][\w.-]*(?:/[^/?#\\]+)*/?", re.ASCII)


def _check_store(address: str, place: str) -> None:
    """Raises ConfigError for an address that is none of an object store; what it says of a key is not repeated."""
    if "@" in address or "?" in address:
        hint = "Set it in the environment, as AWS_SECRET_ACCESS_KEY or what the store calls it."
        raise ConfigError(place, "`out` holds a user's name or a key", hint)
    parts = address.split("/")[3:]
    if not _STORE.fullmatch(address) or not address.isprintable() or {".", ".."} & set(parts):
        reason = f"`out` is no address of an object store: {address!r}"
        raise ConfigError(place, reason, f"Write {'BUCKET/PREFIX, '.join(STORES)}BUCKET/PREFIX, or name a folder.")


_PART = re.compile(r"\{[^{}]*\}")


def _check_source_url(address: str, place: str) -> None:
    """Raises ConfigError for an address without `{path}`, which would be that of every document."""
    if unknown := [part for part in _PART.findall(address) if part != "{path}"]:
        raise ConfigError(place, f"`index.source_url`: there is no part `{unknown[0]}`", "Valid: `{path}`")
    if address and "{path}" not in address:
        hint = "Write it like `https://example.org/docs/{path}`"
        raise ConfigError(place, "`index.source_url`: names no part of the path", hint)


_SUFFIX = re.compile(r"\.[A-Za-z0-9_-]+")


def _check_converter(suffix: str, command: object, place: str) -> None:
    """Raises ConfigError for a row of `source.convert` that names no suffix or no command."""
    if not _SUFFIX.fullmatch(suffix) or suffix.lower() in (*MARKDOWN, *OTHERS):
        reason = f"`source.convert`: `{suffix}` is no suffix of files that must be converted"
        raise ConfigError(place, reason, 'Write it like `".org" = "pandoc -f org -t gfm"`')
    if not isinstance(command, str) or not command.strip():
        raise ConfigError(place, f"`source.convert`: `{suffix}` has no command", "Write the command as a text.")
