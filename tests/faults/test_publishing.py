"""Builds with `--out` whose disk fails while they publish, or that are killed then: whoever follows links from the root
finds the old tree or the new one, whole, and `infograph check` agrees.
"""

from __future__ import annotations

import errno
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cases import Case, not_repaired, prepared
from faults import FAIL, KILL, KINDS, SHORT, TORN, Fault
from readers import Files, below, not_whole

from infograph.commands.check.crawl import check
from infograph.formats.names import is_published, is_versioned

FAULTS = (
    Fault("killed", "owsrmutl", KILL),
    Fault("killed in the middle of a write", "w", TORN),
    Fault("ENOSPC", "owsrm", FAIL, errno.ENOSPC),
    Fault("full from here on", "w", SHORT, errno.ENOSPC, lasting="owm"),
    Fault("EIO", "owsrmut", FAIL, errno.EIO),
    Fault("EIO from here on", "srmu", FAIL, errno.EIO, lasting="owsrmutl"),
    Fault("EACCES", "ormu", FAIL, errno.EACCES),
)
FEWEST = 500
"""Kills and faults of the whole proof."""
EVERY = 1 if os.environ.get("PROOF") else 5
"""Of the calls, so many apart are disturbed: all of them where PROOF asks for it, as each night."""


@pytest.fixture(params=["rebuild with --out", "rebuild in packs with a graph with --out"])
def case(request: pytest.FixtureRequest, memory_folder: Path, fault_library: Path) -> Iterator[Case]:
    with prepared(request.param, memory_folder, fault_library) as case:
        yield case


def points_of(case: Case) -> list[tuple[int, Fault]]:
    """Every call of the publication with everything that can happen to it."""
    calls = list(enumerate(case.kinds, 1))[case.publication - 1 :]
    return [(at, fault) for at, kind in calls for fault in FAULTS if kind in fault.kinds]


def checked(site: Path) -> list[str]:
    """What a check finds, but for the files for browsers: the builds of these tests publish three of them."""
    return [str(problem) for problem in check(str(site)).problems if not is_published(problem.url.lstrip("./"))]


def lost(old: Files, found: Files) -> list[str]:
    """What a reader who read the root's index before the fault finds no more after the next build."""
    names = {name: data for name, data in below(old).items() if is_versioned(name)}
    return [f"{name}: gone for earlier readers" for name, data in names.items() if found.get(name) != data]


def disturb(case: Case, at: int, fault: Fault, states: Counter[str]) -> list[str]:
    """Everything that is wrong with the published tree after a fault, and after the next build."""
    project, switch = case.fresh(), case.builder.switch
    switch.on(project, at, fault)
    case.builder.run(project, *case.arguments)
    assert switch.acted > 0, f"call {at} was not made again"
    found = case.published(project)
    read = below(found)
    states["old" if read == below(case.old) else "new" if read == below(case.new) else "neither"] += 1
    wrong = [*checked(project / case.out), *not_whole(found, case.old, case.new, versioned=True)]
    if (left := case.left(project)) not in case.repaired:
        case.repaired[left] = [*not_repaired(case, project, case.builder.run(project, *case.arguments))]
        case.repaired[left] += [*checked(project / case.out), *lost(case.old, case.published(project))]
    wrong += case.repaired[left]
    return [f"{fault.name} at call {at} ({KINDS[case.kinds[at - 1]]}): {text}" for text in wrong]


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_calls_of_a_publication(case: Case, fault: Fault, figure: Callable[[str], None]) -> None:
    points = [at for at, own in points_of(case) if own is fault][FAULTS.index(fault) % EVERY :: EVERY]
    states: Counter[str] = Counter()
    wrong = [text for at in points for text in disturb(case, at, fault, states)]
    figure(f"{fault.name} at {len(points)} calls of a publication: {dict(states)}, {len(wrong)} problems")
    assert wrong == []
    assert states.keys() <= {"old", "new"}


@pytest.mark.slow
def test_there_are_enough_calls_to_disturb(case: Case) -> None:
    assert len(points_of(case)) >= FEWEST


@pytest.mark.slow
def test_some_calls_of_a_publication(case: Case) -> None:
    points = random.Random(7).sample(points_of(case), 8)
    assert [text for at, fault in points for text in disturb(case, at, fault, Counter())] == []
