"""The workflows: actions by commit, least rights, no secret. zizmor, in .ci/run, looks for the rest."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from infograph.config.origins import variable_of
from infograph.config.reading import NO_SETTINGS, key_names

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"\s*(?:- )?uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")

every_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def read(path: Path) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load(path.read_text("utf-8"))
    return found


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


def test_there_are_three() -> None:
    assert [path.stem for path in WORKFLOWS] == ["ci", "nightly", "release"]


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml"], ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit_with_their_version(path: Path) -> None:
    used = [line for line in path.read_text("utf-8").splitlines() if "uses:" in line]
    assert used
    assert [line for line in used if not PINNED.fullmatch(line)] == []


@every_workflow
def test_rights_are_given_by_job_and_time_is_bounded(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert job["permissions"].pop("contents") == "read"
        assert job["permissions"] == ({"id-token": "write"} if name == "publish" else {})
        assert job["timeout-minutes"] <= 120


@every_workflow
def test_no_secret_and_no_credentials_left_behind(path: Path) -> None:
    assert "secrets." not in path.read_text("utf-8")
    checkouts = [step for step in steps(path) if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts and all(step["with"]["persist-credentials"] is False for step in checkouts)


@every_workflow
def test_what_is_run_is_there(path: Path) -> None:
    run = "\n".join(step["run"] for step in steps(path) if "run" in step)
    for script in re.findall(r"(?:scripts|fuzz|\.ci|\.github)/[\w./-]+", run):
        assert (ROOT / script).is_file(), script


def test_every_fuzz_target_is_in_the_nightly_run() -> None:
    run = (ROOT / "fuzz" / "run.py").read_text("utf-8")
    matrix = read(ROOT / ".github" / "workflows" / "nightly.yml")["jobs"]["fuzz"]["strategy"]["matrix"]["target"]
    assert matrix == re.findall(r'^        Target\("(\w+)"', run, re.MULTILINE)


@pytest.mark.parametrize("name", ["release", "wheels"])
def test_what_publishes_is_installed_by_hash(name: str) -> None:
    lines = (ROOT / ".github" / f"{name}-requirements.txt").read_text("utf-8").splitlines()
    named = [at for at, line in enumerate(lines) if re.match(r"[\w.-]+==", line)]
    assert named and all("--hash=sha256:" in lines[at + 1] for at in named)


@pytest.mark.parametrize("path", [*WORKFLOWS, ROOT / "action.yml", ROOT / ".ci/run"], ids=lambda path: path.stem)
def test_variables_of_our_name_are_settings(path: Path, tmp_path: Path) -> None:
    """Any other would end each command that a job, or a test of it, runs."""
    known = {*NO_SETTINGS, *(variable_of(name) for name in key_names())}
    assert set(re.findall(r"\bINFOGRAPH_\w+", path.read_text("utf-8"))) <= known
