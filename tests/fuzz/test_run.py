"""The fuzzers find what is planted, say so by their exit status, and leave the input behind."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from javascript import needs_node

FUZZ = Path(__file__).parents[2] / "fuzz"

needs_atheris = pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="needs atheris: pip install 'infograph[fuzz]'"
)

IN_PYTHON = "def check(data):\n    if data[:1] == b'F' and data[1:2] == b'U' and data[2:3] == b'Z':\n        {fault}\n"
IN_JAVASCRIPT = """\
import { hash32 } from "HERE/planted.js";
export function check(data) { hash32(data); }
"""
PLANTED = """\
export function hash32(data) {
  if (data[0] >> 4 === 4) { if (data[1] >> 4 === 5) { if (data[2] >> 4 === 6) { if (data[3] >> 4 === 7) { FAULT } } } }
}
"""
"""Four steps, each of which is new coverage: by chance alone it takes 65,536 inputs."""


def fuzz(target: Path | str, artifacts: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FUZZ / "run.py"), *options, "--artifacts", str(artifacts), str(target)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.slow
@needs_atheris
def test_a_planted_crash_is_found_in_python(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(IN_PYTHON.format(fault="raise KeyError"))
    run = fuzz(tmp_path / "planted.py", tmp_path / "artifacts", "--seconds", "60")
    assert run.returncode == 1, run.stdout + run.stderr
    (found,) = (tmp_path / "artifacts").iterdir()
    assert found.read_bytes().startswith(b"FUZ")


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize(
    "fault",
    ["throw new TypeError();", "Promise.reject(new TypeError());", "for (;;);"],
    ids=["thrown", "async", "hangs"],
)
def test_a_planted_fault_is_found_in_javascript(tmp_path: Path, fault: str) -> None:
    web = tmp_path / "planted.js"
    web.write_text(PLANTED.replace("FAULT", fault))
    (tmp_path / "target.mjs").write_text(IN_JAVASCRIPT.replace("HERE", tmp_path.as_uri()))
    run = fuzz(tmp_path / "target.mjs", tmp_path / "artifacts", "--seconds", "60")
    assert run.returncode == 1, run.stdout + run.stderr
    (found,) = (tmp_path / "artifacts").iterdir()
    assert [byte >> 4 for byte in found.read_bytes()[:4]] == [4, 5, 6, 7]


@pytest.mark.slow
@needs_atheris
def test_a_slow_input_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(IN_PYTHON.format(fault="while True: pass").replace("data[:1] == b'F'", "True"))
    run = fuzz(tmp_path / "planted.py", tmp_path / "artifacts", "--seconds", "60")
    assert run.returncode == 1, run.stdout + run.stderr


def test_a_fuzzer_that_cannot_run_is_skipped_with_its_reason(tmp_path: Path) -> None:
    environment = os.environ | {"PATH": str(tmp_path)}
    command = [sys.executable, str(FUZZ / "run.py"), "--artifacts", str(tmp_path), "javascript"]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stdout) == (0, "javascript: skipped: Node.js is not installed\n")


def test_a_target_that_there_is_not_is_an_error(tmp_path: Path) -> None:
    run = fuzz("chunker", tmp_path)
    assert run.returncode == 2
    assert "chunkers, topic_spec" in run.stderr
