"""numpy is imported for one thread, and nobody else learns of it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, sys
from infograph.execution.one_thread import import_numpy
import_numpy()
assert "numpy" in sys.modules
import numpy as np
rows = np.ones((600, 600), np.float32)
for _ in range(4):
    rows = rows @ rows / 600
print(len(os.listdir("/proc/self/task")), os.environ.get("OPENBLAS_NUM_THREADS"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_no_thread_is_started_and_the_environment_stays() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-c", PROGRAM]
    said = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    assert said.split() == ["1", "None"]


def test_what_a_person_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    from infograph.execution.one_thread import import_numpy

    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    import_numpy()
    assert "numpy" not in sys.modules
