"""A watch that runs in a thread of the test, with a model that costs nothing, and a reader of its outputs."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest

import infograph.embedding
from infograph.client import Client
from infograph.commands.watch import watch
from infograph.config import Settings, load

PATIENCE = 120.0
"""Seconds until a test gives up; never a measure."""

PAGE = "# {title}\n\nWhat {title} is about.\n" + "".join(
    f"\n## Part {n}\n\n" + f"Sentence {n} of a page that is long enough to be cut. " * 25 + "\n" for n in range(4)
)


class WordCounts:
    """An embedder without a model: how often each word of 64 kinds occurs."""

    revision = "0"
    dimension = 64
    cached = True  # so that it embeds in this process: workers do not know it

    def __init__(self, name: str) -> None:
        self.name = name

    def seconds_for(self, texts: Sequence[str]) -> float | None:
        return None

    def embed(self, texts: Sequence[str], **options: Any) -> Any:
        rows = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.split():
                row[zlib.crc32(word.encode()) % self.dimension] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Watching:
    """`watch` in a thread. `looks` has one entry for each look: whether it wrote or removed anything; `begun` has when
    each began, in seconds."""

    def __init__(self, docs: Path, **flags: Any) -> None:
        self.docs = docs
        self.out = Path(flags.get("out", docs))
        self.looks: list[bool] = []
        self.begun: list[float] = []
        self.error: Exception | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(flags,), daemon=True)
        self._thread.start()

    def _run(self, flags: dict[str, Any]) -> None:
        try:
            watch(lambda: self._load(flags), stop=self._stop, looked=self._looked)
        except Exception as error:  # noqa: BLE001 - raised in the test's own thread, by until()
            self.error = error

    def _load(self, flags: dict[str, Any]) -> Settings:
        self._began = time.monotonic()
        settings = load(str(self.docs), flags=flags, environment={})
        self._pause = settings.config.watch.debounce
        return settings

    def _looked(self, changed: bool) -> None:
        self.begun.append(self._began)
        self.looks.append(changed)

    @property
    def rebuilds(self) -> int:
        return sum(self.looks)

    def until(self, condition: Callable[[], object], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            if self.error is not None:
                raise self.error
            assert self._thread.is_alive(), f"the watch ended before {what}"
            assert time.monotonic() < end, f"{what}: not within {PATIENCE} s; looks: {self.looks}"
            time.sleep(0.02)

    def settled(self, since: int = 0, after: float = 0) -> None:
        """Until a rebuild after look number `since` was followed by a look that found nothing more to do; the last one
        began later than `after`."""

        def is_settled() -> bool:
            count = len(self.looks)
            return True in self.looks[since:] and not self.looks[count - 1] and self.begun[count - 1] > after

        self.until(is_settled, "a rebuild and a look without one")

    @contextlib.contextmanager
    def one_rebuild(self, why: str = "") -> Iterator[None]:
        """A change that is one rebuild. Where a busy machine makes it last longer than the pause that the watch waits
        for, each look that began meanwhile may have found a part of it."""
        before, begun = len(self.looks), time.monotonic()
        yield
        ended = time.monotonic()
        self.settled(before, ended)
        parts = sum(moment < ended for moment in self.begun[before:]) if ended - begun > self._pause else 0
        assert 1 <= sum(self.looks[before:]) <= 1 + parts, f"{why}: {self.looks[before:]}"

    def next_look(self, since: int | None = None) -> None:
        """Until there is a look after look number `since`, or after those that there are now."""
        before = len(self.looks) if since is None else since
        self.until(lambda: len(self.looks) > before, "a look")

    def rested(self) -> int:
        """The number of looks, once events that come late can have caused no more."""
        count = -1
        while count != len(self.looks):
            count = len(self.looks)
            time.sleep(1)
        return count

    def read(self, name: str = "guide/topic-spec.md") -> str:
        return (self.out / name).read_text("utf-8")

    def topics(self) -> set[str]:
        """The paths that a client finds in the tree as it is now; files kept for earlier readers are none of them."""
        with Client(str(self.out)) as client:
            return {topic.id for topic in client.topics()}

    def documents(self, topic: str) -> set[str]:
        """The documents that a topic's index lists."""
        with Client(str(self.out)) as client:
            return set(client.topic(topic).documents)

    def end(self) -> None:
        self._stop.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


class Reader:
    """Reads the whole published tree again and again, as a client would, and notes what no client should see.

    Every file that an index names is there and complete at all times. One that does not have the hash its index
    promises, or is gone, is a publication in progress: then the index changes, and reading again is right.
    """

    def __init__(self, out: Path, documents: dict[str, set[str]]) -> None:
        self.out = out
        self.documents = documents
        """Stems of the documents that must be listed at all times, by topic."""
        self.passes = 0
        self.faults: list[str] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Reader:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join(PATIENCE)
        assert self.passes > 0
        assert not self.faults, self.faults[:3]

    def _run(self) -> None:
        while not self._stop.is_set() and not self.faults:
            for topic in self.documents:
                try:
                    self._topic(topic)
                except (OSError, ValueError, KeyError) as error:
                    self.faults.append(f"{topic}: {type(error).__name__}: {error}")
            self.passes += 1

    def _topic(self, topic: str) -> None:
        end = time.monotonic() + PATIENCE
        index = self._index(topic)
        while (wrong := self._wrong(topic, index)) and not self.faults:
            newer = self._index(topic)
            if newer == index and time.monotonic() > end:
                raise ValueError(f"{wrong} is not what the index promises")
            index = newer

    def _index(self, topic: str) -> bytes:
        data = (self.out / topic / "index.json").read_bytes()
        listed = {key for key in json.loads(data)["_embedded"]["chunks"] if not key.startswith("_")}
        if listed != self.documents[topic]:
            raise ValueError(f"the index lists {sorted(listed)}")
        return data

    def _wrong(self, topic: str, index: bytes) -> str | None:
        for stem in self.documents[topic]:
            for item in json.loads(index)["_embedded"]["chunks"][stem]["items"]:
                try:
                    data = (self.out / topic / unquote(item["href"])).read_bytes()
                except FileNotFoundError:
                    return str(item["href"])
                head, _, text = data.partition(b"\n---\n")
                sha256 = hashlib.sha256(text).hexdigest()
                if sha256.encode() not in head:
                    raise ValueError(f"{item['href']} is torn")
                if sha256 != item["sha256"]:
                    return str(item["href"])
        return None


MakeWatch = Callable[..., Watching]


@pytest.fixture
def word_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(infograph.embedding, "identify", lambda model, *options: (model, WordCounts.revision))
    monkeypatch.setattr(infograph.embedding, "load", lambda model, *options, **named: WordCounts(model))


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Two topics, three documents."""
    root = tmp_path / "project" / "docs"
    for name in ("guide/intro.md", "guide/notes.md", "api/calls.md"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAGE.format(title=path.stem))
    return root


@pytest.fixture
def start(word_counts: None) -> Iterator[MakeWatch]:
    """start(docs, **flags): a watch that has made its first build and is waiting."""
    started: list[Watching] = []

    def begin(docs: Path, **flags: Any) -> Watching:
        watching = Watching(docs, **flags)
        started.append(watching)
        watching.settled()
        return watching

    yield begin
    for watching in started:
        watching.end()
        assert watching.error is None, watching.error


@pytest.fixture
def reader() -> type[Reader]:
    return Reader
