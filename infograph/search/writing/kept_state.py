"""The state of the last bundle, kept in memory by a program that builds again and again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from infograph.search.writing.bundle_state import digest_of

if TYPE_CHECKING:
    from infograph.search.writing.bundle_state import SearchState

SECONDS = 600.0
"""Seconds after which a state is let go that was not needed, as a worker is that waits for builds."""
MOST_BYTES = 16_000_000
"""Bytes that a state has packed which is kept: in memory it takes about seven times as many."""


class KeptState:
    """Place for one state between the build that wrote it and the next one, which need not unpack it.

    What lies on disk decides, not what was kept: a state is given out only for a file that has the digest of what was
    packed of it. So it does not matter who built in between, whether a build failed, or what became of the file.

    seconds: longest time that a state waits there
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._kept: tuple[bytes, SearchState] | None = None
        """Digest of the packed state, and the state."""
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()

    def keep(self, state: SearchState, packed: Iterator[bytes]) -> Iterator[bytes]:
        """Yields what was packed of a state, and keeps the state once all of that was taken, unless it is large."""
        self.clear()
        first, size = next(packed), 0
        for part in chain([first], packed):
            size += len(part)
            yield part
        if size <= MOST_BYTES:
            self._put(first.rstrip(), state.in_memory())

    def take(self, data: bytes, key: str) -> SearchState | None:
        """Gives out the state that was kept, if it is the one that lies on disk and was made under this key: once, as
        what a build does with it may change it.

        data: content of the file
        """
        kept = self._taken()
        return kept[1] if kept is not None and kept[0] == digest_of(data) and kept[1].key == key else None

    def clear(self) -> None:
        """Lets the state go that is kept, if there is one."""
        self._taken()

    def _put(self, digest: bytes, state: SearchState) -> None:
        with self._lock:
            self._kept = digest, state
            self._timer = threading.Timer(self._seconds, self.clear)
            self._timer.daemon = True
            self._timer.start()

    def _taken(self) -> tuple[bytes, SearchState] | None:
        with self._lock:
            kept, self._kept = self._kept, None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            return kept
