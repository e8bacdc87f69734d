"""Where settings come from: the only reader of infograph.toml, [tool.infograph], INFOGRAPH_* variables and flags.

The file's tables, the environment's names and the errors all follow from the fields in `settings.py`.
Precedence: flag, environment, file, default.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from infograph.config.origins import FLAGS_ONLY, flag_of, naming_origins, variable_of
from infograph.config.settings import RANGES, Config, Settings, Table, available_processors
from infograph.errors import ConfigError
from infograph.formats.names import CACHE, PRIVATE

__all__ = ["FILE_NAME", "Config", "Settings", "available_processors", "describe", "key_names", "load"]

FILE_NAME = "infograph.toml"


def load(
    docs: str | None = None,
    *,
    file: str | None = None,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    flags_from: str | None = None,
    project: Path | None = None,
) -> Settings:
    """Reads the settings for a source tree.

    docs:    the tree a command names; None takes the file's `docs`, or the working directory
    file:    a configuration file to read instead of the nearest one at or above the tree
    flags:   settings given on the command line, by dotted name; None values count as not given
    flags_from: what errors call the place of these, where it is not the command line
    project: the folder to take for the project's where there is no configuration file; None: the working directory

    Raises ConfigError naming the file, the key and the nearest valid one.
    """
    environment = os.environ if environment is None else environment
    if (flags or {}).get("out") == "":
        raise ConfigError("--out", "is empty", "Name a folder, or leave the option out to write beside the sources.")
    start = Path(docs) if docs is not None else Path.cwd()
    if not file:
        path, values = _nearest(Path(os.path.abspath(start)))
    else:
        path = _existing(Path(file))
        values = _table_of(path) or {}
    config = _decode(Config, values, str(path), "")
    _check(config, lambda name: str(path))
    origins = dict.fromkeys(_names(Config, values), str(path))
    layers: tuple[tuple[dict[str, Any], Callable[[str], str]], ...] = (
        (_from_environment(environment), variable_of),
        (
            {k: v for k, v in (flags or {}).items() if v is not None},
            flag_of if flags_from is None else lambda name: str(flags_from),
        ),
    )
    for given, origin in layers:
        config = _override(config, given, origin)
        _check(config, origin)
        origins |= {name: origin(name) for name in given}

    project = path.parent if path else project or Path.cwd()
    root = (Path(docs) if docs is not None else project / config.docs).resolve()
    if not root.is_dir():
        reason = "is not a directory" if root.exists() else "does not exist"
        raise ConfigError(
            str(docs if docs is not None else config.docs), reason, "Name the folder that holds the Markdown files."
        )
    given_out = (flags or {}).get("out") is not None
    out = root if config.out is None else ((Path.cwd() if given_out else project) / config.out).resolve()
    home = project.resolve()
    # With `out` the sources stay untouched, so neither does anything of ours go beside them.
    apart = out != root and not home.is_relative_to(root) and os.access(home, os.W_OK)
    if config.cache is not None:
        cache = (project / config.cache).resolve()
    else:
        cache = (root if out == root else home if apart else out) / CACHE
    memory = (root if out == root else out) / PRIVATE
    if apart:
        place = hashlib.sha256(os.path.relpath(out, home).encode("utf-8", "surrogateescape")).hexdigest()
        memory = home / PRIVATE / place[:16]
    settings = Settings(config, root, out, cache, memory, path, origins=origins)
    return _with_version(settings) if "source_version" in config.chunks.metadata else settings


@naming_origins
def _with_version(settings: Settings) -> Settings:
    from infograph.source.revision import source_version  # runs git: only who asks for it pays

    return replace(settings, source_version=source_version(settings.root))


def key_names() -> list[str]:
    """Every setting by its dotted name, in the order of the fields."""
    return [name for name, _, _ in _leaves(Config)]


def describe() -> list[tuple[str, Any]]:
    """Every setting by its dotted name, with its default."""
    return [(name, dict(default) if hint is Table else default) for name, hint, default in _leaves(Config)]


def _leaves(kind: type, prefix: str = "") -> list[tuple[str, Any, Any]]:
    hints = typing.get_type_hints(kind)
    defaults = kind()
    leaves: list[tuple[str, Any, Any]] = []
    for entry in fields(kind):
        hint = hints[entry.name]
        if is_dataclass(hint):
            leaves += _leaves(typing.cast(type, hint), f"{prefix}{entry.name}.")
        else:
            leaves.append((prefix + entry.name, hint, getattr(defaults, entry.name)))
    return leaves


def _nearest(start: Path) -> tuple[Path | None, dict[str, Any]]:
    """The configuration file at or above a folder, and what it says."""
    for folder in (start, *start.parents):
        for name in (FILE_NAME, "pyproject.toml"):
            candidate = folder / name
            if candidate.is_file() and (table := _table_of(candidate)) is not None:
                return candidate, table
        if (folder / ".git").exists():
            break
    return None, {}


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise ConfigError(str(path), "there is no such file", "`infograph init` writes one.")
    return path.absolute()


def _toml(text: str | bytes, place: str) -> dict[str, Any]:
    import tomllib  # only when there is something to read: the parser costs start-up time

    try:
        return tomllib.loads(text if isinstance(text, str) else text.decode())
    except ValueError as error:  # broken TOML, broken UTF-8, or a number of thousands of digits
        raise ConfigError(place, f"is not valid TOML: {error}") from error


def _table_of(path: Path) -> dict[str, Any] | None:
    """What the file says; None for a pyproject.toml without a table of ours."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise ConfigError(str(path), f"cannot be read: {error.strerror}", "Make it readable.") from error
    project = path.name == "pyproject.toml"
    if project and b"infograph" not in source:  # most others, which need not even parse
        return None
    data = _toml(source, str(path))
    if not project:
        return data
    tools = data.get("tool")
    if not isinstance(tools, dict) or "infograph" not in tools:
        return None
    table = tools["infograph"]
    if not isinstance(table, dict):
        raise ConfigError(str(path), f"`tool.infograph` must be a table, not {table!r}")
    return table


def _decode(kind: type, values: Mapping[str, Any], place: str, prefix: str) -> Any:
    if not isinstance(values, Mapping):
        raise ConfigError(place, f"`{prefix.rstrip('.')}` must be a table, not {values!r}")
    hints = typing.get_type_hints(kind)
    known = {entry.name for entry in fields(kind)}
    given: dict[str, Any] = {}
    spelled: dict[str, str] = {}
    for key, value in values.items():
        name = key.replace("-", "_")
        if name not in known:
            raise _unknown(place, prefix + key)
        if name in spelled:
            reason = f"`{prefix}{spelled[name]}` and `{prefix}{key}` are the same setting"
            raise ConfigError(place, reason, "Leave one of them out.")
        spelled[name] = key
        hint = hints[name]
        if is_dataclass(hint):
            given[name] = _decode(typing.cast(type, hint), value, place, f"{prefix}{name}.")
        else:
            given[name] = _convert(value, hint, place, prefix + name)
    return kind(**given)


def _names(kind: type, values: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The dotted names of the settings in a file that was decoded."""
    hints = typing.get_type_hints(kind)
    for key, value in values.items():
        name = key.replace("-", "_")
        if is_dataclass(hints[name]):
            yield from _names(typing.cast(type, hints[name]), value, f"{prefix}{name}.")
        else:
            yield prefix + name


def _unknown(place: str, key: str) -> ConfigError:
    import difflib

    meant = key.replace("-", "_").lower()
    if meant in FLAGS_ONLY:
        return ConfigError(place, f"`{key}` is not a setting", _flag_only(meant))
    names = key_names()
    last = meant.rpartition(".")[2]
    tables = sorted({name.rpartition(".")[0] for name in names if "." in name})
    near = difflib.get_close_matches(meant, tables, 1, 0.7)
    near = near or difflib.get_close_matches(meant, names, 1, 0.5)
    near = near or [n for n in names if n.rpartition(".")[2] == last]
    near = near or [n for n in names if difflib.get_close_matches(last, [n.rpartition(".")[2]], 1, 0.6)]
    hint = f"Did you mean `{near[0]}`?" if near else f"The settings are: {', '.join(names)}."
    return ConfigError(place, f"`{key}` is not a setting", hint)


def _flag_only(name: str) -> str:
    return f"It is a flag of the command line only: `{flag_of(name)}`."


def _convert(value: Any, hint: Any, place: str, key: str) -> Any:
    """Checks one value against its field's type; whole numbers stand for fractions, lists for tuples, and an empty
    string for unset, which TOML and the environment cannot say otherwise."""
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if value == "" and types.NoneType in options:
        return None
    for option in options:
        if option is Table:
            if isinstance(value, Mapping):
                return _frozen(value)
        elif typing.get_origin(option) is tuple:
            if isinstance(value, str):
                return (value,)
            if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
                return tuple(value)
        elif isinstance(value, bool):  # which Python takes for a whole number
            if option is bool:
                return value
        elif option is float and isinstance(value, int | float):
            return _float(value)
        elif option in (int, str) and isinstance(value, option):
            return value
    wanted = {"str": "a string", "int": "a whole number", "float": "a number", "bool": "true or false"}
    wanted["Table"] = "a table"
    names = [wanted.get(getattr(o, "__name__", ""), "a list of strings") for o in options if o is not types.NoneType]
    raise ConfigError(place, f"`{key}` must be {' or '.join(names)}, not {value!r}")


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # a whole number of hundreds of digits: out of any range
        return math.inf if value > 0 else -math.inf


def _frozen(value: Any) -> Any:
    """A TOML value that can be compared and sent to another process."""
    if isinstance(value, Mapping):
        return Table((str(key), _frozen(item)) for key, item in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """INFOGRAPH_MODEL sets `model`, INFOGRAPH_LIMITS_SECONDS sets `limits.seconds`."""
    given: dict[str, Any] = {}
    variables = {k for k in environment if k.startswith("INFOGRAPH_")}
    if not variables:
        return given
    known = {variable_of(name): (name, hint) for name, hint, _ in _leaves(Config)}
    for variable in sorted(variables):
        if variable not in known:
            raise _unknown_variable(variable, list(known))
        name, hint = known[variable]
        given[name] = _parse(environment[variable], hint, variable)
    return given


def _unknown_variable(variable: str, known: list[str]) -> ConfigError:
    import difflib

    flag = variable.removeprefix("INFOGRAPH_").lower()
    if flag in FLAGS_ONLY:
        return ConfigError(variable, "is not the name of a setting", _flag_only(flag))
    near = difflib.get_close_matches(variable.upper(), known, 1, 0.7)
    hint = f"Did you mean `{near[0]}`?" if near else "Unset it; `infograph init` writes a file with every setting."
    return ConfigError(variable, "is not the name of a setting", hint)


def _parse(text: str, hint: Any, variable: str) -> Any:
    if hint is Table:
        return _toml(f"value = {text or '{}'}", variable)["value"]
    kinds = set(typing.get_args(hint)) if isinstance(hint, types.UnionType) else {hint}
    if text == "" and types.NoneType in kinds:
        return text  # unset, see _convert
    try:
        if bool in kinds:
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[text.lower()]
        if int in kinds:
            return int(text)
        if float in kinds:
            return float(text)
    except (KeyError, ValueError):
        raise ConfigError(variable, f"{text!r} is not a value for it") from None
    if str in kinds:
        return text
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _override(config: Config, given: Mapping[str, Any], place: Callable[[str], str]) -> Config:
    hints = {name: hint for name, hint, _ in _leaves(Config)} if given else {}
    for name, value in given.items():
        if name not in hints:
            raise _unknown(place(name), name)
        config = _set(config, name.split("."), _convert(value, hints[name], place(name), name))
    return config


def _set(target: Any, path: list[str], value: Any) -> Any:
    if len(path) > 1:
        value = _set(getattr(target, path[0]), path[1:], value)
    return replace(target, **{path[0]: value})


def _check(config: Config, place: Callable[[str], str]) -> None:
    """Values of the right type that make no sense.

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


_ADDRESS = re.compile(r"(?:https?://[^/?#\s\\]+(?:/[^?#\s\\]*)?|/(?!/)[^?#\s\\]*)")
_QUERY = re.compile(r"[?#][^\s\\]*\Z")
"""Where sources are published it may hold the path: `?file={path}`."""


def _check_address(address: str, place: str, name: str) -> None:
    """It goes into every index or every search result, for browsers to follow. `//host/` would leave the site, and a
    user's name or password would be published."""
    if "@" in address.partition("//")[2].partition("/")[0]:  # said first, since the other error repeats the address
        raise ConfigError(place, f"`{name}` holds a user's name, which would be published", "Leave it out.")
    if address and not _ADDRESS.fullmatch(_QUERY.sub("", address) if name == "index.source_url" else address):
        reason = f"`{name}` must be a path that begins with / or an http(s) URL, not {address!r}"
        raise ConfigError(place, reason)


_PART = re.compile(r"\{[^{}]*\}")


def _check_source_url(address: str, place: str) -> None:
    """Like `site.pattern`: without the path, every document would have the same address."""
    if unknown := [part for part in _PART.findall(address) if part != "{path}"]:
        raise ConfigError(place, f"`index.source_url`: there is no part `{unknown[0]}`", "Valid: `{path}`")
    if address and "{path}" not in address:
        hint = "Write it like `https://example.org/docs/{path}`"
        raise ConfigError(place, "`index.source_url`: names no part of the path", hint)
