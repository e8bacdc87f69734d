"""What is compiled when infograph is installed: with a compiler, without one, and as the switch says."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from infograph.words import pure, twins

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "infograph" / "words" / "_compiled.c"


def hook() -> ModuleType:
    pytest.importorskip("hatchling", reason="the build backend is not installed")
    pytest.importorskip("setuptools", reason="setuptools is not installed")
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_written_twice_is_the_same() -> None:
    source, build = SOURCE.read_text("utf-8"), (ROOT / "hatch_build.py").read_text("utf-8")
    assert re.findall(r"#define INTERFACE (\d+)", source) == [str(pure.INTERFACE)]
    assert f'SWITCH = "{twins.SWITCH}"' in build
    assert f'SWITCH = "{twins.SWITCH}"' in (ROOT / "scripts" / "build_dist.py").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (version,) = re.findall(r"#define Py_LIMITED_API 0x03([0-9a-f]{2})0000", source)
    assert project["project"]["requires-python"] == f">=3.{int(version, 16)}"
    assert f'TAG = "cp3{int(version, 16)}-abi3"' in build
    assert twins.SWITCH in project["tool"]["cibuildwheel"]["environment"]


def test_without_a_compiler_there_is_a_reason_and_no_extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path))
    reason = hook().compiled(SOURCE, tmp_path)
    assert "none" in reason or sys.platform == "win32"
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".so", ".pyd")]


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.filterwarnings("ignore")  # of setuptools
def test_with_a_compiler_there_is_an_extension(tmp_path: Path) -> None:
    assert hook().compiled(SOURCE, tmp_path) is None
    (built,) = [path for path in tmp_path.rglob("_compiled.*") if path.suffix in (".so", ".pyd")]
    program = (
        "import importlib.util, sys; spec = importlib.util.spec_from_file_location('_compiled', sys.argv[1]);"
        "found = importlib.util.module_from_spec(spec); spec.loader.exec_module(found);"
        "print(found.INTERFACE, found.Memo(8).total(b'one three', len))"
    )
    done = subprocess.run([sys.executable, "-c", program, str(built)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(pure.INTERFACE), "8"]


@pytest.mark.slow
def test_a_wheel_without_a_compiler_is_for_every_platform(tmp_path: Path) -> None:
    """Needs the package index, for the build backend."""
    environment = {name: value for name, value in os.environ.items() if name not in ("CC", twins.SWITCH)}
    environment["PATH"] = str(tmp_path)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(tmp_path / "wheels"), str(ROOT)]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    (wheel,) = (tmp_path / "wheels").iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    must = subprocess.run(command, env=environment | {twins.SWITCH: "0"}, check=False, capture_output=True, text=True)
    assert must.returncode != 0
    assert f"{twins.SWITCH} is 0" in must.stdout + must.stderr


@pytest.mark.parametrize("switch", ["", "0", "1"])
def test_the_version_says_whether_compiled_parts_run(switch: str) -> None:
    environment = os.environ | {twins.SWITCH: switch, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "infograph", "--version"]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()[1]
    if switch == "1":
        assert said == f"compiled parts: no, {twins.SWITCH} is set"
    elif importlib.util.find_spec("infograph.words._compiled"):
        assert said == "compiled parts: yes"
    else:
        assert said == "compiled parts: no, no extension was compiled when infograph was installed"
