"""A worker process that outlives the pool it worked in, so that the next one need not wait for the start of another.

For a program that builds again and again, and has threads: no worker of it can be a copy of it, and an interpreter of
its own takes longer to start than a page to cut.
"""

from __future__ import annotations

import threading

from infograph.execution.pool_worker import PoolWorker
from infograph.execution.processes import ProcessWorker

IDLE_SECONDS = 600.0
"""Seconds after which a worker ends that was not needed: for the next save its memory is well spent, not for hours."""


class SpareWorker:
    """Place for one worker process, of one module, between two pools.

    seconds: longest time that it waits there
    """

    def __init__(self, module: str, seconds: float = IDLE_SECONDS) -> None:
        self._module = module
        self._seconds = seconds
        self._key = ""
        """What a worker loads depends on it."""
        self._loaded = False
        """Whether the worker was in a pool."""
        self._worker: ProcessWorker | None = None
        self._timer: threading.Timer | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def waits(self) -> bool:
        """Whether there is a worker."""
        return self._worker is not None

    def serve(self, key: str) -> None:
        """Ends the worker where it was kept under another key: what it has loaded may be of no use."""
        if key != self._key and self._loaded:
            self.clear()
        self._key = key

    def prepare(self) -> None:
        """Starts a worker where there is none, and does not wait for it. Raises InfographError."""
        if not self.waits:
            self._put(ProcessWorker(self._module, ""), loaded=False)

    def take(self, module: str, name: str) -> PoolWorker | None:
        """Returns the worker and gives it a name; None where none waits that runs the module."""
        worker = self._taken() if module == self._module else None
        return worker and worker.renamed(name)

    def keep(self, worker: PoolWorker) -> bool:
        """Takes a worker of the module in, which has nothing to do any more, and returns True; or returns False, where
        there is one already or this one is of no use."""
        if self.waits or self._closed or not isinstance(worker, ProcessWorker) or not worker.rest():
            return False
        self._put(worker, loaded=True)
        return True

    def clear(self) -> None:
        """Ends the worker, if there is one, and waits for its end; a new one may be kept."""
        worker = self._taken()
        if worker is not None:
            worker.kill()  # it may be in the middle of its start
            worker.close()

    def close(self) -> None:
        """Ends the worker, if there is one, and keeps no other."""
        self._closed = True
        self.clear()

    def _put(self, worker: ProcessWorker, *, loaded: bool) -> None:
        with self._lock:
            self._worker, self._loaded = worker, loaded
            self._timer = threading.Timer(self._seconds, self.clear)
            self._timer.daemon = True
            self._timer.start()

    def _taken(self) -> ProcessWorker | None:
        with self._lock:
            worker, self._worker = self._worker, None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            return worker
