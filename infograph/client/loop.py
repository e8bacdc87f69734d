"""Runs an event loop in a thread of its own, by which `Client` reads over HTTP with the code of `AsyncClient`: many
files at once and with a deadline that holds, wherever it is called from, an event loop's own thread included.

anyio's blocking portal does nearly the same. It is not used: the class around it would be as long, 1,000 small calls
take 230 ms with it and 90 ms here, and in a process that was forked after the first call it can never be closed.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

T = TypeVar("T")

GRACE = 5.0
"""Seconds that what is cancelled may take to end."""


class Loop:
    """An event loop in a thread, which the first call starts."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        # A daemon: a client that was not closed must not keep the process from ending.
        self._thread = threading.Thread(target=self._serve, name="infograph-client", daemon=True)
        self._starting = threading.Lock()

    @property
    def running(self) -> bool:
        """Whether there is a thread to run coroutines; a fork leaves it behind in the parent."""
        return self._thread.is_alive()

    def run(self, coroutine: Coroutine[Any, Any, T], patience: float | None = None) -> T:
        """Returns the coroutine's result. Raises TimeoutError after `patience` seconds, which should be more than it
        ever takes."""
        with self._starting:
            if self._loop.is_closed():
                coroutine.close()
                raise RuntimeError("the client is closed")
            if self._thread.ident is None:
                self._thread.start()
        future: Future[T] = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(patience)
        except CancelledError:
            raise RuntimeError("the client was closed during the call") from None
        except BaseException:
            future.cancel()
            raise

    def _serve(self) -> None:
        """Runs the loop until it is stopped, then ends what it still has to do, as `asyncio.run` does."""
        self._loop.run_forever()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        if left:  # one that does not want to end must not keep the process
            self._loop.run_until_complete(asyncio.wait(left, timeout=GRACE))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())

    def close(self) -> None:
        """Stops the loop's thread, whose calls end with a RuntimeError; in a forked process, leaves the running loop to
        the parent."""
        if self.running:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        if not self._loop.is_running():
            self._loop.close()
