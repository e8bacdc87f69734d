"""Builds whose disk fails on demand: the switch of `fault.c`, a process that builds under it, and what readers see."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

HERE = Path(__file__).parent

KINDS = {
    "o": "open",
    "w": "write",
    "s": "fsync",
    "r": "rename",
    "m": "mkdir",
    "u": "unlink",
    "t": "truncate",
    "l": "link",
}
"""Of calls, by the letters of `fault.c`."""

NONE, FAIL, SHORT, KILL, TORN, CUT = range(6)
"""`enum action` of `fault.c`."""


def missing() -> str:
    """Why nothing can be preloaded here; empty where it can."""
    if sys.platform != "linux":
        return f"LD_PRELOAD is of Linux; this is {sys.platform}"
    if shutil.which("cc") is None:
        return "no C compiler (cc)"
    return "" if os.path.isdir("/proc/self/fd") else "/proc is not there"


def compile_shim(folder: Path) -> Path:
    """The library made of `fault.c`."""
    library = folder / "fault.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / "fault.c"), "-ldl"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return library


class _Control(ctypes.Structure):
    """`struct control` of `fault.c`."""

    _fields_ = (
        *(
            (name, ctypes.c_int32)
            for name in (
                "counting",
                "at",
                "action",
                "error",
                "lasting",
                "swallow_fsync",
                "shutdown_flags",
                "count",
                "acted",
            )
        ),
        ("lasting_kinds", ctypes.c_char * 16),
        ("root", ctypes.c_char * 4096),
        ("path", ctypes.c_char * 4096),
        ("kinds", ctypes.c_char * (1 << 16)),
    )


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens at a call."""

    name: str
    kinds: str
    """Of calls that it can happen to."""
    action: int
    error: int = 0
    lasting: str = ""
    """Kinds of later calls that it happens to as well: a full disk stays full."""


class Switch:
    """Says what the preloaded library does, in all processes that map the same file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.write_bytes(bytes(ctypes.sizeof(_Control)))
        with file.open("r+b") as opened:
            self._memory = mmap.mmap(opened.fileno(), 0)
        self._control = _Control.from_buffer(self._memory)

    def on(self, root: Path, at: int = 0, fault: Fault | None = None, *, swallow: bool = True, flags: int = 0) -> None:
        """Counts calls below a folder from now on.

        at, fault: number of the call, from 1, and what happens to it
        swallow:   fsync does nothing
        flags:     of the shutdown, where the power is cut
        """
        control = self._control
        control.counting = 0
        control.count = control.acted = 0
        control.root = os.fsencode(os.path.realpath(root))
        control.path = b""
        control.at = at
        control.action, control.error = (fault.action, fault.error) if fault else (NONE, 0)
        control.lasting_kinds = fault.lasting.encode() if fault else b""
        control.lasting = bool(fault and fault.lasting)
        control.swallow_fsync, control.shutdown_flags = swallow, flags
        control.counting = 1

    def off(self) -> None:
        self._control.counting = 0

    @property
    def kinds(self) -> str:
        """The letter of each call since `on`."""
        return ctypes.string_at(ctypes.addressof(self._control) + _Control.kinds.offset, self._control.count).decode()

    @property
    def acted(self) -> int:
        """Calls something happened to; negative where the power could not be cut."""
        return int(self._control.acted)

    @property
    def path(self) -> str:
        """Of the first of them."""
        return os.fsdecode(self._control.path)


def preloaded(library: Path, switch: Switch) -> dict[str, str]:
    """What the environment of a process must hold, for it and its children to heed a switch."""
    path = os.pathsep.join(filter(None, (str(HERE.parents[1]), os.environ.get("PYTHONPATH"))))
    return {"LD_PRELOAD": str(library), "FAULT_CONTROL": str(switch.file), "PYTHONPATH": path}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one command."""

    status: int
    said: str


class Builder:
    """Runs `infograph` under the preloaded library, in forks of one process."""

    def __init__(self, library: Path, folder: Path, warm: Path, arguments: Sequence[str]) -> None:
        """folder: for its own files
        warm, arguments: a working directory and the first command, which loads everything that later ones need
        """
        self.switch = Switch(folder / "switch")
        self._said = folder / "said"
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "fork_server.py"), str(warm), str(self._said), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | preloaded(library, self.switch) | {"OPENBLAS_NUM_THREADS": "1"},
        )
        assert (first := self._outcome()).status == 0, first.said

    def run(self, folder: Path, *arguments: str) -> Outcome:
        """A command with a working directory."""
        assert self._process.stdin is not None and self._process.stdout is not None
        job = [str(folder), str(self._said), list(arguments)]
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        return self._outcome()

    def _outcome(self) -> Outcome:
        assert self._process.stdout is not None
        answer = self._process.stdout.readline()
        assert answer, f"the fork server ended with status {self._process.wait()}"
        self.switch.off()
        return Outcome(int(answer), self._said.read_text())

    def __enter__(self) -> Builder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
