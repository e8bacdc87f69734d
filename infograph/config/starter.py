"""`infograph init`: a configuration file that holds every setting with its default and its meaning."""

from __future__ import annotations

import textwrap
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from infograph.config import FILE_NAME
from infograph.config.settings import Config
from infograph.errors import ConfigError, OutputError
from infograph.formats.field_docs import field_docs
from infograph.model import UserTable

_HEAD = """\
# Settings of infograph. Each line shows a default; remove the # to change it.
# A flag of the command line and an INFOGRAPH_* variable come before this file.
"""


def starter() -> str:
    """Text of the configuration file, made from the fields of `Config` and their docstrings."""
    lines = [_HEAD]
    tables: list[tuple[str, Any]] = []
    config = Config()
    for entry in fields(config):
        value = getattr(config, entry.name)
        if is_dataclass(value):
            tables.append((entry.name, value))
        else:
            lines += _setting(entry.name, value, field_docs(Config)[entry.name])
    for name, table in tables:
        lines += ["", f"[{name}]"]
        for entry in fields(table):
            lines += _setting(entry.name, getattr(table, entry.name), field_docs(type(table))[entry.name])
    return "\n".join(lines) + "\n"


def write_starter(folder: str) -> Path:
    """Writes the configuration file into a folder. Raises ConfigError when there is one already."""
    path = Path(folder) / FILE_NAME
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(starter())
    except FileExistsError:
        raise ConfigError(str(path), "is there already", "TextEdit it, or remove it first.") from None
    except OSError as error:
        raise OutputError(str(path), f"cannot be written: {error.strerror}") from error
    return path


def _setting(name: str, value: Any, meaning: str) -> list[str]:
    comment = [f"# {line}" for line in textwrap.wrap(meaning, 98)]
    return [*comment, f"#{name} = {_toml(value)}"]


def _toml(value: Any) -> str:
    if value is None:
        return '""  # unset'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, UserTable):
        return f"{{{', '.join(f'{_toml(key)} = {_toml(item)}' for key, item in value)}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else repr(value)
