"""Whatever happens to a tree between two builds, the second leaves what a build from nothing would leave.

The quick suite tries a few sequences, `pytest -m slow` some more of them; for a nightly run PROOF says how
many, each time others:

    PROOF=full pytest -m slow -n 0 tests/builds/test_state_machine.py

That is 500 sequences of 30 steps, and 100 more because hypothesis cuts some of its variations short; a number instead
of `full` is that many in all. `--hypothesis-seed=N` repeats a run.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
import os
import shutil
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from infograph.config import Config
from infograph.embedding import backends
from infograph.embedding.backends import Backend
from infograph.formats.names import NO_JEKYLL, STAGING, has_rows_set_by_hand
from infograph.model import MARKDOWN
from infograph.search.format.fusion_model import (
    FEATURES,
    FUSION_FORMAT,
    LEAF,
    TREES,
    FusionFile,
    RegressionTree,
    fusion_bytes,
)

FOLDERS = ["", "guide", "guide/deep", "far/away"]
NAMES = ["index.md", "README.md", "one.md", "two.md", "One.markdown", "qa-pairs.md", "größe.md", "table.csv"]
WORDS = ["kettle", "zebra", "window", "`callMe`", "palm tree", "stripe order", "cache", "größe", "[one](one.md)"]
WORDS += ["the Blue Kettle", "Blue Kettle", "[deep](/guide/deep/two)"]
BROKEN = [b"# Nul\n\n\0\n", b"# Not UTF-8\n\n\xff\n", b"---\ntitle: [\n---\n# Front\n", b"---\na: *b\n---\n"]
SETTINGS = {
    "strategy": ['"semantic-250-750"', '"structural"', '"auto"'],
    "chunks.overlap": ["0", "20"],
    "chunks.prefix": ['"breadcrumb"', '"summary"', '"none"'],
    "chunks.files": ['"each"', '"pack"'],
    "chunks.metadata": ["[]", '["id", "summary"]'],
    "keywords.per_topic": ["500", "5"],
    "keywords.per_chunk": ["12", "2"],
    "keywords.language": ['"en"', '"de"'],
    "prompts.threshold": ["0.3", "0"],
    "stripe.factor": ["3", "7"],
    "index.base_url": ['""', '"/docs/"'],
    "index.related": ["5", "1"],
    "index.technical_baseline": ['"title"', '"first-code"'],
    "limits.bytes": ["5000000", "300"],
    "search.enabled": ["true", "false"],
    "search.max_files": ["2000", "16"],
    "site.url": ['""', '"https://docs.example/"'],
    "source.exclude": ["[]", '["deep/"]'],
    "source.include": ["[]", '["*.md", "*.csv"]'],
    "model": [f'"{Config().model}"', '"static"'],
    "graph.entities": ['"terms"', '"off"'],
    "search.fusion": ['"sum"', '"rrf"', '"tm2c2:0.3"', "TREES"],
}
HEADER = "| Term | Type | Count | Header | Global | Score | Pinned |\n| --- | --- | --- | --- | --- | --- | --- |\n"
TREE = RegressionTree((1, FEATURES.index("overlap"), LEAF, LEAF, LEAF), (0.5, 7.5, 0.2, 0.4, 1.0), (4, 3, 0, 0, 0))
KILLING = ("mkdir", "rename", "replace", "rmdir", "unlink")
"""The system calls that a build is killed before."""

folders = st.sampled_from(FOLDERS)
names = st.sampled_from(NAMES)
sections = st.tuples(
    st.integers(1, 4), st.sampled_from(WORDS), st.sampled_from(WORDS), st.sampled_from([1, 5, 40, 300])
)
pages = st.lists(sections, min_size=1, max_size=4)
choices = st.integers(0, 1 << 16)
"""Which of the files that there are."""


def page(parts: list[tuple[int, str, str, int]]) -> bytes:
    body = "\n".join(
        f"{'#' * level} {title}\n\n{' '.join(f'{word} {n % 7}' for n in range(count))}.\n"
        for level, title, word, count in parts
    )
    return f"{body}\nQ: Where is the {parts[0][1]}?\nA: There.\n".encode()


def of_a_document(change: Callable[..., None]) -> Callable[..., None]:
    """A rule for one of the documents; where there are none, one comes. (What hypothesis draws must not depend on the
    tree, as by a precondition: it would not understand a difference that it is to find.)"""

    @functools.wraps(change)
    def changing(self: Changes, choice: int, **drawn: Any) -> None:
        if self.documents:
            change(self, self._one(self.documents, choice), **drawn)
        else:
            self._write(self.tree.root / "index.md", page([(1, WORDS[choice % len(WORDS)], "back", 5)]))
            self._step()

    return changing


class Changes(RuleBasedStateMachine):
    """What people, editors, tools and accidents do to a tree, one thing a step; after each the tree is built and
    compared."""

    quick: Any
    make_tree: Any
    counted: Counter[str]
    trees: str
    """Path of a learned fusion."""
    expected: dict[str, tuple[Any, ...]]
    """What builds from nothing made, by what they were made of."""
    failures: list[str]
    """Every one that was seen: of one that does not happen again hypothesis would say only that it did not."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.history: list[dict[Path, bytes]] = []
        self.configured: dict[str, str] = {}
        self.steps = 0
        self.counted["sequences"] += 1

    def teardown(self) -> None:
        self.counted[f"of {self.steps} steps"] += 1
        shutil.rmtree(self.folder)

    @initialize(elsewhere=st.booleans(), everything=st.booleans(), first=pages, second=pages)
    def begin(self, elsewhere: bool, everything: bool, first: list[Any], second: list[Any]) -> None:
        """everything: with a graph and a learned fusion, which are off unless asked for; links are on"""
        self.quick.revision = "1"
        self.tree = self.make_tree(self.folder, elsewhere)
        self._configure({"graph.entities": '"terms"', "search.fusion": "TREES"} if everything else {})
        self._write(self.tree.root / "index.md", page(first))
        self._write(self.tree.root / "guide/one.md", page(second))
        self._build()

    # ---- the sources ------------------------------------------------------------------------------------

    @rule(folder=folders, name=names, parts=pages)
    def write(self, folder: str, name: str, parts: list[Any]) -> None:
        """A new document, or another content for one that is there."""
        self._write(self.tree.root / folder / name, page(parts))
        self._step()

    @rule(choice=choices, parts=pages)
    @of_a_document
    def edit(self, path: Path, parts: list[Any]) -> None:
        self._write(path, path.read_bytes() + b"\n" + page(parts))
        self._step()

    @rule(choice=choices, old=st.sampled_from(WORDS), new=st.sampled_from(WORDS))
    @of_a_document
    def edit_in_secret(self, path: Path, old: str, new: str) -> None:
        """One size, and the old time stamp."""
        before = path.stat()
        data = path.read_bytes()
        path.write_bytes(data.replace(old.encode(), new.encode().ljust(len(old.encode()))[: len(old.encode())]))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        self._step()

    @rule(choice=choices)
    @of_a_document
    def delete(self, path: Path) -> None:
        path.unlink()
        self._step()

    @rule(choice=choices, name=names)
    @of_a_document
    def rename(self, path: Path, name: str) -> None:
        path.replace(path.with_name(name))
        self._step()

    @rule(choice=choices, folder=folders)
    @of_a_document
    def move(self, path: Path, folder: str) -> None:
        """To another topic."""
        target = self.tree.root / folder / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)
        self._step()

    @rule(choice=choices, name=st.sampled_from(["guide", "other", "far"]))
    @of_a_document
    def move_topic(self, path: Path, name: str) -> None:
        """A whole folder, with what was built in it."""
        source = self.tree.root / path.relative_to(self.tree.root).parts[0]
        if source.is_dir() and not (self.tree.root / name).exists():
            source.rename(self.tree.root / name)
        self._step()

    @rule(folder=folders, name=names, data=st.sampled_from(BROKEN))
    def break_one(self, folder: str, name: str, data: bytes) -> None:
        self._write(self.tree.root / folder / name, data)
        self._step()

    @rule(choice=choices)
    @of_a_document
    def empty(self, path: Path) -> None:
        path.write_bytes(b"")
        os.utime(path, ns=(1, 1))  # or it is taken for one that is being saved
        self._step()

    @rule(choice=choices, old=st.booleans())
    @of_a_document
    def touch(self, path: Path, old: bool) -> None:
        os.utime(path, (1, 1) if old else None)
        self._step()

    @rule(choice=choices)
    def revert(self, choice: int) -> None:
        """All documents as they were some steps ago."""
        past = self._one(self.history, choice)
        for path in self.documents:
            if path not in past:
                path.unlink()
        for path, data in past.items():
            self._write(path, data)
        self._step()

    @rule(folder=folders, ignored=st.booleans())
    def ignore(self, folder: str, ignored: bool) -> None:
        path = self.tree.root / folder / ".gitignore"
        if ignored:
            self._write(path, b"one.*\ndeep/\n")
        else:
            path.unlink(missing_ok=True)
        self._step()

    # ---- what else a build depends on -------------------------------------------------------------------

    @rule(setting=st.sampled_from(sorted(SETTINGS)), choice=choices)
    def configure(self, setting: str, choice: int) -> None:
        self._configure({setting: self._one(SETTINGS[setting], choice)})
        self._step()

    @rule(revision=st.sampled_from("12"))
    def change_model(self, revision: str) -> None:
        self.quick.revision = revision
        self._step()

    @rule(
        folder=folders,
        built=st.booleans(),
        term=st.sampled_from(["kettle", "palm tree", "Where is", "callMe", "x"]),
        score=st.sampled_from([0, 3, 42]),
        pinned=st.sampled_from(["yes", "no", "maybe"]),
    )
    def pin(self, folder: str, built: bool, term: str, score: int, pinned: str) -> None:
        """A row set by hand, in the table that was built or beside the sources."""
        table = (self.tree.out if built else self.tree.root) / folder / "_keywords/words.md"
        if table.exists() or not (built or self.tree.root == self.tree.out):
            text = table.read_bytes() if table.exists() else HEADER.encode()
            self._write(table, text + f"| {term} | | | | | {score} | {pinned} |\n".encode())
        self._step()

    @rule(folder=folders, built=st.booleans())
    def unpin(self, folder: str, built: bool) -> None:
        """In a topic that is there, or gone: its table stood for that row alone."""
        table = (self.tree.out if built else self.tree.root) / folder / "_keywords/words.md"
        if table.exists():
            table.write_text("".join(row for row in table.read_text().splitlines(True) if not row.endswith("yes |\n")))
        self._step()

    # ---- accidents --------------------------------------------------------------------------------------

    @rule(choice=choices)
    def lose(self, choice: int) -> None:
        """A published file."""
        published = [self.tree.out / name for name in self.tree.outputs()]
        self._one([path for path in published if path not in self.documents], choice).unlink()
        self._step()

    @rule(choice=choices, added=st.sampled_from([b"", b"\n", b"\nA word more.\n"]))
    def edit_output(self, choice: int, added: bytes) -> None:
        """A published file, in place, by a program that takes it for its own; never a table, whose rows are inputs, nor
        `.nojekyll`, which is somebody else's with any other content."""
        if self.built:  # where nothing could be built, an earlier edit may still stand
            names = [name for name in self.tree.outputs() if not has_rows_set_by_hand(name) and name != NO_JEKYLL]
            published = [self.tree.out / name for name in names]
            path = self._one([path for path in published if path not in self.documents], choice)
            data = path.read_bytes()
            path.write_bytes(data + added if added else data[:-1] + bytes([data[-1] ^ 1]) if data else b"x")
        self._step()

    @rule(what=st.sampled_from(["memory", "cache", "state", "both"]))
    def forget(self, what: str) -> None:
        loaded = self.tree.load()
        if what == "state":
            (loaded.memory / "state").unlink(missing_ok=True)
        if what in ("memory", "both"):
            shutil.rmtree(loaded.memory, ignore_errors=True)
        if what in ("cache", "both"):
            shutil.rmtree(loaded.cache, ignore_errors=True)
        self._step()

    @precondition(lambda self: hasattr(os, "fork"))
    @rule(folder=folders, name=names, parts=pages, at=st.integers(0, 60))
    def kill(self, folder: str, name: str, parts: list[Any], at: int) -> None:
        """A build, in the middle."""
        self._write(self.tree.root / folder / name, page(parts))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # there is no other thread that holds a lock
            child = os.fork()
        if not child:
            with contextlib.suppress(BaseException):
                _kill_before(at)
                self.tree.build()
                os._exit(0)
            os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in (0, -signal.SIGKILL)
        self.counted["kills"] += status != 0
        self._step()

    def _configure(self, changed: dict[str, str]) -> None:
        self.configured |= changed
        lines = [f"{name} = {value}\n" for name, value in sorted(self.configured.items())]
        self.tree.settings = "".join(lines).replace("= TREES", f"= {json.dumps(self.trees)}")

    # ---- the proof --------------------------------------------------------------------------------------

    def _step(self) -> None:
        self.steps += 1
        self.counted["steps"] += 1
        try:
            self._build()
        except BaseException:
            self.failures.append(traceback.format_exc())
            raise

    def _build(self) -> None:
        before = self.tree.files()  # as it is: an output may have been damaged
        summary = self.tree.build()
        inputs = self.tree.inputs()
        names = {self.folder / name: data for name, data in inputs.items()}
        self.history.append({path: data for path, data in names.items() if _is_document(path)})
        self.built = bool(summary.topics)
        if not self.built:  # nothing to build is taken for a slip, and what is published stays
            assert summary.errors
            assert self.tree.files() == before
            return
        outputs = self.tree.outputs()
        expected, errors = self._clean(inputs)
        assert sorted(outputs) == sorted(expected)
        assert [name for name in outputs if _digest(outputs[name]) != expected[name]] == []
        assert [str(error) for error in summary.errors] == errors

        if summary.written or summary.removed:  # a build with nothing to do leaves what a killed one may have left
            assert not (self.tree.out / STAGING).exists()
        again = self.tree.build()
        assert (again.written, again.removed) == (0, 0)
        assert [str(error) for error in again.errors] == errors

    def _clean(self, inputs: dict[str, bytes]) -> tuple[dict[str, str], list[str]]:
        """What a build from nothing leaves, and the errors that it tells of."""
        key = _digest(repr([inputs, self.tree.settings, self.tree.elsewhere, self.quick.revision]).encode())
        if key not in self.expected:
            with self.tree.copy() as copy:
                errors = [str(error) for error in copy.build().errors]
                self.expected[key] = {name: _digest(data) for name, data in copy.outputs().items()}, errors
            self.counted["clean builds"] += 1
        return self.expected[key]

    @property
    def documents(self) -> list[Path]:
        """As they were after the last build."""
        return list(self.history[-1])

    def _write(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def _one(self, found: list[Any], choice: int) -> Any:
        return found[choice % len(found)]


def _is_document(path: Path) -> bool:
    return path.suffix in (*MARKDOWN, ".csv") and path.parent.name not in ("_keywords", "_graph")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _kill_before(number: int) -> None:
    """Kills this process before its call of that number that changes a folder."""
    calls = itertools.count()

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any, **options: Any) -> Any:
            if next(calls) == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **options)

        return counting

    for name in KILLING:
        setattr(os, name, counted(getattr(os, name)))


@pytest.fixture
def machine(quick, make_tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Changes]]:
    """The machine, of builds in this process that wait for nothing and load each model once."""
    once = [Backend(b.takes, b.identify, functools.cache(b.load)) for b in backends.BACKENDS]
    monkeypatch.setattr(backends, "BACKENDS", tuple(once))
    monkeypatch.setattr("infograph.build._SAVE_SECONDS", 0)
    trees = tmp_path / "trees.json"
    trees.write_bytes(fusion_bytes(FusionFile(FUSION_FORMAT, TREES, "", FEATURES, base=0.1, trees=(TREE, TREE))))
    own = {"quick": quick, "make_tree": make_tree, "counted": Counter(), "expected": {}, "failures": []}
    own["trees"] = str(trees)
    yield type("Machine", (Changes,), own)


def prove(machine: type[Changes], figure: Callable[[str], None], sequences: int, steps: int, fixed: bool) -> None:
    """fixed: try the same sequences every time"""
    options = settings(  # the beginning, too, counts as a step there
        max_examples=sequences,
        stateful_step_count=steps + 1,
        deadline=None,
        derandomize=fixed,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    started = time.monotonic()
    try:
        run_state_machine_as_test(machine, settings=options)
    except BaseException as error:
        error.add_note("\n".join(["The first failure:", *machine.failures[:1]]))
        raise
    counted, seconds = machine.counted, time.monotonic() - started
    figure(
        f"{counted['sequences']} sequences, {counted[f'of {steps} steps']} of them whole, {counted['steps']} steps, "
        f"{counted['kills']} builds killed: 0 differences from {counted['clean builds']} clean builds ({seconds:.0f} s)"
    )


@pytest.mark.slow
@pytest.mark.timeout(0)  # a night, where PROOF asks for it
def test_sequences(machine: type[Changes], figure: Callable[[str], None]) -> None:
    proof = os.environ.get("PROOF", "")
    prove(machine, figure, {"": 12, "full": 600}.get(proof) or int(proof), 30, fixed=not proof)
