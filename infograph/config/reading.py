"""Where settings come from: the only reader of infograph.toml, [tool.infograph], INFOGRAPH_* variables and flags.

The file's tables, the environment's names and the errors all follow from the fields in `settings.py`.
Precedence: flag, environment, file, default.
"""

from __future__ import annotations

import os
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from infograph.config.checks import check_values
from infograph.config.generators import find_generator
from infograph.config.inputs import fusion_of, rerank_of
from infograph.config.origins import FLAGS_ONLY, flag_of, naming_origins, variable_of
from infograph.config.places import FILE_NAME, home_of, placed
from infograph.config.settings import Config, Settings
from infograph.errors import ConfigError
from infograph.formats.codec import (
    DecodeError,
    Notation,
    RepeatedKeyError,
    UnknownKeyError,
    WrongTypeError,
    decode,
    described,
)
from infograph.model import Site, UserTable
from infograph.remote.addresses import EMBEDDING_KEY
from infograph.words.twins import SWITCH

LLM_KEY = "INFOGRAPH_LLM_API_KEY"
"""Variable that holds the key of a language model's endpoint; no setting, so that no file holds one."""
NO_SETTINGS = {LLM_KEY, EMBEDDING_KEY, SWITCH}
"""Variables that begin as those of settings do."""


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
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    if given.get("out") == "":
        raise ConfigError("--out", "is empty", "Name a folder, or leave the option out to write beside the sources.")
    if not file:
        path, values = _nearest(Path(os.path.abspath(docs if docs is not None else Path.cwd())))
    else:
        path = _existing(Path(file))
        values = _table_of(path) or {}
    config = _from_file(values, str(path))
    origins = dict.fromkeys(_names(Config, values), str(path))

    def flag_origin(name: str) -> str:
        return flag_of(name) if flags_from is None else flags_from

    variables = _from_environment(os.environ if environment is None else environment)
    for layer, origin in ((variables, variable_of), (given, flag_origin)):
        config = _override(config, layer, origin)
        check_values(config, origin)
        origins |= {name: origin(name) for name in layer}
    home = path.parent if path else project
    project = home or Path.cwd()
    root = _root_of(docs, project / config.docs, config)
    config = _with_generator(config, root, origins)
    settings = placed(config, root, project, Path.cwd() if "out" in given else project, home or home_of(root))
    settings = replace(
        settings, file=path, origins=origins, fusion=fusion_of(config, project), rerank=rerank_of(config, project)
    )
    settings = _with_version(settings) if "source_version" in config.chunks.metadata else settings
    return _with_dates(settings) if config.search.enabled and "created_at" in config.search.fields else settings


def _root_of(docs: str | None, configured: Path, config: Config) -> Path:
    """The source tree: the one that the command names, or the configured one. Raises ConfigError where it is none."""
    root = (Path(docs) if docs is not None else configured).resolve()
    if not root.is_dir():
        reason = "is not a directory" if root.exists() else "does not exist"
        raise ConfigError(
            str(docs if docs is not None else config.docs), reason, "Name the folder that holds the Markdown files."
        )
    return root


def _with_generator(config: Config, root: Path, origins: dict[str, str]) -> Config:
    """The configuration with what the site's generator says of the site, where no setting says it.

    origins: gets the place of what is taken
    """
    if config.site.generator != Site().generator:
        return config
    found = find_generator(root)
    if found is None:
        # An address without a generator was that of plain pages before there was `auto`, and stays it.
        return _set(config, ["site", "generator"], "html") if config.site.url else config
    from infograph.text.language import is_known  # few trees have a generator

    said: dict[str, Any] = {"site.generator": found.generator, "site.url": found.url, "site.name": found.name}
    said |= {f"site.{name}": value for name, value in found.options.items()}
    if is_known(found.language):
        said["keywords.language"] = found.language
    for name, value in said.items():
        if name == "site.generator" or (value != "" and name not in origins):
            config = _set(config, name.split("."), value)
            origins[name] = str(found.file)
    return config


@naming_origins
def _with_version(settings: Settings) -> Settings:
    from infograph.source.revision import source_version  # runs git, which most builds need not

    return replace(settings, source_version=source_version(settings.root))


@naming_origins
def _with_dates(settings: Settings) -> Settings:
    from infograph.source.revision import commit_days  # as above

    return replace(settings, created=commit_days(settings.root))


def key_names() -> list[str]:
    """Every setting by its dotted name, in the order of the fields."""
    return [name for name, _, _ in _leaves(Config)]


def dotted(options: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Settings that a program gives as nested tables, by dotted name, as flags have it; a table whose keys the user
    chooses is one setting."""
    known = key_names()
    for key, value in options.items():
        name = prefix + str(key).replace("-", "_")
        if isinstance(value, Mapping) and name not in known:
            yield from dotted(value, f"{name}.")
        else:
            yield name, value


def describe() -> list[tuple[str, Any]]:
    """Every setting by its dotted name, with its default."""
    return [(name, dict(default) if hint is UserTable else default) for name, hint, default in _leaves(Config)]


@cache  # a run asks several times, and resolving the types is most of reading a configuration
def _leaves(kind: type, prefix: str = "") -> tuple[tuple[str, Any, Any], ...]:
    hints = typing.get_type_hints(kind)
    defaults = kind()
    leaves: list[tuple[str, Any, Any]] = []
    for entry in fields(kind):
        hint = hints[entry.name]
        if is_dataclass(hint):
            leaves += _leaves(typing.cast(type, hint), f"{prefix}{entry.name}.")
        else:
            leaves.append((prefix + entry.name, hint, getattr(defaults, entry.name)))
    return tuple(leaves)


def _nearest(start: Path) -> tuple[Path | None, dict[str, Any]]:
    """The configuration file at or above a folder, and its settings."""
    for folder in (start, *start.parents):
        for name in (FILE_NAME, "pyproject.toml"):
            candidate = folder / name
            if candidate.is_file() and (table := _table_of(candidate)) is not None:
                return candidate, table
        if (folder / ".git").exists():
            break
    return None, {}


def configured_docs(folder: Path, file: str | None) -> Path | None:
    """The source tree that the configuration of a folder names; None where it names none.

    file: the configuration file to read instead of the nearest one
    """
    path, values = (_existing(Path(file)), _table_of(Path(file)) or {}) if file else _nearest(folder)
    named = values.get("docs")
    return (path.parent / named).resolve() if path and isinstance(named, str) else None


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
    """The settings in a file; None for a pyproject.toml without a table of ours."""
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


def _from_file(values: Mapping[str, Any], place: str) -> Config:
    """The configuration that a file gives. Raises ConfigError."""
    try:
        config = decode(Config, values, _NOTATION)
    except UnknownKeyError as error:
        raise _unknown(place, f"{_dotted(error)}{error.key}") from None
    except RepeatedKeyError as error:
        first, second = (f"`{_dotted(error)}{key}`" for key in error.keys)
        raise ConfigError(place, f"{first} and {second} are the same setting", "Leave one of them out.") from None
    except WrongTypeError as error:
        assert error.field is not None
        raise _wrong_type(place, error.path[1:].partition("[")[0], *error.field) from None
    check_values(config, lambda name: place)
    return config


def _dotted(error: DecodeError) -> str:
    """The table that an error is about, as a dotted name begins: `limits.`."""
    return f"{error.path[1:]}." if error.path else ""


def _wrong_type(place: str, key: str, hint: Any, value: object) -> ConfigError:
    return ConfigError(place, f"`{key}` must be {described(hint, _NOTATION)}, not {value!r}")


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
    variable = {"llm": LLM_KEY, "embedding": EMBEDDING_KEY}.get(meant.partition(".")[0])
    if variable and ("key" in meant or ("token" in meant and "tokens" not in meant)):
        hint = f"A file is committed and shared: set {variable} in the environment instead."
        return ConfigError(place, f"`{key}`: a key never stands in a file", hint)
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


def _read_table(value: object) -> Any:
    """A table whose keys the user chooses."""
    if not isinstance(value, Mapping):
        raise WrongTypeError("not a table")
    return _frozen(value)


def _frozen(value: Any) -> Any:
    """A TOML value that can be compared and sent to another process."""
    if isinstance(value, Mapping):
        return UserTable((str(key), _frozen(item)) for key, item in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


_NOTATION = Notation(
    words={
        str: "a string",
        int: "a whole number",
        float: "a number",
        bool: "true or false",
        tuple: "a list of strings",
        dict: "a table",
        UserTable: "a table",
    },
    lists=(list, tuple),
    text_is_list=True,
    unset=("",),
    spelling=lambda key: key.replace("-", "_"),
    closed=True,
    readers={UserTable: _read_table},
)
"""TOML, and what flags give. Neither has a null, so an empty string stands for unset."""


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Settings from variables, by dotted name: INFOGRAPH_LIMITS_SECONDS sets `limits.seconds`."""
    given: dict[str, Any] = {}
    variables = {k for k in environment if k.startswith("INFOGRAPH_") and k not in NO_SETTINGS}
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
    if hint is UserTable:
        return _toml(f"value = {text or '{}'}", variable)["value"]
    kinds = set(typing.get_args(hint)) if isinstance(hint, types.UnionType) else {hint}
    if text == "" and types.NoneType in kinds:
        return text  # unset, see _NOTATION
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
        try:
            read = decode(hints[name], value, _NOTATION)
        except WrongTypeError:
            raise _wrong_type(place(name), name, hints[name], value) from None
        config = _set(config, name.split("."), read)
    return config


def _set(target: Any, path: list[str], value: Any) -> Any:
    if len(path) > 1:
        value = _set(getattr(target, path[0]), path[1:], value)
    return replace(target, **{path[0]: value})
