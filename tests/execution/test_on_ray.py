"""Builds on a Ray cluster: the bytes of a build on one machine, whatever becomes of the others."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infograph.config import Config
from infograph.errors import ConfigError
from infograph.execution import on_ray

HERE = Path(__file__).parent
KILLS = 20 if os.environ.get("PROOF") == "full" else 2
TREE = os.environ.get("RAY_TREE")
"""A tree of documents to build in place of the small one."""


class Machines:
    """The cluster of `ray_cluster.py`."""

    def __init__(self) -> None:
        command = [sys.executable, str(HERE / "ray_cluster.py")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = self._said()

    def _said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def do(self, what: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        assert self._said() == "done"

    def end(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    pytest.importorskip("ray", reason="needs the extra ray")
    cluster = Machines()
    try:
        if not cluster.address:
            pytest.skip(f"Ray starts no cluster here (status {cluster.process.wait()}), see its own message above")
        yield cluster
    finally:
        cluster.end()


@pytest.fixture
def sources(tmp_path: Path, write_tree: Any) -> Path:
    if TREE:
        return Path(shutil.copytree(TREE, tmp_path / "docs"))
    words = ("kettle", "window", "zebra", "naïve", "café", "cache", "stripe", "chunk", "topic", "warm", "waits")
    choose = random.Random(7)
    pages = {"docs/guide/qa-pairs.md": "Q: How do I keep a kettle warm?\nA: Wait.\n"}
    for number in range(90):
        parts = (f"## Part {part}\n\n{' '.join(choose.choices(words, k=120))}.\n" for part in range(6))
        folder = ("guide", "guide/deep", "api")[number % 3]
        pages[f"docs/{folder}/page-{number}.md"] = "\n".join((f"# Page {number}\n", *parts))
    return Path(write_tree(tmp_path, pages)) / "docs"


def start(sources: Path, out: Path, *options: str, limits: str = "") -> subprocess.Popen[str]:
    """Begins a build, with a memory and a cache of its own."""
    config = out.with_suffix(".toml")
    config.write_text(f'cache = "{out}-cache"\n[limits]\n{limits}\n')
    command = [sys.executable, "-m", "infograph", "build", str(sources), "--config", str(config), "--out", str(out)]
    return subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def build(sources: Path, out: Path, *options: str) -> str:
    with start(sources, out, *options) as process:
        said, errors = process.communicate()
    assert process.returncode == 0, errors
    return said


@pytest.mark.slow
@pytest.mark.parametrize("model", ["static", Config().model])
def test_a_build_on_a_cluster_has_the_bytes_of_one_on_this_machine(
    machines: Machines, tmp_path: Path, write_tree: Any, snapshot: Any, sources: Path, model: str
) -> None:
    if model != "static":  # a hundred texts: two tasks
        sources = Path(write_tree(tmp_path / "few", {f"a/{n}.md": f"# {n}\n\nPage {n}.\n" for n in range(100)})) / "a"
    here, there = tmp_path / "here", tmp_path / "there"
    build(sources, here, "--model", model)
    build(sources, there, "--model", model, "--ray", machines.address)
    assert snapshot(here) == snapshot(there)
    some = sorted(sources.rglob("*.md"))[7]
    some.write_text(some.read_text("utf-8") + "\nOne more sentence about kettles.\n", "utf-8")
    build(sources, here, "--model", model)
    build(sources, there, "--model", model, "--ray", machines.address)
    assert snapshot(here) == snapshot(there)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(KILLS))
def test_a_machine_that_ends_in_the_middle_costs_nothing(
    machines: Machines, tmp_path: Path, snapshot: Any, sources: Path, number: int
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    build(sources, here, "--model", "static")
    with start(sources, there, "--model", "static", "--ray", machines.address, "--json") as process:
        while process.poll() is None and not list((there / ".infograph/staging").glob("*/*")):
            time.sleep(0.01)  # until the first chunk is staged
        if KILLS > 2:
            time.sleep(random.Random(number).uniform(0, 6))
        alive = process.poll() is None
        machines.do("kill")
        said, errors = process.communicate()
    machines.do("add")
    assert process.returncode == 0, errors
    assert json.loads(said)["errors"] == []
    assert snapshot(here) == snapshot(there)
    assert alive or KILLS > 2, "it was over before the kill"


@pytest.mark.slow
def test_a_document_that_takes_too_long_costs_itself_alone(machines: Machines, sources: Path, tmp_path: Path) -> None:
    (sources / "slow.md").write_text("> " * 3000 + "\n\n" + "*a _b " * 40_000)
    out, options = tmp_path / "out", ("--ray", machines.address, "--model", "static")
    with start(sources, out, *options, limits="seconds = 0.2") as process:
        _, errors = process.communicate()
    assert process.returncode == 1 and "slow.md: took longer than 0.2 seconds" in errors
    assert (out / "index.json").is_file() and not list(out.glob("_chunks/slow*"))


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1:1", "does not answer (Connection refused)"),
        ("ray://127.0.0.1:1", "does not answer"),
        ("no-such-host.invalid:6379", "does not answer"),
        ("127.0.0.1", "is no address of a cluster"),
        ("http://127.0.0.1:1", "is no address of a cluster"),
        ("[::1", "Invalid IPv6 URL"),
        ("host:port", "Port could not be cast"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_line(address: str, reason: str) -> None:
    pytest.importorskip("ray", reason="needs the extra ray")
    with pytest.raises(ConfigError) as raised, on_ray.cluster(address):
        pytest.fail("connected")
    assert reason in str(raised.value) and "HOST:6379" in str(raised.value) and "\n" not in str(raised.value)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"infograph\[ray\]"), on_ray.cluster("auto"):
        pytest.fail("connected")
