"""action.yml: its form, and its steps run by the shell that runs them on GitHub."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step.get("name", step.get("uses")): step for step in ACTION["runs"]["steps"]}
BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None or os.name == "nt", reason="needs bash")

_EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")

WriteTree = Callable[..., Path]


def _expressions(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _expressions(item)
    elif isinstance(value, list):
        for item in value:
            yield from _expressions(item)
    elif isinstance(value, str):
        yield from _EXPRESSION.findall(value)


# ---- form -----------------------------------------------------------------------------------------------------


def test_it_has_what_an_action_must_have() -> None:
    assert set(ACTION) == {"name", "description", "author", "branding", "inputs", "outputs", "runs"}
    assert ACTION["runs"]["using"] == "composite"
    for place in (*ACTION["inputs"].values(), *ACTION["outputs"].values()):
        assert place["description"].endswith((".", "…"))
    for step in ACTION["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        assert "uses" in step or step["shell"] == "bash"


def test_inputs_have_defaults_that_are_text_and_are_used() -> None:
    assert all(isinstance(value["default"], str) for value in ACTION["inputs"].values())
    used = {expression for expression in _expressions(ACTION["runs"]) if expression.startswith("inputs.")}
    assert used == {f"inputs.{name}" for name in ACTION["inputs"]}
    outputs = list(_expressions(ACTION["outputs"]))
    ids = {step["id"] for step in STEPS.values() if "id" in step}
    assert outputs and all(re.fullmatch(rf"steps\.({'|'.join(ids)})\.outputs\.\w+", output) for output in outputs)


def test_other_actions_are_pinned_to_commits() -> None:
    for step in STEPS.values():
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step.get("uses", f"a/b@{'0' * 40}"))


def test_no_input_is_part_of_a_script() -> None:
    """What GitHub puts into a script is run: an input with a quote in it would be a command."""
    assert all(not _EXPRESSION.search(step.get("run", "")) for step in STEPS.values())


# ---- steps ----------------------------------------------------------------------------------------------------


def run(step: str, folder: Path, commands: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """A step as GitHub runs it: expressions filled in, in the environment; `bash -eo pipefail` on a script file."""
    values = {f"inputs.{name}": value["default"] for name, value in ACTION["inputs"].items()}
    values |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
    values["github.action_path"] = str(ROOT)
    environment = {k: _EXPRESSION.sub(lambda match: values[match[1]], v) for k, v in STEPS[step]["env"].items()}
    script = commands / "step.sh"
    script.write_text(STEPS[step]["run"])
    assert BASH is not None
    return subprocess.run(
        [BASH, "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=folder,
        env={"PATH": f"{commands}{os.pathsep}{os.environ['PATH']}", "GITHUB_OUTPUT": str(commands / "output")}
        | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def command(folder: Path, name: str, line: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """A folder of commands: `infograph` of this checkout, and the `python` that runs the tests."""
    folder = tmp_path / "commands"
    folder.mkdir()
    command(folder, "infograph", f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -m infograph "$@"')
    command(folder, "python", f'exec "{sys.executable}" "$@"')
    return folder


@needs_bash
@pytest.mark.parametrize(
    ("inputs", "package"),
    [
        ({}, str(ROOT)),
        ({"extras": "code,language"}, f"{ROOT}[code,language]"),
        ({"version": "1.2"}, "infograph==1.2"),
        ({"version": "1.2", "extras": "code"}, "infograph[code]==1.2"),
        ({"version": '1"; $(touch x) #'}, 'infograph==1"; $(touch x) #'),
    ],
)
def test_what_is_installed(tmp_path: Path, commands: Path, inputs: dict[str, str], package: str) -> None:
    command(commands, "python", 'printf "[%s]" "$@"')
    result = run("Install infograph", tmp_path, commands, **inputs)
    assert result.returncode == 0
    assert result.stdout.startswith("[-m][pip][install]") and result.stdout.endswith(f"[{package}]")
    assert not (tmp_path / "x").exists()


@needs_bash
def test_options_of_the_build(tmp_path: Path, commands: Path) -> None:
    command(commands, "infograph", 'printf "[%s]" "$@"')
    for inputs, arguments in (
        ({}, "[build][--json]"),
        ({"docs": "my docs"}, "[build][--json][--][my docs]"),
        ({"docs": "--help", "out": "$(touch x)"}, "[build][--json][--out=$(touch x)][--][--help]"),
        ({"check": "true", "strict": "true", "model": "static"}, "[build][--json][--model=static][--check][--strict]"),
        ({"check": "false", "strict": "no"}, "[build][--json]"),
    ):
        assert run("Build", tmp_path, commands, **inputs).stdout == arguments + "\n"
    assert not (tmp_path / "x").exists()


@pytest.mark.slow
@needs_bash
def test_build_and_check(tmp_path: Path, commands: Path, write_tree: WriteTree) -> None:
    docs = write_tree(tmp_path / "my docs", {"a.md": "# A\n\nText.\n", "infograph.toml": "model = 'static'\n"})
    stale = run("Build", tmp_path, commands, docs="my docs", check="true")
    assert stale.returncode == 1 and "index.json" in json.loads(stale.stdout)["stale"]
    assert not (docs / "index.json").exists()
    built = run("Build", tmp_path, commands, docs="my docs")
    assert built.returncode == 0, built.stderr
    assert (docs / "index.json").is_file()
    assert run("Build", tmp_path, commands, docs="my docs", check="true").returncode == 0
    (docs / "a.md").write_bytes(b"\xff")
    failed = run("Build", tmp_path, commands, docs="my docs")
    assert failed.returncode == 1 and json.loads(failed.stdout)["errors"][0]["place"] == "a.md:1"
    written = (commands / "output").read_text()
    summaries = re.findall(r"^summary<<(end-\d+)\n(.*?)\n\1$", written, re.MULTILINE | re.DOTALL)
    assert [json.loads(summary)["documents"] for _, summary in summaries] == [1, 1, 1, 0]


@pytest.mark.slow
@needs_bash
def test_the_output_of_many_faults_is_small(tmp_path: Path, commands: Path, write_tree: WriteTree) -> None:
    pages = {f"pages-of-a-long-name/page-{n}.md": f"# {n}\n\n<Include file='{n}.md' />\n".encode() for n in range(60)}
    broken = {f"broken/{'deep/' * 8}page-{n}.md": b"\xff" for n in range(60)}
    write_tree(tmp_path / "docs", {**pages, **broken, "infograph.toml": "model = 'static'\n"})
    result = run("Build", tmp_path, commands, docs="docs")
    whole = json.loads(result.stdout)
    assert len(whole["errors"]) == 60, "the log has all"
    written = (commands / "output").read_text()
    assert len(written.encode()) < 16_000
    summary = json.loads(written.split("\n")[1])
    assert summary.keys() >= whole.keys()
    assert (summary["documents"], summary["errors_count"], len(summary["errors"])) == (60, 60, 10)
    assert summary["errors"] == whole["errors"][:10]


@needs_bash
def test_a_build_that_says_nothing_has_an_output(tmp_path: Path, commands: Path) -> None:
    command(commands, "infograph", "echo no JSON; exit 3")
    assert run("Build", tmp_path, commands).returncode == 3
    assert json.loads((commands / "output").read_text().split("\n")[1]) == {"output": "no JSON"}


@pytest.mark.slow
def test_the_longest_summary_fits(tmp_path: Path) -> None:
    entry = {"path": "x" * 9999, "kind": "y" * 9999, "message": "\u2028" * 9999, "count": 1}
    summary = {"errors": [entry] * 999, "warnings": [entry] * 999, "stale": ["z" * 9999] * 9999, "bytes": 1}
    script = str(ROOT / "scripts" / "action_summary.py")
    done = subprocess.run([sys.executable, script], input=json.dumps(summary).encode(), capture_output=True, check=True)
    assert len(done.stdout) < 100_000
    assert json.loads(done.stdout)["stale_count"] == 9999
