"""What a watch publishes while the model of a first build has long work: by `static` first, then by the model.

The processes are those of a person. Their model is of another package: it says that it takes an hour, and waits at a
gate that the test opens, so that nothing here is a matter of time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

import infograph.commands.early as early
from infograph.build import build
from infograph.commands.early import EarlyBuilds
from infograph.config import Settings, load
from infograph.config.settings import Config
from infograph.errors import ConfigError, InfographError, ModelError
from infograph.pipeline.background import TEXTS_KEPT
from infograph.progress import Silent
from infograph.search.reading.listing import named_files

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
"""Seconds until a test gives up; never a measure."""
needs_posix = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another signal on Windows")

GATED = """
import json, os, time, zlib
from pathlib import Path

import numpy as np

PLACE = Path(os.environ["GATE"])


def note(**said):
    with open(PLACE / "calls", "a") as file:
        file.write(json.dumps(said) + "\\n")


def ended():
    return (PLACE / "calls").read_text().count('"ended"')


class Gated:
    revision, dimension, cached = "0123456789ab", 64, True

    def __init__(self, threads):
        pass

    def seconds_for(self, texts):
        return 3600.0 if len(texts) > 3 else None

    def embed(self, texts, *, kind="document", progress=None):
        note(begun=list(texts), process=os.getpid(), nice=os.nice(0) if hasattr(os, "nice") else 19)
        while ended() >= int((PLACE / "open").read_text()):
            time.sleep(0.01)
        found = np.full((len(texts), self.dimension), 0.5)
        for row, text in zip(found, texts, strict=True):
            for word in text.split():
                row[zlib.crc32(word.encode()) % self.dimension] += 1
        note(ended=len(texts))
        return (found / np.sqrt((found * found).sum(axis=1, keepdims=True))).astype(np.float32)
"""


class Gate:
    """The gate that the model of another package waits at, in whichever process it runs."""

    def __init__(self, place: Path) -> None:
        self.place = place
        place.mkdir()
        (place / "calls").touch()
        self.let(0)

    def let(self, calls: int) -> None:
        """Lets that many calls through, all that there were counted."""
        (self.place / "new").write_text(str(calls))
        (self.place / "new").replace(self.place / "open")

    def open(self) -> None:
        self.let(10**9)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The calls that began."""
        lines = (self.place / "calls").read_text().splitlines()
        return [said for line in lines if "begun" in (said := json.loads(line))]


class Command:
    """A command that runs until it is interrupted, and what it says."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout:
            for line in self.process.stdout:
                self.said.append(line)

    def until(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None, self.said
            assert time.monotonic() < end, self.said
            time.sleep(0.01)

    def says(self, words: str, times: int = 1) -> str:
        """Waits until some words are said; returns their line."""
        found: list[str] = []

        def heard() -> bool:
            found[:] = [line for line in list(self.said) if words in line]
            return len(found) >= times

        self.until(heard)
        return found[-1]

    def interrupt(self) -> None:
        """Ctrl-C, at which nothing goes wrong."""
        os.killpg(self.process.pid, signal.SIGINT)
        assert self.process.wait(PATIENCE) == 130, self.said
        self._thread.join(PATIENCE)
        assert "Traceback" not in "".join(self.said)

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._thread.join(PATIENCE)


@pytest.fixture
def gate(tmp_path: Path, install: Any, monkeypatch: pytest.MonkeyPatch) -> Gate:
    monkeypatch.setenv("GATE", str(tmp_path / "gate"))
    install("gated", {"infograph.embedders": {"gated": "gated:Gated"}}, GATED)
    return Gate(tmp_path / "gate")


@pytest.fixture
def run(tmp_path: Path, gate: Gate, interruptible: dict[str, Any]) -> Iterator[Callable[..., Command]]:
    """run(*arguments): an infograph that finds the model of the gate."""
    path = os.pathsep.join([str(tmp_path / "installed"), str(ROOT)])
    started: list[Command] = []

    def start(*arguments: str) -> Command:
        process = subprocess.Popen(
            [sys.executable, "-m", "infograph", *arguments],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            **interruptible,
        )
        started.append(Command(process))
        return started[-1]

    yield start
    for command in started:
        command.end()


def page(title: str, body: str = "") -> str:
    return f"# {title}\n\nThe kettle of {title} boils. {body}\n"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Twelve pages of one topic, a configuration that looks often, and a page of questions."""
    (tmp_path / "infograph.toml").write_text('model = "gated"\n[watch]\ndebounce = 0.05\n')
    root = tmp_path / "docs"
    root.mkdir()
    for number in range(12):
        (root / f"page{number}.md").write_text(page(f"page {number}", "\n\n## More\n\n" + "So many words. " * 200))
    (root / "qa-pairs.md").write_text("Q: What boils?\nA: The kettle of [page 3](page3.md).\n")
    return root


def plain(docs: Path, model: str, folder: Path) -> Path:
    """Builds from nothing, as `infograph build` does, with a cache of its own. Returns the tree."""
    flags = {"out": str(folder / "site"), "cache": str(folder / "cache"), "model": model}
    assert not build(load(str(docs), flags=flags, environment={})).errors
    return folder / "site"


class Reader:
    """Follows all links from the root's index, again and again: each file is there, with the bytes it should have."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.seen: list[str] = []
        """Build of each index that was read whole, with what hangs on it."""
        self.fault: Exception | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Reader:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join(PATIENCE)
        if self.fault is not None:
            raise self.fault

    def _run(self) -> None:
        try:
            with httpx2.Client(timeout=PATIENCE) as client:
                while not self._stop.is_set():
                    self._read(client)
        except Exception as error:  # noqa: BLE001 - raised in the test's own thread
            self.fault = error

    def _read(self, client: httpx2.Client) -> None:
        def get(address: str) -> bytes:
            answer = client.get(f"{self.url}{address}")
            assert answer.status_code == 200, f"{answer.status_code}: {address}"
            return answer.content

        index = json.loads(get("index.json"))
        chunks = index["_embedded"]["chunks"]
        for name in chunks.keys() - {"_links"}:
            for item in chunks[name]["items"]:
                text = get(item["href"]).partition(b"\n---\n")[2]
                assert hashlib.sha256(text).hexdigest() == item["sha256"], item["href"]
        (manifest,) = set(re.findall(r"_search/manifest\.[0-9a-f]+\.json", json.dumps(index)))
        names = [manifest.removeprefix("_search/")]
        while names:
            name = names.pop()
            names += named_files(name, get(f"_search/{name}"))
        self.seen.append(index["build_id"])


def spec_model(site: Path) -> str:
    """Name of the model that the root of a tree says it was made with."""
    (name,) = re.findall(r"^\| model \| (.*)@", (site / "topic-spec.md").read_text(), re.MULTILINE)
    return name


def gone(process: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    return True


# ---- as a person runs it --------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_posix
def test_a_served_tree_is_static_first_and_the_models_later_and_whole_all_the_while(
    docs: Path, gate: Gate, run: Callable[..., Command], tmp_path: Path, snapshot: Any
) -> None:
    site = tmp_path / "site"
    command = run("serve", "docs", "--watch", "--out", "site", "--port", "0")
    url = command.says("serving ").split()[-1].removesuffix("explorer.html").removesuffix("index.json")
    line = command.says("published by static for now")
    assert re.search(r"gated embeds \d\d texts in the background, in about 1:00 h; .* `--no-early` waits", line), line
    with Reader(url) as reader:
        assert spec_model(site) == "static-256"
        assert snapshot(site) == snapshot(plain(docs, "static", tmp_path / "first"))
        command.until(lambda: gate.calls)
        (call,) = gate.calls
        assert call["process"] != command.process.pid and call["nice"] > os.nice(0)

        edited = docs / ".page3.md"  # renamed, so that the watch finds it whole
        edited.write_text(page("page 3", "An edit while the model works."))
        edited.rename(docs / "page3.md")
        command.says(" removed in ")
        command.until(lambda: reader.seen or reader.fault)
        assert snapshot(site) == snapshot(plain(docs, "static", tmp_path / "second"))
        assert len(gate.calls) == 1, "the edit waits for nothing"

        before = len(reader.seen)
        gate.open()
        command.says("published by gated: every vector is there")
        command.says(" removed in ", times=2)
        command.until(lambda: len(reader.seen) > before + 2 or reader.fault)
        assert spec_model(site) == "gated"
        assert snapshot(site) == snapshot(plain(docs, "gated", tmp_path / "third"))
    assert len(set(reader.seen)) >= 2
    command.interrupt()
    assert gone(call["process"])
    assert any("An edit while" in text for call in gate.calls for text in call["begun"])


@pytest.mark.slow
@needs_posix
def test_ctrl_c_leaves_a_whole_tree_and_the_next_run_goes_on(
    docs: Path, gate: Gate, run: Callable[..., Command], tmp_path: Path, snapshot: Any
) -> None:
    site = tmp_path / "site"
    for number in range(100):
        (docs / f"small{number}.md").write_text(page(f"small {number}"))
    gate.let(1)  # the first texts, which are kept together
    command = run("watch", "docs", "--out", "site")
    command.says("published by static for now")
    command.until(lambda: len(gate.calls) == 2)
    command.interrupt()
    assert gone(gate.calls[-1]["process"])
    first = {text for call in gate.calls[:1] for text in call["begun"]}
    assert len(first) >= TEXTS_KEPT
    assert snapshot(site) == snapshot(plain(docs, "static", tmp_path / "first"))

    begun = len(gate.calls)
    gate.open()
    command = run("watch", "docs", "--out", "site")
    command.says("published by gated: every vector is there")
    command.interrupt()
    again = {text for call in gate.calls[begun:] for text in call["begun"]}
    assert again and not again & first
    assert snapshot(site) == snapshot(plain(docs, "gated", tmp_path / "second"))


@pytest.mark.slow
@needs_posix
def test_a_model_that_dies_in_the_background_is_waited_for_as_without_it(
    docs: Path, gate: Gate, run: Callable[..., Command], tmp_path: Path, snapshot: Any
) -> None:
    command = run("watch", "docs", "--out", "site")
    command.says("published by static for now")
    command.until(lambda: gate.calls)
    os.kill(gate.calls[0]["process"], signal.SIGKILL)
    line = command.says("nothing is embedded in the background")
    assert "took its worker process down (status -9)" in line
    command.until(lambda: len({call["process"] for call in gate.calls}) > 1)
    gate.open()
    command.says("published by gated")
    command.interrupt()
    assert snapshot(tmp_path / "site") == snapshot(plain(docs, "gated", tmp_path / "plain"))


# ---- when there is nothing early ------------------------------------------------------------------------------


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def reporter(said: list[str]) -> Silent:
    class Saying(Silent):
        def say(self, message: str) -> None:
            said.append(message)

    return Saying()


@pytest.fixture
def settings(tmp_path: Path, docs: Path, quick: Any) -> Callable[..., Settings]:
    """settings(**flags): of the same twelve pages, with a model in this process that says it takes an hour."""
    quick.seconds = 3600.0

    def given(**flags: Any) -> Settings:
        paths = {"out": str(tmp_path / "site"), "cache": str(tmp_path / "cache"), "model": Config().model}
        return load(str(docs), flags=paths | flags, environment={})

    return given


class Background:
    """Stands for the process in the background: it embeds nothing and is over when the test says so."""

    running = True
    failure: Exception | None = None
    made: Sequence[Background] = ()

    def __init__(self, settings: Settings, files: Sequence[Any], ended: Callable[[], None]) -> None:
        self.hashes = frozenset(file.file_hash for file in files)
        self.closed = False
        Background.made = [*Background.made, self]

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def background(monkeypatch: pytest.MonkeyPatch) -> type[Background]:
    monkeypatch.setattr("infograph.pipeline.background.BackgroundEmbedding", Background)
    monkeypatch.setattr(Background, "made", ())
    return Background


def built(settings: Settings, reporter: Silent) -> str:
    """Name of the model of a watch's first build, which is the only one."""
    builds = EarlyBuilds(lambda: pytest.fail("nothing works in the background"))
    builds.build(settings, reporter)
    assert not builds.build(settings, reporter).written
    builds.close()
    return spec_model(settings.out)


@pytest.mark.parametrize("flags", [{"watch.early": False}, {"model": "static"}])
def test_where_it_is_off_or_the_model_is_static(
    settings: Callable[..., Settings], reporter: Silent, said: list[str], background: type[Background], flags: Any
) -> None:
    assert built(settings(**flags), reporter) == ("static-256" if "model" in flags else "words")
    assert not background.made and not any("static for now" in line for line in said)


def test_where_the_model_takes_no_minute(
    settings: Callable[..., Settings], reporter: Silent, said: list[str], background: type[Background], quick: Any
) -> None:
    for seconds in (None, early.LONG):
        quick.seconds = seconds
        assert built(settings(out=f"{settings().out}{seconds}"), reporter) == "words"
    assert not background.made and not said


def test_where_everything_is_in_the_cache(
    settings: Callable[..., Settings], reporter: Silent, background: type[Background]
) -> None:
    build(settings())
    assert built(settings(out=f"{settings().out}2"), reporter) == "words"
    assert not background.made


def test_where_another_model_made_the_tree_that_stands(
    settings: Callable[..., Settings], reporter: Silent, background: type[Background], quick: Any
) -> None:
    """Nobody gets a worse tree for a while than there was."""
    build(settings())
    quick.revision = "2"
    assert built(settings(), reporter) == "words"
    assert not background.made


def test_where_what_stands_is_in_a_store(settings: Callable[..., Settings]) -> None:
    given = settings()
    assert early._patience(given) == early.LONG
    stored = replace(given, config=replace(given.config, out="s3://bucket"))
    assert stored.store and early._patience(stored) == float("inf")
    assert early._patience(replace(given, config=replace(given.config, ray="auto"))) == float("inf")


def test_a_build_that_is_no_watch_waits(settings: Callable[..., Settings], background: type[Background]) -> None:
    build(settings())
    assert spec_model(settings().out) == "words"


# ---- when it cannot go on -------------------------------------------------------------------------------------


def test_a_tree_that_static_cannot_build_waits_for_the_model(
    settings: Callable[..., Settings],
    reporter: Silent,
    said: list[str],
    background: type[Background],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def only_by_the_model(given: Settings, *arguments: Any, **options: Any) -> Any:
        if given.config.model == "static":
            raise ConfigError("search.fusion", "was fitted to the cosines of another model")
        return build(given, *arguments, **options)

    monkeypatch.setattr(early, "build", only_by_the_model)
    assert built(settings(), reporter) == "words"
    assert not background.made and not any("static for now" in line for line in said)


def test_settings_that_change_begin_again(
    settings: Callable[..., Settings], reporter: Silent, said: list[str], background: type[Background]
) -> None:
    builds = EarlyBuilds(lambda: None)
    for flags in ({}, {"index.related": 1}, {"index.related": 1}):
        builds.build(settings(**flags), reporter)
        assert spec_model(settings().out) == "static-256"
    assert [one.closed for one in background.made] == [True, False]
    builds.build(settings(model="static"), reporter)
    assert [one.closed for one in background.made] == [True, True]
    assert not any("every vector is there" in line for line in said)
    builds.close()


def test_a_model_that_the_settings_name_later_works_in_the_background_too(
    settings: Callable[..., Settings], reporter: Silent, background: type[Background]
) -> None:
    builds = EarlyBuilds(lambda: None)
    builds.build(settings(model="static"), reporter)
    assert not background.made
    builds.build(settings(), reporter)
    assert len(background.made) == 1 and spec_model(settings().out) == "static-256"
    builds.close()


def test_where_no_process_can_be_started(
    settings: Callable[..., Settings],
    reporter: Silent,
    said: list[str],
    background: type[Background],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*arguments: Any) -> None:
        raise InfographError("", "a worker process cannot be started: Cannot allocate memory")

    monkeypatch.setattr("infograph.pipeline.background.BackgroundEmbedding", refuse)
    assert built(settings(), reporter) == "words"
    assert any("nothing is embedded in the background: a worker process cannot" in line for line in said)


def test_in_place_each_tree_is_that_of_a_plain_build(
    docs: Path, settings: Callable[..., Settings], reporter: Silent, background: type[Background], snapshot: Any
) -> None:
    builds = EarlyBuilds(lambda: None)
    for edit, over, model in (("", False, "static"), ("edited", False, "static"), ("twice", True, Config().model)):
        (docs / "page3.md").write_text(page("page 3", edit))
        if over:
            background.made[0].running = False
        builds.build(settings(out=str(docs)), reporter)
        clean = docs.parent / f"clean{edit}" / "docs"
        shutil.copytree(docs, clean, ignore=shutil.ignore_patterns("_*", ".*", "*.json", "llms.txt", "topic-spec.md"))
        build(load(str(clean), flags={"out": str(clean), "model": model}, environment={}))
        assert snapshot(docs) == snapshot(clean)
    builds.close()


@pytest.mark.parametrize("failure", [None, ModelError("model `words`", "is damaged")])
def test_a_background_of_no_use_is_waited_for(
    settings: Callable[..., Settings],
    reporter: Silent,
    said: list[str],
    background: type[Background],
    failure: Exception | None,
) -> None:
    """It failed, or the cache holds nothing of what it embedded: not tried again."""
    builds = EarlyBuilds(lambda: None)
    builds.build(settings(), reporter)
    (one,) = background.made
    one.running, one.failure = False, failure
    assert builds.build(settings(), reporter).written
    assert spec_model(settings().out) == "words" and one.closed
    assert any("nothing is embedded in the background: model `words`: is damaged" in line for line in said) == bool(
        failure
    )
    assert len(background.made) == 1


def test_a_fault_in_the_background_is_no_warning(
    settings: Callable[..., Settings], reporter: Silent, background: type[Background]
) -> None:
    builds = EarlyBuilds(lambda: None)
    builds.build(settings(), reporter)
    background.made[0].running, background.made[0].failure = False, ZeroDivisionError("a fault of ours")
    with pytest.raises(ZeroDivisionError):
        builds.build(settings(), reporter)
