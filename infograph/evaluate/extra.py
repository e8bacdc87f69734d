"""The packages of the extra `infograph[eval]`, and the error for a missing one."""

from __future__ import annotations

from importlib import import_module

from infograph.errors import ConfigError, missing_extra

_PACKAGES = ("bm25s", "ir_measures", "rapidfuzz")
"""Modules of the extra that `infograph eval` imports."""


def check_installed() -> None:
    """Raises ConfigError where a package of the extra is missing."""
    for package in _PACKAGES:
        try:
            import_module(package)
        except ImportError as error:
            raise missing_package(package.replace("_", "-"), error) from None


def missing_package(package: str, error: ImportError) -> ConfigError:
    """The error for a package of the extra that is missing, with the way to install it."""
    return missing_extra("eval", "eval", f"needs {package}", error)
