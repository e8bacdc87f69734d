"""Origins of settings: the file, flag or variable that gave each one, for errors.

Some settings are found wrong long after they were read, by the stage that uses them, which knows only their names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from infograph.config.settings import Settings
from infograph.errors import ConfigError

_P = ParamSpec("_P")
_R = TypeVar("_R")


IN_TABLES = {"early": "watch.early", "max_files": "search.max_files"}
"""Dotted names of settings that have an option of the command line and lie in a table, by the option's name."""

FLAGS_ONLY = frozenset(
    {"allow_host", "check", "config", "cors", "enrichment", "force", "host", "json", "port", "quiet"}
)
"""Options of the commands that read a configuration which are no settings: they say how one call goes. Options of
`eval` alone, which has no settings of its own, are not among them."""


def flag_of(name: str) -> str:
    """The option of the command line for a setting, by its dotted name; the name itself where there is no option, since
    a program may set it."""
    option = name.rpartition(".")[2]
    return f"--{option.replace('_', '-')}" if IN_TABLES.get(option, option) == name else name


def variable_of(name: str) -> str:
    """The environment variable for a setting, by its dotted name."""
    return f"INFOGRAPH_{name.replace('.', '_').upper()}"


def naming_origins(function: Callable[Concatenate[Settings, _P], _R]) -> Callable[Concatenate[Settings, _P], _R]:
    """Decorates a function of settings, so that its errors about a setting name the place that gave it."""

    @wraps(function)
    def run(settings: Settings, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return function(settings, *args, **kwargs)
        except ConfigError as error:
            place = place_of(settings, error.place)
            if place == error.place:
                raise
            raise ConfigError(place, error.reason, error.hint) from error.__cause__

    return run


def place_of(settings: Settings, key: str) -> str:
    """The place that an error about a setting names: `infograph.toml: strategies.fixed`, `--strategy`. A key that is no
    setting, or was not given, is returned as it is.

    key: dotted name of the setting, or of something in it
    """
    name = key
    while name and name not in settings.origins:
        name = name.rpartition(".")[0]
    origin = settings.origins.get(name)
    if origin is None:
        return key
    return origin if name == key and origin in (flag_of(name), variable_of(name)) else f"{origin}: {key}"
