"""The library that makes a disk fail, compiled once, and the modules beside this file."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


def _module(name: str) -> None:
    """Tests are imported by path, so a module beside them is no import of theirs unless it is known by name."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


_module("faults")
_module("readers")
_module("cases")


@pytest.fixture(scope="session")
def fault_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`fault.c`, compiled; a test that asks for it is skipped where that is impossible."""
    from faults import compile_shim, missing

    if reason := missing():
        pytest.skip(reason)
    return compile_shim(tmp_path_factory.mktemp("fault"))


@pytest.fixture
def memory_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder without a disk below it, where the system has one: thousands of trees are made and removed there."""
    shared = Path("/dev/shm")
    if not shared.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=shared, prefix="infograph-") as folder:
        yield Path(folder)
