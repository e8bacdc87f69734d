"""scripts/audit.py: an audit that could not take place is a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

AUDIT = Path(__file__).parents[2] / "scripts" / "audit.py"
NOWHERE = "http://127.0.0.1:9"
"""The port of the discard service, where nothing listens."""
OFFLINE = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOWHERE) | {
    "PIP_INDEX_URL": NOWHERE,
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_FIND_LINKS": "",
    "PIP_RETRIES": "0",
    "NO_PROXY": "",
    "no_proxy": "",
}

needs_pip_audit = pytest.mark.skipif(find_spec("pip_audit") is None, reason="needs pip-audit: infograph[lint]")


def audit(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(AUDIT), *map(str, arguments)]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


@needs_pip_audit
def test_without_a_database_it_fails(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("click==8.2.1\n")
    run = audit("--requirements", tmp_path / "requirements.txt", XDG_CACHE_HOME=str(tmp_path), **OFFLINE)
    assert run.returncode == 1
    assert "no audit took place" in run.stderr


@needs_pip_audit
def test_a_package_without_a_verdict_is_a_failure(tmp_path: Path) -> None:
    """No index has it, or none can be reached."""
    (tmp_path / "requirements.txt").write_text("infograph-that-there-is-not==1.0\n")
    run = audit("--requirements", tmp_path / "requirements.txt")
    assert run.returncode == 1
    assert "audit failed" in run.stderr


@needs_pip_audit
def test_nothing_to_audit_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("# nothing\n")
    run = audit("--requirements", tmp_path / "requirements.txt")
    assert run.returncode == 1
    assert "nothing to audit" in run.stderr


@pytest.mark.slow
@needs_pip_audit
def test_without_an_index_it_fails(tmp_path: Path) -> None:
    run = audit(**OFFLINE)
    assert run.returncode == 1
    assert "Nothing was audited" in run.stderr


def test_without_pip_audit_it_fails() -> None:
    code = "import runpy, sys; sys.modules['pip_audit'] = None; runpy.run_path(sys.argv.pop(1), run_name='__main__')"
    run = subprocess.run([sys.executable, "-c", code, str(AUDIT)], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "pip-audit is not installed" in run.stderr
