"""A build whose disk fails at any one of its calls, or that is killed there: what was published stays whole, the exit
status tells the truth, and the next build makes it good.
"""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from cases import BEFORE, Case, not_repaired, prepared, write
from faults import FAIL, KILL, KINDS, SHORT, TORN, Fault, Outcome, Switch, preloaded
from readers import not_whole, published

FAULTS = (
    Fault("killed", "owsrmutl", KILL),
    Fault("killed in the middle of a write", "w", TORN),
    Fault("short write", "w", SHORT),
    Fault("ENOSPC", "owsrm", FAIL, errno.ENOSPC),
    Fault("full from here on", "w", SHORT, errno.ENOSPC, lasting="owm"),
    Fault("EIO", "owsrmut", FAIL, errno.EIO),
    Fault("EIO from here on", "s", FAIL, errno.EIO, lasting="owsrmutl"),
    Fault("EACCES", "ormu", FAIL, errno.EACCES),
)
FEW_FAULTS = tuple(fault for fault in FAULTS if fault.name in ("killed", "EIO"))
"""For a build that differs from one with all faults only in where it writes."""
EVERY = 1 if os.environ.get("PROOF") else 2
"""Of what can happen to a call, so much apart happens to it; everything where PROOF asks for it, as each night."""


CASES = {
    "first build in place": FEW_FAULTS,
    "first build with --out": FAULTS,
    "rebuild in place": FAULTS,
    "rebuild with --out": FEW_FAULTS,
    "rebuild in packs in place": FEW_FAULTS,
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest, memory_folder: Path, fault_library: Path) -> Iterator[Case]:
    with prepared(request.param, memory_folder, fault_library) as case:
        yield case


def points_of(case: Case) -> list[tuple[int, Fault]]:
    """Every call with what happens to it: neighbours among the calls take turns where it is not everything."""
    faults = CASES[case.name]
    own = [(at, [f for f in faults if kind in f.kinds]) for at, kind in enumerate(case.kinds, 1)]
    return [(at, fault) for at, possible in own for fault in possible[at % min(EVERY, len(possible) or 1) :: EVERY]]


def disturb(case: Case, at: int, fault: Fault) -> list[str]:
    """Everything that is wrong with and after a build to which a fault happens."""
    project, switch = case.fresh(), case.builder.switch
    switch.on(project, at, fault)
    outcome = case.builder.run(project, *case.arguments)
    assert switch.acted > 0, f"call {at} was not made again"
    found = case.published(project)
    wrong = [
        *status_of(case, found, fault, outcome),
        *not_whole(found, case.old, case.new, versioned=case.out == "site"),
    ]
    if (left := case.left(project)) not in case.repaired:
        case.repaired[left] = [*not_repaired(case, project, case.builder.run(project, *case.arguments))]
    wrong += case.repaired[left]
    place = os.path.relpath(switch.path, project)
    return [f"{fault.name} at call {at} ({KINDS[case.kinds[at - 1]]} of {place}): {text}" for text in wrong]


def status_of(case: Case, found: dict[str, bytes], fault: Fault, outcome: Outcome) -> Iterator[str]:
    """What the exit status and the message should not have said."""
    if fault.action in (KILL, TORN):
        if outcome.status != -signal.SIGKILL:
            yield f"exit status {outcome.status} of a killed process"
    elif outcome.status == 0:
        if found != case.new:
            yield "exit status 0, but not everything is published"
    elif outcome.status != 1 or "Traceback" in outcome.said:
        yield f"exit status {outcome.status} and {outcome.said.splitlines()[-1:]}"
    elif not re.search(rf"^error: \S+: .*{os.strerror(fault.error)}", outcome.said, re.MULTILINE):
        yield f"the error names no file, or not the reason: {outcome.said}"


@pytest.mark.slow
def test_every_call(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    points = points_of(case)
    wrong = [text for at, fault in points for text in disturb(case, at, fault)]
    figures = Counter(f"{fault.name}: {KINDS[case.kinds[at - 1]]}" for at, fault in points)
    with capsys.disabled():
        print(f"\n{case.name}: {len(case.kinds)} calls, {len(points)} faults, {len(case.repaired)} states after them")
        print("  " + ", ".join(f"{count} {what}" for what, count in sorted(figures.items())))
    assert wrong == []


@pytest.mark.parametrize("case", ["rebuild in place"], indirect=True)
def test_some_calls(case: Case) -> None:
    points = random.Random(case.name).sample(points_of(case), 6)
    assert [text for at, fault in points for text in disturb(case, at, fault)] == []


@pytest.mark.slow
def test_calls_of_worker_processes(memory_folder: Path, fault_library: Path) -> None:
    """The same in a fresh interpreter with workers of its own, as people run it; one row of calls is counted over all
    processes. A worker that is killed costs its documents, as a bad file does, until the next build."""
    switch, project = Switch(memory_folder / "switch"), memory_folder / "project"
    program = [sys.executable, "-c", "from infograph.cli import main; main(prog_name='infograph')"]
    environment = os.environ | preloaded(fault_library, switch)

    def run() -> Outcome:
        command = [*program, "build", "docs", "--model", "static", "--jobs", "2"]
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
        switch.off()
        return Outcome(done.returncode, done.stderr)

    def fresh() -> None:
        shutil.rmtree(project, ignore_errors=True)
        write(project / "docs", BEFORE)
        (project / "infograph.toml").touch()

    fresh()
    switch.on(project)
    assert run().status == 0
    count, clean = len(switch.kinds), published(project / "docs", BEFORE)
    chance = random.Random(7)
    for fault in FAULTS:
        fresh()
        switch.on(project, chance.randint(1, count), fault)
        outcome = run()
        found = published(project / "docs", BEFORE)
        if outcome.status == 0:
            assert found == clean
        elif fault.action not in (KILL, TORN):
            assert not_whole(found, {}, clean) == []
        assert "Traceback" not in outcome.said
        assert (repair := run()).status == 0, repair.said
        assert published(project / "docs", BEFORE) == clean
