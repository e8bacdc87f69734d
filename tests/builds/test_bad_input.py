"""One bad file fails alone, by name and with the reason; the others are built; nothing is lost."""

from __future__ import annotations

import codecs
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path

import pytest

from infograph.build import Summary, build
from infograph.chunking import metadata
from infograph.chunking.code import grammars
from infograph.commands.clean import clean
from infograph.config import load
from infograph.errors import ConfigError, DocumentError, ModelError, OutputError
from infograph.pipeline import tools
from infograph.source.discovery import DEEPEST

GOOD = "# Good\n\nA page that stays.\n"
PINNED = """\
| Term | Type | Count | Header | Global | Score | Pinned |
|---|---|---|---|---|---|---|
| page | | | | | 77 | yes |
"""
ELSEWHERE = "CANARY of another folder"

is_root = hasattr(os, "geteuid") and os.geteuid() == 0


def run(root: Path, settings: str = "") -> Summary:
    (root.parent / "infograph.toml").write_text(settings)
    return build(load(str(root), environment={}))


def everything_written(root: Path) -> bytes:
    return b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file() and not path.is_symlink())


@pytest.fixture
def docs(tmp_path: Path, write_tree: Callable[..., Path]) -> Path:
    return write_tree(tmp_path / "docs", {"good.md": GOOD, "sub/good.md": GOOD})


def assert_the_rest_is_built(docs: Path, summary: Summary, documents: int = 2) -> None:
    assert summary.failed(strict=False)
    assert summary.documents == documents
    for topic in ("", "sub"):
        assert (docs / topic / "_chunks/good-0.md").read_text().endswith(GOOD)
        assert (docs / topic / "index.json").is_file()


BAD_FILES = {
    "invalid UTF-8": (b"# Bad\n\n\xff\xfe\n", "bad.md:3: not UTF-8"),
    "NUL": (b"# Bad\n\n\0\n", "bad.md:3: a NUL character"),
    "broken front matter": (b"---\ntitle: [\n---\n# Bad\n", "bad.md:"),
    "oversized front matter": (b"---\ntitle: " + b"x" * 1_100_000 + b"\n---\n# Bad\n", "bad.md:1: front matter of"),
    "a line of 100 MB": (b"x" * 100_000_000, "bad.md: 100000000 bytes, more than 5000000"),
    "a million headings": (b"# h\n" * 1_000_000, "bad.md"),
}
SLOW_FILES = {"a million headings"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW_FILES else []) for name in BAD_FILES]
)
def test_a_bad_file_fails_alone(docs: Path, quick, name: str) -> None:
    data, said = BAD_FILES[name]
    (docs / "bad.md").write_bytes(data)
    summary = run(docs)
    (error,) = summary.errors
    assert str(error).startswith(said)
    assert_the_rest_is_built(docs, summary)
    assert (docs / "bad.md").read_bytes() == data
    assert not list(docs.glob("_chunks/bad-*"))


def test_what_it_made_before_it_went_bad_goes(docs: Path, quick) -> None:
    (docs / "bad.md").write_text("# Still good\n")
    run(docs)
    assert (docs / "_chunks/bad-0.md").exists()
    (docs / "bad.md").write_bytes(b"\xff")
    assert_the_rest_is_built(docs, run(docs))
    assert not (docs / "_chunks/bad-0.md").exists()
    assert b"bad.md" not in (docs / "index.json").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("pathological", ["quotes", "lists"])
def test_a_document_that_takes_too_long_is_killed(docs: Path, words_model, pathological: str) -> None:
    """In real workers. Whatever the parser does not do in time fails by name."""
    nested = ("> " * 90 + "a\n") + "lazy\n" * 16_000 if pathological == "quotes" else "- " * 100_000 + "# h\n"
    (docs / "bad.md").write_text(nested)
    summary = run(docs, "jobs = 1\n[limits]\nseconds = 10\n")
    assert [str(error) for error in summary.errors if "bad.md" not in str(error)] == []
    assert (docs / "_chunks/good-0.md").exists()
    if not summary.errors:  # parsed in time: then with a warning, and nothing is lost
        assert "nesting" in {notice.kind for notice in summary.notices}
        chunks = sorted(docs.glob("_chunks/bad-*.md"), key=lambda path: int(path.stem.rpartition("-")[2]))
        assert "".join(path.read_text().partition("\n---\n")[2] for path in chunks) == nested


SLOW_STRATEGY = """
import infograph.chunking.chunker as chunker
real = chunker.chunk_document
def slow(document, *rest):
    if document.path == "bad.md":
        while True:
            pass
    return real(document, *rest)
chunker.chunk_document = slow
"""


@pytest.mark.slow
def test_the_time_limit_names_the_document(
    docs: Path, words_model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow/sitecustomize.py").write_text(SLOW_STRATEGY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "slow"))
    monkeypatch.setattr("infograph.execution.forked.can_fork", lambda: False)  # a copy would not read it
    (docs / "bad.md").write_text("# Slow\n")
    summary = run(docs, "jobs = 1\n[limits]\nseconds = 2\n")
    (error,) = summary.errors
    assert str(error) == ("bad.md: took longer than 2 seconds. Split the file, exclude it, or raise `limits.seconds`.")
    assert_the_rest_is_built(docs, summary)
    monkeypatch.delenv("PYTHONPATH")
    assert not run(docs, "[limits]\nseconds = 60\n").errors, "it is tried again, though it did not change"


@pytest.fixture
def deep(write_tree: Callable[..., Path]) -> Iterator[Path]:
    """A tree outside pytest's folder: its removal calls itself for each level, and would end every later run
    in an error if this one were killed."""
    base = tempfile.mkdtemp(prefix="infograph-deep-")
    yield write_tree(Path(base, "docs"), {"good.md": GOOD, "sub/good.md": GOOD})
    subprocess.run(["rm", "-rf", base], check=True)


@pytest.mark.slow
def test_folders_too_deep(deep: Path, quick) -> None:
    docs = deep
    bottom = os.open(docs, os.O_RDONLY)
    for number in range(1900):  # deeper than Python can call itself
        if number == DEEPEST:
            Path(f"/proc/self/fd/{bottom}/good.md").write_text(GOOD)
        os.mkdir("d", dir_fd=bottom)
        below = os.open("d", os.O_RDONLY, dir_fd=bottom)
        os.close(bottom)
        bottom = below
    os.close(bottom)
    summary = run(docs)
    (error,) = summary.errors
    assert error.place == "/".join(["d"] * (DEEPEST + 1)) and "more than 200 folders deep" in error.reason
    assert_the_rest_is_built(docs, summary, 3)
    assert not run(docs).written
    assert clean(load(str(docs), environment={})) > 0


def test_a_full_disk_after_publication(docs: Path, quick, monkeypatch: pytest.MonkeyPatch, snapshot) -> None:
    def full(*arguments: object) -> None:
        raise OutputError("graph.bin", "cannot be written: No space left on device", "Build again when it can be.")

    with monkeypatch.context() as patch:
        patch.setattr("infograph.pipeline.memory.topics.write_private", full)
        with pytest.raises(OutputError, match=r"No space left on device\. All outputs are published\. Only what"):
            run(docs)
    left = snapshot(docs)
    assert "index.json" in left
    assert run(docs).written == 0 and snapshot(docs) == left


def test_links_are_not_followed(docs: Path, tmp_path: Path, quick) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(f"# {ELSEWHERE}\n")
    (docs / "link.md").symlink_to(outside / "secret.md")
    (docs / "folder").symlink_to(outside, target_is_directory=True)
    (docs / "loop").symlink_to(docs, target_is_directory=True)
    (docs / "dangling.md").symlink_to("nowhere.md")
    summary = run(docs)
    assert {(n.path, n.kind) for n in summary.notices} >= {
        ("link.md", "symlink"),
        ("folder", "symlink"),
        ("dangling.md", "symlink"),
    }
    assert summary.documents == 2 and not summary.failed(strict=False) and summary.failed(strict=True)
    for path in (*docs.glob("_chunks/*"), *docs.glob("*.json"), docs / "llms.txt", docs / "topic-spec.md"):
        assert ELSEWHERE not in path.read_text()
    assert sorted(os.listdir(outside)) == ["secret.md"]


def test_a_folder_of_ours_that_is_a_link(docs: Path, tmp_path: Path, quick) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (docs / "sub/_chunks").symlink_to(outside, target_is_directory=True)
    with pytest.raises(OutputError, match="sub/_chunks: is a symbolic link"):
        run(docs)
    assert os.listdir(outside) == []
    assert not (docs / "index.json").exists(), "nothing is published"


@pytest.mark.parametrize("link", ["sub/_keywords", "sub/_keywords/words.md"])
@pytest.mark.parametrize("beside", [True, False])
def test_a_table_behind_a_link_is_not_read(docs: Path, tmp_path: Path, quick, link: str, beside: bool) -> None:
    """Its pinned rows would be published."""
    run(docs)
    outside = tmp_path / "outside"
    (docs / "sub/_keywords").rename(outside)
    table = outside / "words.md"
    table.write_text(table.read_text() + "| canary | word | 1 | 1 | 2 | 40 | yes |\n")
    (docs / link).parent.mkdir(exist_ok=True)
    (docs / link).symlink_to(outside if link.endswith("_keywords") else table)
    before = table.read_bytes()
    out = docs if beside else tmp_path / "site"
    try:
        summary = build(load(str(docs), flags={"out": str(out)}, environment={}))
    except OutputError as error:
        assert beside and "symbolic link" in str(error)
    else:
        (error,) = summary.errors
        assert "sub/_keywords/words.md: is a symbolic link or lies behind one" in str(error)
    assert not [path for path in (out / "sub").glob("*.*") if b"canary" in path.read_bytes()]
    assert table.read_bytes() == before and os.listdir(outside) == ["words.md"]


def test_a_cache_that_is_a_link(docs: Path, tmp_path: Path, quick) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / ".embedding-cache").symlink_to(outside, target_is_directory=True)
    assert not run(docs).errors  # a cache that is not kept costs time, not the build
    assert os.listdir(outside) == []


def test_a_fifo_does_not_block(docs: Path, quick) -> None:
    os.mkfifo(docs / "fifo.md")
    os.mkfifo(docs / "index.json")
    with pytest.raises(OutputError, match=r"index\.json: stands there already"):
        run(docs)
    (docs / "index.json").unlink()
    summary = run(docs)
    assert ("fifo.md", "not-regular") in {(n.path, n.kind) for n in summary.notices}
    assert summary.documents == 2


COLLISIONS = [
    ("README.md", "readme.md"),
    ("straße.md", "STRASSE.md"),
    (unicodedata.normalize("NFC", "café.md"), unicodedata.normalize("NFD", "café.md")),
    ("page.md", "page.mdx"),
]


@pytest.mark.parametrize("names", COLLISIONS)
def test_names_that_collide(docs: Path, quick, names: tuple[str, str]) -> None:
    for name in names:
        (docs / name).write_text(f"# {name}\n")
    if len(os.listdir(docs)) < 4:
        pytest.skip("this file system already takes the two names for one")
    summary = run(docs)
    (error,) = summary.errors
    assert error.place == sorted(names)[1] and sorted(names)[0] in error.reason
    assert_the_rest_is_built(docs, summary, 3)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter; tmp_path is this user's alone."""
    with tempfile.TemporaryDirectory(prefix="infograph-") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@pytest.mark.slow
@pytest.mark.skipif(not is_root, reason="needs root to become somebody without rights")
@pytest.mark.parametrize("what", ["locked", "locked/secret.md"])
def test_what_may_not_be_read(open_folder: Path, write_tree, quick, what: str) -> None:
    docs = write_tree(open_folder / "docs", {"good.md": GOOD, "sub/good.md": GOOD, "locked/secret.md": "# Secret\n"})
    (open_folder / "infograph.toml").touch()
    settings = load(str(docs), flags={"out": str(open_folder / "site")}, environment={})
    assert not build(settings).errors  # and everything is imported
    shutil.rmtree(open_folder / "site")
    for path in (open_folder, *open_folder.rglob("*")):
        os.chown(path, 65534, -1)
    os.chown(docs / what, 0, -1)
    (docs / what).chmod(0)
    os.seteuid(65534)
    try:
        first, second = build(settings), build(settings)
    finally:
        os.seteuid(0)
        (docs / what).chmod(0o700)
    for summary in (first, second):
        (error,) = summary.errors
        assert error.place == what and "Permission denied" in error.reason
        assert summary.documents == 2
    assert list(open_folder.glob("site/_chunks/good.*-0.md"))
    assert not build(settings).errors, "it is tried again"


@contextlib.contextmanager
def without_rights(folder: Path, *closed: str) -> Iterator[None]:
    """As somebody who owns what is in a folder but for some paths, which nobody else may read."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, 65534, -1)
    modes = {path: (folder / path).stat().st_mode for path in closed}
    for path in closed:
        os.chown(folder / path, 0, -1)
        (folder / path).chmod(0)
    codecs.lookup("utf-8-sig")  # of tables; a codec whose file may not be read counts as unknown from then on
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        for path, mode in modes.items():
            (folder / path).chmod(mode)


@pytest.mark.skipif(not is_root, reason="needs root to become somebody without rights")
@pytest.mark.parametrize("what", ["sub", "_keywords", "sub/_chunks"])
def test_outputs_that_may_not_be_looked_at(open_folder: Path, write_tree, snapshot, quick, what: str) -> None:
    """Nothing is published without the documents whose outputs these are, and nothing is left behind in silence."""
    docs = write_tree(open_folder / "docs", {"good.md": GOOD, "sub/good.md": GOOD})
    (open_folder / "infograph.toml").touch()
    settings = load(str(docs), flags={"out": str(open_folder / "site")}, environment={})
    build(settings)
    before = snapshot(settings.out)
    for page in ("good.md", "sub/good.md"):
        (docs / page).write_text(GOOD + "More.\n")
    with without_rights(open_folder, f"site/{what}"):
        for run_again in (lambda: build(settings), lambda: clean(settings)):
            with pytest.raises(OutputError) as caught:
                run_again()
            assert caught.value.place.startswith(what) and "Permission denied" in caught.value.reason
            assert caught.value.hint.startswith("Nothing")
    assert snapshot(settings.out) == before
    assert not build(settings).errors


@pytest.mark.skipif(not is_root, reason="needs root to become somebody without rights")
def test_clean_says_what_it_cannot_tell(open_folder: Path, write_tree, snapshot, quick) -> None:
    docs = write_tree(open_folder / "docs", {"good.md": GOOD})
    (open_folder / "infograph.toml").touch()
    settings = load(str(docs), flags={"out": str(open_folder / "site")}, environment={})
    build(settings)
    before = snapshot(settings.out)
    with (
        without_rights(open_folder, "site/topic-spec.md"),
        pytest.raises(OutputError, match=r"topic-spec\.md: cannot be looked at"),
    ):
        clean(settings)
    (docs / "good.md").write_text(GOOD + "More.\n")
    with (
        without_rights(open_folder, "site/topic-spec.md"),
        pytest.raises(OutputError, match="stands there already and cannot be read: Permission denied"),
    ):
        build(settings)
    assert snapshot(settings.out) == before


@pytest.mark.slow
@pytest.mark.skipif(not is_root, reason="needs root to become somebody without rights")
@pytest.mark.parametrize("closed", ["_keywords", "_keywords/words.md"])
def test_rows_set_by_hand_that_may_not_be_read(open_folder: Path, write_tree, quick, closed: str) -> None:
    docs = write_tree(open_folder / "docs", {"good.md": GOOD, "_keywords/words.md": PINNED})
    (open_folder / "infograph.toml").touch()
    settings = load(str(docs), flags={"out": str(open_folder / "site")}, environment={})
    build(settings)
    shutil.rmtree(settings.out)
    with without_rights(open_folder, f"docs/{closed}"):
        (error,) = build(settings).errors
    assert error.place == "_keywords/words.md" and "cannot be read: Permission denied" in error.reason
    assert not build(settings).errors
    assert "| page | " in (settings.out / "_keywords/words.md").read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="no FIFOs there")
def test_a_table_that_is_no_file(docs: Path, quick) -> None:
    (docs / "_keywords").mkdir()
    os.mkfifo(docs / "_keywords/words.md")
    (error,) = run(docs, "out = 'site'").errors
    assert str(error).startswith("_keywords/words.md: cannot be read: not a regular file")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1.5 MB, where this process may mount one."""
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1536k", "tmpfs", str(place)]
    if (
        not is_root
        or shutil.which("mount") is None
        or subprocess.run(command, capture_output=True, check=False).returncode
    ):
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_publishes_nothing(small_disk: Path, tmp_path: Path, docs: Path, quick) -> None:
    site = small_disk / "site"

    def build_there() -> Summary:
        (tmp_path / "infograph.toml").touch()
        return build(load(str(docs), flags={"out": str(site)}, environment={}))

    build_there()
    before = {path: path.read_bytes() for path in sorted(site.rglob("*.json"))}
    for number in range(60):
        (docs / f"large-{number}.md").write_text("# Large\n\n" + "word " * 6000)
    with pytest.raises(OutputError, match=r"large-\d+.*\.md: cannot be written: No space left on device\. Nothing"):
        build_there()
    assert {path: path.read_bytes() for path in sorted(site.rglob("*.json"))} == before
    for number in range(60):
        (docs / f"large-{number}.md").unlink()
    (docs / "small.md").write_text("# Small\n")
    summary = build_there()
    assert summary.documents == 3 and not summary.errors
    assert list(site.glob("_chunks/small.*-0.md"))


@pytest.mark.slow
@pytest.mark.parametrize("call", ["write", "fsync", "replace", "mkdir", "unlink"])
@pytest.mark.parametrize("nth", [1, 3, *(pytest.param(nth, marks=pytest.mark.slow) for nth in (2, 4, 5, 7, 10, 14))])
def test_the_next_build_repairs_what_a_failing_disk_left(
    docs: Path, snapshot, quick, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, call: str, nth: int
) -> None:
    """Every n-th call fails once: afterwards the tree is the old one or the next build makes it whole."""
    run(docs)
    (docs / "good.md").write_text("# Other\n\nA page that changed.\n")
    (docs / "new").mkdir()
    (docs / "new/page.md").write_text("# New\n")
    (docs / "sub/good.md").unlink()
    real = getattr(os, call)
    calls = 0

    def failing(*arguments, **named):
        nonlocal calls
        calls += 1
        if calls == nth:
            raise OSError(5, "Input/output error")
        return real(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(f"os.{call}", failing)
        try:
            run(docs)
        except OutputError as error:
            assert "Input/output error" in str(error)
    run(docs)
    copy = shutil.copytree(
        docs,
        tmp_path / "copy" / "docs",
        ignore=shutil.ignore_patterns(
            ".infograph", ".embedding-cache", "_*", "index.json", "topic-spec.md", "llms.txt"
        ),
    )
    run(copy)
    assert snapshot(docs) == snapshot(copy)


@pytest.mark.parametrize("damage", ["flip", "truncate", "swap", "directory", "link"])
def test_a_damaged_cache_entry_is_a_miss(docs: Path, snapshot, quick, damage: str, tmp_path: Path) -> None:
    run(docs)
    before = snapshot(docs)
    (vector,) = (tmp_path / ".embedding-cache").rglob("chunk-0.bin")
    data = vector.read_bytes()
    if damage == "flip":
        vector.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    elif damage == "truncate":
        vector.write_bytes(data[:-1])
    elif damage == "swap":
        vector.write_bytes(data[::-1])
    elif damage == "directory":
        vector.unlink()
        vector.mkdir()
    else:
        (tmp_path / "elsewhere").write_bytes(data)
        vector.unlink()
        vector.symlink_to(tmp_path / "elsewhere")
    shutil.rmtree(docs / ".infograph")
    summary = run(docs)
    assert summary.embedded == 1 and not summary.errors
    assert snapshot(docs) == before
    if damage == "directory":  # what cannot be replaced stays a miss
        return
    assert vector.read_bytes() == data and not vector.is_symlink()


@pytest.mark.parametrize("model", ["no-such-model", "./no/such/folder"])
def test_a_model_that_is_not_there(docs: Path, snapshot, model: str) -> None:
    before = snapshot(docs)
    with pytest.raises(ModelError, match=r"no.such.*(all-MiniLM-L6-v2|is not|no folder)"):
        run(docs, f'model = "{model}"\n')
    assert snapshot(docs) == before


def test_a_strategy_that_is_not_there(docs: Path, words_model) -> None:
    (docs.parent / "infograph.toml").write_text('strategy = "semantic-250"\n')
    with pytest.raises(ConfigError, match=r"there is no `semantic-250`\. Did you mean `semantic-250-750`"):
        build(load(str(docs), environment={}))


def test_an_empty_tree(tmp_path: Path, quick) -> None:
    (tmp_path / "docs/sub").mkdir(parents=True)
    (tmp_path / "docs/readme.txt").write_text("no Markdown")
    summary = run(tmp_path / "docs")
    (error,) = summary.errors
    assert error.place == str(tmp_path / "docs") and "holds no documents" in error.reason
    assert not (tmp_path / "docs/index.json").exists()


def test_small_documents_are_no_errors(tmp_path: Path, write_tree, quick) -> None:
    docs = write_tree(
        tmp_path / "docs",
        {
            "one/only.md": "# One chunk\n",
            "none/plain.md": "No heading at all.\n",
            "void/empty.md": "",
            "void/blank.md": "\n\n",
        },
    )
    summary = run(docs)
    assert not summary.errors and summary.documents == 4
    assert (docs / "none/_chunks/plain-0.md").read_text().endswith("No heading at all.\n")
    assert (docs / "one/index.json").exists()


def test_a_table_that_does_not_parse_is_kept(docs: Path, quick) -> None:
    run(docs)
    path = docs / "_keywords/words.md"
    path.write_text(path.read_text() + "| half | a row\n")
    before = path.read_bytes()
    first = run(docs)
    (error,) = first.errors
    assert "_keywords/words.md:" in str(error)
    assert path.read_bytes() == before
    assert [str(error) for error in run(docs).errors] == [str(error)]
    path.write_bytes(before.rpartition(b"| half")[0])
    assert not run(docs).errors


def test_a_slip_in_a_pattern_wipes_nothing(docs: Path, quick) -> None:
    assert not run(docs).errors
    before = {path: path.read_bytes() for path in docs.rglob("*") if path.is_file() and ".infograph" not in path.parts}
    summary = run(docs, 'source.include = ["nomatch"]\n')
    assert summary.removed == 0 and "holds no documents" in summary.errors[0].reason
    with pytest.raises(ConfigError, match=r"keywords\.language: 'xx' is not a known"):
        run(docs, 'keywords.language = "xx"\n')
    assert {path: path.read_bytes() for path in before} == before


def test_patterns_of_the_sources_that_name_nothing_of_the_site_beside_them(tmp_path: Path, write_tree, quick) -> None:
    project = write_tree(
        tmp_path / "project",
        {
            "infograph.toml": '[source]\ninclude = ["/docs/", "/blog/"]\n',
            "docs/page.md": GOOD,
            "build/page/index.html": "<main><h1>Page</h1><p>Text of it.</p></main>",
            "site.toml": "",
        },
    )

    def built(folder: Path, **options: str) -> Summary:
        return build(load(str(folder), flags={"out": str(tmp_path / "out")}, environment={}, **options))

    assert built(project).documents == 1
    (error,) = built(project / "build").errors
    assert str(error) == (
        f"{project}/build: holds no documents that `source.include` asks for: {project}/infograph.toml: source.include "
        "is '/docs/', '/blog/'. Patterns are of paths in the folder that is built. Name the folder that they are for, "
        "or give this one settings of its own: an infograph.toml in it, or `--config FILE`."
    )
    assert built(project / "build", file=str(project / "site.toml")).documents == 1
    (project / "build/infograph.toml").touch()
    assert built(project / "build").documents == 1


def test_pins_outlive_a_topic_that_is_gone_for_a_build(tmp_path: Path, write_tree, quick) -> None:
    docs = write_tree(tmp_path / "docs", {"a.md": GOOD, "guide/b.md": GOOD})
    assert not run(docs).errors
    table = docs / "guide/_keywords/words.md"
    table.write_text(table.read_text() + "| mine | word | 1 | 1 | 2 | 40 | yes |\n")
    run(docs)
    (docs / "guide/b.md").write_bytes(b"\xff")
    assert run(docs).errors
    (docs / "guide/b.md").write_text(GOOD)
    assert not run(docs).errors
    assert "| mine |" in table.read_text()


def test_a_page_among_our_files_is_told_by_every_build(docs: Path, quick) -> None:
    def told() -> list[str]:
        summary = run(docs)
        assert not summary.errors and summary.documents == 2
        return [notice.path for notice in summary.notices]

    (docs / "_chunks").mkdir()
    (docs / "_chunks/mine.md").write_text(GOOD)
    assert [told(), told()] == 2 * [["_chunks/mine.md"]]
    (docs / "sub/_keywords/mine.md").write_text(GOOD)
    assert [told(), told()] == 2 * [["_chunks/mine.md", "sub/_keywords/mine.md"]]
    assert (docs / "_chunks/mine.md").read_text() == GOOD
    (docs / "_chunks/mine.md").unlink()
    (docs / "sub/_keywords/mine.md").unlink()
    assert [told(), told()] == [[], []]


def test_outputs_into_a_folder_of_the_sources_are_refused(tmp_path: Path, write_tree, quick) -> None:
    docs = write_tree(tmp_path / "docs", {"a.md": GOOD, "guide/b.md": GOOD})
    with pytest.raises(ConfigError, match=r"guide: holds documents of the tree, b\.md among them"):
        build(load(str(docs), flags={"out": str(docs / "guide")}, environment={}))


ADDRESSES = ("index.base_url", "index.source_url", "site.url", "site.home")
"""Settings that go into indexes and search results, for browsers to follow."""


@pytest.mark.parametrize("setting", ADDRESSES)
@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "example.org/docs",
        "docs",
        "//example.org/",
        "https://",
        "https:/x.org",
        "ftp://example.org/",
        "https://x.org\\evil.example/",
        "https://x.org/a b",
        " https://x.org/",
        "/\\evil.example/",
    ],
)
def test_an_address_that_browsers_must_not_follow(docs: Path, setting: str, address: str) -> None:
    with pytest.raises(ConfigError, match=rf"`{setting}` must be"):
        load(str(docs), flags={setting: address}, environment={})


@pytest.mark.parametrize("setting", ADDRESSES)
@pytest.mark.parametrize("rest", ["/docs/", "/a b", "\\evil.example/", "?a"])
def test_an_address_with_a_password_is_not_published_and_not_repeated(docs: Path, setting: str, rest: str) -> None:
    with pytest.raises(ConfigError, match=f"`{setting}` holds a user's name") as error:
        load(str(docs), flags={setting: f"https://user:canary@example.org{rest}"}, environment={})
    assert "canary" not in str(error.value)


@pytest.mark.parametrize("setting", ADDRESSES)
@pytest.mark.parametrize("address", ["", "/", "/docs", "http://localhost:8000", "https://example.org/docs/{path}/"])
def test_addresses_that_are_in_order(docs: Path, setting: str, address: str) -> None:
    if setting == "index.source_url" and address:
        address = address.removesuffix("{path}/").rstrip("/") + "/{path}"
    config = load(str(docs), flags={setting: address}, environment={}).config
    assert attrgetter(setting)(config) == address


@pytest.mark.parametrize("query", ["?plain=1", "#top"])
def test_only_sources_may_have_a_query(docs: Path, query: str) -> None:
    address = "https://example.org/{path}" + query
    load(str(docs), flags={"index.source_url": address}, environment={})
    for setting in set(ADDRESSES) - {"index.source_url"}:
        with pytest.raises(ConfigError, match=rf"`{setting}` must be"):
            load(str(docs), flags={setting: address}, environment={})


def test_an_empty_out_is_no_folder(docs: Path) -> None:
    with pytest.raises(ConfigError, match="is empty"):
        load(str(docs), flags={"out": ""}, environment={})


def test_the_configuration_lies_above_the_tree_and_nowhere_else(tmp_path: Path, docs: Path, monkeypatch) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/infograph.toml").write_text('model = "static"\n')
    monkeypatch.chdir(tmp_path / "sub")
    assert load(f"../{docs.name}", environment={}).config.model != "static"


def test_an_entry_of_the_cache_that_cannot_be_written_costs_no_build(docs: Path, tmp_path: Path, quick) -> None:
    (tmp_path / "wall").touch()
    (tmp_path / "infograph.toml").touch()
    summary = build(load(str(docs), flags={"cache": str(tmp_path / "wall")}, environment={}))
    assert not summary.errors and summary.documents


def test_the_tools_wipe_nothing_either(tmp_path: Path, write_tree, quick) -> None:
    docs = write_tree(tmp_path / "docs", {"a.md": GOOD, "guide/b.md": GOOD})
    assert not run(docs).errors
    table = docs / "guide/_keywords/words.md"
    table.write_text(table.read_text() + "| mine | word | 1 | 1 | 2 | 40 | yes |\n")
    run(docs)
    before = {path: path.read_bytes() for path in docs.rglob("*") if path.is_file() and ".infograph" not in path.parts}
    nothing = load(str(docs), flags={"source.include": "nomatch"}, environment={})
    for tool in (tools.chunk, tools.keywords, tools.topic):
        with pytest.raises(DocumentError, match="holds no documents"):
            tool(nothing)
    assert {path: path.read_bytes() for path in before} == before
    (docs / "guide/b.md").write_bytes(b"\xff")
    assert tools.keywords(load(str(docs), environment={})).errors
    assert "| mine |" in table.read_text()
    (tmp_path / "empty").mkdir()
    with pytest.raises(OutputError, match=r"holds no topic-spec\.md\. Run"):
        tools.index(load(str(tmp_path / "empty"), environment={}))
    assert not (tmp_path / "empty/index.json").exists()


ODD_KINDS = {
    "broken.py": (
        "def f(:\n    return )\n" * 9,
        "syntax",
        "does not parse as python, so it is cut between lines there",
    ),
    "broken.go": ("package p\nfunc (\n" * 9, "syntax", "does not parse as go"),
    "ragged.csv": ("a,b\n" + "1\n1,2\n1,2,3\n" * 9, "ragged", "rows"),
    "overlap.vtt": ("WEBVTT\n\n00:10.000 --> 00:20.000\nOne.\n\n00:05.000 --> 00:30.000\nTwo.\n", None, ""),
}


def test_files_of_other_kinds_that_are_not_in_order_are_built_and_told(docs: Path, quick) -> None:
    for package in ("tree_sitter_python", "tree_sitter_go"):
        pytest.importorskip(package)
    for name, (text, _, _) in ODD_KINDS.items():
        (docs / name).write_text(text)
    summary = run(docs, 'source.include = ["*.md", "*.py", "*.go", "*.csv", "*.vtt"]\n')
    assert not summary.errors and summary.documents == 2 + len(ODD_KINDS)
    notices = {notice.path: notice for notice in summary.notices}
    assert len(notices) == len(summary.notices)
    for name, (text, kind, said) in ODD_KINDS.items():
        files = sorted(docs.glob(f"_chunks/{name}-*.md"), key=lambda path: int(path.stem.rpartition("-")[2]))
        assert "".join(file.read_text().partition("\n---\n")[2] for file in files) == text
        if kind is None:
            assert name not in notices
        else:
            assert notices[name].kind == kind and said in notices[name].message


@pytest.fixture
def no_grammars(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def missing(name: str) -> None:
        raise ImportError(f"No module named {name!r}")

    grammars._language.cache_clear()
    monkeypatch.setattr(grammars, "import_module", missing)
    yield
    grammars._language.cache_clear()


@pytest.mark.usefixtures("no_grammars")
def test_a_missing_grammar_costs_the_documents_in_its_language(docs: Path, quick) -> None:
    """Markdown is built without any, so what needs one fails by name, with the extra that brings it."""
    (docs / "bad.py").write_text("def f(): pass\n")
    summary = run(docs, 'source.include = ["*.md", "*.py"]\n')
    (error,) = summary.errors
    assert error.place == "bad.py" and "pip install 'infograph[code]'" in str(error)
    assert_the_rest_is_built(docs, summary)


@pytest.mark.parametrize("setting", ['entities = "en_core_web_sm"', 'metadata = ["language"]'])
def test_a_missing_package_that_every_chunk_needs_ends_the_build(
    docs: Path, snapshot, quick, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    """The configuration asks for it in each chunk, so no document could be made: said once, nothing is published."""
    metadata._pipeline.cache_clear()
    metadata._natural_language.cache_clear()
    metadata._identifier.cache_clear()
    for name in ("spacy", "py3langid"):
        monkeypatch.setitem(sys.modules, name, None)
    run(docs)
    before = snapshot(docs)
    with pytest.raises(
        ConfigError,
        match=r"/infograph\.toml: chunks\.(?:entities|metadata): .* ?needs .*pip install 'infograph\[\w+\]'",
    ):
        run(docs, f"[chunks]\n{setting}\n")
    assert snapshot(docs) == before


def sparse(path: Path, size: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    os.truncate(path, size)


def test_a_table_of_gigabytes_is_not_read_whole(docs: Path, quick) -> None:
    table = docs / "sub/_keywords/words.md"
    sparse(table, 6 << 30)
    summary = run(docs)
    assert [str(error) for error in summary.errors if "is larger than 32 MB" in str(error)], summary.errors
    assert table.stat().st_size == 6 << 30
    assert (docs / "_chunks/good-0.md").read_text().endswith(GOOD)


def test_an_index_of_gigabytes_is_somebody_elses(docs: Path, quick) -> None:
    sparse(docs / "sub/index.json", 6 << 30)
    with pytest.raises(OutputError, match=r"sub/index\.json"):
        run(docs)
