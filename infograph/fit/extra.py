"""The packages of the extra `infograph[fit]`, and the error for a missing one."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from infograph.errors import missing_extra


def package(name: str) -> Any:
    """Imports a package of the extra. Raises ConfigError, which says how to install it, where it is missing."""
    try:
        return import_module(name)
    except ImportError as error:
        raise missing_extra("fit", "fit", f"needs {name.partition('.')[0]}", error) from None
