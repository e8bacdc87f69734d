"""Settings: the only reader of infograph.toml, [tool.infograph], INFOGRAPH_* variables and flags.

Each setting is one field below, with its default and its meaning; the file's tables, the environment's
names and the errors all follow from the fields. Precedence: flag, environment, file, default.
"""

from __future__ import annotations

import hashlib
import os
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from infograph.errors import ConfigError

FILE_NAME = "infograph.toml"


@dataclass(frozen=True, slots=True)
class Source:
    include: tuple[str, ...] = ()
    """Globs (gitignore syntax, relative to the root); empty takes every Markdown file."""
    exclude: tuple[str, ...] = ()
    """Globs of files and folders to leave out."""
    gitignore: bool = True
    """Leave out what .gitignore files leave out."""


@dataclass(frozen=True, slots=True)
class Limits:
    bytes: int = 5_000_000
    """Largest source file."""
    blocks: int = 100_000
    """Most Markdown blocks in one file."""
    seconds: float = 10.0
    """Longest time for one file, in a worker that is killed after it."""


@dataclass(frozen=True, slots=True)
class Keywords:
    language: str = "en"
    """Of stop words and stemming: an ISO 639-1 code."""
    per_topic: int = 500
    """Most rows of a topic's authority table."""
    per_chunk: int = 12
    """Most keywords of a chunk."""


@dataclass(frozen=True, slots=True)
class Prompts:
    # Measured with all-MiniLM-L6-v2 over 100 questions and 168 sections of technical pages, 3 chunks a question: at
    # 0.5, 82% of the questions reach a section that answers them, at 0.3 85%. Over larger sections the cosines are
    # smaller: of 93 questions to three long documents 0.5 lets 16% through to the right one, 0.3 49%.
    threshold: float = 0.3
    """Least cosine between a question of qa-pairs.md and a chunk that answers it."""
    per_question: int = 3
    """Most chunks a question is given to."""


@dataclass(frozen=True, slots=True)
class Stripe:
    factor: int | None = None
    """Stride of the similarity order; unset, it follows from the number of chunks."""


@dataclass(frozen=True, slots=True)
class Index:
    base_url: str = ""
    """Absolute path or URL the tree is published under; empty writes relative links."""
    source_url: str = ""
    """Where source documents are published, `{path}` standing for the path: links to them when the
    index is not written beside them."""
    technical_baseline: str = "title"
    """`title`: chunk 1 when its title matches Quick Reference or similar. `first-code`: the first code chunk."""
    related: int = 5
    """Most related topics of a topic."""


@dataclass(frozen=True, slots=True)
class Watch:
    debounce: float = 0.3
    """Seconds of quiet before a rebuild."""
    rescan: float = 30.0
    """Seconds between full rescans: the system's change events can be lost."""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything a run depends on, apart from the files themselves."""

    docs: str = "."
    """Root of the source tree, when the command names none."""
    out: str | None = None
    """Where to write; unset writes beside the sources."""
    strategy: str = "semantic-250-750"
    """Chunking strategy."""
    model: str = "all-MiniLM-L6-v2"
    """Embedding model: a packaged name, sentence-transformers/NAME or a path."""
    jobs: int = 0
    """Worker processes and model threads; 0 takes one a processor."""
    strict: bool = False
    """Warnings make the exit status 1."""
    cache: str | None = None
    """Folder of the embedding cache; unset: beside the sources, or with `out` in the project's folder."""
    source: Source = field(default_factory=Source)
    limits: Limits = field(default_factory=Limits)
    keywords: Keywords = field(default_factory=Keywords)
    prompts: Prompts = field(default_factory=Prompts)
    stripe: Stripe = field(default_factory=Stripe)
    index: Index = field(default_factory=Index)
    watch: Watch = field(default_factory=Watch)


@dataclass(frozen=True, slots=True)
class Settings:
    """A configuration and the places it speaks of, resolved."""

    config: Config
    root: Path
    """The source tree."""
    out: Path
    """The output tree; equals `root` when building in place."""
    cache: Path
    """The embedding cache."""
    memory: Path
    """What this machine remembers of its last build: beside the sources, or with `out` in the project's folder,
    since an output tree is published as it is and often wiped by the generator that shares it."""
    file: Path | None
    """The file the settings came from."""

    @property
    def in_place(self) -> bool:
        return self.out == self.root

    @property
    def jobs(self) -> int:
        """Worker processes, at least one."""
        return self.config.jobs or available_processors()


def available_processors() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def load(
    docs: str | None = None,
    *,
    file: str | None = None,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Reads the settings for a source tree.

    docs:  the tree a command names; None takes the file's `docs`, or the working directory
    file:  a configuration file to read instead of the nearest one at or above the tree
    flags: settings given on the command line, by dotted name; None values count as not given

    Raises ConfigError naming the file, the key and the nearest valid one.
    """
    environment = os.environ if environment is None else environment
    if (flags or {}).get("out") == "":
        raise ConfigError("--out", "is empty", "Name a folder, or leave the option out to write beside the sources.")
    start = Path(docs) if docs is not None else Path.cwd()
    path = _existing(Path(file)) if file else _nearest(Path(os.path.abspath(start)))
    values = _table_of(path) if path else {}
    config = _decode(Config, values, str(path), "")
    _check(config, str(path))
    for given, place in (
        (_from_environment(environment), "environment variable"),
        ({k: v for k, v in (flags or {}).items() if v is not None}, "flag"),
    ):
        config = _override(config, given, place)
        _check(config, place)

    project = path.parent if path else Path.cwd()
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
        cache = (root if out == root else home if apart else out) / ".embedding-cache"
    memory = (root if out == root else out) / ".infograph"
    if apart:
        place = hashlib.sha256(os.path.relpath(out, home).encode("utf-8", "surrogateescape")).hexdigest()
        memory = home / ".infograph" / place[:16]
    return Settings(config, root, out, cache, memory, path)


def key_names() -> list[str]:
    """Every setting by its dotted name, in the order of the fields."""
    return [name for name, _, _ in _leaves(Config)]


def describe() -> list[tuple[str, Any]]:
    """Every setting by its dotted name, with its default."""
    return [(name, default) for name, _, default in _leaves(Config)]


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


def _nearest(start: Path) -> Path | None:
    for folder in (start, *start.parents):
        candidate = folder / FILE_NAME
        if candidate.is_file():
            return candidate
        project = folder / "pyproject.toml"
        if project.is_file() and _has_table(project):
            return project
        if (folder / ".git").exists():
            return None
    return None


def _has_table(path: Path) -> bool:
    try:
        return b"[tool.infograph" in path.read_bytes()
    except OSError as error:
        raise ConfigError(str(path), f"cannot be read: {error.strerror}", "Make it readable.") from error


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise ConfigError(str(path), "there is no such file", "`infograph init` writes one.")
    return path.absolute()


def _table_of(path: Path) -> dict[str, Any]:
    import tomllib  # only when there is a file: the parser costs start-up time

    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(str(path), f"is not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigError(str(path), f"cannot be read: {error.strerror}") from error
    if path.name != "pyproject.toml":
        return data
    tools = data.get("tool", {})
    table = tools.get("infograph", {}) if isinstance(tools, dict) else {}
    if not isinstance(table, dict):
        raise ConfigError(str(path), f"`tool.infograph` must be a table, not {table!r}")
    return table


def _decode(kind: type, values: Mapping[str, Any], place: str, prefix: str) -> Any:
    if not isinstance(values, Mapping):
        raise ConfigError(place, f"`{prefix.rstrip('.')}` must be a table, not {values!r}")
    hints = typing.get_type_hints(kind)
    known = {entry.name for entry in fields(kind)}
    given: dict[str, Any] = {}
    for key, value in values.items():
        name = key.replace("-", "_")
        if name not in known:
            raise _unknown(place, prefix + key)
        hint = hints[name]
        if is_dataclass(hint):
            given[name] = _decode(typing.cast(type, hint), value, place, f"{prefix}{name}.")
        else:
            given[name] = _convert(value, hint, place, prefix + name)
    return kind(**given)


def _unknown(place: str, key: str) -> ConfigError:
    import difflib

    names = key_names()
    last = key.rpartition(".")[2]
    near = difflib.get_close_matches(key, names, 1, 0.5)
    near = near or [n for n in names if n.rpartition(".")[2] == last]
    near = near or [n for n in names if difflib.get_close_matches(last, [n.rpartition(".")[2]], 1, 0.6)]
    hint = f"Did you mean `{near[0]}`?" if near else f"The settings are: {', '.join(names)}."
    return ConfigError(place, f"`{key}` is not a setting", hint)


def _convert(value: Any, hint: Any, place: str, key: str) -> Any:
    """Checks one value against its field's type; whole numbers stand for fractions, lists for tuples, and an empty
    string for unset, which TOML and the environment cannot say otherwise."""
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if value == "" and types.NoneType in options:
        return None
    for option in options:
        if typing.get_origin(option) is tuple:
            if isinstance(value, str):
                return (value,)
            if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
                return tuple(value)
        elif isinstance(value, bool):  # which Python takes for a whole number
            if option is bool:
                return value
        elif option is float and isinstance(value, int | float):
            return float(value)
        elif option in (int, str) and isinstance(value, option):
            return value
    wanted = {"str": "a string", "int": "a whole number", "float": "a number", "bool": "true or false"}
    names = [wanted.get(getattr(o, "__name__", ""), "a list of strings") for o in options if o is not types.NoneType]
    raise ConfigError(place, f"`{key}` must be {' or '.join(names)}, not {value!r}")


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """INFOGRAPH_MODEL sets `model`, INFOGRAPH_LIMITS_SECONDS sets `limits.seconds`."""
    given: dict[str, Any] = {}
    variables = {k for k in environment if k.startswith("INFOGRAPH_")}
    if not variables:
        return given
    for name, hint, _ in _leaves(Config):
        variable = "INFOGRAPH_" + name.replace(".", "_").upper()
        if variable in variables:
            given[name] = _parse(environment[variable], hint, variable)
    return given


def _parse(text: str, hint: Any, variable: str) -> Any:
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


def _override(config: Config, given: Mapping[str, Any], place: str) -> Config:
    hints = {name: hint for name, hint, _ in _leaves(Config)} if given else {}
    for name, value in given.items():
        if name not in hints:
            raise _unknown(place, name)
        config = _set(config, name.split("."), _convert(value, hints[name], place, name))
    return config


def _set(target: Any, path: list[str], value: Any) -> Any:
    if len(path) > 1:
        value = _set(getattr(target, path[0]), path[1:], value)
    return replace(target, **{path[0]: value})


def _check(config: Config, place: str) -> None:
    """Values of the right type that make no sense."""
    positive = {
        "limits.bytes": config.limits.bytes,
        "limits.blocks": config.limits.blocks,
        "limits.seconds": config.limits.seconds,
        "keywords.per_topic": config.keywords.per_topic,
        "keywords.per_chunk": config.keywords.per_chunk,
        "prompts.per_question": config.prompts.per_question,
        "watch.rescan": config.watch.rescan,
    }
    for name, number in positive.items():
        if not number > 0:
            raise ConfigError(place, f"`{name}` must be above 0, not {number}")
    if config.jobs < 0:
        raise ConfigError(place, f"`jobs` must be 0 (one a processor) or more, not {config.jobs}")
    if config.watch.debounce < 0:
        raise ConfigError(place, f"`watch.debounce` must be 0 or more, not {config.watch.debounce}")
    if config.index.related < 0:
        raise ConfigError(place, f"`index.related` must be 0 or more, not {config.index.related}")
    if config.stripe.factor is not None and config.stripe.factor < 1:
        raise ConfigError(place, f"`stripe.factor` must be 1 or more, not {config.stripe.factor}")
    if not -1 <= config.prompts.threshold <= 1:
        raise ConfigError(place, f"`prompts.threshold` must lie between -1 and 1, not {config.prompts.threshold}")
    if config.index.base_url and not re.fullmatch(r"(?:https?://[^/?#\s]+)?(?:/[^?#\s]*)?", config.index.base_url):
        reason = f"`index.base_url` must be a path that begins with / or an http(s) URL, not {config.index.base_url!r}"
        raise ConfigError(place, reason)
    if config.index.technical_baseline not in ("title", "first-code"):
        raise ConfigError(
            place, f"`index.technical_baseline` must be title or first-code, not {config.index.technical_baseline!r}"
        )
