"""The claim of the one that publishes to an address: an object that is written on conditions and nothing else.

    free ─ write over it ─▶ claimed ─ write over it, again and again ─▶ claimed ─ write over it ─▶ free
                              └ no longer written: another takes it over

A store knows no locks that end with a process, and clocks of two machines differ. So a publisher shows that it lives by
writing its claim again and again, and another that sees no change of it for `PATIENCE` seconds by a clock of its own
takes it over. Whoever lost a claim finds out at the next write, since that holds for one version of the object only.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from infograph.errors import InfographError, LockedError, OutputError
from infograph.files.disk import read_file, remove_private, write_private
from infograph.formats.names import PUBLISHER
from infograph.publishing.store import ReplacedError, Store, StoredObject, Version

BEAT = 5.0
"""Seconds after which a publisher writes its claim again."""
PATIENCE = 120.0
"""Seconds without a change after which a claim counts as left behind: longer than one request takes with all its
repeats, see `publishing/store.py`."""
HIDDEN = {"Content-Type": "application/json", "Cache-Control": "no-store"}
"""Headers of the objects that are for publishers alone."""
_TOKEN = "publisher"
"""Name of the file that keeps the token of a running publication: left behind, it was this machine's own."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as a claim needs it: seconds that pass, and a way to let them pass."""

    now: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep


class Claim:
    """A claim that is held; see `claimed`."""

    def __init__(self, store: Store, memory: Path, clock: Clock) -> None:
        self._store = store
        self._memory = memory
        self._clock = clock
        self._token = secrets.token_hex(16)
        self._count = 0
        self._written = 0.0
        self._version: Version | None = None

    def take(self, say: Callable[[str], None]) -> None:
        """Takes the claim. Raises LockedError where another holds it, OutputError where the store does not keep to
        conditions, so that no claim would hold."""
        found = self._store.read(PUBLISHER)
        if found is not None and _is_held(found.data) and not self._is_own(found.data):
            found = self._outwait(found, say)
        write_private(self._memory, _TOKEN, self._token.encode())
        before = found.version if found else None
        self._write(before)
        if before is None:
            before = self._version
            self._write(before)
        with contextlib.suppress(ReplacedError):
            self._store.write(PUBLISHER, self._state(held=True), HIDDEN, over=before)
            reason = "does not keep to conditional writes, by which one of two publishers is kept out"
            raise OutputError(self._store.address, reason, "Publish there by other means, or to a store that does.")

    def keep(self) -> None:
        """Writes the claim again where that is due. Raises LockedError where it was lost."""
        if self._clock.now() - self._written >= BEAT:
            self._write(self._version)

    def release(self) -> None:
        """Gives the claim back."""
        self._count += 1
        with contextlib.suppress(ReplacedError):  # it was lost
            self._store.swap(PUBLISHER, self._state(held=False), HIDDEN, over=self._version)
        remove_private(self._memory, _TOKEN)

    def _write(self, over: Version | None) -> None:
        self._count += 1
        try:
            self._version = self._store.swap(PUBLISHER, self._state(held=True), HIDDEN, over=over)
        except ReplacedError:
            raise busy(self._store.address) from None
        self._written = self._clock.now()

    def _state(self, *, held: bool) -> bytes:
        """Content of the claim, which no other writing of it has."""
        return json.dumps({"token": self._token, "count": self._count, "held": held}).encode()

    def _is_own(self, data: bytes) -> bool:
        """Whether a claim was left behind by a process of this machine, which is gone: one that runs has the lock of
        the same folder."""
        token = read_file(self._memory / _TOKEN)
        return bool(token) and _value(data, "token") == (token or b"").decode("ascii", "replace")

    def _outwait(self, found: StoredObject, say: Callable[[str], None]) -> StoredObject | None:
        """Waits until a claim counts as left behind, and returns it, or None where it was removed. Raises LockedError
        as soon as its holder shows that it lives."""
        say(f"{self._store.address}: another infograph publishes there, or was interrupted; waiting to see which")
        end = self._clock.now() + PATIENCE
        while self._clock.now() < end:
            self._clock.pause(BEAT)
            seen = self._store.read(PUBLISHER)
            if seen is None:
                return None
            if seen.data != found.data:
                raise busy(self._store.address)
        return found


@contextlib.contextmanager
def claimed(store: Store, memory: Path, say: Callable[[str], None], clock: Clock | None = None) -> Iterator[Claim]:
    """Holds the claim to publish to a store, and gives it back at the end.

    memory: folder of what this machine remembers of the tree
    say:    is told when another's claim is waited for

    Raises LockedError where another holds it, or took it over meanwhile.
    """
    claim = Claim(store, memory, clock or Clock())
    claim.take(say)
    try:
        yield claim
    except BaseException:
        with contextlib.suppress(InfographError):  # what went wrong first is what a person has to know
            claim.release()
        raise
    claim.release()


def busy(address: str) -> LockedError:
    """The error for an address that another publishes to."""
    hint = "Nothing of this tree was put in the place of the other's. Run it again when that one is done."
    return LockedError(address, "another infograph publishes to it", hint)


def _is_held(data: bytes) -> bool:
    """Whether the content of a claim says that somebody publishes; so does one that cannot be read."""
    return _value(data, "held") is not False


def _value(data: bytes, key: str) -> object:
    try:
        value = json.loads(data)
    except ValueError:
        return None
    return value.get(key) if isinstance(value, dict) else None
