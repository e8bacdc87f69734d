"""Ctrl-C counts wherever it comes."""

from __future__ import annotations

import os
import signal
import sys
import time
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

from infograph.commands.ctrl_c import ended_by_ctrl_c

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another signal on Windows")


def test_ctrl_c_counts_also_where_python_drops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    dropped: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: dropped.append(lost.exc_type))
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.default_int_handler)

    class Freed:
        pass

    def pressed(_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):  # in which Python looks whether a signal has come
            pass

    with pytest.raises(KeyboardInterrupt), ended_by_ctrl_c() as stop:
        freed = Freed()
        watched = weakref.ref(freed, pressed)
        del freed
        assert dropped == [KeyboardInterrupt] and watched() is None
        assert stop.wait(60)


def test_ctrl_c_in_a_callback_of_weakref_counts_a_moment_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt), ended_by_ctrl_c() as stop:
        handler: Any = signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGINT, handler)
        handler(signal.SIGINT, SimpleNamespace(f_globals=vars(weakref)))
        time.sleep(60)
    assert stop.is_set()
