"""A process that waits holds no memory that it has freed."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import threading
from infograph.execution.memory import give_back

def megabytes():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

kept = []
def work():
    texts = [bytes(1000) for _ in range(60_000)]
    kept.append(texts[-1])

for _ in range(3):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
before = megabytes()
give_back()
print(before, megabytes())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library keeps memory in ways of its own")
def test_what_threads_have_freed_is_given_back() -> None:
    said = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
    before, after = map(float, said.split())
    assert before > 60
    assert after < 40


def test_another_c_library_gives_nothing_back(monkeypatch: pytest.MonkeyPatch) -> None:
    from infograph.execution import memory

    asked: list[object] = []
    monkeypatch.setattr("ctypes.CDLL", lambda name: asked.append(name) or object())
    memory.give_back()
    assert asked == [None]
