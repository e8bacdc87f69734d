"""The event streams of live reload."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_an_idle_stream_ends_with_the_server(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from infograph.commands.serving import live

    monkeypatch.setattr(live, "HEARTBEAT", 0.05)
    versions = live.Versions()
    stream = versions.stream()
    assert next(stream).startswith(b"retry: 1000\ndata: ")
    assert next(stream) == b":\n\n"
    versions.next()
    assert next(stream).endswith(b"-1\n\n")
    versions.close()
    assert list(stream) == []
    assert versions.current.endswith("-1")
    assert live.Versions().current.partition("-")[0] != versions.current.partition("-")[0], "a restart is a new version"
