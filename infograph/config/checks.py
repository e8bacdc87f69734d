"""Values of settings that have the right type and make no sense: out of range, or an address that leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter

from infograph.config.settings import ENTITIES, KINDS, RANGES, Config
from infograph.errors import ConfigError
from infograph.model import MARKDOWN, OTHERS


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
    _check_source_url(config.index.source_url, place("index.source_url"))
    if config.index.technical_baseline not in ("title", "first-code"):
        raise ConfigError(
            place("index.technical_baseline"),
            f"`index.technical_baseline` must be title or first-code, not {config.index.technical_baseline!r}",
        )
    for suffix, command in config.source.convert:
        _check_converter(suffix, command, place("source.convert"))
    if config.source.pages not in KINDS:
        reason = f"`source.pages` must be {', '.join(KINDS[:-1])} or {KINDS[-1]}, not {config.source.pages!r}"
        raise ConfigError(place("source.pages"), reason)
    if config.graph.entities not in ENTITIES:
        reason = f"`graph.entities` must be {' or '.join(ENTITIES)}, not {config.graph.entities!r}"
        raise ConfigError(place("graph.entities"), reason)
    if config.graph.entities != "off" and not config.search.enabled:
        reason = "`graph.entities` needs `search.enabled`: the graph leads to what search shows"
        raise ConfigError(place("graph.entities"), reason, "Set it to off, or write the search bundle.")


_ADDRESS = re.compile(r"(?:https?://[^/?#\s\\]+(?:/[^?#\s\\]*)?|/(?!/)[^?#\s\\]*)")
_QUERY = re.compile(r"[?#][^\s\\]*\Z")
"""A query or fragment of `index.source_url`, which may hold the path: `?file={path}`."""


def _check_address(address: str, place: str, name: str) -> None:
    """Raises ConfigError for an address that cannot be published.

    It goes into every index or every search result, for browsers to follow. `//host/` would leave the site, and a
    user's name or password would be published.
    """
    if "@" in address.partition("//")[2].partition("/")[0]:  # said first, since the other error repeats the address
        raise ConfigError(place, f"`{name}` holds a user's name, which would be published", "Leave it out.")
    if address and not _ADDRESS.fullmatch(_QUERY.sub("", address) if name == "index.source_url" else address):
        reason = f"`{name}` must be a path that begins with / or an http(s) URL, not {address!r}"
        raise ConfigError(place, reason)


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
