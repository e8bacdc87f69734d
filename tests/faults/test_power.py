"""Builds whose power is cut at any one of their calls: after the file system is mounted again nothing is torn."""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import signal
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cases import Case, not_repaired, prepared
from faults import CUT, KINDS, Fault
from readers import not_whole

pytestmark = pytest.mark.slow

POWER_CUT = Fault("power cut", "owsrmutl", CUT)
CUTS = 50
"""For each way to mount."""

SHUTDOWN = 0x8004587D
"""EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN: no write reaches the disk any more."""
WITH_JOURNAL, WITHOUT_JOURNAL = 1, 2
"""Its flags: whether what the journal holds is written first."""

OPTIONS = {"as usual": "loop", "with no mercy": "loop,data=writeback,noauto_da_alloc,commit=300"}
"""The second leaves out all that ext4 does for programs that forget an fsync."""


class Disk:
    """An ext4 in a file."""

    def __init__(self, image: Path, place: Path, options: str) -> None:
        self.place = place
        self._command = ["mount", "-o", options, str(image), str(place)]
        with image.open("wb") as file:
            file.truncate(128 << 20)
        place.mkdir()
        subprocess.run(["mkfs.ext4", "-q", str(image)], check=True, capture_output=True)

    def mount(self) -> None:
        subprocess.run(self._command, check=True, capture_output=True, text=True)

    def remount(self) -> None:
        """As a machine does that starts again."""
        self.unmount()
        self.mount()

    def unmount(self) -> None:
        subprocess.run(["umount", str(self.place)], check=True)

    def sync(self) -> None:
        subprocess.run(["sync", "-f", str(self.place)], check=True)

    def cut(self, flags: int) -> None:
        descriptor = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, SHUTDOWN, struct.pack("I", flags))
        finally:
            os.close(descriptor)


@pytest.fixture(params=OPTIONS)
def disk(request: pytest.FixtureRequest, memory_folder: Path, fault_library: Path) -> Iterator[Disk]:
    if os.geteuid() != 0:
        pytest.skip("only root mounts file systems")
    if shutil.which("mkfs.ext4") is None:
        pytest.skip("no mkfs.ext4")
    disk = Disk(memory_folder / "image", memory_folder / "disk", OPTIONS[request.param])
    try:
        disk.mount()
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no loop mount here: {error.stderr.strip()}")
    yield disk
    disk.unmount()


def start(case: Case, disk: Disk) -> Path:
    """A project on the disk, all of it written."""
    project = case.fresh(disk.place)
    disk.sync()
    return project


def after_a_cut(case: Case, disk: Disk, at: int, flags: int, *, swallow: bool = False) -> Path:
    """The project as it is when the file system is mounted again."""
    project = start(case, disk)
    switch = case.builder.switch
    switch.on(disk.place, at, POWER_CUT, swallow=swallow, flags=flags)
    status = case.builder.run(project, *case.arguments).status
    assert (switch.acted, status) == (1, -signal.SIGKILL), "the power was not cut"
    disk.remount()
    return project


def test_nothing_is_torn(
    disk: Disk,
    request: pytest.FixtureRequest,
    memory_folder: Path,
    fault_library: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    chance = random.Random(7)
    wrong: list[str] = []
    with prepared("rebuild in place", memory_folder, fault_library) as case:
        publication = case.publication
        points = chance.sample(range(1, publication), CUTS // 5)
        points += chance.sample(range(publication, len(case.kinds) + 1), CUTS - len(points))
        states = {"old": 0, "between": 0, "new": 0}
        for at in points:
            flags = chance.choice([WITH_JOURNAL, WITHOUT_JOURNAL])
            project = after_a_cut(case, disk, at, flags)
            found = case.published(project)
            states["old" if found == case.old else "new" if found == case.new else "between"] += 1
            problems = not_whole(found, case.old, case.new)
            problems += not_repaired(case, project, case.builder.run(project, *case.arguments))
            wrong += [f"call {at} ({KINDS[case.kinds[at - 1]]}, flags {flags}): {text}" for text in problems]
    with capsys.disabled():
        print(f"\n{CUTS} power cuts, mounted {request.node.callspec.params['disk']}: trees after them {states}")
    assert wrong == []


def test_what_is_said_to_be_published_stays(disk: Disk, memory_folder: Path, fault_library: Path) -> None:
    with prepared("rebuild in place", memory_folder, fault_library) as case:
        for flags in (WITH_JOURNAL, WITHOUT_JOURNAL):
            project = start(case, disk)
            assert case.builder.run(project, *case.arguments).status == 0
            disk.cut(flags)
            disk.remount()
            assert case.published(project) == case.new
            assert [*not_repaired(case, project, case.builder.run(project, *case.arguments))] == []


@pytest.mark.parametrize("disk", ["with no mercy"], indirect=True)
def test_the_same_cuts_tear_files_that_are_not_forced_to_disk(
    disk: Disk, memory_folder: Path, fault_library: Path
) -> None:
    """Else the tests above would prove nothing."""
    with prepared("rebuild in place", memory_folder, fault_library) as case:
        last = len(case.kinds) - case.kinds[::-1].index("s")
        project = after_a_cut(case, disk, last, WITH_JOURNAL, swallow=True)
        assert [problem for problem in not_whole(case.published(project), case.old, case.new) if "torn" in problem]
