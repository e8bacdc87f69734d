"""scripts/advisories.py: locked versions that an advisory is about, and whatever cannot be told, are failures."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("advisories", ROOT / "scripts" / "advisories.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def record(*events: dict[str, str], id: str = "PYSEC-1", name: str = "Some.Thing", **more: Any) -> dict[str, Any]:
    ranges = [{"type": "ECOSYSTEM", "events": list(events)}, {"type": "GIT", "events": [{"introduced": "0"}]}]
    affected = {"package": {"name": name, "ecosystem": "PyPI"}, "ranges": ranges}
    return {"id": id, "aliases": ["CVE-1"], "affected": [affected], **more}


def snapshot(script: Any, own: dict[str, Any]) -> dict[str, Any]:
    advisory = {"id": own["id"], "aliases": own["aliases"], "affects": script.ranges_of(own, "some-thing")}
    return {"day": "2026-01-01", "packages": ["some-thing"], "advisories": {"some-thing": [advisory]}}


AFFECTED = ("0.9", "1.9.9", "2.0rc1", "3.0", "3.4")


@pytest.mark.parametrize("version", [*AFFECTED, "2.0", "2.9", "3.4.1", "4.0a1"])
def test_versions_in_ranges(script: Any, version: str) -> None:
    affected = version in AFFECTED
    own = record({"introduced": "0"}, {"fixed": "2.0"}, {"introduced": "3.0"}, {"last_affected": "3.4"})
    assert script.is_affected(version, script.ranges_of(own, "some-thing")) is affected
    wrong = script.findings(snapshot(script, own), {"some-thing": version}, {})
    assert wrong == [f"some-thing {version}: PYSEC-1 (CVE-1)"] * affected


def test_versions_that_are_listed(script: Any) -> None:
    own = record()
    own["affected"][0]["ranges"] = []
    with pytest.raises(script.NoVerdict, match="PYSEC-1 does not say which versions of some-thing"):
        script.ranges_of(own, "some-thing")
    own["affected"][0]["versions"] = ["1.0", "1.1"]
    parts = script.ranges_of(own, "some-thing")
    assert script.is_affected("1.1.0", parts) and not script.is_affected("1.2", parts)
    assert script.ranges_of(own, "another") == []


def test_what_cannot_be_told(script: Any, tmp_path: Path) -> None:
    with pytest.raises(script.NoVerdict, match="Invalid version"):
        script.is_affected("one", [{"events": [{"introduced": "0"}]}])
    with pytest.raises(script.NoVerdict, match="not known here: limit"):
        script.is_affected("1.0", [{"events": [{"introduced": "0"}, {"limit": "2.0"}]}])
    (tmp_path / "lock.txt").write_text("# nothing\n")
    with pytest.raises(script.NoVerdict, match="nothing was audited"):
        script.locked([tmp_path / "lock.txt"])


def test_reasons_are_wanted_for_what_is_accepted(script: Any) -> None:
    own = snapshot(script, record({"introduced": "0"}))
    assert script.findings(own, {"some-thing": "1.0"}, {"PYSEC-1": "Only of Windows."}) == []
    assert script.findings(own, {"some-thing": "1.0"}, {"PYSEC-1": " "}) == ["some-thing 1.0: PYSEC-1 (CVE-1)"]
    assert script.findings(own, {}, {"PYSEC-1": "x"}) == ["PYSEC-1 is accepted and concerns nothing that is locked"]


def test_a_package_that_was_locked_later_is_a_failure(script: Any) -> None:
    own = snapshot(script, record({"introduced": "0"}, {"fixed": "1.0"}))
    (wrong,) = script.findings(own, {"some-thing": "1.0", "new": "1.0"}, {})
    assert wrong.startswith("new was locked after the snapshot was made")


def test_what_ci_installs_is_compared(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    script.main([])
    assert "locked packages of PyPI" in capsys.readouterr().out
    assert script.locked()["packaging"] and len(script.locked()) > 200
    assert "scripts/advisories.py" in (ROOT / ".ci" / "run").read_text("utf-8")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"packages": 1, "advisories": {}}'])
def test_a_snapshot_that_cannot_be_read_is_a_failure(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(script, "SNAPSHOT", tmp_path / "advisories.json")
    with pytest.raises(SystemExit, match="no audit took place"):
        script.main([])
    (tmp_path / "advisories.json").write_text(text)
    with pytest.raises(SystemExit, match="no audit took place"):
        script.main([])


def test_the_snapshot_is_made_of_a_clone(script: Any, tmp_path: Path) -> None:
    folder = tmp_path / "clone"
    (folder / "vulns" / "some-thing").mkdir(parents=True)
    (folder / "vulns" / "other").mkdir()
    own, gone = (
        record({"introduced": "0"}, {"fixed": "1"}),
        record({"introduced": "0"}, withdrawn="2024-01-01T00:00:00Z"),
    )
    (folder / "vulns" / "some-thing" / "PYSEC-1.yaml").write_text(json.dumps(own))
    (folder / "vulns" / "some-thing" / "PYSEC-2.yaml").write_text(json.dumps(gone))
    (folder / "vulns" / "other" / "PYSEC-3.yaml").write_text(json.dumps(record(id="PYSEC-3", name="other")))
    identity = ("-c", "user.name=x", "-c", "user.email=x@example")
    for arguments in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "x")):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    made = script.snapshot_of(folder / ".git", {"some-thing": "1.0"})
    assert made["packages"] == ["some-thing"] and [len(made["commit"]), len(made["day"])] == [40, 10]
    (advisory,) = made["advisories"]["some-thing"]
    assert advisory["affects"] == [{"events": [{"introduced": "0"}, {"fixed": "1"}]}]
    with pytest.raises(script.NoVerdict, match="no clone of the database"):
        script.snapshot_of(folder / ".git", {"nothing": "1.0"})
    with pytest.raises(subprocess.CalledProcessError):
        script.snapshot_of(tmp_path / "gone", {"nothing": "1.0"})
