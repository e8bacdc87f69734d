"""Builds of hostile trees in a process of their own, whose figures are known afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parents[2]

PROGRAM = """
import json, resource, sys
from infograph.build import build
from infograph.config import load
from infograph.errors import InfographError
try:
    summary = build(load(sys.argv[1], flags=json.loads(sys.argv[2])))
    found = {"errors": [str(error) for error in summary.errors], "chunks": summary.chunks,
             "notices": [[n.path, n.kind, n.count] for n in summary.notices], "documents": summary.documents}
except InfographError as error:
    found = {"raised": str(error)}
workers = resource.getrusage(resource.RUSAGE_CHILDREN)
own = resource.getrusage(resource.RUSAGE_SELF)
unit = 1 if sys.platform == "darwin" else 1024
try:  # what the system counts for a process begins with that of the one that started it
    with open("/proc/self/status") as status:
        (peak,) = [int(line.split()[1]) for line in status if line.startswith("VmHWM:")]
except OSError:
    peak = own.ru_maxrss
found["bytes"] = max(workers.ru_maxrss, peak) * unit
found["seconds"] = workers.ru_utime + workers.ru_stime + own.ru_utime + own.ru_stime
print(json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a build said, and what it cost."""

    raised: str
    errors: list[str]
    notices: list[tuple[str, str, int]]
    documents: int
    chunks: int
    megabytes: float
    """Of the largest process."""
    seconds: float
    """Of processor time, all processes together."""
    log: str
    """All that it printed."""


MeasuredBuild = Callable[..., Measured]


def _build(root: Path, environment: dict[str, str] | None = None, cwd: Path | None = None, **flags: Any) -> Measured:
    given = {"model": "static", "jobs": 1} | {name.replace("__", "."): value for name, value in flags.items()}
    run = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, str(root), json.dumps(given)],
        env=os.environ | {"PYTHONPATH": str(PACKAGE)} | (environment or {}),
        cwd=cwd or root.parent,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout.splitlines()[-1])
    return Measured(
        raised=found.get("raised", ""),
        errors=found.get("errors", []),
        notices=[(path, kind, count) for path, kind, count in found.get("notices", [])],
        documents=found.get("documents", 0),
        chunks=found.get("chunks", 0),
        megabytes=found["bytes"] / 1e6,
        seconds=found["seconds"],
        log=run.stdout + run.stderr,
    )


@pytest.fixture
def measured_build() -> MeasuredBuild:
    """measured_build(root, environment=None, cwd=None, **flags): a build with the static model, in real workers."""
    return _build
