"""What is installed from the wheel works: a fresh virtual environment, no source tree in sight."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    result = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.slow
def test_the_wheel_builds_the_sample_docs(tmp_path: Path) -> None:
    """Needs the package index, for the build backend and the dependencies."""
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", tmp_path / "wheels", REPOSITORY, cwd=tmp_path)
    (wheel,) = (tmp_path / "wheels").glob("infograph-*.whl")
    assert wheel.stat().st_size < 50_000_000
    venv.create(tmp_path / "venv", with_pip=True)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    shutil.copytree(
        REPOSITORY / "sample-docs",
        tmp_path / "sample-docs",
        ignore=shutil.ignore_patterns("_*", "index.json", "topic-spec.md", "llms.txt", ".*"),
    )
    said = run(scripts / "infograph", "build", "sample-docs", cwd=tmp_path)
    assert " documents · " in said
    assert (tmp_path / "sample-docs/index.json").is_file()
    run(scripts / "infograph", "build", "sample-docs", "--check", cwd=tmp_path)
    run(scripts / "infograph", "check", "sample-docs", cwd=tmp_path)
    names = run(scripts / "python", "-m", "pip", "list", "--format", "freeze", cwd=tmp_path)
    assert "torch==" not in names
