"""The pre-commit hooks: their form, and one of them installed and run by pre-commit."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from infograph import cli

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / ".pre-commit-hooks.yaml"
HOOKS: list[dict[str, Any]] = yaml.safe_load(MANIFEST.read_text("utf-8"))

GIT = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.compression",
    "GIT_CONFIG_VALUE_0": "0",
}


def test_pre_commit_takes_the_manifest() -> None:
    clientlib = pytest.importorskip("pre_commit.clientlib", reason="needs pre-commit: pip install pre-commit")
    assert [hook["id"] for hook in clientlib.load_manifest(str(MANIFEST))] == ["infograph-check", "infograph-build"]


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_what_is_run_exists(hook: dict[str, Any]) -> None:
    program, name, *options = hook["entry"].split()
    assert program == "infograph"
    known = {flag for p in cli.main.every()[name].params if isinstance(p, click.Option) for flag in p.opts}
    assert set(options) <= known
    assert hook["pass_filenames"] is False, "a build is of a tree, never of some of its files"


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_when_it_runs(hook: dict[str, Any]) -> None:
    for name in (
        "a.md",
        "b/a.mdx",
        "a.markdown",
        "infograph.toml",
        "b/pyproject.toml",
        ".gitignore",
        "b/index.json",
        "b/_chunks/a-0.md",
        "b/_keywords/words.md",
    ):
        assert re.search(hook["files"], name), name
    for name in ("a.py", "a.md.txt", "my-infograph.toml", "package.json"):
        assert not re.search(hook["files"], name), name


@pytest.mark.slow
def test_pre_commit_installs_and_runs_it(tmp_path: Path, write_tree: Callable[..., Path]) -> None:
    pytest.importorskip("pre_commit", reason="needs pre-commit: pip install pre-commit")
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: pre-commit installs hooks from one")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "GIT_", "INFOGRAPH_"))} | GIT
    environment["PRE_COMMIT_HOME"] = str(tmp_path / "home")

    def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(arguments, cwd=cwd, env=environment, capture_output=True, text=True, check=False)

    hooks = tmp_path / "hooks"
    listing = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).stdout
    for name in filter(None, listing.split("\0")):
        left_out = name.startswith(("tests/", "benchmarks/")) or name.endswith(".onnx")  # large, and not used here
        if (ROOT / name).is_file() and not left_out:
            (hooks / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, hooks / name)
    project = write_tree(
        tmp_path / "project",
        {"docs/a.md": "# A\n\nText.\n", "infograph.toml": "docs = 'docs'\nmodel = 'static'\n", ".gitignore": ".*/\n"},
    )
    for repository in (hooks, project):
        for arguments in (["init", "-q"], ["add", "--all"], ["commit", "-q", "-m", "x"]):
            assert run("git", *arguments, cwd=repository).returncode == 0
    revision = run("git", "rev-parse", "HEAD", cwd=hooks).stdout.strip()
    ids = [{"id": hook["id"]} for hook in HOOKS]
    config = {"repos": [{"repo": str(hooks), "rev": revision, "hooks": ids}]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))

    def hook(name: str) -> subprocess.CompletedProcess[str]:
        run("git", "add", "--all", cwd=project)
        return run(sys.executable, "-m", "pre_commit", "run", name, "--all-files", "--verbose", cwd=project)

    first = hook("infograph-check")
    if "No matching distribution" in first.stdout + first.stderr:
        pytest.skip("no package index within reach")
    assert first.returncode == 1 and "outputs stale" in first.stdout, first.stdout + first.stderr
    assert (
        "files were modified by this hook" in hook("infograph-build").stdout or (project / "docs/index.json").exists()
    )
    second = hook("infograph-check")
    assert second.returncode == 0 and "Passed" in second.stdout, second.stdout + second.stderr
    (project / "docs/a.md").write_text("# A\n\nAnother text.\n")
    assert hook("infograph-check").returncode == 1
    built = hook("infograph-build")
    assert built.returncode == 1 and "files were modified by this hook" in built.stdout, built.stdout + built.stderr
    assert hook("infograph-check").returncode == 0
