"""Workers that are copies of a process. What holds for all workers is in `test_pool.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no worker is a copy")

WORKER = """
import json, os, signal, sys

def main():
    task = sys.stdin.readline().strip()
    if task == "raise":
        raise ValueError(task)
    if task == "exit":
        sys.exit(7)
    if task == "hang":
        signal.pause()
    handlers = [signal.getsignal(number) is signal.SIG_DFL for number in (signal.SIGTERM, signal.SIGINT)]
    print(json.dumps({
        "open": sorted(map(int, os.listdir("/proc/self/fd")))[:-1],
        "handlers": handlers,
        "variable": os.environ["SAID"],
        "leads": os.getsid(0) == os.getpid(),
        "shared": sys.modules["__main__"].loaded,
    }))
"""

PARENT = """
import json, os, signal, sys
from infograph.execution.forked import Forked, can_fork

loaded = "before"
sys.path.insert(0, sys.argv[1])
signal.signal(signal.SIGTERM, lambda *_: None)
file = open(os.devnull)
sys.stdout.write("said once\\n")  # waits in the stream
sys.stderr = open(os.devnull, "w")  # as a program that captures what it says; workers have their own
assert can_fork()

def told(task):
    worker = Forked("program", {"SAID": "more"})
    worker.stdin.write(task + b"\\n")
    worker.stdin.close()
    return worker

told(b"nothing").wait()
worker = told(b"look")
look, status = json.loads(worker.stdout.read()), worker.wait()
hangs = told(b"hang")
hangs.kill()
statuses = [status, worker.wait(), told(b"exit").wait(), told(b"raise").wait(), hangs.wait()]
hangs.kill()
print(json.dumps([look, statuses]))
"""


def test_a_copy_has_what_was_loaded_and_nothing_that_is_open(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(WORKER)
    command = [sys.executable, "-c", PARENT, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said, found = done.stdout.splitlines()
    assert said == "said once"
    look, statuses = json.loads(found)
    assert look == {"open": [0, 1, 2], "handlers": [True, True], "variable": "more", "leads": True, "shared": "before"}
    assert statuses == [0, 0, 7, 1, -9]
    assert "ValueError: raise" in done.stderr


def test_a_copy_does_first_what_it_is_given_to_do(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("said = 'imported'\n\ndef main():\n    print(said)\n")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from infograph.execution.forked import Forked\n"
        "def first():\n"
        "    import program\n"
        "    program.said += ', then first'\n"
        "worker = Forked('program', {}, first)\n"
        "print(worker.stdout.read().decode().strip(), worker.wait(), 'program' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "imported, then first 0 False\n"


def test_a_process_with_threads_is_not_copied() -> None:
    code = (
        "import threading; from infograph.execution.forked import can_fork\n"
        "print(can_fork()); over = threading.Event(); threading.Thread(target=over.wait).start()\n"
        "print(can_fork()); over.set()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]
