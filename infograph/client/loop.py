"""An event loop in a thread of its own: what lets `Client` read over HTTP by the code of `AsyncClient`, many files at
once and with a deadline that holds, wherever it is called from, an event loop's own thread included."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class Loop:
    """Started by the first call."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        # A daemon: a client that nobody closed must not keep the process from ending.
        self._thread = threading.Thread(target=self._loop.run_forever, name="infograph-client", daemon=True)
        self._starting = threading.Lock()

    @property
    def started(self) -> bool:
        return self._thread.ident is not None

    def run(self, coroutine: Coroutine[Any, Any, T], patience: float | None = None) -> T:
        """The coroutine's result. Raises TimeoutError after `patience` seconds, by when it should long have ended."""
        with self._starting:
            if self._loop.is_closed():
                coroutine.close()
                raise RuntimeError("the client is closed")
            if not self.started:
                self._thread.start()
        future: Future[T] = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(patience)
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._loop.close()
