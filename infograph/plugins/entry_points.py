"""Finds and loads one entry point of another package, and says in one line what is wrong with it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from infograph.errors import ConfigError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

EMBEDDERS = "infograph.embedders"
"""Group of embedding models: each entry point leads to an `embedding.base.EmbedderFactory`."""
STRATEGIES = "infograph.strategies"
"""Group of chunking strategies: each leads to a frozen dataclass that is a `chunking.interface.Strategy`."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """What an entry point leads to."""

    name: str
    value: Any
    package: str
    """Name and version of the package that declares it, with a space between."""


def said(error: Exception) -> str:
    """Returns what another package raised, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def plugin_names(group: str) -> list[str]:
    """Returns the names of a group's entry points, sorted."""
    return sorted({found.name for found in _declared(group)})


def load_plugin(group: str, name: str, packaged: Collection[str]) -> Plugin | None:
    """Returns the entry point of a name; None without one. Raises ConfigError where it does not load, where two
    packages declare it, and where any of the group has the name of a packaged one.

    packaged: names that infograph itself provides
    """
    declared = _declared(group)
    if taken := next((found for found in declared if found.name in packaged), None):
        reason = f"an entry point of `{_package(taken)}` is called `{taken.name}`, as one of infograph's own"
        raise ConfigError(group, reason, "Uninstall that package, or have it renamed there.")
    found = [own for own in declared if own.name == name]
    if not found:
        return None
    packages = sorted({_package(own) for own in found})
    if len(packages) > 1:
        raise ConfigError(group, f"several packages declare `{name}`: {', '.join(packages)}", "Uninstall all but one.")
    try:
        return Plugin(name, found[0].load(), packages[0])
    except Exception as error:  # whatever the package does when it is imported
        reason = f"`{name}` of `{packages[0]}` does not load ({said(error)})"
        raise ConfigError(group, reason, f"It is declared as `{found[0].value}`.") from error


@cache
def _declared(group: str) -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # 25 ms, and few builds ask for what infograph does not have

    return tuple(entry_points(group=group))


def _package(found: EntryPoint) -> str:
    return f"{found.dist.name} {found.dist.version}" if found.dist is not None else "a package without a name"
