"""scripts/audit.py: an audit that could not take place is a failure."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AUDIT = ROOT / "scripts" / "audit.py"
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


@pytest.mark.slow
@needs_pip_audit
def test_without_a_database_it_fails(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("click==8.2.1\n")
    run = audit("--requirements", tmp_path / "requirements.txt", XDG_CACHE_HOME=str(tmp_path), **OFFLINE)
    assert run.returncode == 1
    assert "no audit took place" in run.stderr


@pytest.mark.slow
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


# ---- npm, and what CI installs ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")
def test_npm_without_a_registry_fails() -> None:
    run = audit("--npm", npm_config_registry=NOWHERE, npm_config_fetch_retries="0", **OFFLINE)
    assert run.returncode == 1
    assert "took place" in run.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        ('{"metadata": {"vulnerabilities": {"high": 0, "total": 0}}}', 0, ""),
        ('{"metadata": {"vulnerabilities": {"high": 2, "total": 2}}}', 1, "known vulnerabilities in packages of"),
        ('{"metadata": {"vulnerabilities": {"high": 0, "total": 0}}}', 1, "known vulnerabilities in packages of"),
        ('{"error": {"summary": "405"}}', 1, "no audit of"),
        ("", 0, "no audit of"),
    ],
)
def test_what_npm_says_is_believed(tmp_path: Path, answer: str, status: int, said: str) -> None:
    npm = tmp_path / "npm"
    npm.write_text(f"#!/bin/sh\necho '{answer}'\nexit {status}\n")
    npm.chmod(0o755)
    listed = subprocess.run(["git", "ls-files", "*package-lock.json"], cwd=ROOT, capture_output=True, text=True)
    locks = listed.stdout.split()
    run = audit("--npm", PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert run.returncode == (1 if said else 0)
    assert said in run.stderr
    assert run.stdout.count("no known vulnerability") == (0 if said else len(locks))


def test_what_ci_installs_is_locked() -> None:
    """By version and hash, from no address; torch alone is a file of the machine."""
    lock = (ROOT / ".ci" / "requirements.txt").read_text("utf-8")
    entries = [line for line in lock.splitlines() if line and line[0].isalnum()]
    names = {re.split(r"[=\[]", line)[0] for line in entries}
    assert all("==" in line for line in entries) and lock.count("--hash=sha256:") >= len(entries)
    assert "://" not in lock and "torch" not in names
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    wanted = [requirement for extra in ("test", "lint") for requirement in extras[extra]]
    named = {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in wanted if "!= 'linux'" not in requirement}
    assert named - {"infograph"} <= names
    run = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "--require-hashes --no-deps -r .ci/requirements.txt" in run
