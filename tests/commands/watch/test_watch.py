"""When the watch looks, when it does not, and what it lives through."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import infograph.commands.watch
import infograph.pipeline.staging
from infograph.commands.watch import matters
from infograph.errors import ConfigError
from infograph.execution import forked, processes
from infograph.source.discovery import SourceRules, discover

MakeWatch = Callable[..., Any]
PATIENCE = 120.0


@pytest.fixture
def config(docs: Path) -> Path:
    """A configuration beside the sources."""
    file = docs.parent / "infograph.toml"
    file.write_text("")
    return file


# ---- what matters ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "x.md",
        "a/b/x.markdown",
        "x.MDX",
        "#x.md",
        "_posts/x.md",
        ".gitignore",
        "a/.gitignore",
        "infograph.toml",
        "_keywords/words.md",
        "a/_keywords/words.md",
        "out/a/_keywords/words.md",
    ],
)
def test_a_source_matters(name: str) -> None:
    assert matters(f"/docs/{name}", "/docs", "/docs/out")


@pytest.mark.parametrize(
    "name",
    [
        ".#x.md",
        "#x.md#",
        "x.md~",
        ".x.md~",
        "4913",
        ".x.md.swp",
        "x.md.swp",
        "x.md.tmp",
        "x.md.vsctmp",
        ".x.md.Xq81Zk",
        "x.md___jb_tmp___",
        "x.md___jb_old___",
        ".goutputstream-9XK2B0",
        "sedQ4fK2a",
        ".x.md.kate-swp",
        "x.png",
        "index.json",
        "llms.txt",
        "topic-spec.md",
        "a/topic-spec.md",
        "_chunks/x-0.md",
        "a/_chunks/x-0.md",
        "_keywords/.words.md.swp",
        ".infograph/staging/main-0",
        ".embedding-cache/s/m/h/chunk-0.bin",
        ".git/x.md",
        "node_modules/a/readme.md",
        "out/x.md",
        "out/index.json",
        ".venv/_keywords/words.md",
    ],
)
def test_temporary_files_and_our_own_do_not_matter(name: str) -> None:
    assert not matters(f"/docs/{name}", "/docs", "/docs/out")


def test_folders_matter_where_documents_may_lie() -> None:
    for name in ("a", "a/_posts"):
        assert matters(f"/docs/{name}", "/docs", "/docs/out", directory=True)
    for name in ("_chunks", "a/_keywords", ".git", "out", "out/a", "node_modules"):
        assert not matters(f"/docs/{name}", "/docs", "/docs/out", directory=True)


def test_beside_the_sources_only_the_configuration_matters() -> None:
    assert matters("/pyproject.toml", "/docs", "/docs")
    assert not matters("/readme.md", "/docs", "/docs")
    assert not matters("/docs-old/x.md", "/docs", "/docs")


PARTS = st.sampled_from(["a", ".a", "_a", "#a", "_chunks", "_keywords", "node_modules", "out", "A~", "4913"])
NAMES = st.sampled_from(["x.md", "X.MD", ".x.md", "#x.md", "#x.md#", "x.md~", "words.md", "topic-spec.md", "x.mdx.tmp"])


@settings(max_examples=30, deadline=None)
@given(st.sets(st.tuples(st.lists(PARTS, max_size=3), NAMES).map(lambda p: "/".join([*p[0], p[1]])), max_size=8))
def test_every_document_matters(tmp_path_factory: pytest.TempPathFactory, names: set[str]) -> None:
    root = tmp_path_factory.mktemp("docs")
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("# A\n")
    for document in discover(root, SourceRules(), root / "out").documents:
        assert matters(f"{root}/{document}", str(root), f"{root}/out")


# ---- when it looks --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_idle_is_idle(docs: Path, start: MakeWatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside = shutil.copytree(docs, tmp_path / "copy" / "docs")
    watches = [start(docs), start(inside, out=str(inside / "public"))]
    for watching in watches:
        assert watching.looks == [True, False]
    time.sleep(2)
    for watching in watches:
        assert watching.looks == [True, False]
    assert "no problem left" not in capsys.readouterr().err, "there was none"


@pytest.mark.slow
def test_what_is_no_source_causes_no_look(docs: Path, start: MakeWatch) -> None:
    watching = start(docs)
    for name in (".#intro.md", "#intro.md#", "intro.md~", "4913", ".intro.md.swp", "intro.md.tmp", "picture.png"):
        (docs / "guide" / name).write_text("x")
        (docs / "guide" / name).unlink()
    (docs / "guide" / "intro.md").read_text()
    time.sleep(1.5)
    assert watching.looks == [True, False]
    with watching.one_rebuild("a new document"):
        (docs / "guide" / "more.md").write_text("# More\n")


@pytest.mark.slow
def test_a_touched_document_is_no_rebuild(docs: Path, start: MakeWatch) -> None:
    watching = start(docs)
    before = len(watching.looks)
    (docs / "guide" / "intro.md").write_bytes((docs / "guide" / "intro.md").read_bytes())
    watching.next_look(before)
    assert watching.rebuilds == 1


@pytest.mark.slow
def test_a_row_set_by_hand_is_one_rebuild(docs: Path, start: MakeWatch) -> None:
    watching = start(docs)
    table = docs / "guide" / "_keywords" / "words.md"
    with watching.one_rebuild("a row taken out"):
        lines = table.read_text().splitlines(keepends=True)
        table.write_text("".join(lines[:-1]))


PINNED = """| Term | Type | Count | Header | Global | Score | Pinned |
| --- | --- | --- | --- | --- | --- | --- |
| {} | | | | | 40 | yes |
"""


@pytest.mark.slow
def test_a_keyword_table_moved_over_ours_is_one_rebuild(docs: Path, start: MakeWatch) -> None:
    table = docs.parent / "words.md"
    table.write_text(PINNED.format("sentence"))
    watching = start(docs)
    with watching.one_rebuild("moved in"):
        table.rename(docs / "guide" / "_keywords" / "words.md")
    assert "| 40 | yes |" in watching.read("guide/_keywords/words.md")


@pytest.mark.slow
def test_a_keyword_table_that_comes_with_its_folder_is_one_rebuild(docs: Path, start: MakeWatch) -> None:
    folder = docs.parent / "_keywords"
    folder.mkdir()
    (folder / "words.md").write_text(PINNED.format("sentence"))
    watching = start(docs, out=str(docs.parent / "public"))
    with watching.one_rebuild("moved in"):
        folder.rename(docs / "guide" / "_keywords")
    with watching.one_rebuild("made"):
        (docs / "api" / "_keywords").mkdir()
        (docs / "api" / "_keywords" / "words.md").write_text(PINNED.format("calls"))


@pytest.mark.slow
def test_a_rescan_finds_what_no_event_told(docs: Path, start: MakeWatch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(infograph.commands.watch, "matters", lambda *place, directory: False)
    watching = start(docs, **{"watch.rescan": 0.5})
    with watching.one_rebuild("without an event"):
        (docs / "guide" / "intro.md").write_text("# Unheard of\n")
    assert "Unheard of" in watching.read()


@pytest.mark.slow
def test_a_tree_that_never_rests_is_built_all_the_same(docs: Path, start: MakeWatch) -> None:
    watching = start(docs, **{"watch.debounce": 0.05})
    before, end = len(watching.looks), time.monotonic() + PATIENCE
    while len(watching.looks) == before:
        assert time.monotonic() < end
        (docs / "guide" / "intro.md").write_text(f"# Draft at {time.monotonic()}\n")
        time.sleep(0.01)


@pytest.mark.slow
def test_without_room_for_events_it_looks_by_itself(
    docs: Path, start: MakeWatch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from watchdog.observers import Observer

    def refuse(self: object) -> None:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr(Observer, "start", refuse)
    monkeypatch.setattr(infograph.commands.watch, "_DEAF_RESCAN", 0.3)
    watching = start(docs)
    assert "no change events (inotify watch limit reached)" in capsys.readouterr().err
    with watching.one_rebuild("without events"):
        (docs / "guide" / "intro.md").write_text("# Unheard of\n")


# ---- what it keeps --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_saves_share_one_worker_which_ends_with_the_watch(
    docs: Path, start: MakeWatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forked, "can_fork", lambda: False)
    started: list[subprocess.Popen[bytes]] = []
    begin = processes._interpreter

    def beginning(module: str, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
        started.append(begin(module, environment))
        return started[-1]

    monkeypatch.setattr(processes, "_interpreter", beginning)
    watching = start(docs)
    for number in range(3):
        with watching.one_rebuild(f"save {number}"):
            (docs / "guide" / "intro.md").write_text(f"# Save {number}\n")
        assert f"Save {number}" in watching.read()
    assert len(started) == 1 and started[0].poll() is None
    os.kill(started[0].pid, signal.SIGKILL)
    with watching.one_rebuild("after the worker was killed"):
        (docs / "guide" / "intro.md").write_text("# Killed\n")
    assert "Killed" in watching.read() and len(started) == 2
    watching.end()
    assert all(process.poll() is not None for process in started)


# ---- what it lives through ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_deleted_tree_is_waited_for(docs: Path, start: MakeWatch, capsys: pytest.CaptureFixture[str]) -> None:
    # A pause that no machine makes while the files go one by one.
    watching = start(docs, out=str(docs.parent / "public"), **{"watch.debounce": 1.5})
    kept = shutil.copytree(docs, docs.parent / "kept")
    before = sorted(watching.out.rglob("*.md"))
    said = ""

    def gone() -> bool:
        nonlocal said
        said += capsys.readouterr().err
        return "is gone" in said

    shutil.rmtree(docs)
    watching.until(gone, "the message")
    assert sorted(watching.out.rglob("*.md")) == before, "what is published stays"
    (kept / "guide" / "intro.md").write_text("# Come back\n")
    with watching.one_rebuild("back"):
        kept.rename(docs)
    with watching.one_rebuild("and watched again"):
        (docs / "guide" / "intro.md").write_text("# Come back again\n")
    assert "Come back again" in watching.read()
    assert said.count("is gone") == 1


@pytest.mark.slow
def test_a_tree_replaced_at_once_is_still_watched(docs: Path, start: MakeWatch) -> None:
    watching = start(docs, out=str(docs.parent / "public"))
    other = shutil.copytree(docs, docs.parent / "other")
    (other / "guide" / "intro.md").write_text("# The other one\n")
    with watching.one_rebuild("replaced"):
        docs.rename(docs.parent / "old")
        other.rename(docs)
    with watching.one_rebuild("and watched again"):
        (docs / "guide" / "intro.md").write_text("# The other one, edited\n")
    before = watching.rested()
    (docs.parent / "old" / "guide" / "intro.md").write_text("# Nobody listens\n")
    time.sleep(1)
    assert len(watching.looks) == before


@pytest.mark.slow
def test_a_broken_document_costs_itself_and_is_named_once(
    docs: Path, start: MakeWatch, capsys: pytest.CaptureFixture[str]
) -> None:
    watching = start(docs, **{"watch.rescan": 0.3})
    page = docs / "guide" / "intro.md"
    good = page.read_bytes()
    before = len(watching.looks)
    page.write_bytes(b"---\ntitle: [unclosed\n---\n" + good)
    watching.settled(before)
    assert "notes.md" in watching.read() and "intro.md" not in watching.read()
    for _ in range(3):
        watching.next_look()
    assert capsys.readouterr().err.count("guide/intro.md") == 1
    with watching.one_rebuild("mended"):
        page.write_bytes(good)
    assert "intro.md" in watching.read()


@pytest.mark.slow
def test_a_warning_is_said_when_it_is_new(docs: Path, start: MakeWatch, capsys: pytest.CaptureFixture[str]) -> None:
    page = docs / "guide" / "intro.md"
    page.write_text("# Intro\n\n<!-- hidden -->\n")
    watching = start(docs)
    assert "guide/intro.md: " in capsys.readouterr().err
    included = '# Notes\n\n--8<-- "elsewhere.md"\n'
    warning = "warning: unresolved-include: 1 in 1 file\n  guide/notes.md: 1 include not resolved, "
    texts = (included, included + "\nMore.\n", "# Notes\n", included)
    for text, warnings in zip(texts, (1, 0, 0, 1), strict=True):
        with watching.one_rebuild(text):
            page.write_text("A line above the comment.\n\n" + page.read_text())
            (docs / "guide" / "notes.md").write_text(text)
        said = capsys.readouterr().err
        assert said.count(warning) == said.count("warning:") == warnings, said


@pytest.mark.slow
def test_the_name_of_a_tree_commands_no_terminal(
    docs: Path, start: MakeWatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start(docs.rename(docs.with_name("a\u202eb")))
    assert "project/a\\u202eb; Ctrl-C ends\n" in capsys.readouterr().err


@pytest.mark.slow
def test_a_broken_configuration_is_waited_out(
    docs: Path, config: Path, start: MakeWatch, capsys: pytest.CaptureFixture[str]
) -> None:
    watching = start(docs)
    said = ""

    def is_said(text: str) -> bool:
        nonlocal said
        said += capsys.readouterr().err
        return text in said

    for text, words in (
        ("[stripe\nfactor = 2", "is not valid TOML"),
        ("[stripe]\nfactr = 2", "Did you mean `stripe.factor`?"),
        ("", "no problem left"),
    ):
        assert not is_said(words)
        config.write_text(text)
        watching.until(lambda words=words: is_said(words), words)
    assert watching.rebuilds == 1
    with watching.one_rebuild("mended"):
        config.write_text('[stripe]\nfactor = 2\n[index]\nbase_url = "/here"\n')
    assert '"/here/' in watching.read("index.json")


@pytest.mark.slow
def test_another_model_is_picked_up(docs: Path, config: Path, start: MakeWatch) -> None:
    config.write_text('model = "first"')
    watching = start(docs)
    assert "first@0" in watching.read()
    with watching.one_rebuild("another model"):
        config.write_text('model = "second"')
    assert "second@0" in watching.read()


@pytest.mark.slow
@pytest.mark.parametrize("place", ["beside the sources", "at the top of the repository", "in the working directory"])
def test_a_configuration_made_later_is_picked_up(
    docs: Path, start: MakeWatch, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    folder = docs.parent
    if place != "beside the sources":
        (folder / "a" / "b").mkdir(parents=True)
        docs = docs.rename(folder / "a" / "b" / "docs")
    if place == "at the top of the repository":
        (folder / ".git").mkdir()
    if place == "in the working directory":
        monkeypatch.chdir(folder)
    watching = start(docs, out=str(folder / "public"))
    with watching.one_rebuild("a configuration"):
        (folder / "infograph.toml").write_text('[index]\nbase_url = "/here"\n')
    assert '"/here/' in watching.read("index.json")


@pytest.mark.slow
def test_another_output_folder_is_picked_up(docs: Path, config: Path, start: MakeWatch) -> None:
    config.write_text('out = "public"')
    watching = start(docs)
    with watching.one_rebuild("another folder, among the sources"):
        config.write_text('out = "docs/public"')
    before = watching.rested()
    (docs / "public" / "guide" / "stray.md").write_text("# No source\n")
    time.sleep(1)
    assert len(watching.looks) == before


@pytest.mark.slow
def test_a_full_disk_is_said_once_and_tried_again(
    docs: Path, start: MakeWatch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    watching = start(docs, **{"watch.rescan": 0.3})
    before = watching.read()

    def full(descriptor: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(infograph.pipeline.staging, "_write_all", full)
        (docs / "guide" / "intro.md").write_text("# Written to a full disk\n")
        for _ in range(4):
            watching.next_look()
        assert watching.read() == before
        assert capsys.readouterr().err.count("No space left on device") == 1
    watching.until(lambda: watching.rebuilds == 2, "the rebuild")
    assert "Written to a full disk" in watching.read()


def test_what_stops_the_first_build_stops_the_watch(docs: Path, config: Path, word_counts: None) -> None:
    def broken() -> Any:
        raise ConfigError("infograph.toml", "is not valid TOML")

    with pytest.raises(ConfigError):
        infograph.commands.watch.watch(broken)


# ---- the command ----------------------------------------------------------------------------------------------


@pytest.fixture
def command(docs: Path, interruptible: dict[str, Any]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "infograph", "watch", str(docs), "--out", str(docs.parent / "public")],
        cwd=Path(infograph.__file__).parents[1],
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        **interruptible,
    )
    with process:
        yield process
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def poll(condition: Callable[[], object], what: str, patience: float = 6 * PATIENCE) -> None:
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another signal on Windows")
@pytest.mark.parametrize("when", ["waiting", "building"])
def test_the_command_rebuilds_and_ends_at_ctrl_c(docs: Path, command: subprocess.Popen[str], when: str) -> None:
    spec = docs.parent / "public" / "guide" / "topic-spec.md"
    assert command.stdout is not None
    said = []
    for line in command.stdout:
        said.append(line)
        if line.startswith("watching"):
            break
    assert spec.exists(), said
    time.sleep(0.5)
    if when == "waiting":
        (docs / "guide" / "intro.md").write_text("# A real rebuild\n")
        poll(lambda: "A real rebuild" in spec.read_text(), "the rebuild")
    else:
        for number in range(300):
            (docs / f"page{number}.md").write_text(f"# Page {number}\n\nOf three hundred.\n")
        poll((docs.parent / "public/.infograph/staging").is_dir, "the rebuild's beginning")
    os.killpg(command.pid, signal.SIGINT)  # as a terminal does: to the workers too
    rest = command.communicate(timeout=6 * PATIENCE)[0]
    assert command.returncode == 130, rest
    assert "Traceback" not in rest
    assert "interrupted" in rest
