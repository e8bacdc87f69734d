"""An inotify queue that overflows: the edit that no event tells of is published after one rescan."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import infograph

LIMIT = Path("/proc/sys/fs/inotify/max_queued_events")
FILES = 20_000
"""Created while nobody reads the queue: two events each."""
IN_CREATE, IN_CLOSE_WRITE, IN_Q_OVERFLOW = 0x100, 0x8, 0x4000
PATIENCE = 300.0
"""Seconds until the test gives up; never a measure."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not LIMIT.exists(), reason="inotify is of Linux")]


class Queue:
    """A queue as the watch has one, of a folder and one in it, that nobody reads before the end."""

    def __init__(self, *folders: Path) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor = libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        assert self._descriptor >= 0, os.strerror(ctypes.get_errno())
        for folder in folders:
            added = libc.inotify_add_watch(self._descriptor, os.fsencode(folder), IN_CREATE | IN_CLOSE_WRITE)
            assert added >= 0, os.strerror(ctypes.get_errno())

    def events(self) -> Iterator[tuple[int, str]]:
        """What it held: masks and names."""
        while True:
            try:
                data = os.read(self._descriptor, 1 << 20)
            except BlockingIOError:
                os.close(self._descriptor)
                return
            at = 0
            while at < len(data):
                _, mask, _, length = struct.unpack_from("iIII", data, at)
                at += 16 + length
                yield mask, os.fsdecode(data[at - length : at].rstrip(b"\0"))


@pytest.fixture
def command(docs: Path) -> Iterator[subprocess.Popen[str]]:
    """A watch that is waiting."""
    places = [str(docs), "--out", str(docs.parent / "public")]
    program = [sys.executable, "-m", "infograph"]
    environment = os.environ | {"INFOGRAPH_MODEL": "static", "INFOGRAPH_WATCH_RESCAN": "3"}
    folder = Path(infograph.__file__).parents[1]
    # Else the watch would look twice at the beginning, and find the edit with the second look.
    subprocess.run([*program, "build", *places], cwd=folder, env=environment, check=True, capture_output=True)
    process = subprocess.Popen(
        [*program, "watch", *places],
        cwd=folder,
        env=environment,
        text=True,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    with process:
        try:
            assert process.stderr is not None
            assert any(line.startswith("watching") for line in process.stderr)
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def test_an_edit_that_found_no_room_in_the_queue(
    docs: Path, command: subprocess.Popen[str], figure: Callable[[str], None]
) -> None:
    room = int(LIMIT.read_text())
    if room > 2 * FILES:
        pytest.skip(f"a queue of {room} events does not overflow")
    spec = docs.parent / "public/guide/topic-spec.md"
    queue = Queue(docs, docs / "guide")
    os.killpg(command.pid, signal.SIGSTOP)
    for number in range(FILES):
        (docs / f"{number}.txt").touch()
    (docs / "guide/intro.md").write_text("# Unheard of\n")
    events = list(queue.events())
    assert events[-1] == (IN_Q_OVERFLOW, "") and "intro.md" not in {name for _, name in events}
    assert "Unheard of" not in spec.read_text()
    os.killpg(command.pid, signal.SIGCONT)
    end = time.monotonic() + PATIENCE
    while "Unheard of" not in spec.read_text():
        assert command.poll() is None and time.monotonic() < end, "the watch never looked"
        time.sleep(0.05)
    figure(f"{FILES:,} files, a queue of {room:,} events that overflowed: the edit that it lost is published")
